package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.appendAll;
import static io.jellybridge.log.LogPatches.chain;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.jena.apply.ProgressListener;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What holds for every log that is appended to by a handle as readers have it. */
abstract class PatchLogContract extends LogReadContract {
    /** Tries to make the log that is there once more. */
    abstract void createAgain() throws IOException;

    @Test
    void aLogIsMadeInAnEmptyPlaceOrAmongHiddenFilesOnly() throws IOException {
        if (!changesObjects()) {
            return; // its server has the log open
        }
        delete(LogProperties.NAME);
        assertTrue(assertThrows(FileNotFoundException.class, this::open).getMessage().contains(log.name()));
        put(".hidden", new byte[1]);
        createAgain();
        assertEquals(LogHead.EMPTY, open().head());
        delete(LogProperties.NAME);
        put("other.txt", new byte[1]);
        String full = assertThrows(IOException.class, this::createAgain).getMessage();
        assertTrue(full.contains("other.txt"), full);
    }

    @Test
    void aLogIsThePropertiesAndAFileForEachAppendAndNothingElse() throws IOException {
        fill(2);
        appendAll(log, chain(log.head().id(), 3));
        fill(1);
        List<String> expected = new ArrayList<>(LongStream.of(putsTogether() ? new long[] {1, 2, 3, 6} : new long[] {1, 2, 3, 4, 5, 6})
                .mapToObj(LogObject::fileName).toList());
        expected.add(LogProperties.NAME);
        assertEquals(expected, names());
    }

    /** Returns whether the patches of a call are one object. */
    boolean putsTogether() {
        return true;
    }

    @Test
    void aLogThatIsThereIsNotMadeAgain() throws IOException {
        LogHead head = append(log, patch(newId(), null, add(1)), null);
        assertThrows(FileAlreadyExistsException.class, this::createAgain);
        assertEquals(head, open().head());
    }

    @Test
    void aCallAppendsSeveralPatchesAndIsSafeToRetry() throws IOException {
        LogHead first = append(log, patch(newId(), null, add(1)));
        List<String> patches = chain(first.id(), 5);
        List<LogHead> made = appendAll(log, patches);
        assertEquals(List.of(2L, 3L, 4L, 5L, 6L), made.stream().map(LogHead::version).toList());
        assertEquals(made.get(4), log.head());
        assertEquals(made.get(4), open().head());
        assertEquals(patches, texts(open(), 2, 6));
        assertEquals(patches.subList(2, 4), texts(open(), 4, 5));
        assertEquals(made, appendAll(open(), patches));
        assertEquals(made.subList(3, 5), appendAll(log, patches.subList(3, 5)));
        List<LogHead> mixed = appendAll(log, List.of(patches.get(1), patch(null, made.get(4).id(), add(9))));
        assertEquals(List.of(made.get(1), open().head()), mixed);
        assertEquals(4, log.versionWith(made.get(2).id()));
        assertEquals(8, append(open(), patch(newId(), null, add(10))).version());
        assertEquals(8, texts(open(), 1, 99).size());
    }

    @Test
    void patchesWithoutIdsOfACallThatRepeatEachOtherAreOne() throws IOException {
        List<LogHead> made = appendAll(log, List.of(patch(null, null, add(1)), patch(null, null, add(1)), patch(null, null, add(2))));
        assertEquals(List.of(1L, 1L, 2L), made.stream().map(LogHead::version).toList());
        made = appendAll(log, List.of(patch(null, null, add(2)), patch(null, null, add(2)), patch(null, null, add(1))));
        assertEquals(List.of(2L, 2L, 3L), made.stream().map(LogHead::version).toList());
        assertEquals(3, open().head().version());
    }

    @Test
    void patchesOfACallBeforeOneThatIsNoneAreAppended() throws IOException {
        List<String> patches = chain(null, 3);
        List<String> spoiled = List.of(patches.get(0), patches.get(1), patches.get(2).replace("TC", "TX"));
        assertThrows(RuntimeException.class, () -> appendAll(log, spoiled));
        assertEquals(patches.subList(0, 2), texts(open(), 1, 9));
        List<String> other = List.of(patch(null, null, add(8)), patch(null, newId(), add(9)));
        assertThrows(LogConflictException.class, () -> appendAll(log, other));
        assertEquals(3, open().head().version());
    }

