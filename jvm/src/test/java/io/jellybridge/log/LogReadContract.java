package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.appendAll;
import static io.jellybridge.log.LogPatches.chain;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.LogHistory;
import io.jellybridge.checkpoint.LogVerification;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.checkpoint.StateLog;
import io.jellybridge.codec.FormatException;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.sync.FollowedLog;
import io.jellybridge.sync.InitialLoad;
import io.jellybridge.sync.SyncOptions;
import io.jellybridge.sync.SyncRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * What holds for whoever reads a log, in whatever store it is. The handle {@link #log} appends. Readers have others, and what
 * changes objects is done where they are.
 */
abstract class LogReadContract {
    private static final int ROWS = 3;
    private static final CaptureWriter.Rotation ROTATION = new CaptureWriter.Rotation(9, 9, 9);

    PatchLog log;
    /** The store of {@link #original}. */
    private LogStore objectStore;

    /** Makes a new log, and returns a handle that appends. */
    abstract PatchLog create() throws IOException;

    /** Opens the log that {@link #create} made, as another process would, to read what is appended by now. */
    abstract PatchLog open() throws IOException;

    /** Opens the log where its objects can be changed. */
    StoreLog original() throws IOException {
        return open().stored();
    }

    /** Opens the log for what needs more than its patches, or the original if a server does not give that. */
    StoreLog stored() throws IOException {
        return open().stored();
    }

    /** Returns whether a handle of {@link #open} can change objects. */
    boolean changesObjects() {
        return true;
    }

    /** Returns whether {@link #open} reads a folder of this machine. */
    boolean isFolder() {
        return false;
    }

    /** Has others exchange objects of the log. */
    void exchange(MemoryStore.Action others) throws IOException {
        others.run();
    }

    @BeforeEach
    void makeLog() throws IOException {
        log = create();
        objectStore = original().store();
    }

    void fill(int patches) throws IOException {
        for (int number = 1; number <= patches; number++) {
            append(log, patch(newId(), null, add(number)));
        }
    }

    private void fillStates(int from, int to) throws IOException {
        for (int number = from; number <= to; number++) {
            StateLog.append(log, number, ROWS);
        }
    }

    /** Returns the names in the log's place, without those of caches and locks. */
    final List<String> names() throws IOException {
        return objectStore.list("").keySet().stream().filter(name -> !name.matches("\\.index|\\..*\\.lock|objects\\.json")).sorted().toList();
    }

    final List<LogObject> objects() throws IOException {
        return names().stream().map(LogObject::parseName).filter(Objects::nonNull).toList();
    }

    final byte[] bytes(String object) throws IOException {
        try (InputStream in = objectStore.open(object, 0)) {
            return in.readAllBytes();
        }
    }

    final void delete(String object) throws IOException {
        objectStore.delete(object);
    }

    /** Puts bytes in the place of a file, as somebody does who copies files. */
    final void put(String file, byte[] bytes) throws IOException {
        Path made = Files.write(objectStore.temporary(), bytes);
        objectStore.replace(file, made);
        Files.deleteIfExists(made);
    }

    // --- patches

    @Test
    void aNewLogIsEmpty() throws IOException {
        for (PatchLog one : List.of(log, open())) {
            assertEquals(LogHead.EMPTY, one.head());
            assertEquals(1, one.first());
            assertEquals(List.of(), texts(one, 1, Long.MAX_VALUE));
        }
    }

    @Test
    void theIdOfALogStays() throws IOException {
        String id = log.id();
        assertEquals(id, PatchIds.parseId(id), "a UUID");
        append(log, patch(newId(), null, add(1)), null);
        assertEquals(id, open().id());
    }

    @Test
    void patchesComeBackInTheirOrderWithAllRows() throws IOException {
        String first = newId();
        String second = newId();
        String one = patch(first, null, add(1), "A <urn:s> <urn:p> <_:b1> <urn:g> .");
        String two = patch(second, first, "PA \"p\" <urn:p#> .", "D <urn:s> <urn:p> \"1\" .");
        assertEquals(new LogHead(1, first), append(log, one, null));
        assertEquals(new LogHead(2, second), append(log, two, first));
        assertEquals(new LogHead(2, second), log.head());
        assertEquals(new LogHead(2, second), open().head());
        assertEquals(List.of(one, two), texts(open(), 1, 2));
    }

    @Test
    void aPatchWithoutATimeGetsThatOfNowAndOneThatHasItKeepsIt() throws IOException {
        Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        append(log, patch(null, null, add(1)));
        Instant after = Instant.now();
        String time = "2020-02-29T12:00:00.120Z";
        append(log, "H time \"" + time + "\"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n" + patch(null, null, add(2)));
        append(log, "H time \"yesterday\" .\n" + patch(null, null, add(3)));
        for (PatchLog one : List.of(log, open())) {
            try (LogEntries entries = one.fetch(1, 3)) {
                Instant made = entries.next().header().time();
                assertFalse(made.isBefore(before) || made.isAfter(after), made + " between " + before + " and " + after);
                assertEquals(Instant.parse(time), entries.next().header().time());
                assertNull(entries.next().header().time());
            }
        }
    }

    @Test
    void otherHeadersStay() throws IOException {
        String id = newId();
        append(log, "H id \"" + id.toUpperCase(Locale.ROOT) + "\" .\nH who \"me\" .\nTX .\nTC .\n", null);
        assertEquals(List.of("H id <urn:uuid:" + id + "> .\nH who \"me\" .\nTX .\nTC .\n"), texts(open(), 1, 1));
    }

    @Test
    void rowsOutsideOfTransactionsAndHeadersBehindThemStayWhereTheyAre() throws IOException {
        String rows = add(1) + "\nPA \"p\" <urn:p#> .\nH who \"me\" .\nTX .\nTC .\nH why \"so\" .\n" + add(2) + "\n";
        String id = newId();
        append(log, "H id <urn:uuid:" + id + "> .\n" + rows);
        assertEquals(List.of("H id <urn:uuid:" + id + "> .\n" + rows), texts(open(), 1, 1));
    }

    @Test
    void aTransactionThatIsAbortedIsFine() throws IOException {
        append(log, "TX .\n" + add(1) + "\nTA .\n");
        assertEquals(1, log.head().version());
        assertTrue(texts(open(), 1, 1).get(0).endsWith("TA .\n"));
    }

    @Test
    void aVersionIsMeantByItsNumberOrByTheIdOfItsPatch() throws IOException {
        String first = newId();
        String second = newId();
        append(log, patch(first, null, add(1)));
        append(log, patch(second, first, add(2)));
        for (PatchLog one : List.of(log, open())) {
            assertEquals(List.of(0L, 1L, 2L), List.of(LogVersions.of(one, "0"), LogVersions.of(one, " 1 "),
                    LogVersions.of(one, "2")));
            assertEquals(1, LogVersions.of(one, first));
            assertEquals(2, LogVersions.of(one, "urn:uuid:" + second.toUpperCase(Locale.ROOT) + " "));
            assertEquals(2, LogVersions.withTerm(one, "<urn:uuid:" + second + ">"));
            assertEquals(0, LogVersions.withTerm(one, "<urn:uuid:" + newId() + ">"));
            assertEquals(0, LogVersions.withTerm(one, "<urn:x>"));
            for (String none : List.of("-1", "3", newId(), "yesterday")) {
                assertThrows(IllegalArgumentException.class, () -> LogVersions.of(one, none), none);
            }
            assertEquals(List.of(first, second), List.of(LogPatches.idOf(one, 1), LogPatches.idOf(one, 2)));
            assertNull(LogPatches.idOf(one, 3));
        }
    }

    @Test
    void rangesAreCutOutOfTheLog() throws IOException {
        List<String> all = chain(null, 7);
        for (String text : all) {
            append(log, text);
        }
        PatchLog seen = open();
        Random random = new Random(1);
        for (int run = 0; run < 20; run++) {
            int from = random.nextInt(10) - 1;
            int to = random.nextInt(10) - 1;
            int first = Math.min(Math.max(from, 1), 8);
            int last = Math.max(Math.min(to, 7), first - 1);
            assertEquals(all.subList(first - 1, last), texts(seen, from, to), from + " to " + to);
        }
    }

    // --- objects

    @Test
    void objectsAreJoinedAndPrunedBeneathWhoHasThemOpen() throws IOException {
        fill(3);
        appendAll(log, chain(log.head().id(), 3));
        byte[] several = bytes(LogObject.fileName(4));
        PatchLog reader = open();
        List<String> before = texts(reader, 1, 9);
        assertEquals(6, before.size());
        assertEquals(1, LogCompaction.run(original(), Long.MAX_VALUE).after());
        assertEquals(List.of(new LogObject(1, 6)), objects());
        assertEquals(before, texts(open(), 1, 9));
        assertEquals(before, texts(reader, 1, 9), "who had it open reads on");
        put(LogObject.fileName(4), several);
        assertEquals(before, texts(open(), 1, 9), "where a compaction was killed");
        assertEquals(before, texts(reader, 1, 9), "where a compaction was killed");
        assertEquals(before.subList(3, 4), texts(open(), 4, 4));
        fill(2);
        LogPruning.Report pruned = LogPruning.run(original(), 7, 0);
        assertEquals(List.of(8L, 7L, 2), List.of(pruned.first(), pruned.versions(), pruned.files()));
        assertEquals(List.of(LogObject.fileName(8), LogProperties.NAME), names());
        PatchLog left = open();
        assertEquals(List.of(8L, 8L, 1), List.of(left.first(), left.head().version(), texts(left, 1, 99).size()));
        fill(1);
        assertEquals(2, texts(open(), 1, 99).size());
        LogCompaction.run(original(), Long.MAX_VALUE);
        new LogRepair(original()).split(new LogObject(8, 9).name());
        assertEquals(List.of(new LogObject(8, 8), new LogObject(9, 9)), objects());
        assertEquals(List.of(1, 1), List.of(new LogRepair(original()).readFile(LogObject.fileName(8)).size(),
                new LogRepair(original()).readFile(LogObject.fileName(9)).size()));
        assertEquals(2, texts(open(), 1, 99).size());
    }

    @Test
    void aLogWhoseFirstPatchesAreGoneBeginsBehindThem() throws IOException {
        fill(4);
        delete(LogObject.fileName(1));
        delete(LogObject.fileName(2));
        PatchLog pruned = open();
        assertEquals(List.of(4L, 3L), List.of(pruned.head().version(), pruned.first()));
        assertEquals(2, texts(pruned, 3, 9).size());
    }

    @Test
    void whatAKilledAppendLeavesAndForeignFilesAreNoPartOfTheLog(@TempDir Path temporary) throws IOException {
        fill(1);
        LogHead head = log.head();
        LogRepair.FoundPatch found = new LogRepair(original()).readFile(LogObject.fileName(1)).get(0);
        assertEquals(new LogRepair.FoundPatch(head.id(), null, Chain.START, log.headHash(), null, false, null), found);
        put(FolderStore.APPEND_PREFIX + newId(), Arrays.copyOf(bytes(LogObject.fileName(1)), 20));
        put("notes.txt", "notes".getBytes(UTF_8));
        put("2.jellyp", new byte[3]);
        objectStore.create("checkpoints/" + LogObject.fileName(7) + "/x", Files.createFile(temporary.resolve("x")));
        assertEquals(head, open().head());
        fill(1);
        assertEquals(2, texts(open(), 1, 9).size());
    }

    @Test
    void whereAVersionIsMissingNothingIsReadOrAppended() throws IOException {
        fill(4);
        byte[] third = bytes(LogObject.fileName(3));
        delete(LogObject.fileName(3));
        for (Executable call : List.<Executable>of(() -> open().head(), () -> texts(open(), 1, 9), () -> fill(1))) {
            String message = assertThrows(IOException.class, call).getMessage();
            assertTrue(message.contains("version 3 is missing, and version 4 is there"), message);
        }
        put(LogObject.fileName(3), third);
        assertEquals(4, texts(open(), 1, 9).size());
        fill(1);
        assertEquals(5, open().head().version());
    }

    @Test
    void aPatchThatIsCutOffStopsWhoReadsItAndTheOthersStay() throws IOException {
        fill(3);
        byte[] whole = bytes(LogObject.fileName(2));
        for (int length : new int[] {0, 1, 30, whole.length / 2, whole.length - 1}) {
            put(LogObject.fileName(2), Arrays.copyOf(whole, length));
            assertFaultAtTwo(stored(), "cut to " + length);
            LogRepair.FoundPatch cut = new LogRepair(stored()).readFile(LogObject.fileName(2)).get(0);
            assertTrue(cut.id() == null && cut.fault() != null && !cut.lost(), length + " bytes");
        }
        put(LogObject.fileName(2), whole);
        assertEquals(3, texts(open(), 1, 9).size());
        assertEquals(List.of(), LogVerification.of(stored(), ProgressListener.NONE).faults());
    }

    /** A fault of version 2 stops a reader, or goes to the quarantine; others see the same. */
    private static void assertFaultAtTwo(StoreLog seen, String what) throws IOException {
        PoisonPatchException stopped = assertThrows(PoisonPatchException.class, () -> follow(seen, null), what);
        assertEquals(2, stopped.version(), what);
        List<Long> aside = new ArrayList<>();
        assertEquals(List.of(1L, 3L), follow(seen, (entry, reason) -> aside.add(entry.version())), what);
        assertEquals(List.of(2L), aside, what);
        assertThrows(FormatException.class, () -> StateLog.lines(seen, 3), what);
        assertEquals(List.of("DAMAGED 2"), LogVerification.of(seen, ProgressListener.NONE).faults().stream()
                .map(fault -> fault.kind() + " " + fault.version()).toList(), what);
    }

    private static List<Long> follow(PatchLog log, LogReader.Quarantine quarantine) throws IOException {
        List<Long> versions = new ArrayList<>();
        try (LogReader reader = new LogReader(log.fetch(1, Long.MAX_VALUE), 0, null, null, quarantine)) {
            for (LogEntry entry = reader.next(); entry != null; entry = reader.next()) {
                versions.add(entry.version());
            }
        }
        return versions;
    }

    @Test
    void aPlaceholderSaysWhatWasLostAndReadersStopAtItOrPassOver() throws IOException {
        fill(3);
        String first = LogPatches.idOf(log, 1);
        String lost = LogPatches.idOf(log, 2);
        assertThrows(FileAlreadyExistsException.class, () -> new LogRepair(original()).insertPlaceholder(2, newId(), null, "no reason"));
        delete(LogObject.fileName(2));
        new LogRepair(original()).insertPlaceholder(2, lost, first, "cut \"off\"");
        LogRepair.FoundPatch placeholder = new LogRepair(stored()).readFile(LogObject.fileName(2)).get(0);
        assertEquals(List.of(lost, first, true), List.of(placeholder.id(), placeholder.prev(), placeholder.lost()));
        assertTrue(placeholder.fault().contains("cut \\\"off\\\""), placeholder.fault());
        assertFaultAtTwo(stored(), "lost");
        try (LogEntries entries = stored().fetch(2, 2)) {
            LogEntry entry = entries.next();
            for (Executable call : List.<Executable>of(entry::hash, entry::rows)) {
                assertTrue(assertThrows(FormatException.class, call).getMessage().contains("was lost"));
            }
        }
        fill(1);
        assertEquals(4, open().head().version());
    }

    @Test
    void aReaderStopsAtAPatchOfAnotherLog() throws IOException {
        fill(4);
        StoreLog other = StoreLog.create(new MemoryStore());
        append(other, patch(null, null, add(1)));
        append(other, patch(null, null, add(2)));
        put(LogObject.fileName(5), ((MemoryStore) other.store()).objects.get(LogObject.fileName(2)));
        BrokenChainException broken = assertThrows(BrokenChainException.class, () -> follow(stored(), null));
        assertEquals(5, broken.version());
        assertEquals(LogPatches.idOf(original(), 4), broken.expected());
    }

    /** As where a backup was restored, and others went on: a patch has the same id and version, and another history. */
    @Test
    void neitherAHandleNorADatasetGoesOnInAnotherHistory() throws IOException {
        String third = newId();
        fill(1);
        byte[] first = bytes(LogObject.fileName(1));
        fill(1);
        append(log, patch(third, null, add(3)));
        assertEquals(3, log.head().version());
        try (DatasetStore store = DatasetStore.open("mem:")) {
            PatchLog reader = open();
            assertEquals(3, reader.head().version());
            try (FollowedLog behind = followed(reader, store)) {
                assertEquals(3, SyncRun.run(behind.patches(), store, new SyncOptions(SyncOptions.LOG, false, 100, 1000, 10, false),
                        ProgressListener.NONE).patches());
            }
            exchange(() -> {
                for (LogObject object : objects()) {
                    delete(object.name());
                }
                put(LogObject.fileName(1), first);
            });
            open();
            assertEnded(reader, "ends with version 1 now");
            exchange(() -> {
                StoreLog other = original();
                append(other, patch(null, null, add(77)));
                append(other, patch(third, null, add(3)));
                append(other, patch(null, null, add(4)));
            });
            PatchLog again = open();
            assertEnded(reader, "has another patch as ");
            assertEquals(4, again.head().version(), "nothing was appended");
            String message = assertThrows(IllegalStateException.class, () -> followed(again, store)).getMessage();
            assertTrue(message.contains("other patches are before it than those that the dataset has applied"), message);
        }
    }

    private void assertEnded(PatchLog reader, String how) {
        for (Executable call : List.<Executable>of(reader::head, () -> reader.fetch(1, 9).next(), log::head,
                () -> append(log, patch(null, null, add(5))))) {
            String message = assertThrows(IOException.class, call).getMessage();
            assertTrue(message.contains(how) && message.contains("open it again"), message);
        }
    }

    private static FollowedLog followed(PatchLog log, DatasetStore store) throws IOException {
        return FollowedLog.open(log, store.storedPosition(SyncOptions.LOG), store.readNotes(SyncOptions.LOG));
    }

    // --- states

    private void assertStates(long first, long last) throws IOException {
        StoreLog seen = stored();
        for (long version = first; version <= last; version++) {
            assertEquals(StateLog.quads(version, ROWS), StateLog.lines(seen, version).size(), "at " + version);
        }
        assertEquals(List.of(), LogVerification.of(seen, ProgressListener.NONE).faults());
    }

    private static List<String> history(PatchLog log) throws IOException {
        List<String> rows = new ArrayList<>();
        LogHistory.Quads counter = new LogHistory.Quads("<urn:counter>".getBytes(UTF_8), null, null, null);
        try (LogHistory history = new LogHistory(log, counter, null)) {
            while (history.next((version, time, row, op, s, p, o, g, name, value) ->
                    rows.add(version + " " + op + " " + new String(o, UTF_8)))) {
                assertFalse(rows.isEmpty());
            }
        }
        return rows;
    }

    /** Returns the number of quads of a dataset that begins with a checkpoint. */
    private static long sizeOf(PatchLog log, Checkpoint checkpoint) throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            new InitialLoad(log).load(checkpoint, store, SyncOptions.LOG, null, ProgressListener.NONE);
            return store.size();
        }
    }

    @Test
    void allStatesAreThereBeforeAndBehindACheckpointAndBehindAPruning() throws IOException {
        fillStates(1, 6);
        Checkpoint made = CheckpointFiles.make(original(), 4, ProgressListener.NONE);
        assertEquals(made.json(), CheckpointFiles.make(original(), 4, ProgressListener.NONE).json());
        Pruning.Report none = Pruning.before(original(), 1);
        assertEquals(List.of(1L, 0L, 0), List.of(none.first(), none.versions(), none.checkpoints()));
        CheckpointFiles.make(original(), 2, ProgressListener.NONE);
        Pruning.Report pruned = Pruning.before(original(), 5);
        assertEquals(List.of(5L, 4L, 4, 1), List.of(pruned.first(), pruned.versions(), pruned.files(), pruned.checkpoints()));
        Pruning.Report again = Pruning.before(original(), 5);
        assertEquals(List.of(5L, 0L, 0, 0), List.of(again.first(), again.versions(), again.files(), again.checkpoints()));
        assertEquals(Set.of(4L), new Checkpoints(original()).versions());
        assertStates(4, 6);
        PatchLog seen = open();
        assertEquals(List.of(4L, 5L), List.of(seen.findCheckpoint(6).version(), seen.first()));
        assertNull(seen.findCheckpoint(3));
        assertEquals(4, LogVersions.withId(seen, made.id()));
        assertEquals(StateLog.quads(4, ROWS), sizeOf(seen, seen.findCheckpoint(5)));
        assertTrue(assertThrows(IllegalStateException.class, () -> StateLog.lines(stored(), 3)).getMessage()
                .contains("its patches begin with version 5"));
        fillStates(7, 7);
        assertStates(4, 7);
    }

    @Test
    void statesTimesAndHistoryAreThoseOfThePatches() throws IOException {
        fillStates(1, 4);
        CheckpointFiles.make(original(), 2, ProgressListener.NONE);
        assertStates(1, 4);
        PatchLog seen = open();
        assertEquals(4, LogTimes.of(seen).at(Instant.now()));
        assertEquals(List.of("1 D \"0\"", "1 A \"1\"", "2 D \"1\"", "2 A \"2\"", "3 D \"2\"", "3 A \"3\"", "4 D \"3\"", "4 A \"4\""),
                history(seen));
        LogCompaction.run(original(), Long.MAX_VALUE);
        assertStates(1, 4);
        assertEquals(8, history(open()).size());
    }

    @Test
    void aLogBeginsWithAState(@TempDir Path temporary) throws IOException {
        FileLocation file = new FileLocation(Files.writeString(temporary.resolve("state.nq"),
                "<urn:counter> <urn:p> \"1\" .\n<urn:b> <urn:p> <urn:o> .\n").toString());
        Checkpoint made = CheckpointFiles.begin(objectStore, file, ConvertOptions.strict(false), ProgressListener.NONE);
        PatchLog seen = open();
        assertEquals(new LogHead(1, made.id()), seen.head());
        assertEquals(List.of(2L, 1L), List.of(seen.first(), LogVersions.withId(seen, made.id())));
        assertEquals(2, sizeOf(seen, seen.findCheckpoint(1)));
        fillStates(2, 2);
        assertEquals(List.of(2L, 2L), List.of(open().head().version(), open().first()));
        assertEquals(made.id(), LogVersions.headerOf(open(), 2).prev());
        assertEquals(2 + ROWS, StateLog.lines(stored(), 2).size());
        assertEquals(List.of("1 A \"1\"", "2 D \"1\"", "2 A \"2\""), history(stored()));
        assertThrows(IllegalStateException.class, () -> CheckpointFiles.begin(objectStore, file,
                ConvertOptions.strict(false), ProgressListener.NONE));
        assertEquals(List.of(), LogVerification.of(stored(), ProgressListener.NONE).faults());
    }

    @Test
    void aFileOfACheckpointThatIsMissingOrAnotherIsNamed() throws IOException {
        fillStates(1, 3);
        Checkpoint made = CheckpointFiles.make(original(), 2, ProgressListener.NONE);
        String part = Checkpoint.folderOf(2) + "/" + made.parts().get(0).file();
        byte[] whole = bytes(part);
        byte[] other = whole.clone();
        other[other.length - 3] ^= 1;
        for (byte[] bytes : new byte[][] {null, other, new byte[0]}) {
            delete(part);
            if (bytes != null) {
                put(part, bytes);
            }
            String message = assertThrows(IOException.class, () -> StateLog.lines(stored(), 3)).getMessage();
            assertTrue(message.contains(part) && message.contains("anew"), message);
            assertEquals(1, LogVerification.of(stored(), ProgressListener.NONE).faults().size());
        }
        put(part, whole);
        assertStates(1, 3);
    }

    // --- what a store can't do

    @Test
    void whatAStoreCantDoIsRefusedByNameAndChangesNothing() throws IOException {
        fill(2);
        PatchLog seen = open();
        List<Executable> calls = new ArrayList<>();
        if (!changesObjects()) {
            calls.addAll(List.of(() -> LogCompaction.run(seen.stored(), 1 << 20), () -> LogPruning.run(seen.stored(), 1, 0),
                    () -> CheckpointFiles.make(seen.stored(), 2, ProgressListener.NONE), () -> ObjectList.publish(seen.stored()),
                    () -> new Checkpoints(seen.stored()).remove(1), () -> new LogRepair(seen.stored()).split(LogObject.fileName(1))));
        }
        if (!isFolder()) {
            calls.addAll(List.of(() -> seen.stored().folder(), () -> new CaptureWriter(seen.stored(), ROTATION, false)));
        }
        for (Executable call : calls) {
            String message = assertThrows(IllegalArgumentException.class, call).getMessage();
            assertTrue(message.startsWith(seen.name()), message);
        }
        assertEquals(2, open().head().version());
    }
}
