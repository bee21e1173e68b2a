package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLogTest extends PatchLogContract {
    @TempDir
    Path temporary;

    private Path folder;
    private final List<String> ids = new ArrayList<>();

    @Override
    PatchLog create() throws IOException {
        folder = temporary.resolve("log");
        return PatchLogs.create(folder.toString());
    }

    @Override
    StoreLog open() throws IOException {
        return (StoreLog) PatchLogs.open(folder.toUri().toString());
    }

    @Override
    boolean isFolder() {
        return true;
    }

    @Override
    void createAgain() throws IOException {
        StoreLog.create(folder);
    }

    @Override
    void fill(int patches) throws IOException {
        for (int number = 1; number <= patches; number++) {
            ids.add(append(log, patch(newId(), null, add(number))).id());
        }
    }

    private Path file(int version) {
        return folder.resolve(LogObject.fileName(version));
    }

    @Test
    void aFolderThatIsNoLogIsNotOpened() throws IOException {
        assertThrows(FileNotFoundException.class, () -> StoreLog.open(temporary.resolve("other")));
        Files.writeString(temporary.resolve("file.txt"), "x");
        assertThrows(IOException.class, () -> StoreLog.create(temporary));
        assertFalse(StoreLog.isLog(new FolderStore(temporary)));
        assertTrue(StoreLog.isLog(new FolderStore(folder)));
    }

    /** What is read here with tolerance has to be right for the readers of others. */
    @Test
    void eachFileIsAStrictStreamOfOnePatch() throws IOException {
        append(log, patch(null, null, add(1)));
        append(log, patch(null, null) + add(2) + "\n");
        new LogRepair(open()).insertPlaceholder(3, newId(), log.head().id(), "no reason");
        for (int version = 1; version <= 3; version++) {
            try (PatchReader<byte[]> strict = new PatchReader<>(Files.newInputStream(file(version)), "file",
                    new Utf8Terms(), ReadOptions.STRICT)) {
                strict.readAll(new PatchAdapter<>());
                assertEquals(1, strict.numbers().patches());
            }
        }
    }

    @Test
    void thePropertiesHaveTheRightsOfAPatch() throws IOException {
        fill(1);
        assertEquals(Files.getPosixFilePermissions(file(1)), Files.getPosixFilePermissions(folder.resolve(LogProperties.NAME)));
    }

    @Test
    void aPatchIsFetchedAsItIsStored() throws IOException {
        fill(3);
        for (int version = 1; version <= 3; version++) {
            byte[] stored = Files.readAllBytes(file(version));
            assertEquals(stored.length, open().lengthOf(version));
            try (InputStream in = open().storedSlice(version).open()) {
                assertArrayEquals(stored, in.readAllBytes());
            }
        }
        assertThrows(FileNotFoundException.class, () -> open().storedSlice(4));
    }

    @Test
    void theIndexMayBeOldDamagedOrMissing() throws IOException {
        fill(5);
        Path index = folder.resolve(IndexCache.NAME);
        List<String> lines = Files.readAllLines(index);
        assertEquals(6, lines.size());
        Random random = new Random(5);
        for (int run = 0; run < 300; run++) {
            List<String> some = new ArrayList<>(lines);
            Collections.shuffle(some.subList(1, 6), random);
            byte[] bytes = String.join("\n", some.subList(0, random.nextInt(7))).getBytes(StandardCharsets.US_ASCII);
            bytes = Arrays.copyOf(bytes, Math.max(0, bytes.length - random.nextInt(80)));
            if (bytes.length > 0 && random.nextBoolean()) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(index, bytes);
            StoreLog log = open();
            assertEquals(new LogHead(5, ids.get(4)), log.head(), "run " + run);
            assertEquals(new LogHead(2, ids.get(1)), append(log, patch(ids.get(1), ids.get(0), add(2))));
            assertEquals(new LogHead(3, ids.get(2)), append(open(), patch(ids.get(2), ids.get(1), add(3))));
        }
        Files.writeString(index, "jellybridge patch log index 4\n" + lines.get(1) + "\n");
        assertEquals(new LogHead(2, ids.get(1)), append(open(), patch(ids.get(1), ids.get(0), add(2))));
        assertEquals(lines, Files.readAllLines(index), "one of another version is made anew");
        Files.delete(index);
        assertEquals(new LogHead(5, ids.get(4)), open().head());
        assertEquals(new LogHead(1, ids.get(0)), append(open(), patch(ids.get(0), null, add(1))));
        assertTrue(Files.exists(index));
    }

    @Test
    void aPatchThatTheIndexKnowsIsReadWhereItsFileChanged() throws IOException {
        fill(3);
        String other = newId();
        Files.delete(file(2));
        Files.write(file(2), LogPatches.jelly(patch(other, ids.get(0), add(7))));
        try (LogEntries entries = open().fetch(2, 2)) {
            assertEquals(other, entries.next().header().id());
        }
    }

    @Test
    void damagedPropertiesAreAnErrorThatNamesThem() throws IOException {
        Path properties = folder.resolve(LogProperties.NAME);
        byte[] whole = Files.readAllBytes(properties);
        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= (byte) 0x80;
            Files.write(properties, damaged);
            String message = assertThrows(IOException.class, () -> StoreLog.open(folder), "byte " + i).getMessage();
            assertTrue(message.contains(properties.toString()), message);
            Files.write(properties, Arrays.copyOf(whole, i));
            assertEquals(i < whole.length - 1, isRefused(), "cut to " + i);
        }
    }

    private boolean isRefused() throws IOException {
        try {
            return StoreLog.open(folder).id() == null;
        } catch (IOException e) {
            return e.getMessage().contains(LogProperties.NAME);
        }
    }

    @Test
    void aPatchWhoseTransactionsDoNotBalanceIsFoundWhoeverWroteIt() throws IOException {
        fill(3);
        LogPatches.unbalance(file(2));
        assertTrue(new LogRepair(open()).readFile(LogObject.fileName(2)).get(0).fault().contains("TC outside of a transaction"));
        assertEquals(2, assertThrows(PoisonPatchException.class, () -> follow(null)).version());
    }

    /** At every byte a cut patch is found. */
    @Test
    void noCutGoesUnnoticed() throws IOException {
        fill(2);
        byte[] whole = Files.readAllBytes(file(1));
        for (int length = 0; length < whole.length; length++) {
            Files.write(file(1), Arrays.copyOf(whole, length));
            LogRepair.FoundPatch cut = new LogRepair(open()).readFile(LogObject.fileName(1)).get(0);
            assertTrue(cut.id() == null && cut.fault() != null, length + " bytes");
        }
    }

    private List<Long> follow(LogReader.Quarantine quarantine) throws IOException {
        List<Long> versions = new ArrayList<>();
        try (LogReader reader = new LogReader(open().fetch(1, Long.MAX_VALUE), 0, null, null, quarantine)) {
            for (LogEntry entry = reader.next(); entry != null; entry = reader.next()) {
                versions.add(entry.version());
            }
        }
        return versions;
    }
}
