package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.TermRules;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.CaptureWriter;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.LogCompaction;
import io.jellybridge.log.LogConflictException;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.LogTimes;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.StoreLog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitialStateTest {
    private static final List<String> STATE = List.of("<urn:a> <urn:p> \"1\" .", "<urn:a> <urn:p> \"1\" <urn:g> .",
            "<urn:a> <urn:p> \"1\" _:g .", "<urn:a> <urn:p> \"1\"@en-gb .", "<urn:counter> <urn:p> \"1\" .",
            "_:b <urn:p> <<( <urn:s> <urn:p> \"o\" )>> .");

    @TempDir
    Path temporary;

    private Path folder() {
        return temporary.resolve("log");
    }

    private Checkpoint begin() throws IOException {
        return begin(Stream.concat(STATE.stream(), Stream.of("<urn:a> <urn:p> \"1\"@EN-gb .",
                "<urn:a> <urn:p> \"1\"^^<http://www.w3.org/2001/XMLSchema#string> .",
                "<urn:a> <urn:p> \"x\" <urn:jellybridge:sync> .")).toList());
    }

    private Checkpoint begin(List<String> lines) throws IOException {
        List<String> backwards = new ArrayList<>(lines);
        Collections.reverse(backwards);
        Path file = Files.write(temporary.resolve("state.nq"), backwards, UTF_8);
        return CheckpointFiles.begin(new FolderStore(folder()), new FileLocation(file.toString()),
                ConvertOptions.strict(false), ProgressListener.NONE);
    }

    private static List<String> versions(StoreLog log) throws IOException {
        List<String> found = new ArrayList<>();
        try (var entries = log.fetch(1, Long.MAX_VALUE)) {
            for (var entry = entries.next(); entry != null; entry = entries.next()) {
                found.add(entry.version() + " " + entry.header().prev());
            }
        }
        return found;
    }

    private static void assertSound(StoreLog log, long patches) throws IOException {
        LogVerification.Report report = LogVerification.of(log, ProgressListener.NONE);
        assertEquals(List.of(), report.faults());
        assertEquals(patches, report.patches());
    }

    @Test
    void versionOneIsTheStateWithoutAPatchAndTheFirstPatchFollowsIt() throws IOException {
        Checkpoint made = begin();
        assertEquals(STATE.size(), made.quads());
        for (StoreLog log : List.of(StoreLog.open(folder()), StoreLog.open(folder()))) {
            assertEquals(new LogHead(1, made.id()), log.head());
            assertEquals(List.of(1L, 2L), List.of(log.headVersion(), log.first()));
            assertEquals(STATE, StateLog.lines(log, 1));
            assertEquals(List.of(), versions(log));
            assertEquals(1, LogVersions.withId(log, made.id()));
            assertEquals(1, LogVersions.of(log, "1"));
            assertEquals(1, LogTimes.of(log).at(Instant.now()));
            assertEquals(1, new Checkpoints(log).versionWith(made.position()));
            assertEquals(made, CheckpointFiles.make(log, 1, ProgressListener.NONE));
            assertEquals(0, LogCompaction.run(log, 1 << 20).after());
            assertEquals(0, Pruning.before(log, 9).versions());
            assertSound(log, 0);
        }
        StoreLog log = StoreLog.open(folder());
        StateLog.append(log, 2, 3);
        StateLog.append(log, 3, 3);
        Files.delete(folder().resolve(".index"));
        for (StoreLog one : List.of(log, StoreLog.open(folder()))) {
            assertEquals(List.of(3L, 2L), List.of(one.head().version(), one.first()));
            assertEquals("2 " + made.id(), versions(one).get(0));
            assertEquals(STATE.size() + 6, StateLog.lines(one, 3).size());
            assertTrue(StateLog.lines(one, 3).contains("<urn:counter> <urn:p> \"3\" ."));
            assertEquals(STATE, StateLog.lines(one, 1));
            assertSound(one, 2);
        }
    }

    @Test
    void ofAnEmptyStateThereIsNothing() throws IOException {
        Checkpoint made = begin(List.of());
        assertEquals(List.of("0", "0".repeat(64)), List.of(Long.toString(made.quads()), made.hash()));
        StoreLog log = StoreLog.open(folder());
        assertEquals(List.of(), StateLog.lines(log, 1));
        LogPatches.append(log, LogPatches.patch(null, made.id(), LogPatches.add(1)));
        assertEquals(1, StateLog.lines(log, 2).size());
        assertSound(log, 1);
    }

    @Test
    void filesThatWereWrittenLongAgoAreNoneOfAKilledProcess() throws IOException {
        try (InitialState state = new InitialState(StoreLog.create(folder()))) {
            Files.setLastModifiedTime(state.folder(), FileTime.fromMillis(0));
            state.commit(List.of());
            assertTrue(Files.exists(state.folder()));
        }
    }

    @Test
    void prefixesOfTheFileAreThoseOfTheState() throws IOException {
        StoreLog other = StoreLog.create(temporary.resolve("other"));
        LogPatches.append(other, "TX .\nPA \"ex\" <http://example.org/> .\n" + LogPatches.add(1) + "\nTC .\n");
        Path file = temporary.resolve("state.jelly");
        try (State state = State.at(other, 1, ProgressListener.NONE)) {
            state.write(file.toString());
        }
        CheckpointFiles.begin(new FolderStore(folder()), new FileLocation(file.toString()),
                ConvertOptions.strict(false), ProgressListener.NONE);
        try (State state = State.at(StoreLog.open(folder()), 1, ProgressListener.NONE)) {
            assertEquals(List.of("ex"), List.copyOf(state.prefixes().keySet()));
            assertEquals("<http://example.org/>", new String(state.prefixes().get("ex"), UTF_8));
        }
    }

    @Test
    void aStateOfPrefixesAloneHasThem() throws IOException {
        Path file = temporary.resolve("state.jelly");
        StoreLog other = StoreLog.create(temporary.resolve("other"));
        LogPatches.append(other, "TX .\nPA \"ex\" <http://example.org/> .\nTC .\n");
        try (State state = State.at(other, 1, ProgressListener.NONE)) {
            state.write(file.toString());
        }
        assertEquals(0, CheckpointFiles.begin(new FolderStore(folder()), new FileLocation(file.toString()),
                ConvertOptions.strict(false), ProgressListener.NONE).quads());
        try (State state = State.at(StoreLog.open(folder()), 1, ProgressListener.NONE)) {
            assertEquals(List.of("ex"), List.copyOf(state.prefixes().keySet()));
        }
    }

    @Test
    void thatAnIdIsInALogOnceHoldsForTheOneOfTheState() throws IOException {
        Checkpoint made = begin();
        StoreLog log = StoreLog.open(folder());
        for (int patches = 0; patches < 2; patches++) {
            for (String prev : new String[] {null, made.id(), UUID.randomUUID().toString()}) {
                LogConflictException taken = assertThrows(LogConflictException.class,
                        () -> LogPatches.append(log, LogPatches.patch(made.id(), prev, LogPatches.add(1))));
                assertTrue(taken.isTaken(), taken.getMessage());
            }
            assertThrows(LogConflictException.class,
                    () -> log.append(LogPatches.source(LogPatches.patch(null, null)), null));
            assertEquals(1 + patches, log.head().version());
            log.append(LogPatches.source(LogPatches.patch(null, null, LogPatches.add(patches))), log.head().id());
        }
    }

    @Test
    void anAppendMadeOnceMoreIsKnownAlsoBehindTheState() throws IOException {
        begin();
        StoreLog log = StoreLog.open(folder());
        String id = UUID.randomUUID().toString();
        LogHead first = LogPatches.append(log, LogPatches.patch(id, null, LogPatches.add(1)));
        assertEquals(first, LogPatches.append(StoreLog.open(folder()), LogPatches.patch(id, null, LogPatches.add(1))));
        LogHead second = LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(2)));
        assertEquals(second, LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(2))));
        assertEquals(3, log.head().version());
    }

    @Test
    void aLogThatHasVersionsIsRefusedAndStaysAsItIs() throws IOException {
        StateLog.create(folder(), 2, 1).close();
        String refused = assertThrows(IllegalStateException.class, this::begin).getMessage();
        assertTrue(refused.contains("has versions already, the newest is 2"), refused);
        assertFalse(Files.exists(folder().resolve("checkpoints")));
        Path begun = temporary.resolve("begun");
        Path file = Files.write(temporary.resolve("one.nq"), STATE, UTF_8);
        Checkpoint one = CheckpointFiles.begin(new FolderStore(begun), new FileLocation(file.toString()),
                ConvertOptions.strict(false), ProgressListener.NONE);
        assertThrows(IllegalStateException.class,
                () -> CheckpointFiles.begin(new FolderStore(begun), new FileLocation(file.toString()),
                        ConvertOptions.strict(false), ProgressListener.NONE));
        assertEquals(one.id(), StoreLog.open(begun).head().id());
    }

    @Test
    void whatIsWrongOrCancelledLeavesALogWithoutVersionOrNone() throws IOException {
        assertThrows(RuntimeException.class, () -> begin(List.of("<urn:a> <urn:p> .")));
        assertFalse(Files.exists(folder()), "the file is read before the log is made");
        List<String> many = IntStream.range(0, 10_000).mapToObj(n -> "<urn:s" + n + "> <urn:p> <urn:o> .").toList();
        Path file = Files.write(temporary.resolve("many.nq"), many, UTF_8);
        assertThrows(CancellationException.class, () -> CheckpointFiles.begin(new FolderStore(folder()), new FileLocation(file.toString()),
                ConvertOptions.strict(false),
                new ProgressListener() {
                    @Override
                    public void progress(long rows) {
                        // not heard of
                    }

                    @Override
                    public void reading(long rows) {
                        throw new CancellationException();
                    }
                }));
        assertFalse(Files.exists(folder()));
        StoreLog.create(folder()).close();
        assertEquals(STATE.size(), begin().quads(), "an empty log may be taken");
    }

    private static CheckpointPart part(InitialState beginning, String name, String... subjects) throws IOException {
        try (PartWriter out = new PartWriter(beginning.folder().resolve(name), Map.of(), TermRules.RDF)) {
            for (String subject : subjects) {
                out.add(new CanonicalQuad(
                        subject.getBytes(UTF_8), "<urn:p>".getBytes(UTF_8), "\"o\"".getBytes(UTF_8), null));
            }
            return out.end();
        }
    }

    @Test
    void ofTheFilesOfTasksThoseCountThatAreTold() throws IOException {
        StoreLog log = StoreLog.create(folder());
        try (InitialState beginning = new InitialState(log)) {
            CheckpointPart one = part(beginning, "task-0", "<urn:a>", "<urn:a>", "<urn:b>");
            part(beginning, "task-1", "<urn:b>", "<urn:c>"); // failed behind its last row
            CheckpointPart none = part(beginning, "task-3");
            CheckpointPart two = part(beginning, "task-2", "<urn:c>", "<urn:d>");
            Checkpoint made = beginning.commit(List.of(one, none, two));
            assertEquals(4, made.quads());
            assertEquals(List.of("part-00000.jelly", "part-00001.jelly"),
                    made.files().stream().map(file -> file.name().replaceAll(".*/", "")).toList());
        }
        assertEquals(4, StateLog.lines(log, 1).size());
        assertSound(log, 0);
        try (Stream<Path> left = Files.list(folder().resolve("checkpoints"))) {
            assertEquals(1, left.count());
        }
    }

    @Test
    void whatATaskStillWritesThatNobodyWaitsForIsNoPartAndKeepsNothingBack() throws Exception {
        for (int round = 0; round < 20; round++) {
            StoreLog log = StoreLog.create(temporary.resolve("log" + round));
            InitialState beginning = new InitialState(log);
            CheckpointPart told = part(beginning, "task-0", "<urn:a>");
            AtomicLong late = new AtomicLong();
            Thread task = new Thread(() -> {
                try {
                    while (true) {
                        part(beginning, "task-" + late.incrementAndGet(), "<urn:b>");
                    }
                } catch (IOException e) {
                    // the folder is gone
                }
            });
            task.start();
            while (late.get() < 3) {
                Thread.onSpinWait();
            }
            try (beginning) {
                assertEquals(1, beginning.commit(List.of(told)).quads());
            }
            task.join();
            try (Stream<Path> left = Files.list(log.folder().resolve("checkpoints"))) {
                assertEquals(1, left.count());
            }
            assertEquals(1, StateLog.lines(log, 1).size());
        }
    }

    @Test
    void filesThatOverlapOrAreMissingMakeNoVersion() throws IOException {
        StoreLog log = StoreLog.create(folder());
        try (InitialState beginning = new InitialState(log)) {
            CheckpointPart one = part(beginning, "task-0", "<urn:a>", "<urn:c>");
            CheckpointPart two = part(beginning, "task-1", "<urn:c>", "<urn:d>");
            assertThrows(IllegalStateException.class, () -> beginning.commit(List.of(one, two)));
            assertThrows(IllegalArgumentException.class, () -> part(beginning, "task-2", "<urn:b>", "<urn:a>"));
            CheckpointPart gone = part(beginning, "task-3", "<urn:e>");
            Files.delete(Path.of(gone.file()));
            assertThrows(IOException.class, () -> beginning.commit(List.of(gone)));
        }
        assertEquals(LogHead.EMPTY, log.head());
        assertEquals(new TreeSet<>(), new Checkpoints(log).versions());
        assertEquals(STATE.size(), begin().quads());
    }

    @Test
    void ofSeveralThatBeginALogOrAppendToItAtOnceOneIsFirst() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            for (int round = 0; round < 20; round++) {
                Path folder = temporary.resolve("log" + round);
                StoreLog.create(folder).close();
                List<Callable<Boolean>> work = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    int number = i;
                    work.add(() -> {
                        StoreLog log = StoreLog.open(folder);
                        try {
                            if (number % 2 == 0) {
                                log.append(LogPatches.source(LogPatches.patch(null, null, LogPatches.add(number))), null);
                            } else {
                                try (InitialState beginning = new InitialState(log)) {
                                    beginning.commit(List.of(part(beginning, "task-0", "<urn:s" + number + ">")));
                                }
                            }
                            return true;
                        } catch (LogConflictException | IllegalStateException e) {
                            return false;
                        }
                    });
                }
                int first = 0;
                for (Future<Boolean> done : threads.invokeAll(work)) {
                    first += done.get() ? 1 : 0;
                }
                assertEquals(1, first);
                assertEquals(1, StateLog.lines(StoreLog.open(folder), 1).size());
                assertSound(StoreLog.open(folder), 2 - StoreLog.open(folder).first());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aCaptureGoesOnBehindTheStateAndWhatAKilledOneLeftIsInTheLogFirst() throws IOException {
        CaptureWriter.Rotation never = new CaptureWriter.Rotation(Long.MAX_VALUE, Long.MAX_VALUE, 1_000_000);
        StoreLog empty = StoreLog.create(temporary.resolve("empty"));
        InitialState late = new InitialState(empty);
        CheckpointPart part = part(late, "task-0", "<urn:a>");
        CaptureWriter other = new CaptureWriter(empty, never, false);
        String first = UUID.randomUUID().toString();
        append(other, first, LogPatches.patch(first, null, LogPatches.add(1)));
        other.releaseLock(); // as the end of the process does: its patch is in a hidden file
        assertThrows(IllegalStateException.class, () -> late.commit(List.of(part)));
        assertEquals(1, StateLog.lines(StoreLog.open(temporary.resolve("empty")), 1).size(), "the patch");
        late.close();

        Checkpoint made = begin();
        try (CaptureWriter writer = new CaptureWriter(StoreLog.open(folder()), never, false)) {
            assertEquals(new LogHead(1, made.id()), writer.head());
            String id = UUID.randomUUID().toString();
            String patch = LogPatches.patch(id, made.id(), LogPatches.add(9));
            append(writer, id, patch);
        }
        assertEquals(STATE.size() + 1, StateLog.lines(StoreLog.open(folder()), 2).size());
        assertSound(StoreLog.open(folder()), 1);
    }

    private static void append(CaptureWriter writer, String id, String text) throws IOException {
        LogPatches.Chained patch = LogPatches.chained(text, writer.next());
        writer.append(id, patch.hash(), new ByteArrayInputStream(patch.bytes()));
    }

    @Test
    void suchALogIsCompactedPrunedAndVerifiedAsOthers() throws IOException {
        begin();
        StoreLog log = StoreLog.open(folder());
        for (int version = 2; version <= 8; version++) {
            StateLog.append(log, version, 2);
        }
        List<String> state = StateLog.lines(log, 5);
        assertEquals(0, Pruning.before(log, 2).versions());
        CheckpointFiles.make(log, 4, ProgressListener.NONE);
        assertEquals(List.of(5L, 3L, 1), List.of(Pruning.before(log, 5).first(), log.first() - 2,
                new Checkpoints(log).versions().size()));
        assertEquals(state, StateLog.lines(log, 5));
        LogCompaction.run(log, 1 << 20);
        assertEquals(state, StateLog.lines(StoreLog.open(folder()), 5));
        assertSound(StoreLog.open(folder()), 4);
    }

    @Test
    void aDamagedStateIsFound() throws IOException {
        Checkpoint made = begin();
        Path file = folder().resolve(made.files().get(0).path());
        byte[] whole = Files.readAllBytes(file);
        whole[whole.length - 3] ^= 1;
        Files.write(file, whole);
        StoreLog log = StoreLog.open(folder());
        assertEquals(List.of(LogVerification.Kind.DAMAGED), LogVerification.of(log, ProgressListener.NONE).faults().stream()
                .map(LogVerification.Fault::kind).toList());
        assertThrows(Exception.class, () -> StateLog.lines(log, 1));
    }
}
