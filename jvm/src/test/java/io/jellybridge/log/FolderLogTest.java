package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    PatchLog open() throws IOException {
        return PatchLogs.open(folder.toUri().toString());
    }

    @Override
    void createAgain() throws IOException {
        FolderLog.create(folder);
    }

    private void fill(int patches) throws IOException {
        for (int number = 1; number <= patches; number++) {
            ids.add(append(log, patch(null, null, add(number))).id());
        }
    }

    private Path file(int version) {
        return folder.resolve(FolderLog.fileName(version));
    }

    private static List<String> kinds(List<LogFault> faults) {
        return faults.stream().map(fault -> fault.kind() + " " + fault.version()).toList();
    }

    private List<LogFault> check() throws IOException {
        return FolderCheck.check(FolderLog.open(folder));
    }

    private List<LogFault> repair() throws IOException {
        return FolderCheck.repair(FolderLog.open(folder));
    }

    @Test
    void aFolderThatIsNoLogIsNotOpened() throws IOException {
        assertThrows(FileNotFoundException.class, () -> FolderLog.open(temporary.resolve("other")));
        Files.writeString(temporary.resolve("file.txt"), "x");
        assertThrows(IOException.class, () -> FolderLog.create(temporary));
    }

    @Test
    void theHeadIsFoundWhateverTheHintSays() throws IOException {
        fill(5);
        for (String hint : new String[] {"5", "2", "0", "17", "-3", "x", ""}) {
            Files.writeString(folder.resolve(FolderLog.HEAD_HINT), hint);
            assertEquals(new LogHead(5, ids.get(4)), open().head(), "hint " + hint);
        }
        Files.write(folder.resolve(FolderLog.HEAD_HINT), new byte[] {(byte) 0xb5});
        assertEquals(new LogHead(5, ids.get(4)), open().head());
        Files.delete(folder.resolve(FolderLog.HEAD_HINT));
        assertEquals(new LogHead(5, ids.get(4)), open().head());
    }

    @Test
    void damagedPropertiesAreAnErrorThatNamesThem() throws IOException {
        Path properties = folder.resolve(FolderLog.PROPERTIES);
        byte[] whole = Files.readAllBytes(properties);
        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= (byte) 0x80;
            Files.write(properties, damaged);
            String message = assertThrows(IOException.class, () -> FolderLog.open(folder), "byte " + i).getMessage();
            assertTrue(message.contains(properties.toString()), message);
            Files.write(properties, Arrays.copyOf(whole, i));
            assertEquals(i < whole.length - 1, isRefused(), "cut to " + i);
        }
    }

    private boolean isRefused() throws IOException {
        try {
            return FolderLog.open(folder).id() == null;
        } catch (IOException e) {
            return e.getMessage().contains(FolderLog.PROPERTIES);
        }
    }

    @Test
    void nothingIsAppendedToALogWithAGap() throws IOException {
        fill(4);
        Files.delete(file(3));
        Files.delete(folder.resolve(FolderLog.HEAD_HINT));
        IOException gap = assertThrows(IOException.class, () -> append(open(), patch(null, null, add(5))));
        assertTrue(gap.getMessage().contains("version 3 is missing"), gap.getMessage());
    }

    @Test
    void aSoundLogHasNoFaults() throws IOException {
        fill(3);
        Files.writeString(folder.resolve(FolderLog.APPEND_PREFIX + "x"), "an append that is under way");
        assertEquals(List.of(), check());
        assertEquals(List.of(), repair());
        assertEquals(3, texts(open(), 1, 9).size());
    }

    @Test
    void aDamagedPatchGoesIntoQuarantineAndAStandInKeepsTheChain() throws IOException {
        fill(5);
        byte[] whole = Files.readAllBytes(file(3));
        byte[] cut = Arrays.copyOf(whole, whole.length - 7);
        Files.write(file(3), cut);
        assertEquals(List.of("DAMAGED 3"), kinds(check()));
        List<LogFault> repaired = repair();
        assertEquals(List.of("DAMAGED 3"), kinds(repaired));
        assertNotNull(repaired.get(0).repaired());
        Path aside = folder.resolve(FolderLog.QUARANTINE).resolve(FolderLog.fileName(3));
        assertEquals(ByteBuffer.wrap(cut), ByteBuffer.wrap(Files.readAllBytes(aside)));
        assertEquals(List.of("LOST 3"), kinds(check()));
        append(open(), patch(newId(), ids.get(4), add(6)), ids.get(4));

        PoisonPatchException stopped = assertThrows(PoisonPatchException.class, () -> follow(null));
        assertEquals(3, stopped.version());
        List<Long> quarantined = new ArrayList<>();
        assertEquals(List.of(1L, 2L, 4L, 5L, 6L), follow((entry, reason) -> quarantined.add(entry.version())));
        assertEquals(List.of(3L), quarantined);
    }

    @Test
    void patchesThatAreLostInARowGetStandIns() throws IOException {
        fill(6);
        Files.delete(file(1));
        Files.delete(file(3));
        Files.write(file(4), new byte[] {1, 2, 3});
        assertEquals(List.of("GAP 1", "GAP 3", "DAMAGED 4"), kinds(check()));
        repair();
        assertEquals(List.of("LOST 1", "LOST 3", "LOST 4"), kinds(check()));
        assertEquals(List.of(2L, 5L, 6L), follow((entry, reason) -> { }));
    }

    @Test
    void aDamagedHeadGoesIntoQuarantineAndTheLogEndsBeforeIt() throws IOException {
        fill(3);
        Files.write(file(3), new byte[0]);
        repair();
        assertEquals(new LogHead(2, ids.get(1)), open().head());
        append(open(), patch(null, null, add(4)), ids.get(1));
        assertEquals(List.of(), check());
    }

    @Test
    void aMisnamedPatchGetsItsPlaceBackAndAStrangerGoesAside() throws IOException {
        fill(4);
        Files.move(file(2), folder.resolve("2.jellyp"));
        Files.writeString(folder.resolve("notes.txt"), "x");
        assertEquals(List.of("MISNAMED 0", "MISNAMED 0"), kinds(check()));
        repair();
        assertEquals(List.of(), check());
        assertEquals(4, texts(open(), 1, 9).size());
        assertTrue(Files.exists(folder.resolve(FolderLog.QUARANTINE).resolve("notes.txt")));
    }

    @Test
    void aForkIsNamedAndLeftAsItIs() throws IOException {
        fill(4);
        try (PatchLog other = FolderLog.create(temporary.resolve("other"))) {
            append(other, patch(null, null, add(1)));
            append(other, patch(null, null, add(2)));
        }
        Files.copy(temporary.resolve("other").resolve(FolderLog.fileName(2)), file(5));
        assertEquals(List.of("FORK 5"), kinds(check()));
        assertEquals(List.of("FORK 5"), kinds(repair()));
        assertTrue(Files.exists(file(5)));
        BrokenChainException broken = assertThrows(BrokenChainException.class, () -> follow(null));
        assertEquals(5, broken.version());
        assertEquals(ids.get(3), broken.expected());
    }

    @Test
    void anAppendThatWasCutOffLongAgoIsRemoved() throws IOException {
        fill(1);
        Path left = folder.resolve(FolderLog.APPEND_PREFIX + newId());
        Files.writeString(left, "half a patch");
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        assertEquals(List.of("UNFINISHED 0"), kinds(check()));
        repair();
        assertEquals(List.of(), check());
        assertTrue(Files.notExists(left));
    }

    /** At every byte a cut patch is found. */
    @Test
    void noCutGoesUnnoticed() throws IOException {
        fill(2);
        byte[] whole = Files.readAllBytes(file(1));
        for (int length = 0; length < whole.length; length++) {
            Files.write(file(1), Arrays.copyOf(whole, length));
            assertEquals(List.of("DAMAGED 1"), kinds(check()), length + " bytes");
        }
    }

    private List<Long> follow(Quarantine quarantine) throws IOException {
        List<Long> versions = new ArrayList<>();
        try (LogReader reader = new LogReader(open().fetch(1, Long.MAX_VALUE), 0, null, quarantine)) {
            for (LogEntry entry = reader.next(); entry != null; entry = reader.next()) {
                versions.add(entry.version());
            }
        }
        return versions;
    }
}
