package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LogCompactionTest {
    @TempDir
    Path folder;

    private final List<String> ids = new ArrayList<>();

    @BeforeEach
    void makeLog() throws IOException {
        StoreLog.create(folder);
    }

    private StoreLog open() throws IOException {
        return StoreLog.open(folder);
    }

    private void fill(int patches) throws IOException {
        StoreLog log = open();
        for (int i = 0; i < patches; i++) {
            ids.add(append(log, patch(null, null, add(ids.size()))).id());
        }
    }

    private Path file(long first) {
        return folder.resolve(LogObject.fileName(first));
    }

    private Path joined(long first, long last) {
        return folder.resolve(new LogObject(first, last).name());
    }

    private List<Long> firsts() throws IOException {
        return LogPatches.firsts(folder);
    }

    private static LogCompaction.Report compact(StoreLog log) throws IOException {
        return LogCompaction.run(log, Long.MAX_VALUE);
    }

    @Test
    void aJoinedFileThatTheIndexDoesNotKnowIsLookedThroughOnce() throws IOException {
        fill(4);
        compact(open());
        Files.delete(folder.resolve(".index")); // as a log is that was copied
        StoredPatches patches = new StoredPatches(new FolderStore(folder), open().id());
        LogObject four = new LogObject(1, 4);
        List<StoredSlice> found = patches.slicesOf(four);
        assertEquals(4, found.size());
        for (int version = 1; version <= 4; version++) {
            assertEquals(found.get(version - 1), patches.sliceOf(version));
        }
        assertSame(found, patches.slicesOf(four));
        fill(2);
        compact(open());
        assertEquals(6, patches.slicesOf(new LogObject(1, 6)).size());
    }

    @Test
    void theJoinedFileIsTheBytesOfItsFilesOneBehindTheOther() throws IOException {
        fill(20);
        List<String> before = texts(open(), 1, 20);
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (int version = 1; version <= 20; version++) {
            joined.write(Files.readAllBytes(file(version)));
        }
        assertEquals(new LogCompaction.Report(20, 1, joined.size()), compact(open()));
        assertEquals(List.of(1L), firsts());
        assertArrayEquals(joined.toByteArray(), Files.readAllBytes(joined(1, 20)));
        assertEquals(before, texts(open(), 1, 20));
        try (PatchReader<byte[]> reader = new PatchReader<>(Files.newInputStream(joined(1, 20)), "joined", new Utf8Terms(),
                ReadOptions.DEFAULT)) {
            reader.readAll(new PatchAdapter<>());
            assertEquals(20, reader.numbers().patches(), "any reader of Jelly-Patch reads it");
        }
        assertEquals(new LogCompaction.Report(1, 1, 0), compact(open()));
    }

    @Test
    void whoHasTheLogOpenReadsOnAndAppends() throws IOException {
        fill(10);
        StoreLog reader = open();
        StoreLog writer = open();
        writer.head();
        List<String> before = new ArrayList<>();
        try (LogEntries entries = reader.fetch(1, 10)) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                if (entry.version() == 5) {
                    compact(open());
                }
                before.add(LogPatches.text(entry));
            }
        }
        assertEquals(before, texts(open(), 1, 10));
        assertEquals(11, append(writer, patch(null, ids.get(9), add(11)), ids.get(9)).version());
        assertEquals(ids.get(3), id(reader, 4));
        assertEquals(11, open().head().version());
    }

    private static String id(StoreLog log, long version) throws IOException {
        try (LogEntries entries = log.fetch(version, version)) {
            return entries.next().header().id();
        }
    }

    @Test
    void withoutAnIndexTheJoinedFileTellsItsPatchesApart() throws IOException {
        fill(10);
        compact(open());
        fill(3);
        Files.delete(folder.resolve(IndexCache.NAME));
        assertEquals(new LogHead(13, ids.get(12)), open().head());
        for (int version = 1; version <= 13; version++) {
            Files.deleteIfExists(folder.resolve(IndexCache.NAME));
            assertEquals(ids.get(version - 1), id(open(), version));
        }
        LogRepair.FoundPatch seventh = new LogRepair(open()).readFile(new LogObject(1, 10).name()).get(6);
        assertEquals(new LogRepair.FoundPatch(ids.get(6), ids.get(5), seventh.before(), seventh.hash(), null, false, null), seventh);
        assertEquals(7, open().versionWith(ids.get(6)));
    }

    @Test
    void filesAreJoinedUpToASizeAndLargerOnesStay() throws IOException {
        fill(30);
        long one = Files.size(file(15));
        LogCompaction.run(open(), 10 * one);
        assertTrue(firsts().size() >= 3 && firsts().size() <= 4, firsts().toString());
        List<Long> first = firsts();
        assertEquals(0, LogCompaction.run(open(), 9 * one).bytes());
        fill(5);
        LogCompaction.run(open(), 9 * one);
        assertEquals(first, firsts().subList(0, first.size()));
        assertEquals(first.size() + 1, firsts().size());
        assertEquals(35, texts(open(), 1, 99).size());
        compact(open());
        assertEquals(List.of(1L), firsts());
        assertEquals(ids.get(34), open().head().id());
    }

    @Test
    void aJoinedFileMayHaveJustAsManyBytesAsAreAllowed() throws IOException {
        fill(3);
        long two = Files.size(file(1)) + Files.size(file(2));
        assertEquals(new LogCompaction.Report(3, 3, 0), LogCompaction.run(open(), 1));
        assertEquals(new LogCompaction.Report(3, 3, 0), LogCompaction.run(open(), two - 1));
        assertEquals(new LogCompaction.Report(3, 2, two), LogCompaction.run(open(), two));
        assertEquals(List.of(1L, 3L), firsts());
        fill(1);
        LogCompaction.run(open(), Files.size(file(3)) + Files.size(file(4)));
        assertEquals(List.of(1L, 3L), firsts());
        assertThrows(IllegalArgumentException.class, () -> LogCompaction.run(open(), 0));
    }

    @Test
    void aPatchThatCantBeReadStaysAlone() throws IOException {
        fill(9);
        byte[] damaged = Files.readAllBytes(file(5));
        damaged[damaged.length - 9] ^= 0x55;
        FileTime later = FileTime.from(Files.getLastModifiedTime(file(5)).toInstant().plusSeconds(2));
        Files.write(file(5), damaged);
        Files.setLastModifiedTime(file(5), later); // else both may be written in one tick of the clock
        compact(open());
        assertEquals(List.of(1L, 5L, 6L), firsts());
        assertArrayEquals(damaged, Files.readAllBytes(file(5)));
        assertEquals(new LogHead(9, ids.get(8)), open().head());
    }

    /** As by a copy that went wrong: no joined file would tell what the rest is of. */
    @Test
    void aPatchWithBytesBehindItStaysAlone() throws IOException {
        fill(6);
        Files.write(file(3), new byte[] {9, 9, 9}, StandardOpenOption.APPEND);
        compact(open());
        assertEquals(List.of(1L, 3L, 4L), firsts());
        assertThrows(FormatException.class, () -> texts(open(), 3, 3));
        assertEquals(5, texts(open(), 1, 2).size() + texts(open(), 4, 6).size());
    }

    @Test
    void aPatchWithoutRestartPointsStaysAlone() throws IOException {
        fill(3);
        String id = LogPatches.newId();
        ChainPlace place = new ChainPlace(open().id(), 4, LogVersions.headerOf(open(), 3).hash());
        byte[] chained = LogPatches.chained(patch(id, ids.get(2), add(100)), place).bytes();
        try (PatchReader<byte[]> patch = new PatchReader<>(new ByteArrayInputStream(chained), "test", new Utf8Terms(),
                        ReadOptions.DEFAULT);
                PatchWriter<byte[]> out = new PatchWriter<>(Files.newOutputStream(file(4)), null, new Utf8Terms(),
                        PatchOptions.DEFAULT, WriteOptions.DEFAULT.withRestartBytes(0))) {
            patch.readAll(out);
        }
        byte[] foreign = Files.readAllBytes(file(4));
        ids.add(id);
        fill(2);
        compact(open());
        assertEquals(List.of(1L, 4L, 5L), firsts());
        assertArrayEquals(foreign, Files.readAllBytes(file(4)));
        assertEquals(new LogHead(6, ids.get(5)), open().head());
    }

    @Test
    void whatACompactionLeftThatDiedIsReadOnceAndDeletedByTheNext() throws IOException {
        fill(8);
        Path kept = Files.createDirectory(folder.resolveSibling("kept-" + folder.getFileName()));
        for (int version = 2; version <= 8; version++) {
            Files.copy(file(version), kept.resolve(LogObject.fileName(version)));
        }
        List<String> before = texts(open(), 1, 8);
        compact(open());
        for (boolean indexed : new boolean[] {true, false}) {
            for (int version = 4; version <= 8; version++) {
                Files.copy(kept.resolve(LogObject.fileName(version)), file(version));
            }
            if (!indexed) {
                Files.delete(folder.resolve(IndexCache.NAME));
            }
            assertEquals(new LogHead(8, ids.get(7)), open().head());
            assertEquals(before, texts(open(), 1, 8));
            assertEquals(new LogCompaction.Report(6, 1, 0), compact(open()));
            assertEquals(List.of(1L), firsts());
        }
        fill(1);
        assertEquals(9, open().head().version());
    }

    /** Who looks for the head goes from file to file, and a compaction takes them away in the same order, and faster. */
    @Test
    @Timeout(120)
    void theHeadStaysWhereItIsWhileFilesAreJoined() throws Exception {
        int patches = 300;
        fill(2);
        byte[] oldIndex = Files.readAllBytes(folder.resolve(IndexCache.NAME)); // as of those who died before they added to it
        fill(patches - 2);
        Path kept = Files.createDirectory(folder.resolveSibling("kept-" + folder.getFileName()));
        for (int version = 1; version <= patches; version++) {
            Files.createLink(kept.resolve(LogObject.fileName(version)), file(version));
        }
        Set<Long> heads = ConcurrentHashMap.newKeySet();
        for (int round = 0; round < 20; round++) {
            for (int version = 1; version <= patches; version++) {
                Files.deleteIfExists(file(version));
                Files.createLink(file(version), kept.resolve(LogObject.fileName(version)));
            }
            Files.write(folder.resolve(IndexCache.NAME), oldIndex);
            StoreLog compacted = open();
            AtomicBoolean joined = new AtomicBoolean();
            FutureTask<Void> reader = new FutureTask<>(() -> {
                while (!joined.get()) {
                    Files.write(folder.resolve(IndexCache.NAME), oldIndex);
                    heads.add(open().headVersion());
                }
                return null;
            });
            new Thread(reader).start();
            compact(compacted);
            joined.set(true);
            reader.get();
        }
        assertEquals(Set.of((long) patches), heads);
    }

    @Test
    void twoCompactionsAtOnceAreOneToMany() throws Exception {
        fill(3);
        try (FolderLock held = new FolderStore(folder).lockForCompaction()) {
            assertThrows(LogBusyException.class, () -> compact(open()));
        }
        assertThrows(IllegalArgumentException.class, () -> LogCompaction.run(open(), 0));
        compact(open());
    }

    @Test
    void aCompactionLeavesNothingInTheMaking() throws IOException {
        fill(5);
        compact(open());
        try (var files = Files.list(folder)) {
            assertFalse(files.anyMatch(file -> file.getFileName().toString().startsWith(FolderStore.APPEND_PREFIX)));
        }
    }
}