    @Test
    void aPatchWithoutIdsGetsThem() throws IOException {
        LogHead first = append(log, patch(null, null, add(1)));
        LogHead second = append(log, patch(null, null, add(2)));
        assertNotEquals(first.id(), second.id());
        assertEquals(List.of(patch(first.id(), null, add(1)), patch(second.id(), first.id(), add(2))), texts(log, 1, 2));
    }

    @Test
    void headersOfMoreThanAMebibyteAreRefused() throws IOException {
        String header = "H h \"" + "x".repeat(1 << 10) + "\" .\n";
        LogHead head = append(log, header.repeat(1000) + patch(null, null, add(1)));
        assertRefused(header.repeat(1100) + patch(null, null, add(2)), "headers of more than");
        assertRefused("H h \"" + "x".repeat(1 << 21) + "\" .\n", "headers of more than");
        assertEquals(head, log.head());
    }

    @Test
    void eachPatchOfASourceIsAppendedByItself() throws IOException {
        String two = patch(null, null, add(1)) + "Z .\n" + patch(null, null, add(2));
        try (PatchSource<byte[]> source = LogPatches.source(two)) {
            assertEquals(1, log.append(source).version());
            assertEquals(2, log.append(source).version());
            assertNull(log.append(source));
        }
        assertEquals(2, texts(log, 1, 9).size());
    }

    @Test
    void aWrongPrevIsAConflictThatNamesBothIds() throws IOException {
        LogHead head = append(log, patch(newId(), null, add(1)), null);
        String other = newId();
        for (String prev : new String[] {null, other}) {
            LogConflictException conflict = assertThrows(LogConflictException.class,
                    () -> append(log, patch(newId(), prev, add(2)), prev));
            assertEquals(prev, conflict.expected());
            assertEquals(head, conflict.found());
            assertTrue(conflict.getMessage().contains(head.id()), conflict.getMessage());
        }
        assertTrue(assertThrows(LogConflictException.class, () -> append(log, patch(newId(), other, add(2))))
                .getMessage().contains(other));
        assertEquals(head, open().head());
    }

    @Test
    void aPatchFollowsTheHashOfTheHeadAndThatOfNoOtherHistory() throws IOException {
        assertEquals(LogHead.EMPTY, log.head());
        assertEquals(Chain.START, log.headHash());
        assertEquals(1, append(log, patch(newId(), null, add(1)), Chain.START).version());
        LogHead first = log.head();
        String hash = log.headHash();
        String second = newId();
        assertEquals(new LogHead(2, second), append(log, patch(second, null, add(2)), hash));
        assertEquals(new LogHead(2, second), append(open(), patch(second, null, add(2)), hash), "once more");
        assertEquals(List.of(patch(second, first.id(), add(2))), texts(open(), 2, 2));
        for (String other : List.of(hash, Chain.START, Chain.placeholder())) {
            LogConflictException conflict = assertThrows(LogConflictException.class,
                    () -> append(log, patch(newId(), null, add(3)), other));
            assertEquals(other, conflict.expected());
            assertEquals(new LogHead(2, second), conflict.found());
        }
        PatchLog seen = open();
        assertEquals(log.head(), seen.head());
        assertEquals(log.headHash(), seen.headHash());
    }

