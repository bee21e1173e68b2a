package io.jellybridge.sync;

import static io.jellybridge.sync.OpenDatasetTest.content;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.codec.FormatException;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.TestTicker;
import io.jellybridge.http.UnreachableException;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.FaultyProxy.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.jena.sparql.exec.UpdateExec;
import org.apache.jena.system.Txn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that is down, slow, breaks off, lies or has other writers: right in the end, or a clear error. */
class SparqlDeliveryTest {
    private static final String KEY = "urn:jellybridge:log";
    private static final int ATTEMPTS = 3;
    private static final int ROWS = 4;
    private static final String HELD = "DELETE WHERE { GRAPH <urn:jellybridge:sync> { <urn:jellybridge:lease> ?p ?o } } ; "
            + "INSERT DATA { GRAPH <urn:jellybridge:sync> { <urn:jellybridge:lease> <urn:jellybridge:token> \"another\" ; "
            + "<urn:jellybridge:expires> \"2999-01-01T00:00:00Z\"^^<http://www.w3.org/2001/XMLSchema#dateTime> } }";
    private static final String MOVED = "DELETE WHERE { GRAPH <urn:jellybridge:sync> { <" + KEY + "> ?p ?o } } ; "
            + "INSERT DATA { GRAPH <urn:jellybridge:sync> { <" + KEY + "> <" + StoredPosition.PREDICATE + "> <urn:other> } }";

    private final HookedDataset hooked = new HookedDataset();
    private final TestFuseki fuseki = TestFuseki.stock(hooked);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    /** What objects begin with. */
    private String text = "";

    @AfterEach
    void stop() {
        fuseki.close();
        threads.shutdownNow();
    }

    private static OpenDataset open(String url, int requestRows) {
        return open(url, Map.of("requestRows", "" + requestRows));
    }

    /** Whose default graph need not be looked at, which is a request too. */
    private static OpenDataset open(String url, Map<String, String> options) {
        return options(url, options).dataset();
    }

    private static SparqlOptions options(String url, Map<String, String> options) {
        Map<String, String> all = new HashMap<>(options);
        all.put("defaultGraph", "exclusive");
        all.put("leaseWait", "0");
        TestTicker ticker = TestTicker.jumpingUpTo(Duration.ofSeconds(1));
        return SparqlOptions.of("sparql:" + url + "/update?query=" + url + "/query", all)
                .withHttp(http -> http.withAttempts(ATTEMPTS).withTicker(ticker).withTimeout(Duration.ofSeconds(20)));
    }

    /** Objects 0 to 3 become those of the next number: done twice, or in another order, it would leave another trace. */
    private String[] rows(int number) {
        return IntStream.range(0, ROWS).mapToObj(row -> "\"" + text + row + "\"")
                .flatMap(object -> Stream.of("D <urn:" + (number - 1) + "> <urn:p> " + object + " .",
                        "A <urn:" + number + "> <urn:p> " + object + " .")).toArray(String[]::new);
    }

    private Set<String> after(int number) {
        return IntStream.range(0, ROWS).mapToObj(row -> "<urn:" + number + "> <urn:p> \"" + text + row + "\"")
                .collect(TreeSet::new, Set::add, Set::addAll);
    }

    private static PositionUpdate step(int number) {
        return new PositionUpdate(KEY, number == 1 ? null : "<urn:" + (number - 1) + ">", "<urn:" + number + ">");
    }

    private void move(OpenDataset target, int number) throws IOException {
        target.apply(TextBatch.of(rows(number)), step(number), ProgressListener.NONE);
    }

    private void load(OpenDataset target, int number) throws IOException {
        target.apply("test", TextBatch.of(rows(number)), ProgressListener.NONE);
    }

    private void update(String sparql) {
        Txn.executeWrite(hooked.base(), () -> UpdateExec.dataset(hooked.base()).update(sparql).execute());
    }

    /** In a thread of its own, since one of the server's is about to begin a transaction. */
    private Runnable meanwhile(String sparql) {
        return () -> {
            try {
                threads.submit(() -> update(sparql)).get();
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            }
        };
    }

