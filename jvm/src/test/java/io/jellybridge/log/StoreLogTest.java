package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.appendAll;
import static io.jellybridge.log.LogPatches.chain;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.checkpoint.StateLog;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.jena.apply.ProgressListener;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a log in a store that can do what each store does and nothing more. */
class StoreLogTest extends PatchLogContract {
    /** More bytes than ten small patches have, and fewer than a large one. */
    private static final int SMALL = 10_000;

    @TempDir
    Path temporary;

    private final MemoryStore store = new MemoryStore();

    @Override
    PatchLog create() throws IOException {
        return StoreLog.create(store);
    }

    @Override
    StoreLog open() throws IOException {
        return StoreLog.open(store);
    }

    @Override
    void createAgain() throws IOException {
        StoreLog.create(store);
    }

    /** Its files, also those of several patches, and one that is large, are those of a folder. */
    @Test
    void aFolderThatIsCopiedHereIsTheSameLog() throws IOException {
        store.objects.remove(LogProperties.NAME);
        try (StoreLog here = StoreLog.create(temporary.resolve("here"))) {
            for (int number = 1; number <= 12; number++) {
                append(here, patch(null, null, add(number)));
                if (number == 5) {
                    String[] rows = new String[120_000];
                    Arrays.setAll(rows, row -> "A <urn:s> <urn:p> \"" + "x".repeat(40) + row + "\" .");
                    append(here, patch(null, null, rows));
                    LogCompaction.run(here, Long.MAX_VALUE);
                } else if (number == 9) {
                    LogCompaction.run(here, 5000);
                }
            }
            try (DirectoryStream<Path> files = Files.newDirectoryStream(here.folder(), Files::isRegularFile)) {
                for (Path file : files) {
                    store.objects.put(file.getFileName().toString(), Files.readAllBytes(file));
                }
            }
            PatchLog copy = open();
            assertEquals(here.id(), copy.id());
            assertEquals(here.head(), copy.head());
            assertEquals(1, copy.first());
            assertEquals(texts(here, 1, 20), texts(copy, 1, 20));
            for (long version = 1; version <= 13; version++) {
                String id = LogPatches.idOf(here, version);
                assertEquals(id, LogPatches.idOf(open(), version));
            }
            assertEquals(texts(here, 8, 8), texts(open(), 8, 8));
            LogHead more = append(copy, patch(null, null, add(13)));
            assertEquals(new LogHead(14, more.id()), open().head());
        }
    }

    /** Its id is known by the patch that follows it, and what it said is not. */
    @Test
    void aPatchThatIsGoneIsNotAppendedAgain() throws IOException {
        String gone = append(log, patch(null, null, add(1))).id();
        append(log, patch(null, null, add(2)));
        store.objects.remove(LogObject.fileName(1));
        LogConflictException refused = assertThrows(LogConflictException.class,
                () -> append(open(), patch(gone, null, add(1))));
        assertTrue(refused.getMessage().contains(gone), refused.getMessage());
        assertEquals(2, open().head().version());
    }

    @Test
    void theListOfObjectsIsThatOfOneMoment() throws IOException {
        appendAll(log, chain(null, 3));
        StoreLog listed = open();
        int before = store.listings;
        assertEquals(Map.of(LogObject.fileName(1), 3L), ObjectList.of(listed).patches());
        assertEquals(before + 1, store.listings);
    }

    @Test
    void aWriterThatNeverListsRemembersItsLastPatchOnly() throws IOException {
        store.isLikeServer = true;
        StoreLog writer = open();
        append(writer, patch(null, null, add(1)));
        int before = store.listings;
        append(writer, patch(null, null, add(2)));
        append(writer, patch(null, null, add(3)));
        assertEquals(before, store.listings);
        assertNotNull(writer.patches().knownRow(3));
        assertNull(writer.patches().knownRow(2));
    }

    @Test
    void anEntryIsCalledByItsFile() throws IOException {
        append(log, patch(null, null, add(1)));
        try (LogEntries entries = open().fetch(1, 1)) {
            assertEquals(store.name() + "/" + LogObject.fileName(1), entries.next().name());
        }
    }

