package io.jellybridge.jena.capture;

import static io.jellybridge.jena.TestPatches.G;
import static io.jellybridge.jena.TestPatches.P;
import static io.jellybridge.jena.TestPatches.S;
import static io.jellybridge.jena.TestPatches.integer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Folders;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.UserDataView;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.log.CaptureWriter;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.jena.graph.Node;
import org.apache.jena.query.ReadWrite;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The position of a TDB2 database while it is captured: in a file, which every kill leaves so that the next start is right. */
class CapturePositionTest {
    private static final StoredPosition POSITION = new StoredPosition(CaptureOptions.POSITION_KEY);
    /** Each patch is a file of the log at once, so that a copy of its folder is the log at that moment. */
    private static final CaptureOptions OPTIONS =
            CaptureOptions.DEFAULT.withFsync(false).withRotation(new CaptureWriter.Rotation(1 << 20, 1, 1_000_000));

    @TempDir
    Path folder;

    private final List<DatasetGraph> open = new ArrayList<>();
    private Path log;
    private DatasetGraph base;
    /** True if the next commit of {@link #copiedAtCommit} is copied. */
    private boolean isCopied;

    @BeforeEach
    void openDatabase() {
        log = folder.resolve("log");
        base = connect("database");
    }

    @AfterEach
    void closeAll() {
        open.forEach(DatasetGraph::close);
    }

    private DatasetGraph connect(String name) {
        DatasetGraph dataset = DatabaseMgr.connectDatasetGraph(folder.resolve(name).toString());
        open.add(dataset);
        return dataset;
    }

    private static Quad quad(int number) {
        return Quad.create(Quad.defaultGraphIRI, S, P, integer(Integer.toString(number)));
    }

    private static void insert(Capture capture, int number) {
        Txn.executeWrite(capture.dataset(), () -> capture.dataset().add(quad(number)));
    }

    /** The quad of the position, past the file. */
    private static Node term(DatasetGraph dataset) {
        return Txn.calculateRead(dataset, () -> dataset.find(StoredPosition.GRAPH_NODE, Node.ANY, Node.ANY, Node.ANY).next()
                .getObject());
    }

    private static String position(DatasetGraph dataset) {
        return Txn.calculateRead(dataset, () -> POSITION.get(dataset));
    }

    private static SortedSet<String> data(DatasetGraph dataset) {
        return TestPatches.content(UserDataView.of(dataset));
    }