    /** How many quads there are that are none of users. */
    private long marks() {
        return Txn.calculateRead(hooked.base(), () -> hooked.base().stream(StoredPosition.GRAPH_NODE, null, null, null).count());
    }

    private static Stream<Arguments> faults() {
        return Arrays.stream(Fault.values()).filter(fault -> !fault.isSilent())
                .flatMap(fault -> Stream.of(5000, 3).map(requestRows -> Arguments.of(fault, requestRows)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void afterAFaultOfAnyRequestAStepIsTakenOnceOrNotAtAll(Fault fault, int requestRows) throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), requestRows)) {
            int number = 1;
            move(target, number);
            for (int nth = 1, sent = nth; nth <= sent; nth++) {
                int before = proxy.requests();
                proxy.failAt(nth, fault);
                try {
                    move(target, ++number);
                } catch (HttpException e) {
                    assertEquals(Fault.OK_OF_SOMETHING_ELSE, fault, e.getMessage());
                    assertTrue(requestRows < 5000 && e.getMessage().contains("answered that all is well, but the position"),
                            e.getMessage());
                    assertEquals(number - 1, position(target));
                    move(target, number);
                } catch (SyncLeaseException e) {
                    assertEquals(Fault.OK_OF_SOMETHING_ELSE, fault, "it was answered as if it had been taken");
                    move(target, number);
                }
                sent = proxy.requests() - before;
                assertEquals(after(number), content(target), "request " + nth);
                assertEquals(number, position(target));
            }
            assertTrue(number > (requestRows == 5000 ? 1 : 4), number + " steps only");
        }
    }

    private static int position(OpenDataset target) throws IOException {
        return Integer.parseInt(target.readPosition(KEY).replaceAll("\\D", ""));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void afterAFaultOfAnyRequestPatchesWithoutAStepAreThereOrAreSaidNotToBe(Fault fault, int requestRows) throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), requestRows)) {
            int number = 0;
            for (int nth = 1, sent = nth; nth <= sent; nth++) {
                int before = proxy.requests();
                proxy.failAt(nth, fault);
                try {
                    load(target, ++number);
                } catch (ApplyException e) {
                    assertEquals(Fault.OK_OF_SOMETHING_ELSE, fault, e.getMessage());
                    assertTrue(e.getMessage().contains("answered that all is well, but the last change"), e.getMessage());
                    load(target, number);
                }
                sent = proxy.requests() - before;
                assertEquals(after(number), content(target), "request " + nth);
            }
        }
    }

    @Test
    void nothingIsLeftOfTheRequestsOfPatchesAndOfAStepItsPositionAndOneReceipt() throws IOException {
        try (OpenDataset target = open(fuseki.url(), 3)) {
            load(target, 1);
            assertEquals(0, marks());
            for (int number = 1; number <= 3; number++) {
                move(target, number);
                assertEquals(2, marks());
            }
        }
        try (OpenDataset target = open(fuseki.url(), 5000)) {
            load(target, 1);
            move(target, 4);
            assertEquals(2, marks());
            // A step of another key must not take the receipt of this one away, which may not have been asked for yet.
            target.apply(TextBatch.of(rows(5)), new PositionUpdate("urn:other-key", null, "<urn:5>"), ProgressListener.NONE);
            assertEquals(4, marks());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5000, 3})
    void aFaultWithoutEndIsAnErrorAndNothingIsDone(int requestRows) throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), requestRows)) {
            move(target, 1);
            int before = proxy.requests();
            for (int nth = 1; nth <= ATTEMPTS; nth++) {
                proxy.failAt(nth, Fault.UNAVAILABLE);
            }
            HttpException failure = assertThrows(HttpException.class, () -> move(target, 2));
            assertTrue(failure.getMessage().startsWith(proxy.url() + "/update: answered 503"), failure.getMessage());
            assertEquals(503, failure.status());
            assertEquals(after(1), content(target));
            int toGiveTheLeaseBack = requestRows == 3 ? 1 : 0;
            assertEquals(ATTEMPTS + toGiveTheLeaseBack, proxy.requests() - before);
            move(target, 2);
            assertEquals(after(2), content(target));
        }
    }

    /** The connection is lost each time, and the last time it had arrived. */
    @Test
    void whatArrivedByTheLastAttemptIsThere() throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), 5000)) {
            proxy.fail(Fault.CONNECTION_CLOSED, Fault.CONNECTION_CLOSED, Fault.ARRIVES_CONNECTION_CLOSED);
            move(target, 1);
            assertEquals(ATTEMPTS, proxy.requests());
            assertEquals(after(1), content(target));
            proxy.fail(Fault.CONNECTION_CLOSED, Fault.CONNECTION_CLOSED, Fault.CONNECTION_CLOSED);
            String message = assertThrows(UnreachableException.class, () -> move(target, 2)).getMessage();
            assertTrue(message.endsWith(", tried 3 times"), message);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, names = {"UNAVAILABLE", "CONNECTION_CLOSED"})
    void aRequestIsSentAgainAfterAPause(Fault fault) throws IOException {
        TestTicker ticker = TestTicker.jumpingUpTo(Duration.ofSeconds(1));
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update");
                OpenDataset target = options(proxy.url(), Map.of()).withHttp(http -> http.withTicker(ticker)).dataset()) {
            move(target, 1);
            proxy.fail(fault);
            move(target, 2);
            assertEquals(1, ticker.slept().stream().filter(time -> time.toMillis() >= 100 && time.toMillis() <= 200).count());
            assertEquals(1 + 2, proxy.requests());
            assertEquals(after(2), content(target));
        }
    }

    @Test
    void anAnswerThatIsNoTroubleOfAMomentIsNotAskedForAgain() throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "none"); OpenDataset target = SparqlOptions.of(
                "sparql:" + proxy.url() + "/none?query=query", Map.of("defaultGraph", "exclusive")).dataset()) {
            assertEquals(404, assertThrows(HttpException.class, () -> move(target, 1)).status());
            assertEquals(1, proxy.requests());
        }
    }

    /** The change arrives, its answer is lost, and so are those to all questions after it. */
    @Test
    void anOutcomeThatCannotBeAskedForIsCalledUnknown() throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), 5000)) {
            move(target, 1);
            proxy.failForGood(Fault.ARRIVES_CONNECTION_CLOSED);
            UnreachableException unknown = assertThrows(UnreachableException.class, () -> move(target, 2));
            assertTrue(unknown.getMessage().startsWith(proxy.url() + "/update: it is not known whether the changes were made"),
                    unknown.getMessage());
            assertEquals(1, unknown.getSuppressed().length, "why it was asked for");
            try (OpenDataset later = open(fuseki.url(), 5000)) {
                assertEquals(after(2), content(later));
                assertEquals(2, position(later));
            }
        }
    }

    /** Loads the state that a log begins with, and loses the connection after two of its five quads. */
    private static void loadInPart(FaultyProxy proxy, OpenDataset target, Path folder) throws IOException {
        StoreLog log = begin(folder, IntStream.rangeClosed(1, 5).mapToObj(row -> "<urn:s> <urn:p> \"" + row + "\" .").toList());
        int before = 1 + 1 + 1 + 1; // the mark, the lease, the number, two quads
        for (int nth = 1; nth <= ATTEMPTS; nth++) {
            proxy.failAt(before + nth, Fault.CONNECTION_CLOSED);
        }
        assertThrows(UnreachableException.class, () -> new Follower(target).followLog(log));
        assertEquals(2, target.size());
    }

    /** Returns a log that begins with a state. */
    private static StoreLog begin(Path folder, List<String> quads) throws IOException {
        Path state = Files.write(folder.resolve("state.nq"), quads);
        Path log = folder.resolve("log");
        CheckpointFiles.begin(new FolderStore(log), new FileLocation(state.toString()),
                ConvertOptions.strict(false), ProgressListener.NONE);
        return StoreLog.open(log);
    }

    @Test
    void aFirstLoadThatIsCutOffIsRepeatedWithTheSameCheckpoint(@TempDir Path folder) throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), 2)) {
            loadInPart(proxy, target, folder);
            try (StoreLog log = StoreLog.open(folder.resolve("log"))) {
                LogPatches.append(log, "D <urn:s> <urn:p> \"1\" .");
                CheckpointFiles.make(log, 2, ProgressListener.NONE); // has one quad less
                assertThrows(IllegalStateException.class, () -> LogComparison.of(log, target, KEY, 1, ProgressListener.NONE));
                Follower before = new Follower(target, SyncOptions.DEFAULT, "0", null, null);
                String said = assertThrows(IllegalStateException.class, () -> before.followLog(log)).getMessage();
                assertTrue(said.startsWith("until=0 is before version 1"), said);
                Follower byName = new Follower(target, SyncOptions.DEFAULT, "log#2", null, null);
                Follower.Report report = byName.followLog(log);
                assertEquals(List.of(1L, 1L), List.of(report.checkpoint(), report.patches()));
                assertNull(report.positionBefore());
                assertTrue(LogComparison.of(log, target, KEY, 1, ProgressListener.NONE).isEqual());
                assertEquals(4, target.size());
            }
        }
    }

    @Test
    void aFirstLoadThatWasCutOffBeginsAnewWhereItsCheckpointWasPruned(@TempDir Path folder) throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), 2)) {
            loadInPart(proxy, target, folder);
            try (StoreLog log = StoreLog.open(folder.resolve("log"))) {
                LogPatches.append(log, "D <urn:s> <urn:p> \"1\" .");
                LogPatches.append(log, "D <urn:s> <urn:p> \"2\" .");
                CheckpointFiles.make(log, 3, ProgressListener.NONE);
                Pruning.before(log, 3);
                String said = assertThrows(IllegalStateException.class, () -> new Follower(target).followLog(log)).getMessage();
                assertTrue(said.startsWith("the first load of the dataset was cut off"), said);
                assertEquals(2, target.size());
                update("DELETE WHERE { ?s ?p ?o }"); // the mark stays
                assertEquals(3, new Follower(target).followLog(log).checkpoint());
                assertTrue(LogComparison.of(log, target, KEY, 1, ProgressListener.NONE).isEqual());
            }
        }
    }

    @Test
    void aCheckpointThatTheStoreRefusesDoesNotKeepAnEmptyOneFromTheNext(@TempDir Path folder) throws IOException {
        String refused = "<urn:s> <urn:p> <http://host/a/../b> .";
        StoreLog log = begin(folder, List.of(refused, "<urn:s> <urn:p> <urn:o> ."));
        try (OpenDataset target = open(fuseki.url(), 2)) {
            assertThrows(FormatException.class, () -> new Follower(target).followLog(log));
            LogPatches.append(log, "D " + refused);
            CheckpointFiles.make(log, 2, ProgressListener.NONE);
            assertEquals(2, new Follower(target).followLog(log).checkpoint());
            assertEquals(1, target.size());
        }
    }

    // --- sizes

    @ParameterizedTest
    @ValueSource(ints = {5000, 5})
    void whatIsTooLargeForTheServerIsDivided(int requestRows) throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), requestRows)) {
            text = "x".repeat(500);
            move(target, 1);
            for (int bytes : new int[] {4000, 3000, 2000}) {
                proxy.refuseLarger(bytes);
                move(target, 2);
                assertEquals(after(2), content(target), bytes + " bytes");
                load(target, 3);
                assertEquals(after(3), content(target), bytes + " bytes");
                proxy.refuseLarger(Integer.MAX_VALUE);
                update("CLEAR ALL");
                move(target, 1);
            }
        }
    }

    @Test
    void aStatementThatIsTooLargeByItselfIsAnError() throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), 5000)) {
            move(target, 1);
            proxy.refuseLarger(10_000);
            String large = "A <urn:large> <urn:p> \"" + "x".repeat(10_000) + "\" .";
            for (String[] rows : new String[][] {{large}, {"A <urn:small> <urn:p> 1 .", large}}) {
                HttpException refused = assertThrows(HttpException.class,
                        () -> target.apply(TextBatch.of(rows), step(2), ProgressListener.NONE));
                assertEquals(413, refused.status());
                assertEquals(1, position(target));
            }
            ApplyException refused = assertThrows(ApplyException.class,
                    () -> target.apply("test", TextBatch.of(large), ProgressListener.NONE));
            assertEquals(413, ((HttpException) refused.getCause()).status());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRequestHasSoManyStatementsOrBytesAtMostAndTheListenerHearsOfEach(boolean byBytes) throws IOException {
        Map<String, String> options = byBytes ? Map.of("requestBytes", "" + 2 * "<urn:0><urn:p>\"0\"  ".length())
                : Map.of("requestRows", "2");
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), options)) {
            List<Long> told = new ArrayList<>();
            target.apply(TextBatch.of(rows(1)), step(1), told::add);
            assertEquals(List.of(2L, 4L, 6L, 8L, 8L), told);
            assertEquals(1 + 1 + 4 + 1, proxy.requests(), "the lease, the number, the rows, the position");
            told.clear();
            int before = proxy.requests();
            target.apply("test", TextBatch.of(rows(2)), told::add);
            assertEquals(List.of(2L, 4L, 6L, 8L, 8L), told);
            assertEquals(1 + 4 + 1, proxy.requests() - before, "the number, the rows, the end of it");
        }
    }

    @Test
    void aPatchOfWhichAPartArrivedIsSaidToBe() throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), 2)) {
            for (int part = 0; part <= 1; part++) {
                for (int nth = 1; nth <= ATTEMPTS; nth++) {
                    proxy.failAt(1 + part + nth, Fault.CONNECTION_CLOSED);
                }
                ApplyException failure = assertThrows(ApplyException.class, () -> load(target, 1));
                assertTrue(failure.getMessage().startsWith("patch 0 of test was applied in part"), failure.getMessage());
                assertEquals(part * 1L, target.size());
            }
            for (int nth = 1; nth <= ATTEMPTS; nth++) {
                proxy.failAt(1 + nth, Fault.CONNECTION_CLOSED);
            }
            ApplyException failure = assertThrows(ApplyException.class,
                    () -> target.apply("test", TextBatch.of("A <urn:s> <urn:p> 1 ."), ProgressListener.NONE));
            assertTrue(failure.getMessage().startsWith("patch 0 of test was not applied"), failure.getMessage());
        }
    }

    // --- others

    @ParameterizedTest
    @ValueSource(ints = {5000, 3})
    void aLeaseOfAnotherIsRespectedAndBrokenOnceWhereThatIsAskedFor(int requestRows) throws IOException {
        SparqlOptions options = options(fuseki.url(), Map.of("requestRows", "" + requestRows));
        try (OpenDataset target = options.dataset(); OpenDataset breaks = options.withBreakLease(true).dataset()) {
            update(HELD);
            SyncLeaseException refused = assertThrows(SyncLeaseException.class, () -> move(target, 1));
            assertTrue(refused.expires().startsWith("\"2999-01-01"), refused.expires());
            assertNull(target.readPosition(KEY));
            assertEquals(0, target.size());
            move(breaks, 1);
            assertEquals(after(1), content(target));
            assertEquals(2, marks());
            update(HELD);
            assertThrows(SyncLeaseException.class, () -> move(breaks, 2));
            assertEquals(after(1), content(target));
        }
    }

    /** Before any of the requests, the position is moved, or the lease taken. */
    @ParameterizedTest
    @ValueSource(ints = {5000, 3})
    void aStepThatAnotherTookOrALeaseThatAnotherGotMeanwhileIsFoundOut(int requestRows) throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(fuseki, "update"); OpenDataset target = open(proxy.url(), requestRows)) {
            move(target, 1);
            int requests = requestRows == 3 ? 5 : 1;
            for (int nth = 1; nth <= requests; nth++) {
                hooked.beforeBegin(nth, meanwhile(MOVED));
                PositionConflictException conflict = assertThrows(PositionConflictException.class, () -> move(target, 2),
                        "request " + nth);
                assertEquals("<urn:other>", conflict.found());
                if (nth == 1) {
                    assertEquals(after(1), content(target), "nothing was sent of what is not wanted any more");
                }
                update("CLEAR ALL");
                move(target, 1);
                hooked.beforeBegin(nth, meanwhile(HELD));
                assertThrows(SyncLeaseException.class, () -> move(target, 2), "request " + nth);
                assertEquals(1, position(target));
                update("CLEAR ALL");
                move(target, 1);
            }
        }
    }
}