    @Test
    void whatIsThereIsNotAppendedAgain() throws IOException {
        String first = newId();
        String second = newId();
        String text = patch(first, null, add(1));
        assertEquals(new LogHead(1, first), append(log, text, null));
        assertEquals(new LogHead(1, first), append(open(), text, null));
        assertEquals(new LogHead(1, first), append(open(), text));
        append(log, patch(second, first, add(2)), first);
        append(log, patch(newId(), null, add(3)));
        for (PatchLog one : List.of(log, open())) {
            assertEquals(new LogHead(1, first), append(one, text, null));
            assertEquals(new LogHead(1, first), append(one, text));
            assertEquals(new LogHead(2, second), append(one, patch(second, first, add(2))));
            assertEquals(new LogHead(2, second), append(one, patch(second, null, add(2))), "it was told no place");
            assertEquals(new LogHead(2, second), append(one, patch(second, null, add(2)), first));
        }
        assertEquals(3, open().head().version());
        assertEquals(3, texts(log, 1, 9).size());
    }

    @Test
    void anIdStandsForOnePatch() throws IOException {
        String first = newId();
        String second = newId();
        append(log, patch(first, null, add(1)), null);
        append(log, patch(second, first, add(2)), first);
        for (String other : List.of(patch(first, null, add(9)), patch(first, second, add(1)), patch(second, null, add(1)),
                patch(second, first, add(2), add(3)), patch(second, first, "D <urn:s> <urn:p> \"2\" ."))) {
            LogConflictException taken = assertThrows(LogConflictException.class, () -> append(open(), other));
            assertTrue(taken.isTaken(), taken.getMessage());
            assertEquals(other.startsWith("H id <urn:uuid:" + first) ? new LogHead(1, first) : new LogHead(2, second),
                    taken.found());
            assertTrue(taken.getMessage().contains(taken.found() + " already"), taken.getMessage());
        }
        assertTrue(assertThrows(LogConflictException.class, () -> append(open(), patch(first, null, add(1)), second))
                .isTaken());
        assertEquals(new LogHead(2, second), open().head());
    }

    @Test
    void whatFollowsTheSameRowsIsAnotherPatchUnlessItComesTwiceInARow() throws IOException {
        LogHead on = append(log, patch(null, null, add(1)));
        assertEquals(on, append(open(), patch(null, null, add(1))), "it would change nothing");
        LogHead off = append(log, patch(null, null, "D <urn:s> <urn:p> \"1\" ."));
        LogHead onAgain = append(open(), patch(null, null, add(1)));
        assertEquals(List.of(1L, 2L, 3L), List.of(on.version(), off.version(), onAgain.version()));
        assertEquals(4, append(log, patch(newId(), null, add(1))).version(), "an id of its own is a patch of its own");
        append(open(), patch(null, null, "D <urn:s> <urn:p> \"1\" ."));
        assertEquals(6, append(log, patch(null, null, add(1))).version(), "who remembers the head before asks for that of now");
        append(open(), patch(null, null, "D <urn:s> <urn:p> \"1\" ."));
        List<LogHead> call = appendAll(log, List.of(patch(null, null, add(1)), patch(null, null, add(1)), patch(null, null, add(2))));
        assertEquals(List.of(8L, 8L, 9L), call.stream().map(LogHead::version).toList());
        assertEquals(9, open().head().version());
    }

    @Test
    void whoRemembersAHeadThatWasPrunedAppendsBehindTheNewOne() throws IOException {
        fill(2);
        PatchLog other = open();
        appendAll(other, chain(other.head().id(), 2));
        append(other, patch(null, null, add(5)));
        CheckpointFiles.make(original(), 4, ProgressListener.NONE);
        Pruning.before(original(), 5);
        assertEquals(6, append(log, patch(null, null, add(6))).version());
        assertEquals(6, open().head().version());
    }

    @Test
    void anIdOfAPatchThatWasPrunedIsTaken() throws IOException {
        String second = newId();
        fill(1);
        append(log, patch(second, null, add(2)));
        fill(1);
        CheckpointFiles.make(original(), 2, ProgressListener.NONE);
        Pruning.before(original(), 3);
        LogConflictException pruned = assertThrows(LogConflictException.class,
                () -> append(open(), patch(second, null, add(9))));
        assertEquals(List.of(true, second), List.of(pruned.isTaken(), pruned.found().id()));
        assertTrue(pruned.getMessage().contains("patch " + second + " (version 2)"), pruned.getMessage());
        assertEquals(0, open().versionWith(newId()));
    }

