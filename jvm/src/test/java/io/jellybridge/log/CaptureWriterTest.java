package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.StreamFrames;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class CaptureWriterTest {
    private static final CaptureWriter.Rotation NEVER = new CaptureWriter.Rotation(Long.MAX_VALUE, Long.MAX_VALUE, 1_000_000);

    @TempDir
    Path temporary;

    private Path folder;
    private final List<String> ids = new ArrayList<>();

    private CaptureWriter writer(CaptureWriter.Rotation rotation) throws IOException {
        folder = temporary.resolve("log");
        return new CaptureWriter(StoreLog.openOrCreate(new FolderStore(folder)), rotation, true);
    }

    private FolderStore store() {
        return new FolderStore(folder);
    }

    private Path file(long first, long last) {
        return folder.resolve(new LogObject(first, last).name());
    }

    /** Deletes the objects of the log. */
    private void deleteObjects() throws IOException {
        for (LogObject object : LogPatches.objects(folder)) {
            Files.delete(folder.resolve(object.name()));
        }
    }

    private StoreLog log() throws IOException {
        return StoreLog.open(folder);
    }

    private void write(CaptureWriter writer) throws IOException {
        String id = newId();
        LogPatches.Chained patch = LogPatches.chained(patch(id, writer.head().id(), add(ids.size())), writer.next());
        writer.append(id, patch.hash(), new ByteArrayInputStream(patch.bytes()));
        ids.add(id);
    }

    private static byte[] bytes(String id, String prev, int number) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PatchSource<byte[]> patch = LogPatches.source(patch(id, prev, add(number)));
                PatchWriter<byte[]> out = new PatchWriter<>(bytes, null, new Utf8Terms(), PatchOptions.DEFAULT,
                        WriteOptions.DEFAULT)) {
            patch.readAll(out);
        }
        return bytes.toByteArray();
    }

    private void requireAll(int count) throws IOException {
        StoreLog log = log();
        assertEquals(count == 0 ? LogHead.EMPTY : new LogHead(count, ids.get(count - 1)), log.head());
        List<String> found = new ArrayList<>();
        try (LogReader reader = new LogReader(log.fetch(1, count), 0, null, null, null)) {
            for (LogEntry entry = reader.next(); entry != null; entry = reader.next()) {
                found.add(entry.header().id());
            }
        }
        assertEquals(ids.subList(0, count), found);
    }

    @Test
    void patchesAreInTheLogWhenTheirFileIsRotated() throws IOException {
        try (CaptureWriter writer = writer(NEVER)) {
            write(writer);
            write(writer);
            assertEquals(new LogHead(2, ids.get(1)), writer.head());
            requireAll(0);
            writer.rotate();
            requireAll(2);
            writer.rotate();
            write(writer);
        }
        requireAll(3);
        assertEquals(List.of(1L, 3L), LogPatches.firsts(folder));
        assertTrue(store().parts().isEmpty());
    }

    @Test
    void aFileEndsWithItsBytesOrItsPatches() throws IOException {
        try (CaptureWriter writer = writer(new CaptureWriter.Rotation(Long.MAX_VALUE, 2, 1_000_000))) {
            for (int i = 0; i < 5; i++) {
                write(writer);
            }
            requireAll(4);
        }
        try (CaptureWriter writer = writer(new CaptureWriter.Rotation(1, Long.MAX_VALUE, 1_000_000))) {
            write(writer);
            requireAll(6);
        }
    }

    @Test
    void aFileIsRotatedWhenItIsOldEnoughAlsoWhenNothingComes() throws Exception {
        try (CaptureWriter writer = writer(new CaptureWriter.Rotation(Long.MAX_VALUE, Long.MAX_VALUE, 50))) {
            for (int count = 1; count <= 3; count++) {
                write(writer);
                long end = System.nanoTime() + 20_000_000_000L;
                while (log().headVersion() < count) {
                    assertTrue(System.nanoTime() < end, "it was not rotated");
                    Thread.sleep(5);
                }
                requireAll(count);
            }
        }
    }

    @Full("waits 10 s for a lock")
    @Test
    void nobodyElseWritesMeanwhile() throws IOException {
        try (CaptureWriter writer = writer(NEVER)) {
            write(writer);
            assertThrows(IllegalStateException.class, () -> writer(NEVER));
            assertThrows(IllegalStateException.class, () -> writer(NEVER), "the one who asked in vain has let nobody in");
            LogBusyException busy = assertThrows(LogBusyException.class, () -> append(log(), patch(null, null, add(9))));
            assertTrue(busy.getMessage().contains("a capture writes to this log"), busy.getMessage());
            LogCompaction.run(log(), Long.MAX_VALUE);
        }
        requireAll(1);
        assertEquals(2, append(log(), patch(null, null, add(9))).version());
    }

    @Test
    void aRepairNeedsTheLogForItself() throws IOException {
        try (CaptureWriter writer = writer(NEVER)) {
            write(writer);
            LogBusyException busy = assertThrows(LogBusyException.class, () -> new LogRepair(log()).lock());
            assertTrue(busy.getMessage().contains("a capture writes to this log"), busy.getMessage());
            LogCompaction.run(log(), Long.MAX_VALUE);
        }
        try (Closeable held = new LogRepair(log()).lock()) {
            assertThrows(LogBusyException.class, () -> LogCompaction.run(log(), Long.MAX_VALUE));
            assertThrows(IllegalStateException.class, () -> writer(NEVER));
            assertThrows(LogBusyException.class, () -> new LogRepair(log()).lock());
        }
        LogCompaction.run(log(), Long.MAX_VALUE);
        writer(NEVER).close();
    }

    /** Leaves a log as a process does that is killed while it writes. */
    private Path killed(int patches) throws IOException {
        CaptureWriter writer = writer(NEVER);
        for (int i = 0; i < patches; i++) {
            write(writer);
        }
        writer.releaseLock();
        return store().partFile(1);
    }

    @Test
    void anAppendTakesInWhatACrashLeft() throws IOException {
        killed(3);
        requireAll(0);
        LogHead made = append(log(), patch(null, ids.get(2), add(9)), ids.get(2));
        assertEquals(4, made.version());
        ids.add(made.id());
        requireAll(4);
        assertTrue(store().parts().isEmpty());
    }

    @Test
    void aFileThatEndsWithinAPatchLosesItAtEveryByte() throws IOException {
        Path part = killed(3);
        byte[] whole = Files.readAllBytes(part);
        List<Long> ends = StoredSlice.of(part).stream().map(slice -> slice.end()).toList();
        for (int length = 0; length <= whole.length; length++) {
            deleteObjects();
            Files.write(part, Arrays.copyOf(whole, length));
            long cut = length;
            writer(NEVER).close();
            requireAll((int) ends.stream().filter(end -> end <= cut).count());
            assertFalse(Files.exists(part));
        }
    }

    /** The hash of a patch in a file, by its place there. */
    private static String hashOf(Path file, int number) throws IOException {
        try (PatchSource<byte[]> patch = StoredSlice.of(file).get(number).read("test", new Utf8Terms())) {
            return HeaderReader.readHeader(patch).hash();
        }
    }

    /** As a crash leaves it between two frames of a long patch, within its transaction. */
    @Test
    void aFileThatEndsWithAWholeFrameWithinAPatchLosesThatPatchAlone() throws IOException {
        Path part = killed(2);
        byte[] whole = Files.readAllBytes(part);
        String[] rows = new String[3_000];
        Arrays.setAll(rows, row -> add(row));
        LogPatches.Chained chained = LogPatches.chained(patch(newId(), ids.get(1), rows),
                new ChainPlace(log().id(), 3, hashOf(part, 1)));
        byte[] patch = chained.bytes();
        int cuts = 0;
        try (StreamFrames frames = new StreamFrames(new ByteArrayInputStream(patch))) {
            for (; frames.next() && frames.end() < patch.length; cuts++) {
                deleteObjects();
                Files.write(part, whole);
                Files.write(part, Arrays.copyOf(patch, (int) frames.end()), StandardOpenOption.APPEND);
                writer(NEVER).close();
                requireAll(2);
                assertArrayEquals(whole, Files.readAllBytes(file(1, 2)));
            }
        }
        assertTrue(cuts > 1, cuts + " cuts");
    }

    @Test
    void whatIsDamagedOtherwiseIsNotCutOff() throws IOException {
        Path part = killed(4);
        byte[] whole = Files.readAllBytes(part);
        int second = (int) StoredSlice.of(part).get(1).offset();
        byte[] damaged = whole.clone();
        System.arraycopy(new byte[] {-1, -1, -1, 0x7F}, 0, damaged, second, 4); // the length of a frame
        Files.write(part, damaged);
        IOException refused = assertThrows(IOException.class, () -> writer(NEVER));
        assertTrue(refused.getMessage().contains("has whole patches behind that"), refused.getMessage());
        damaged = whole.clone();
        damaged[damaged.length - 3] ^= 0x7F;
        Files.write(part, damaged);
        assertThrows(FormatException.class, () -> writer(NEVER));
        assertEquals(List.of(part.getFileName().toString()), new LogRepair(log()).nameCaptures(false));
        assertEquals(whole.length, Files.size(part), "nothing is lost");
        Files.write(part, whole);
        assertEquals(List.of(), new LogRepair(log()).nameCaptures(false));
        writer(NEVER).close();
        requireAll(4);
    }

    @Test
    void aFileThatHasItsNameAlreadyLosesTheOther() throws IOException {
        Path part = killed(2);
        Files.createLink(file(1, 2), part);
        writer(NEVER).close();
        requireAll(2);
        assertFalse(Files.exists(part));
    }

    @Test
    void aFileWhosePlaceIsTakenIsPutAside() throws IOException {
        Path part = killed(2);
        byte[] whole = Files.readAllBytes(part);
        ChainPlace place = new ChainPlace(log().id(), 1, Chain.START);
        Files.write(file(1, 1), LogPatches.chained(patch(newId(), null, add(7)), place).bytes());
        requireAside(part, whole, "the log has other patches by now from version 1 on");
        assertEquals(1, log().headVersion());
    }

    @Test
    void aDamagedFileWhosePlaceIsTakenIsPutAside() throws IOException {
        Path part = killed(2);
        byte[] damaged = Files.readAllBytes(part);
        damaged[damaged.length - 3] ^= 0x7F;
        Files.write(part, damaged);
        ChainPlace place = new ChainPlace(log().id(), 1, Chain.START);
        Files.write(file(1, 1), LogPatches.chained(patch(newId(), null, add(7)), place).bytes());
        requireAside(part, damaged, "it is damaged, and the log has version 1 by now");
    }

    private void requireAside(Path part, byte[] bytes, String why) throws IOException {
        writer(NEVER).close();
        assertFalse(Files.exists(part));
        Path aside = folder.resolve("quarantine").resolve(part.getFileName().toString().substring(1));
        assertArrayEquals(bytes, Files.readAllBytes(aside), "nothing is lost");
        String reason = Files.readString(aside.resolveSibling(aside.getFileName() + ".reason.txt"));
        assertTrue(reason.contains(why), reason);
    }

    @Test
    void aFileThatDoesNotGoOnWhereTheLogEndsIsKeptAndNamed() throws IOException {
        try (CaptureWriter writer = writer(NEVER)) {
            write(writer);
            write(writer);
        }
        CaptureWriter killed = writer(NEVER);
        write(killed);
        killed.releaseLock();
        Path file = file(1, 2);
        Path later = store().partFile(3);
        Path away = Files.move(file, temporary.resolve("away"));
        IOException gap = assertThrows(IOException.class, () -> writer(NEVER));
        assertTrue(gap.getMessage().contains(
                later.getFileName() + " goes on behind version 2, and the log ends with version 0"), gap.getMessage());
        assertEquals(List.of(file(3, 3).getFileName().toString()), new LogRepair(log()).nameCaptures(false));
        assertTrue(Files.exists(later) && !Files.exists(file(3, 3)));
        Files.move(away, file);
        writer(NEVER).close();
        requireAll(3);
    }

    @Test
    void aFileOfAnotherLogOrOfAnotherVersionIsPutAside() throws IOException {
        Path part = killed(2);
        byte[] whole = Files.readAllBytes(part);
        Path later = store().partFile(5);
        Files.move(part, later);
        requireAside(later, whole, "it is of another log, or was damaged");
        requireAll(0);
        Files.write(part, whole);
        Files.delete(folder.resolve(LogProperties.NAME)); // as rm -rf log/* does, which leaves what is hidden
        deleteQuarantine();
        StoreLog.create(folder);
        requireAside(part, whole, "it is of another log, or was damaged");
        requireAll(0);
        deleteQuarantine();
        append(log(), patch(null, null, add(1)));
        Path behind = store().partFile(2);
        Files.write(behind, whole);
        requireAside(behind, whole, "its first patch was to follow none");
        assertEquals(1, log().headVersion());
    }

    private void deleteQuarantine() throws IOException {
        try (var files = Files.list(folder.resolve("quarantine"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder.resolve("quarantine"));
    }

    /** A process may die between the two names of a file that is rotated, and a compaction take one of them away. */
    @Test
    void whatIsInTheLogAlreadyIsNotTakenInAgain() throws IOException {
        Path part = killed(2);
        Files.createLink(file(1, 2), part);
        ids.add(append(log(), patch(null, ids.get(1), add(3))).id());
        LogCompaction.run(log(), Long.MAX_VALUE);
        writer(NEVER).close();
        assertFalse(Files.exists(part));
        assertEquals(List.of(1L), LogPatches.firsts(folder));
        requireAll(3);
    }

    @Test
    void aPatchThatCantBeReadToItsEndIsTakenBackAndTheLogGoesOn() throws IOException {
        try (CaptureWriter writer = writer(NEVER)) {
            write(writer);
            byte[] half = bytes(newId(), ids.get(0), 5);
            assertThrows(IOException.class, () -> writer.append(newId(), "", new InputStream() {
                private int at;

                @Override
                public int read() throws IOException {
                    if (at == half.length - 5) {
                        throw new IOException("no more");
                    }
                    return half[at++] & 0xFF;
                }
            }));
            assertEquals(1, writer.head().version());
            write(writer);
        }
        requireAll(2);
    }

    @Test
    void whereNotEvenThatCanBeHadNothingMoreIsTaken() throws IOException {
        CaptureWriter writer = writer(NEVER);
        write(writer);
        Files.delete(store().partFile(1));
        Thread.currentThread().interrupt(); // which closes the file
        assertThrows(IOException.class, () -> write(writer));
        assertTrue(Thread.interrupted());
        for (Executable call
                : List.<Executable>of(() -> write(writer), writer::prepare, writer::rotate, writer::close)) {
            String message = assertThrows(IOException.class, call).getMessage();
            assertTrue(message.contains(folder + " can't be written: ClosedByInterruptException; end the capture"), message);
        }
        writer(NEVER).close();
    }

    @Test
    void aFileThatMayEndWithinAPatchGetsNoName() throws IOException {
        CaptureWriter writer = writer(NEVER);
        write(writer);
        Path part = store().partFile(1);
        Path away = temporary.resolve("away");
        byte[] half = Arrays.copyOf(bytes(newId(), ids.get(0), 5), 20);
        assertThrows(IOException.class, () -> writer.append(newId(), "", new SequenceInputStream(new ByteArrayInputStream(half),
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        Files.move(part, away);
                        Thread.currentThread().interrupt();
                        return -1;
                    }
                })));
        assertTrue(Thread.interrupted());
        Files.move(away, part);
        assertThrows(IOException.class, writer::rotate);
        assertThrows(IOException.class, writer::close);
        writer(NEVER).close();
        requireAll(1);
    }

    @Test
    void afterAnInterruptedAppendOrRotationTheLogGoesOn() throws IOException {
        try (CaptureWriter writer = writer(NEVER)) {
            for (int version = 1; version <= 2; version++) {
                Thread.currentThread().interrupt();
                assertThrows(IOException.class, () -> write(writer));
                assertTrue(Thread.interrupted());
                write(writer);
            }
            Thread.currentThread().interrupt();
            assertThrows(IOException.class, writer::rotate);
            assertTrue(Thread.interrupted());
            writer.prepare();
            write(writer);
        }
        requireAll(3);
        assertEquals(3, texts(log(), 1, 9).size());
    }
}
