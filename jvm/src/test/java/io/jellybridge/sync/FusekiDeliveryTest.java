package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.TestTicker;
import io.jellybridge.http.UnreachableException;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.sync.FaultyProxy.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.exec.UpdateExec;
import org.apache.jena.system.Txn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Fuseki that is down, slow, breaks off or lies: right in the end, or a clear error, never a false success. */
class FusekiDeliveryTest {
    private static final String KEY = "urn:jellybridge:log";
    private static final int ATTEMPTS = 3;

    private static TestFuseki fuseki(boolean module) {
        return module ? TestFuseki.withModule() : TestFuseki.stock();
    }

    private static FusekiOptions options(String url) {
        return FusekiOptions.of(url, Map.of("leaseWait", "0"))
                .withHttp(http -> http.withAttempts(ATTEMPTS).withTicker(TestTicker.jumpingUpTo(Duration.ofSeconds(1))));
    }

    /** Of a client that soon gives up a server that is silent. */
    private static FusekiOptions impatient(String url) {
        return options(url).withHttp(http -> http.withTimeout(Duration.ofSeconds(1)));
    }

    /** A slow machine is no silent server: only where one is does the client give up soon. */
    private static FusekiOptions options(String url, Fault fault) {
        return fault.isSilent() ? impatient(url) : options(url);
    }

    private static ApplyReport apply(OpenDataset target, String expected, String next, String... lines) throws IOException {
        return target.apply(TextBatch.of(lines), new PositionUpdate(KEY, expected, next), ProgressListener.NONE);
    }

    /** What a patch of order does: applied twice, or after the next, it would leave another trace. */
    private static ApplyReport move(OpenDataset target, int from, int to) throws IOException {
        return apply(target, from == 0 ? null : "<urn:" + from + ">", "<urn:" + to + ">",
                "D <urn:s> <urn:p> " + from + " .", "A <urn:s> <urn:p> " + to + " .");
    }

    /** The objects of all quads. */
    private static SortedSet<String> objects(TestFuseki fuseki) {
        DatasetGraph dataset = fuseki.dataset();
        SortedSet<String> objects = new TreeSet<>();
        dataset.begin(TxnType.READ);
        try {
            dataset.find().forEachRemaining(quad -> objects.add(quad.getObject().isURI()
                    ? quad.getObject().getURI() : quad.getObject().getLiteralLexicalForm()));
        } finally {
            dataset.end();
        }
        return objects;
    }

    private static SortedSet<String> set(String... members) {
        return new TreeSet<>(List.of(members));
    }

    private static Stream<Arguments> everyFault() {
        return Stream.of(true, false).flatMap(module -> Arrays.stream(Fault.values())
                .filter(fault -> fault != Fault.HELD_BACK && fault != Fault.REPEATED)
                .filter(fault -> module || fault != Fault.OK_OF_SOMETHING_ELSE && fault != Fault.ARRIVES_LATE)
                .map(fault -> Arguments.of(module, fault)));
    }