    @Test
    void aPatchThatNobodyCouldApplyIsRefused() throws IOException {
        LogHead head = append(log, patch(newId(), null, add(1)), null);
        String h = head.id();
        assertRefused("TX .\n" + add(2) + "\n", "transaction");
        assertRefused("TX .\nTX .\nTC .\n", "transaction");
        assertRefused("TC .\n", "TX");
        assertRefused("TX .\nA <urn:s> <urn:p> .\nTC .\n", "object");
        assertRefused("H id <urn:x> .\nTX .\nTC .\n", "urn:x");
        assertRefused("H id <urn:uuid:" + h + "> .\nH prev <urn:uuid:" + h + "> .\nTX .\nTC .\n", h);
        assertEquals(head, open().head());
        assertEquals(1, texts(log, 1, 9).size());
    }

    private void assertRefused(String text, String word) {
        RuntimeException refused = assertThrows(RuntimeException.class, () -> append(log, text));
        assertTrue(refused.getMessage().contains(word), refused.getMessage());
    }

    @Test
    void aPatchWhosePrevIsNotTheExpectedOneIsRefused() throws IOException {
        LogHead head = append(log, patch(newId(), null, add(1)), null);
        assertThrows(IllegalArgumentException.class, () -> append(log, patch(newId(), newId(), add(2)), head.id()));
        assertEquals(head, log.head());
    }

    @Test
    void whoeverAppendsTheSamePatchesAtOnceHasThemInOnce() throws Exception {
        int patches = 10;
        List<String> texts = new ArrayList<>();
        for (int number = 0; number < patches; number++) {
            texts.add(patch(newId(), null, add(number)));
        }
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < 4; writer++) {
                writers.add(pool.submit(() -> appendEach(texts)));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertEquals(patches, open().head().version());
        assertEquals(patches, new HashSet<>(texts(open(), 1, 999)).size());
        assertFalse(names().stream().anyMatch(name -> name.startsWith(".")), "nobody left a file");
    }

    private Void appendEach(List<String> texts) throws IOException {
        PatchLog mine = open();
        for (int next = 0; next < texts.size();) {
            try {
                append(mine, texts.get(next));
                next++;
            } catch (LogConflictException e) {
                assertFalse(e.isTaken(), e.getMessage());
            }
        }
        return null;
    }

    /** A model of a log, and random calls on both: the log does what the model does. */
    @Test
    void randomAppendsKeepOneChain() throws IOException {
        Random random = new Random(42);
        List<String> ids = new ArrayList<>();
        List<String> model = new ArrayList<>();
        for (int call = 0; call < 120; call++) {
            PatchLog chosen = random.nextBoolean() ? log : open();
            String head = ids.isEmpty() ? null : ids.get(ids.size() - 1);
            int kind = random.nextInt(10);
            String prev = kind < 6 || ids.isEmpty() ? head : ids.get(random.nextInt(ids.size()));
            boolean again = kind == 9 && head != null;
            String id = again ? head : newId();
            String text = again ? model.get(model.size() - 1) : patch(id, prev, add(call));
            if (again) {
                int which = random.nextInt(ids.size());
                assertEquals(new LogHead(which + 1, ids.get(which)), append(chosen, model.get(which)));
            } else if (Objects.equals(prev, head)) {
                assertEquals(new LogHead(ids.size() + 1, id), append(chosen, text, prev));
                ids.add(id);
                model.add(text);
            } else {
                assertThrows(LogConflictException.class, () -> append(chosen, text, prev));
            }
        }
        assertEquals(model, texts(open(), 1, Long.MAX_VALUE));
    }