    @Test
    void anAppendWhoseAnswerWasLostIsThereOnceWhenItComesAgain() throws IOException {
        String id = newId();
        append(log, patch(null, null, add(1)));
        store.answersAreLost = true;
        assertThrows(IOException.class, () -> append(log, patch(id, null, add(2))));
        store.answersAreLost = false;
        assertEquals(new LogHead(2, id), append(open(), patch(id, null, add(2))));
        assertEquals(new LogHead(2, id), log.head());
        assertEquals(2, texts(log, 1, 9).size());
    }

    /** Else it would be deleted, and others may have appended behind it. */
    @Test
    void anObjectThatAListLacksStays() throws IOException {
        String id = newId();
        fill(1);
        store.unlisted = LogObject.fileName(2);
        String message = assertThrows(IOException.class, () -> append(open(), patch(id, null, add(2)))).getMessage();
        assertTrue(message.contains("lacks " + LogObject.fileName(2)), message);
        store.unlisted = null;
        fill(1);
        assertEquals(new LogHead(2, id), append(open(), patch(id, null, add(2))));
        assertEquals(3, texts(open(), 1, 9).size());
    }

    @Override
    void fill(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            append(open(), patch(newId(), null, add(i)));
        }
    }

    @Test
    void patchesOfACallAreOneObject() throws IOException {
        fill(2);
        StoreLog reader = open();
        LogHead head = reader.head();
        List<String> patches = chain(head.id(), 100);
        appendAll(open(), patches);
        assertEquals(Set.of(LogProperties.NAME, LogObject.fileName(1), LogObject.fileName(2), LogObject.fileName(3)),
                store.objects.keySet());
        assertEquals(102, reader.head().version());
        assertEquals(patches, texts(reader, 3, 999));
        fill(2);
        assertEquals(104, open().head().version());
        assertTrue(store.objects.containsKey(LogObject.fileName(103)));
        List<String> before = texts(open(), 1, 999);
        assertEquals(104, before.size());
        assertEquals(2, LogPruning.run(open(), 50, 0).versions(), "the object of versions 3 to 102 stays");
        assertEquals(3, open().first());
        LogCompaction.run(open(), Long.MAX_VALUE);
        assertEquals(List.of(new LogObject(3, 104)), objects());
        assertEquals(before.subList(2, 104), texts(reader, 1, 999));
        assertEquals(before.subList(2, 104), texts(open(), 1, 999));
        appendAll(open(), chain(open().head().id(), 3));
        LogCompaction.run(open(), Long.MAX_VALUE);
        assertEquals(List.of(new LogObject(3, 107)), objects());
        assertEquals(105, texts(open(), 1, 999).size());
    }

    @Test
    void oneOfTwoThatAppendAVersionWinsHoweverManyPatchesEachHas() throws IOException {
        fill(1);
        for (int[] counts : new int[][] {{1, 100}, {100, 1}, {3, 2}, {2, 2}}) {
            LogHead before = open().head();
            StoreLog late = open();
            store.before(LogObject.fileName(before.version() + 1), () -> appendAll(open(), chain(before.id(), counts[1])));
            LogConflictException conflict = assertThrows(LogConflictException.class,
                    () -> appendAll(late, chain(before.id(), counts[0])));
            assertEquals(before.version() + counts[1], conflict.found().version());
            assertEquals(before.version() + counts[1], open().head().version());
            assertEquals(open().head().version(), texts(open(), 1, 999).size());
        }
    }

    /** Its name was free again, and it would have put versions there that the log has. */
    @Test
    void aCallWhoseNameWasTakenAndJoinedMeanwhileIsAConflict() throws IOException {
        fill(2);
        for (int more : new int[] {2, 3, 9}) {
            StoreLog late = open();
            LogHead head = late.head();
            store.before(LogObject.fileName(head.version() + 1), () -> {
                appendAll(open(), chain(head.id(), more));
                fill(1);
                LogCompaction.run(open(), Long.MAX_VALUE);
            });
            assertThrows(LogConflictException.class, () -> appendAll(late, chain(head.id(), 3)));
            long now = head.version() + more + 1;
            assertEquals(List.of(new LogObject(1, now)), objects());
            assertEquals(now, texts(open(), 1, 999).size());
        }
    }

    @Test
    void anObjectThatLacksPatchesOfItsCallIsNamed() throws IOException {
        appendAll(log, chain(null, 9));
        byte[] whole = store.objects.get(LogObject.fileName(1));
        List<StoredSlice> slices = open().patches().slicesOf(new LogObject(1, 9, LogObject.fileName(1)));
        for (int left = 1; left < 9; left++) {
            store.objects.put(LogObject.fileName(1), Arrays.copyOf(whole, (int) slices.get(left).offset()));
            String message = assertThrows(IOException.class, () -> append(open(), patch(null, null, add(1)))).getMessage();
            assertTrue(message.contains("version 9 is not there, although " + LogObject.fileName(1) + " should have it"), message);
            message = assertThrows(IOException.class, () -> texts(open(), 1, 99)).getMessage();
            assertTrue(message.contains(LogObject.fileName(1)), message);
        }
    }

    @Test
    void aGapBehindTheObjectOfACallIsFound() throws IOException {
        appendAll(log, chain(null, 3));
        fill(2);
        store.objects.remove(LogObject.fileName(4));
        String message = assertThrows(IOException.class, () -> append(open(), patch(null, null, add(1)))).getMessage();
        assertTrue(message.contains("version 4 is missing"), message);
    }

    /** As a copy leaves it into which files of another copy were put. */
    @Test
    void aPatchWithinTheVersionsOfACallIsNoHead() throws IOException {
        appendAll(log, chain(null, 3));
        byte[] several = store.objects.get(LogObject.fileName(1));
        store.objects.remove(LogObject.fileName(1));
        fill(2);
        byte[] first = store.objects.put(LogObject.fileName(1), several);
        String message = assertThrows(IOException.class, () -> open().head()).getMessage();
        assertTrue(message.contains(LogObject.fileName(1) + " and " + LogObject.fileName(2) + " both have version 2"), message);
        store.objects.put(LogObject.fileName(1), first);
        assertEquals(2, open().head().version());
    }

    @Test
    void aCallOfVeryManyPatchesIsCutIntoObjects() throws IOException {
        int count = LogBatch.MOST_PATCHES + 5;
        List<LogHead> made = appendAll(log, chain(null, count));
        assertEquals(count, made.get(count - 1).version());
        assertEquals(Set.of(LogProperties.NAME, LogObject.fileName(1), LogObject.fileName(LogBatch.MOST_PATCHES + 1)),
                store.objects.keySet());
        assertEquals(made.get(count - 1), open().head());
        assertEquals(made, appendAll(open(), texts(open(), 1, count)));
    }

    /** Whatever the change before which it ends, all patches of the call are there, or none. */
    @Test
    void aCallThatIsKilledLeavesAllOrNothing() throws IOException {
        fill(2);
        List<String> before = texts(open(), 1, 99);
        List<String> patches = chain(open().head().id(), 20);
        for (boolean lost : new boolean[] {false, true}) {
            store.changesLeft = lost ? -1 : 0;
            store.answersAreLost = lost;
            assertThrows(Exception.class, () -> appendAll(open(), patches));
            store.changesLeft = -1;
            store.answersAreLost = false;
            List<String> after = new ArrayList<>(before);
            after.addAll(lost ? patches : List.of());
            assertEquals(after, texts(open(), 1, 99));
        }
        assertEquals(22, appendAll(open(), patches).get(19).version());
        assertEquals(22, open().head().version());
    }

    /** Whatever the change before which it ends, each version is there, and the next one goes on. */
    @Test
    void aCompactionThatIsKilledLeavesTheLogAsItIs() throws IOException {
        fill(6);
        List<String> before = texts(open(), 1, 9);
        Map<String, byte[]> whole = new TreeMap<>(store.objects);
        for (int changes = 0; changes <= 6; changes++) {
            store.objects.clear();
            store.objects.putAll(whole);
            store.changesLeft = changes;
            assertThrows(Exception.class, () -> LogCompaction.run(open(), Long.MAX_VALUE));
            store.changesLeft = -1;
            assertEquals(before, texts(open(), 1, 9), changes + " changes");
            LogCompaction.run(open(), Long.MAX_VALUE);
            assertEquals(List.of(new LogObject(1, 6)), objects());
            assertEquals(before, texts(open(), 1, 9));
        }
    }

    @Test
    void patchesThatNameNoPreviousOneComeBehindThoseOfOthers() throws IOException {
        String id = newId();
        fill(2);
        for (int first : new int[] {3, 8}) {
            StoreLog late = open();
            store.before(LogObject.fileName(first), () -> {
                fill(1);
                store.before(LogObject.fileName(first + 1), () -> fill(1));
            });
            long[] made = appendAll(late, List.of(patch(id, null, add(77)), patch(null, null, add(78)), patch(null, null, add(78)),
                    patch(newId(), null, add(79)), patch(id, null, add(77)))).stream().mapToLong(LogHead::version).toArray();
            assertArrayEquals(first == 3 ? new long[] {5, 6, 6, 7, 5} : new long[] {5, 10, 10, 11, 5}, made);
            assertEquals(made[3], texts(open(), 1, 99).size());
        }
    }

    @Test
    void whoIsAlwaysLaterThanOthersGetsAConflict() throws IOException {
        beFaster(1);
        StoreLog late = open();
        assertThrows(LogConflictException.class, () -> append(late, patch(null, null, add(77))));
        assertEquals(open().head().version(), texts(open(), 1, 99).size());
    }

    private void beFaster(long version) {
        store.before(LogObject.fileName(version), () -> {
            fill(1);
            beFaster(version + 1);
        });
    }

    /** Else it would be acknowledged as a second version 3, which nobody reads. */
    @Test
    void anAppendWhoseNameWasTakenAndJoinedMeanwhileComesBehind() throws IOException {
        fill(2);
        StoreLog late = open();
        store.before(LogObject.fileName(3), () -> {
            fill(3);
            LogCompaction.run(open(), Long.MAX_VALUE);
        });
        assertEquals(6, append(late, patch(newId(), null, add(77))).version());
        assertEquals(List.of(new LogObject(1, 5), new LogObject(6, 6)), objects());
        assertEquals(6, texts(open(), 1, 9).size());
    }

    @Test
    void anAppendWhoseNameWasTakenAndPrunedMeanwhileComesBehind() throws IOException {
        for (int before : new int[] {0, 2}) {
            store.objects.keySet().removeIf(name -> LogObject.parseName(name) != null);
            fill(before);
            for (int more : new int[] {2, 3}) {
                StoreLog late = open();
                long head = late.head().version();
                store.before(LogObject.fileName(head + 1), () -> {
                    fill(more);
                    LogPruning.run(open(), head + more - 1, 0);
                });
                long made = append(late, patch(newId(), null, add(77))).version();
                assertEquals(head + more + 1, made);
                assertEquals(List.of(new LogObject(made - 1, made - 1), new LogObject(made, made)), objects());
            }
        }
    }

    @Test
    void anAppendThatWasJoinedBeforeTheWriterLooksIsAcknowledged() throws IOException {
        fill(1);
        StoreLog writer = StoreLog.open(new Joining(store));
        LogHead made = append(writer, patch(newId(), null, add(2)));
        assertEquals(2, made.version());
        assertEquals(List.of(new LogObject(1, 2)), objects());
        assertEquals(made, open().head());
    }

    /** Fills the log with ten small objects, which a compaction to {@link #SMALL} bytes joins, and ten large ones. */
    private List<String> fillForCompaction() throws IOException {
        fill(10);
        for (int i = 0; i < 10; i++) {
            append(open(), patch(newId(), null, "A <urn:s> <urn:p> \"" + "x".repeat(SMALL) + "\" ."));
        }
        return texts(open(), 15, 20);
    }

    private void assertPruned(long first, List<String> left) throws IOException {
        assertEquals(first, open().first());
        assertEquals(left, texts(open(), 1, 99));
        assertEquals(21, append(open(), patch(newId(), null, add(21))).version());
    }

    @Test
    void whatIsPrunedWhileItIsJoinedStaysPruned() throws IOException {
        List<String> left = fillForCompaction();
        store.before(new LogObject(1, 10).name(), () -> assertEquals(15, LogPruning.run(open(), 14, 0).first()));
        assertThrows(LogBusyException.class, () -> LogCompaction.run(open(), SMALL));
        assertPruned(15, left);
    }

    @Test
    void whatIsJoinedWhileItIsPrunedIsPruned() throws IOException {
        List<String> left = fillForCompaction();
        store.before(LogObject.fileName(3), () -> LogCompaction.run(open(), SMALL)); // in which 3 to 10 are joined
        assertEquals(15, LogPruning.run(open(), 14, 0).first());
        assertPruned(15, left);
    }

    @Test
    void anObjectThatIsJoinedWhileItsHalfIsPrunedStays() throws IOException {
        fill(20);
        List<String> left = texts(open(), 3, 20);
        store.before(LogObject.fileName(3), () -> LogCompaction.run(open(), Long.MAX_VALUE));
        assertEquals(3, LogPruning.run(open(), 14, 0).first());
        assertPruned(3, left);
    }

    /** Then it has the only copies. */
    @Test
    void aJoinedObjectStaysWhoseObjectsAnotherCompactionHasDeleted() throws IOException {
        fill(3);
        List<String> before = texts(open(), 1, 3);
        assertEquals(1, LogCompaction.run(StoreLog.open(new Joining(store)), Long.MAX_VALUE).after());
        assertEquals(before, texts(open(), 1, 9));
    }

    /** A store where a compaction comes between the creation of an object and the list after it. */
    private record Joining(MemoryStore store) implements LogStore {

        @Override
        public String name() {
            return store.name();
        }

        @Override
        public Map<String, Long> list(String folder) {
            return store.list(folder);
        }

        @Override
        public long lengthOf(String file) {
            return store.lengthOf(file);
        }

        @Override
        public InputStream open(String file, long offset) throws IOException {
            return store.open(file, offset);
        }

        @Override
        public void create(String file, Path content) throws IOException {
            store.create(file, content);
            LogCompaction.run(StoreLog.open(store), Long.MAX_VALUE);
        }

        @Override
        public void delete(String file) throws IOException {
            store.delete(file);
        }
    }

    @Test
    void aCheckpointIsItsFilesAndThenItsDescription() throws IOException {
        fill(4);
        Checkpoint made = CheckpointFiles.make(open(), 3, ProgressListener.NONE);
        String part = made.parts().get(0).file();
        assertTrue(part.matches("part-00000-[0-9a-f]{16}.jelly"), part);
        assertEquals(Set.of(Checkpoint.DESCRIPTION, part), store.list(Checkpoint.folderOf(3)).keySet());
        store.objects.remove(Checkpoint.folderOf(3) + "/" + Checkpoint.DESCRIPTION);
        assertEquals(Set.of(), new Checkpoints(open()).versions());
        assertNull(open().findCheckpoint(4));
        assertEquals(4, StateLog.lines(open(), 4).size());
        assertEquals(3, CheckpointFiles.make(open(), 3, ProgressListener.NONE).version());
        assertEquals(2, store.list(Checkpoint.folderOf(3)).size());
        assertEquals(4, StateLog.lines(open(), 4).size());
    }

    @Test
    void whatIsLeftOfAnUnfinishedCheckpointGoesWithThePatchesBehindIt() throws IOException {
        fill(5);
        for (long version : new long[] {2, 3, 4}) {
            CheckpointFiles.make(open(), version, ProgressListener.NONE);
        }
        store.objects.remove(Checkpoint.folderOf(2) + "/" + Checkpoint.DESCRIPTION);
        assertEquals(1, Pruning.before(open(), 5).checkpoints());
        assertEquals(Set.of(LogObject.toDigits(4)), store.list(Checkpoints.FOLDER).keySet());
    }

    @Test
    void aStateThatComesAfterAPatchIsNone() throws IOException {
        FileLocation file =
                new FileLocation(Files.writeString(temporary.resolve("state.nq"), "<urn:a> <urn:p> <urn:o> .\n").toString());
        store.before(Checkpoint.folderOf(1) + "/" + Checkpoint.DESCRIPTION, () -> fill(1));
        assertThrows(IllegalStateException.class, () -> CheckpointFiles.begin(store, file,
                ConvertOptions.strict(false), ProgressListener.NONE));
        assertEquals(List.of(1L, 1L), List.of(log.first(), log.head().version()));
        assertEquals(Set.of(), store.list(Checkpoint.folderOf(1)).keySet());
    }
}