    private SortedSet<String> replayed(Path from) throws IOException {
        DatasetGraph replica = DatasetGraphFactory.createTxnMem();
        try (StoreLog patches = StoreLog.open(from); LogEntries entries = patches.fetch(1, Long.MAX_VALUE)) {
            PatchApplier applier = new PatchApplier(replica, ProgressListener.NONE);
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                LogEntry patch = entry;
                applier.apply("log", () -> patch.open(new NodeTerms()));
            }
        }
        return TestPatches.content(replica);
    }

    private static String headOf(Path from) throws IOException {
        try (StoreLog patches = StoreLog.open(from)) {
            return "<urn:uuid:" + patches.head().id() + ">";
        }
    }

    private List<Path> positionFiles(String database) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(database))) {
            return files.filter(file -> file.toString().endsWith(".position")).toList();
        }
    }

    /** Copies a folder as a kill would leave it. */
    private Path copy(String from, String to) {
        try {
            Folders.copy(folder.resolve(from), folder.resolve(to), each -> !each.getFileName().toString().endsWith("lock"));
            return folder.resolve(to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void commitsLeaveTheIndexesOfNamedGraphsAloneAndTheEndWritesTheQuad() throws IOException {
        try (Capture capture = Capture.start(base, log, OPTIONS)) {
            insert(capture, 0);
            Node reference = term(base);
            for (int number = 1; number < 5; number++) {
                insert(capture, number);
                assertEquals(reference, term(base), "the commit has changed a quad of the position");
                assertEquals(capture.head(), position(base));
            }
            assertEquals(1, positionFiles("database").size());
        }
        assertEquals(headOf(log), StoredPosition.toCanonical(term(base)));
        assertEquals(headOf(log), position(base));
        assertEquals(List.of(), positionFiles("database"));
    }

    /** A database whose folder and log are copied before and after it commits, as kills at these moments would leave them. */
    private DatasetGraph copiedAtCommit(String before, String after) {
        return new DatasetGraphWrapper(base) {
            @Override
            public void commit() {
                if (isCopied && transactionMode() == ReadWrite.WRITE && Files.notExists(folder.resolve(before))) {
                    copy("log", before + "-log");
                    copy("database", before);
                    super.commit();
                    copy("log", after + "-log");
                    copy("database", after);
                } else {
                    super.commit();
                }
            }
        };
    }

    private void killWithinFourthCommit() throws IOException {
        try (Capture capture = Capture.start(base, log, OPTIONS)) {
            Txn.executeWrite(capture.dataset(), () -> {
                capture.dataset().prefixes().add("old", "http://old/");
                capture.dataset().add(quad(1));
            });
            insert(capture, 2);
        }
        Capture capture = Capture.start(copiedAtCommit("before", "after"), log, OPTIONS);
        insert(capture, 0); // from now on, the position is in the file
        copy("log", "older-log");
        isCopied = true;
        Txn.executeWrite(capture.dataset(), () -> {
            capture.dataset().delete(quad(1));
            capture.dataset().add(quad(3));
            capture.dataset().add(G, TestPatches.blank("b"), P, integer("4"));
            capture.dataset().prefixes().delete("old");
            capture.dataset().prefixes().add("new", "http://new/");
        });
        capture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"before", "after"})
    void aKillWithinACommitIsCompletedFromTheLog(String killed) throws IOException {
        killWithinFourthCommit();
        DatasetGraph database = connect(killed);
        Path itsLog = folder.resolve(killed + "-log");
        assertThrows(IllegalStateException.class, () -> position(database));
        try (Capture again = Capture.start(database, itsLog, OPTIONS)) {
            assertEquals(replayed(itsLog), data(database));
            assertEquals(headOf(itsLog), position(database));
            insert(again, 5);
        }
        assertEquals(replayed(itsLog), data(database));
        Capture.start(database, itsLog, OPTIONS).close();
        try (Capture third = Capture.start(database, itsLog, OPTIONS)) {
            insert(third, 6);
        }
        assertEquals(List.of(), positionFiles(killed), "files of former starts are left");
    }

    @ParameterizedTest
    @ValueSource(strings = {"before", "after"})
    void aDatabaseThatMayBeNewerThanItsLogIsRefused(String killed) throws IOException {
        killWithinFourthCommit();
        DatasetGraph database = connect(killed);
        SortedSet<String> is = data(database);
        Path older = folder.resolve("older-log");
        String refused = assertThrows(IllegalStateException.class, () -> Capture.start(database, older, OPTIONS)).getMessage();
        assertTrue(refused.contains(headOf(log).replaceAll("[<>]", "")) && refused.contains("is not in it"), refused);
        try (StoreLog opened = StoreLog.open(older)) {
            assertThrows(IllegalStateException.class, () -> Capture.completeCommit(database, CaptureOptions.POSITION_KEY, opened));
        }
        assertEquals(is, data(database));
        try (Capture reset = Capture.start(database, older, OPTIONS.withStart(CaptureOptions.Start.RESET))) {
            assertEquals(killed.equals("after") ? 1 : 0, reset.patches());
        }
        assertEquals(is, data(database));
        assertEquals(is, replayed(older));
    }

    @ParameterizedTest
    @ValueSource(strings = {"before", "after"})
    void aDatabaseThatFollowsAfterAKillCompletesItsCommitFirst(String killed) throws IOException {
        killWithinFourthCommit();
        DatasetGraph database = connect(killed);
        try (StoreLog opened = StoreLog.open(log)) {
            Capture.completeCommit(database, CaptureOptions.POSITION_KEY, opened);
            Capture.completeCommit(database, CaptureOptions.POSITION_KEY, opened);
        }
        assertEquals(replayed(log), data(database));
        assertEquals(headOf(log), StoredPosition.toCanonical(term(database)));
    }

    @Test
    void aKillBetweenCommitsLeavesAPositionThatIsCertain() throws IOException {
        try (Capture capture = Capture.start(base, log, OPTIONS)) {
            insert(capture, 1);
            insert(capture, 2);
            copy("database", "killed");
            copy("log", "killed-log");
            insert(capture, 3);
            copy("log", "newer-log");
        }
        DatasetGraph killed = connect("killed");
        assertEquals(headOf(folder.resolve("killed-log")), position(killed));
        Capture.start(killed, folder.resolve("killed-log"), OPTIONS).close();
        assertEquals(2, data(killed).size());
        try (Capture later = Capture.start(killed, folder.resolve("newer-log"), OPTIONS)) {
            assertEquals(3, data(killed).size());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDatabaseWithoutItsFileIsRefusedUnlessItIsReset(boolean isThere) throws IOException {
        try (Capture capture = Capture.start(base, log, OPTIONS)) {
            insert(capture, 1);
            copy("database", "killed");
            copy("log", "killed-log");
        }
        Path file = positionFiles("killed").get(0);
        if (isThere) {
            Files.writeString(file, Files.readString(file).replaceAll("[0-9]", "7"));
        } else {
            Files.delete(file);
        }
        DatasetGraph killed = connect("killed");
        Path itsLog = folder.resolve("killed-log");
        String refused = assertThrows(IllegalStateException.class, () -> Capture.start(killed, itsLog, OPTIONS)).getMessage();
        assertTrue(refused.contains("restore the whole folder of a database"), refused);
        Capture.start(killed, itsLog, OPTIONS.withStart(CaptureOptions.Start.RESET)).close();
        assertEquals(headOf(itsLog), position(killed));
    }

    @Test
    void manyThreadsCommitAndTheLastPatchIsThePosition() throws Exception {
        try (Capture capture = Capture.start(base, log, OPTIONS)) {
            List<Thread> threads = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int first = thread * 100;
                threads.add(new Thread(() -> {
                    for (int number = first; number < first + 8; number++) {
                        insert(capture, number);
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(capture.head(), position(base));
            copy("database", "killed");
        }
        assertEquals(headOf(log), StoredPosition.toCanonical(term(base)));
        assertEquals(headOf(log), position(connect("killed")));
        assertEquals(replayed(log), data(base));
    }

    @Test
    void aTransactionThatIsOpenAtTheEndIsNotWaitedFor() throws Exception {
        Capture capture = Capture.start(base, log, OPTIONS);
        insert(capture, 1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            capture.dataset().begin(TxnType.READ_PROMOTE);
            capture.dataset().add(quad(2));
            begun.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            capture.dataset().abort();
            capture.dataset().end();
        });
        other.start();
        begun.await();
        capture.close();
        assertEquals(headOf(log), position(base));
        assertEquals(1, positionFiles("database").size());
        closed.countDown();
        other.join();
        try (Capture again = Capture.start(base, log, OPTIONS)) {
            insert(again, 3);
        }
        assertEquals(replayed(log), data(base));
        assertFalse(term(base).getURI().startsWith("urn:jellybridge:file:"));
    }

    /** The end of a capture, in a server that stops, does not wait for it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aCommitWhoseLogIsWrittenWhileTheCaptureEndsHasItsPosition(int last) throws IOException {
        CaptureFolder patches = new CaptureFolder(log, OPTIONS);
        CaptureSink sink = new CaptureSink(patches, OPTIONS);
        CapturePosition kept = new CapturePosition(base, POSITION, sink);
        DatasetGraph dataset = new CapturingDatasetGraph(base, sink, false, new CapturingDatasetGraph.CommitSteps() {
            @Override
            public void beforeLog() {
                kept.beforeLog();
            }

            @Override
            public Runnable afterLog() {
                if (sink.patches() == last) {
                    kept.end(false);
                }
                return kept.afterLog();
            }
        });
        for (int number = 1; number <= last; number++) {
            dataset.add(quad(number));
        }
        kept.end(true);
        patches.close();
        assertEquals(headOf(log), position(base));
        Capture.start(base, log, OPTIONS).close();
        assertEquals(last, data(base).size());
    }

    @Test
    void theFileStaysValidWhenTheDatabaseIsCompacted() throws IOException {
        try (Capture capture = Capture.start(base, log, OPTIONS)) {
            insert(capture, 1);
            DatabaseMgr.compact(base, true);
            copy("database", "idle");
            insert(capture, 2);
            copy("database", "killed");
        }
        for (String name : List.of("idle", "killed")) {
            DatasetGraph killed = connect(name);
            Capture.start(killed, copy("log", name + "-log"), OPTIONS).close();
            assertEquals(2, data(killed).size());
        }
    }
}