    @Test
    void ofAppendsAtOnceOneWins() throws Exception {
        int writers = 4;
        int rounds = 25;
        ExecutorService pool = Executors.newFixedThreadPool(writers);
        try {
            CyclicBarrier sameHead = new CyclicBarrier(writers);
            List<Future<Integer>> results = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                results.add(pool.submit(() -> appendWhileOthersDo(rounds, sameHead)));
            }
            int conflicts = 0;
            for (Future<Integer> result : results) {
                conflicts += result.get();
            }
            assertTrue(conflicts >= writers - 1, conflicts + " conflicts");
        } finally {
            pool.shutdownNow();
        }
        PatchLog seen = open();
        assertEquals(writers * rounds, seen.head().version());
        try (LogReader reader = new LogReader(seen.fetch(1, Long.MAX_VALUE), 0, null, null, null)) {
            int count = 0;
            while (reader.next() != null) {
                count++;
            }
            assertEquals(writers * rounds, count);
        }
    }

    /** Appends again and again until all its patches are in; how often another was faster. All begin at one head. */
    private int appendWhileOthersDo(int rounds, CyclicBarrier sameHead) throws Exception {
        int conflicts = 0;
        PatchLog mine = open();
        for (int round = 0; round < rounds; ) {
            String prev = mine.head().id();
            if (round + conflicts == 0) {
                sameHead.await();
            }
            try {
                append(mine, patch(newId(), prev, add(round)), prev);
                round++;
            } catch (LogConflictException e) {
                conflicts++;
            }
        }
        return conflicts;
    }

    /** Returns how often each of eight writers appends. */
    int rounds() {
        return 500;
    }

    @Full("thousands of appends")
    @Test
    void manyWritersMakeOneOrderBesideAFollowerAndACompaction() throws Exception {
        int writers = 8;
        ExecutorService pool = Executors.newFixedThreadPool(writers + 2);
        AtomicBoolean over = new AtomicBoolean();
        try {
            long begun = System.nanoTime();
            List<Future<List<LogHead>>> results = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                results.add(pool.submit(this::appendUntilAllIsIn));
            }
            Future<List<LogHead>> followed = pool.submit(() -> follow(writers * rounds()));
            Future<Integer> joined = pool.submit(() -> {
                int compactions = 0;
                while (!over.get()) {
                    try {
                        LogCompaction.run(original(), 1 << 20);
                        compactions++;
                    } catch (LogBusyException e) {
                        // a log of the test is joined whenever it is opened
                    }
                    Thread.sleep(20);
                }
                return compactions;
            });
            Map<Long, LogHead> made = new TreeMap<>();
            for (Future<List<LogHead>> result : results) {
                result.get().forEach(head -> assertNull(made.put(head.version(), head), "two patches of one version"));
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            List<LogHead> seen = followed.get();
            over.set(true);
            assertEquals(new ArrayList<>(made.values()), seen);
            assertEquals(writers * rounds(), open().head().version());
            System.out.printf("%s: %d appends of %d writers in %.1f s, beside %d compactions%n", getClass().getSimpleName(),
                    made.size(), writers, seconds, joined.get());
        } finally {
            over.set(true);
            pool.shutdownNow();
        }
    }

    private List<LogHead> appendUntilAllIsIn() throws IOException {
        List<LogHead> made = new ArrayList<>();
        try (PatchLog mine = open()) {
            while (made.size() < rounds()) {
                try {
                    made.add(append(mine, patch(newId(), null, add(made.size()))));
                } catch (LogConflictException e) {
                    // another one was faster
                }
            }
        }
        return made;
    }

    private List<LogHead> follow(int patches) throws IOException {
        List<LogHead> seen = new ArrayList<>();
        String hash = Chain.START;
        try (PatchLog mine = open()) {
            while (seen.size() < patches) {
                long version = seen.size();
                String after = seen.isEmpty() ? null : seen.get(seen.size() - 1).id();
                try (LogReader reader = new LogReader(mine.fetch(version + 1, Long.MAX_VALUE), version, after, hash, null)) {
                    for (LogEntry entry = reader.next(); entry != null; entry = reader.next()) {
                        seen.add(new LogHead(entry.version(), entry.header().id()));
                        hash = entry.header().hash();
                    }
                }
            }
        }
        return seen;
    }
}