    @ParameterizedTest
    @MethodSource("everyFault")
    void afterAFaultThePatchIsThereOnce(boolean module, Fault fault) throws IOException {
        try (TestFuseki fuseki = fuseki(module); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url(), fault))) {
            move(target, 0, 1);
            proxy.fail(fault);
            assertEquals(new ApplyReport(1, 0, 1, 1, 0, null), move(target, 1, 2));
            assertEquals(set("2", "urn:2"), objects(fuseki));
            move(target, 2, 3);
            assertEquals(set("3", "urn:3"), objects(fuseki));
            assertEquals("<urn:3>", target.readPosition(KEY));
        }
    }

    /** The id is the same before and after: what tells the two apart is what the patch was. */
    @ParameterizedTest
    @MethodSource("everyFault")
    void afterAFaultTheRestOfAPatchIsThereOnce(boolean module, Fault fault) throws IOException {
        Position ended = new Position("<urn:1>", "more");
        try (TestFuseki fuseki = fuseki(module); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url(), fault))) {
            move(target, 0, 1);
            proxy.fail(fault);
            target.apply(TextBatch.of("D <urn:s> <urn:p> 1 .", "A <urn:s> <urn:p> 2 ."),
                    new PositionUpdate(KEY, Position.of("<urn:1>"), ended, List.of("note")), ProgressListener.NONE);
            assertEquals(ended, target.storedPosition(KEY));
            assertEquals(set("2", "urn:1", "more", "note"), objects(fuseki));
            target.apply(TextBatch.of("D <urn:s> <urn:p> 2 .", "A <urn:s> <urn:p> 3 ."),
                    new PositionUpdate(KEY, ended, Position.of("<urn:2>"), List.of()), ProgressListener.NONE);
            assertEquals(set("3", "urn:2", "note"), objects(fuseki), "a note stays, what a position applied does not");
        }
    }

    @ParameterizedTest
    @MethodSource("everyFault")
    void afterFaultsWithoutEndTheErrorSaysWhatIsTrue(boolean module, Fault fault) throws IOException {
        Fault[] always = new Fault[ATTEMPTS];
        Arrays.fill(always, fault);
        try (TestFuseki fuseki = fuseki(module); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url(), fault))) {
            move(target, 0, 1);
            int before = proxy.requests();
            proxy.fail(always);
            if (fault.arrives()) {
                move(target, 1, 2);
                assertEquals("<urn:2>", target.readPosition(KEY));
            } else {
                HttpException failure = assertThrows(HttpException.class, () -> move(target, 1, 2));
                assertTrue(failure.getMessage().startsWith(proxy.url() + "/patch: "), failure.getMessage());
                int requests = proxy.requests() - before;
                // One that is given up before a busy machine takes it is not counted.
                assertTrue(requests == ATTEMPTS || fault == Fault.TIMEOUT && requests > 0 && requests < ATTEMPTS, () -> "" + requests);
                assertEquals(set("1", "urn:1"), objects(fuseki));
                move(target, 1, 2);
            }
            assertEquals(set("2", "urn:2"), objects(fuseki));
        }
    }

    /** The position can't be asked for a while: neither before, nor after. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void questionsAreAskedAgain(boolean module) throws IOException {
        try (TestFuseki fuseki = fuseki(module); FaultyProxy proxy = new FaultyProxy(fuseki, "query");
                OpenDataset target = new FusekiDataset(options(proxy.url()))) {
            proxy.fail(Fault.UNAVAILABLE, Fault.ERROR_IN_MID_BODY);
            move(target, 0, 1);
            proxy.fail(Fault.ARRIVES_OK_IN_MID_BODY, Fault.OK_OF_SOMETHING_ELSE);
            move(target, 1, 2);
            assertEquals(set("2", "urn:2"), objects(fuseki));
        }
    }

    /** A word of 200 that does not come from the patch endpoint is nothing to stock Fuseki's client: it asks. */
    @Test
    void anOkOfSomethingElseIsAFailure() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url()))) {
            proxy.fail(Fault.OK_OF_SOMETHING_ELSE);
            assertEquals(200, assertThrows(HttpException.class, () -> move(target, 0, 1)).status());
            move(target, 0, 1);
        }
    }

    /** The limit of stock Fuseki, see {@link Lease}: what was held back is applied late, but not without a trace. */
    @Test
    void aRequestThatWasHeldBackIsNoticedWithoutTheModule() throws Exception {
        try (TestFuseki fuseki = TestFuseki.stock(); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(impatient(proxy.url()))) {
            move(target, 0, 1);
            proxy.fail(Fault.HELD_BACK);
            move(target, 1, 2);
            move(target, 2, 3);
            proxy.release();
            assertTrue(assertThrows(IllegalStateException.class, () -> move(target, 3, 4)).getMessage()
                    .contains("several positions"));
        }
    }

    @Test
    void aRequestOfApplyThatAProxySendsTwiceIsASuccess() throws IOException {
        try (TestFuseki fuseki = TestFuseki.withModule(); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url()))) {
            proxy.fail(Fault.REPEATED, Fault.REPEATED);
            target.apply("changes", TextBatch.of("A <urn:s> <urn:p> <urn:o> .", "Z .", "A <urn:s> <urn:p> <urn:next> ."),
                    ProgressListener.NONE);
            assertEquals(set("urn:o", "urn:next"), objects(fuseki));
        }
    }

    /** A step can also be that of another process, so it is an error, which says what is there. */
    @Test
    void aStepThatAProxySendsTwiceIsNotReportedAsLost() throws IOException {
        try (TestFuseki fuseki = TestFuseki.withModule(); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url()))) {
            proxy.fail(Fault.REPEATED);
            String message = assertThrows(PositionConflictException.class, () -> move(target, 0, 1)).getMessage();
            assertTrue(message.contains("the dataset is at <urn:1> under <") && message.endsWith("it was applied once"), message);
            move(target, 1, 2);
            assertEquals(set("2", "urn:2"), objects(fuseki));
        }
    }

    /** Between the two, somebody else took back what the request added. */
    @Test
    void aRequestOfApplyThatWasHeldBackIsNotAppliedAgainByTheModule() throws Exception {
        try (TestFuseki fuseki = TestFuseki.withModule(); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(impatient(proxy.url()));
                OpenDataset other = new FusekiDataset(options(fuseki.url()))) {
            proxy.fail(Fault.HELD_BACK);
            target.apply("changes", TextBatch.of("A <urn:s> <urn:p> <urn:o> .", "Z .", "A <urn:s> <urn:p> <urn:next> ."),
                    ProgressListener.NONE);
            other.apply("changes", TextBatch.of("D <urn:s> <urn:p> <urn:o> ."), ProgressListener.NONE);
            proxy.release();
            assertEquals(set("urn:next", "2"), objects(fuseki), "the receipt stays");
        }
    }

    /** It is there, and says so: who asks again later is refused again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoLosesTheRightBeforeTheOutcomeIsKnownIsToldThat(boolean ofFuseki) throws IOException {
        AtomicBoolean revoked = new AtomicBoolean();
        AtomicInteger changes = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                boolean isChange = exchange.getRequestMethod().equals("POST")
                        && !exchange.getRequestURI().getPath().endsWith("/query");
                boolean breaks = isChange && changes.incrementAndGet() == (ofFuseki ? 1 : 2);
                exchange.sendResponseHeaders(revoked.get() ? 401 : breaks ? 503 : 200, -1);
                revoked.compareAndSet(false, breaks);
            }
        });
        server.start();
        String url = "http://localhost:" + server.getAddress().getPort() + "/ds";
        TestTicker ticker = TestTicker.jumpingUpTo(Duration.ofSeconds(1));
        try (OpenDataset target = ofFuseki ? new FusekiDataset(options(url)) : new SparqlDataset(SparqlOptions.of(
                "sparql:" + url + "/update?query=" + url + "/query", Map.of("defaultGraph", "exclusive"))
                .withHttp(http -> http.withTicker(ticker)), false)) {
            Exception failure = assertThrows(ApplyException.class, () -> target.apply("changes",
                    TextBatch.of("A <urn:s> <urn:p> <urn:o> <urn:g> ."), ProgressListener.NONE));
            HttpException cause = (HttpException) failure.getCause();
            assertEquals(401, cause.status());
            assertTrue(cause.getMessage().contains("it is not known whether ") && cause.getMessage().contains(
                    "since the server refused to say: ") && cause.getMessage().contains("name user and password"), cause.getMessage());
            for (Throwable each = failure; each != null; each = each.getCause()) {
                assertFalse(each instanceof UnreachableException, each.toString());
            }
        } finally {
            server.stop(0);
        }
    }

    /** The patch arrives, its answer is lost, and so are those to all questions after it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOutcomeThatCannotBeAskedForIsCalledUnknown(boolean module) throws IOException {
        try (TestFuseki fuseki = fuseki(module); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url()))) {
            move(target, 0, 1);
            proxy.failForGood(Fault.ARRIVES_CONNECTION_CLOSED);
            HttpException unknown = assertThrows(HttpException.class, () -> move(target, 1, 2));
            assertTrue(unknown.getMessage().contains("it is not known whether the patches were applied"),
                    unknown.getMessage());
            assertEquals(set("2", "urn:2"), objects(fuseki));
            try (OpenDataset later = new FusekiDataset(options(fuseki.url()))) {
                assertEquals("<urn:2>", assertThrows(PositionConflictException.class, () -> move(later, 1, 2)).found());
            }
        }
    }

    // --- others, while an attempt fails

    private static Runnable moved(OpenDataset other, int from, int to) {
        return () -> {
            try {
                move(other, from, to);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStepThatAnotherTookWhileAnAttemptFailedIsNotTakenAgain(boolean module) throws IOException {
        try (TestFuseki fuseki = fuseki(module); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url()));
                OpenDataset other = new FusekiDataset(options(fuseki.url()).withBreakLease(true))) {
            move(target, 0, 1);
            int before = proxy.requests();
            proxy.fail(Fault.UNAVAILABLE);
            proxy.meanwhile(moved(other, 1, 5));
            assertEquals("<urn:5>", assertThrows(PositionConflictException.class, () -> move(target, 1, 2)).found());
            assertEquals(1, proxy.requests() - before, "it was asked for");
            assertEquals(set("5", "urn:5"), objects(fuseki));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStepThatAnotherTookInAllAttemptsIsAConflictAndNoTrouble(boolean module) throws IOException {
        try (TestFuseki fuseki = fuseki(module); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url()).withHttp(http -> http.withAttempts(1)));
                OpenDataset other = new FusekiDataset(options(fuseki.url()).withBreakLease(true))) {
            proxy.fail(Fault.CONNECTION_CLOSED);
            proxy.meanwhile(moved(other, 0, 5));
            assertEquals("<urn:5>", assertThrows(PositionConflictException.class, () -> move(target, 0, 2)).found());
        }
    }

    private static Runnable held(TestFuseki fuseki) {
        return () -> Txn.executeWrite(fuseki.dataset(), () -> UpdateExec.dataset(fuseki.dataset()).update(
                "DELETE WHERE { GRAPH <urn:jellybridge:sync> { <urn:jellybridge:lease> ?p ?o } } ; "
                + LEASE.formatted("2999-01-01T00:00:00Z")).execute());
    }

    @Test
    void whoLosesTheLeaseWhileAnAttemptFailsIsToldSo() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url()))) {
            move(target, 0, 1);
            proxy.fail(Fault.UNAVAILABLE);
            proxy.meanwhile(held(fuseki));
            assertThrows(SyncLeaseException.class, () -> move(target, 1, 2));
            assertEquals(set("1", "urn:1", "another", "2999-01-01T00:00:00Z"), objects(fuseki));
        }
    }

    @Test
    void whoseStepArrivedNeedsTheLeaseNoMore() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url()))) {
            move(target, 0, 1);
            proxy.fail(Fault.ARRIVES_CONNECTION_CLOSED);
            proxy.meanwhile(held(fuseki));
            move(target, 1, 2);
            assertEquals(set("2", "urn:2", "another", "2999-01-01T00:00:00Z"), objects(fuseki));
        }
    }

    /** The position is what it would be: but it was another's first attempt that brought it there. */
    @Test
    void whoTakesTheSameStepAsAnotherAtOnceIsToldSoByTheModule() throws IOException {
        HookedDataset dataset = new HookedDataset();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (TestFuseki fuseki = TestFuseki.withModule(dataset);
                OpenDataset target = new FusekiDataset(options(fuseki.url()))) {
            dataset.beforeBegin(1, () -> {
                try {
                    threads.submit(() -> Txn.executeWrite(dataset.base(), () -> UpdateExec.dataset(dataset.base())
                            .update("INSERT DATA { GRAPH <urn:jellybridge:sync> { <" + KEY + "> <urn:jellybridge:position> "
                                    + "<urn:1> } }").execute())).get();
                } catch (InterruptedException | ExecutionException e) {
                    throw new AssertionError(e);
                }
            });
            assertEquals("<urn:1>", assertThrows(PositionConflictException.class, () -> move(target, 0, 1)).found());
            assertEquals(set("urn:1"), objects(fuseki));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aServerThatIsDownIsNamed() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (OpenDataset target = new FusekiDataset(options("http://me:secret@localhost:" + port + "/ds"))) {
            HttpException failure = assertThrows(HttpException.class, () -> move(target, 0, 1));
            assertEquals("http://localhost:" + port + "/ds/query: no connection; is the server running?, tried 3 times",
                    failure.getMessage());
            assertEquals(0, failure.status());
        }
    }

    @Test
    void connectionsThatAreResetAreTriedAgain() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            int[] accepted = new int[1];
            Thread resets = new Thread(() -> {
                try {
                    while (true) {
                        try (Socket socket = server.accept()) {
                            accepted[0]++;
                            socket.setSoLinger(true, 0); // so that closing resets
                        }
                    }
                } catch (IOException e) {
                    // the test is over
                }
            });
            resets.start();
            try (OpenDataset target = new FusekiDataset(options("http://localhost:" + server.getLocalPort() + "/ds"))) {
                HttpException failure = assertThrows(HttpException.class, () -> move(target, 0, 1));
                assertTrue(failure.getMessage().endsWith(", tried 3 times"), failure.getMessage());
            }
            assertTrue(accepted[0] >= ATTEMPTS, "accepted " + accepted[0]);
        }
    }

    @Test
    void aServerThatNeverAnswersDoesNotHoldUsForever() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                OpenDataset target = new FusekiDataset(impatient("http://localhost:" + silent.getLocalPort() + "/ds"))) {
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
                HttpException failure = assertThrows(HttpException.class, () -> move(target, 0, 1));
                assertTrue(failure.getMessage().contains("no whole answer within 1.0 s"), failure.getMessage());
            });
        }
    }

    /** Stock Fuseki answers 200 to this: its text reader takes the unknown language tag for a broken patch. */
    @Test
    void aPatchThatStockFusekiDropsWith200IsAFailure() throws IOException {
        DatasetGraph refusing = RefusingDataset.create();
        try (TestFuseki fuseki = TestFuseki.stock(refusing); OpenDataset target = new FusekiDataset(options(fuseki.url()))) {
            move(target, 0, 1);
            HttpException failure = assertThrows(HttpException.class,
                    () -> apply(target, "<urn:1>", "<urn:2>", "A <urn:s> <urn:p> \"refused\" ."));
            assertEquals(200, failure.status());
            assertTrue(failure.getMessage().endsWith("answered 200, but applied nothing; the log of the server may say why"),
                    failure.getMessage());
            assertEquals(set("1", "urn:1"), objects(fuseki));
            move(target, 1, 2);
        }
    }

    /** A step asks four questions; each of them stays without an answer, of which the last is whether the patch arrived. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void whatIsDroppedIsNoSuccessWhicheverQuestionFails(int question) throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(RefusingDataset.create());
                FaultyProxy proxy = new FaultyProxy(fuseki, "query");
                OpenDataset target = new FusekiDataset(options(proxy.url()))) {
            move(target, 0, 1);
            int before = proxy.requests();
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                proxy.failAt(question + attempt, Fault.UNAVAILABLE);
            }
            assertThrows(HttpException.class,
                    () -> apply(target, "<urn:1>", "<urn:2>", "A <urn:s> <urn:p> \"refused\" ."));
            assertTrue(proxy.requests() - before >= question + ATTEMPTS - 1, "the question was asked");
            assertEquals("<urn:1>", target.readPosition(KEY));
            move(target, 1, 2);
            assertEquals(set("2", "urn:2"), objects(fuseki));
        }
    }

    @Test
    void whoseDroppedPatchFindsAnothersStepIsToldOfThat() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(RefusingDataset.create());
                FaultyProxy proxy = new FaultyProxy(fuseki, "query");
                OpenDataset target = new FusekiDataset(options(proxy.url()));
                OpenDataset other = new FusekiDataset(options(fuseki.url()).withBreakLease(true))) {
            move(target, 0, 1);
            proxy.failAt(4, Fault.UNAVAILABLE);
            proxy.meanwhile(moved(other, 1, 5));
            assertEquals("<urn:5>", assertThrows(PositionConflictException.class,
                    () -> apply(target, "<urn:1>", "<urn:2>", "A <urn:s> <urn:p> \"refused\" .")).found());
        }
    }

    @Test
    void aDatasetThatFailsBehindTheModuleIsAFailureAtOnce() throws IOException {
        try (TestFuseki fuseki = TestFuseki.withModule(RefusingDataset.create());
                FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url()))) {
            HttpException failure = assertThrows(HttpException.class,
                    () -> apply(target, null, "<urn:1>", "A <urn:s> <urn:p> \"refused\" ."));
            assertEquals(500, failure.status());
            assertTrue(failure.getMessage().contains("failed in the dataset /ds"), failure.getMessage());
            assertTrue(failure.getMessage().contains("at incident "), failure.getMessage());
            assertEquals(1, proxy.requests());
            assertEquals(set(), objects(fuseki));
        }
    }

    // --- the lease, at a server without the module

    private static final String LEASE = "INSERT DATA { GRAPH <urn:jellybridge:sync> { <urn:jellybridge:lease> "
            + "<urn:jellybridge:token> \"another\" ; <urn:jellybridge:expires> "
            + "\"%s\"^^<http://www.w3.org/2001/XMLSchema#dateTime> } }";

    @Test
    void aLeaseOfAnotherIsRespectedUntilItEnds() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(); OpenDataset target = new FusekiDataset(options(fuseki.url()));
                FusekiDataset dataset = FusekiDataset.open(options(fuseki.url()))) {
            dataset.update(LEASE.formatted("2999-01-01T00:00:00Z"));
            SyncLeaseException refused = assertThrows(SyncLeaseException.class, () -> move(target, 0, 1));
            assertTrue(refused.expires().startsWith("\"2999-01-01"), refused.expires());
            assertNull(target.readPosition(KEY));
            assertEquals(0, dataset.size());
            dataset.update("CLEAR ALL");
            dataset.update(LEASE.formatted("2001-01-01T00:00:00Z"));
            move(target, 0, 1);
            assertEquals(set("1", "urn:1"), objects(fuseki));
        }
    }

    @Test
    void aFailureEndsTheLease() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(RefusingDataset.create());
                OpenDataset target = new FusekiDataset(options(fuseki.url()))) {
            assertThrows(HttpException.class, () -> apply(target, null, "<urn:1>", "A <urn:s> <urn:p> \"refused\" ."));
            assertEquals(set(), objects(fuseki));
        }
    }

    @Test
    void theModuleNeedsNoLease() throws IOException {
        try (TestFuseki fuseki = TestFuseki.withModule(); OpenDataset target = new FusekiDataset(options(fuseki.url()));
                FusekiDataset dataset = FusekiDataset.open(options(fuseki.url()))) {
            dataset.update(LEASE.formatted("2999-01-01T00:00:00Z"));
            move(target, 0, 1);
            assertEquals("<urn:1>", target.readPosition(KEY));
        }
    }
}
