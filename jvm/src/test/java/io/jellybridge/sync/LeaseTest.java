package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.http.HttpOptions.Ticker;
import io.jellybridge.http.TestTicker;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.sync.FaultyProxy.Fault;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.jena.rdfpatch.RDFPatchOps;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.exec.UpdateExec;
import org.apache.jena.system.Txn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two syncs at a Fuseki as it comes: one writes, whoever dies, sleeps or is slow. */
class LeaseTest {
    private static final String KEY = "urn:jellybridge:log";
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(600);
    private static final String HELD = "DELETE WHERE { GRAPH <urn:jellybridge:sync> { <urn:jellybridge:lease> ?p ?o } } ; "
            + "INSERT DATA { GRAPH <urn:jellybridge:sync> { <urn:jellybridge:lease> <urn:jellybridge:token> \"another\" ; "
            + "<urn:jellybridge:expires> \"%s\"^^<http://www.w3.org/2001/XMLSchema#dateTime> } }";
    private static final String MOVED = "INSERT DATA { GRAPH <urn:jellybridge:sync> { <urn:jellybridge:log> "
            + "<urn:jellybridge:position> <urn:other> } }";

    /** Pauses between two questions take no time; renewals wait until the test moves it. */
    private final TestTicker ticker = TestTicker.jumpingUpTo(Duration.ofMillis(500));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HookedDataset dataset = new HookedDataset();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private FusekiOptions options(String url) {
        return FusekiOptions.of(url).withHttp(http -> http.withAttempts(3).withTicker(ticker))
                .withLease(new LeaseOptions(LONG, Duration.ZERO, false));
    }

    /** Lets the time of one renewal go by, and waits until the server has it and the next one is waited for. */
    private void renew() {
        String end = expiry();
        ticker.awaitSleeper();
        ticker.advance(LONG.dividedBy(3));
        while (end.equals(expiry())) {
            sleep(Duration.ofMillis(5));
        }
        ticker.awaitSleeper();
    }

    private static LeaseOptions waiting(Duration lasts) {
        return new LeaseOptions(lasts, Duration.ofSeconds(30), false);
    }

    private Lease lease(String url, Duration lasts) throws IOException {
        FusekiOptions options = options(url).withLease(new LeaseOptions(lasts, Duration.ZERO, false));
        return new Lease(Lease.Clients.of(new FusekiClient(options)), options.lease());
    }

    private static void move(OpenDataset target, int from, int to) throws IOException {
        target.apply(TextBatch.of("D <urn:s> <urn:p> " + from + " .", "A <urn:s> <urn:p> " + to + " ."),
                new PositionUpdate(KEY, from == 0 ? null : "<urn:" + from + ">", "<urn:" + to + ">"), ProgressListener.NONE);
    }

    private SortedSet<String> objects() {
        return Txn.calculateRead(dataset.base(), () -> dataset.base().stream().map(Quad::getObject)
                .map(object -> object.isURI() ? object.getURI() : object.getLiteralLexicalForm())
                .collect(TreeSet::new, Set::add, Set::addAll));
    }

    private static SortedSet<String> set(String... members) {
        return new TreeSet<>(List.of(members));
    }

    /** The expiry that the server has, null when there is no lease; the token is no time. */
    private String expiry() {
        return objects().stream().filter(object -> object.contains("T")).findFirst().orElse(null);
    }

    /** As another client does it. */
    private void update(String sparql) {
        Txn.executeWrite(dataset.base(), () -> UpdateExec.dataset(dataset.base()).update(sparql).execute());
    }

    private void apply(String rows) {
        Txn.executeWrite(dataset.base(), () -> RDFPatchOps.applyChange(dataset.base(),
                RDFPatchOps.read(new ByteArrayInputStream(rows.getBytes(UTF_8)))));
    }

    /** The same in a thread of its own, since a thread of Fuseki's is about to begin a transaction. */
    private Runnable meanwhile(String sparql) {
        return () -> waitFor(threads.submit(() -> {
            update(sparql);
            return null;
        }));
    }

    private static <T> T waitFor(Future<T> result) {
        try {
            return result.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Write 1 takes the lease, and write 2 is the patch, which the server has got, but not begun. */
    @Test
    void aHolderThatLostItsLeaseWritesNothing() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset);
                OpenDataset target = new FusekiDataset(options(fuseki.url()))) {
            dataset.beforeBegin(2, meanwhile(HELD.formatted("2999-01-01T00:00:00Z")));
            assertThrows(SyncLeaseException.class, () -> move(target, 0, 1));
            assertNull(target.readPosition(KEY));
            assertEquals(set("another", "2999-01-01T00:00:00Z"), objects());
        }
    }

    @Test
    void aStepThatAnotherTookMeanwhileIsNotTakenAgain() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset);
                OpenDataset target = new FusekiDataset(options(fuseki.url()))) {
            dataset.beforeBegin(2, meanwhile(MOVED));
            assertEquals("<urn:other>", assertThrows(PositionConflictException.class, () -> move(target, 0, 1)).found());
            assertEquals(set("urn:other"), objects());
        }
    }

    /** Before the lease is taken: then the patch need not be sent to find out. */
    @Test
    void aStepThatAnotherTookBeforeTheLeaseIsNotSent() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset target = new FusekiDataset(options(proxy.url()))) {
            dataset.beforeBegin(1, meanwhile(MOVED));
            assertEquals("<urn:other>", assertThrows(PositionConflictException.class, () -> move(target, 0, 1)).found());
            assertEquals(0, proxy.requests());
            assertEquals(set("urn:other"), objects());
        }
    }

    /** Its holder died: so long nobody gets in, and then the next one does. */
    @Test
    void aLeaseThatNobodyRenewsEndsByItsTime() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset);
                OpenDataset impatient = new FusekiDataset(options(fuseki.url()));
                OpenDataset patient = new FusekiDataset(options(fuseki.url()).withLease(waiting(LONG)))) {
            update(HELD.formatted(Instant.now().plus(Duration.ofSeconds(600))));
            assertThrows(SyncLeaseException.class, () -> move(impatient, 0, 1));
            assertThrows(SyncLeaseException.class, () -> move(patient, 0, 1));
            assertTrue(ticker.nanos() >= Duration.ofSeconds(30).toNanos());
            update(HELD.formatted(Instant.now().minus(Duration.ofMillis(1))));
            move(patient, 0, 1);
            assertEquals(set("1", "urn:1"), objects());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 600})
    void itEndsAtTheTimeThatTheServerIsTold(int seconds) throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset)) {
            Instant before = Instant.now();
            try (Lease lease = lease(fuseki.url(), Duration.ofSeconds(seconds))) {
                lease.take();
                Instant end = OffsetDateTime.parse(expiry()).toInstant();
                assertTrue(end.isAfter(before.plusSeconds(seconds - 1)) && end.isBefore(Instant.now().plusSeconds(seconds + 1)),
                        end.toString());
                assertTrue(lease.isCurrent());
            }
            assertEquals(set(), objects(), "nothing is left of it");
        }
    }

    @Test
    void aHolderThatCanNotRenewKnowsThatItIsOverWhenItsTimeIs() throws IOException {
        FusekiOptions options;
        Lease lease;
        try (TestFuseki fuseki = TestFuseki.stock(dataset)) {
            options = options(fuseki.url()).withHttp(http -> http.withAttempts(1));
            lease = new Lease(Lease.Clients.of(new FusekiClient(options)), options.lease());
            lease.take();
        }
        ticker.advance(LONG.minusMillis(1));
        assertTrue(lease.isCurrent());
        ticker.advance(Duration.ofMillis(1));
        assertFalse(lease.isCurrent());
        lease.close();
    }

    /** Its request is on the way for longer than the lease, which is renewed meanwhile. */
    @Test
    void aSlowHolderKeepsItsLease() throws Exception {
        try (TestFuseki fuseki = TestFuseki.stock(dataset); FaultyProxy proxy = new FaultyProxy(fuseki, "patch");
                OpenDataset slow = new FusekiDataset(options(proxy.url()));
                OpenDataset other = new FusekiDataset(options(fuseki.url()))) {
            proxy.fail(Fault.HELD_BACK);
            Future<Void> moving = threads.submit(() -> {
                move(slow, 0, 1);
                return null;
            });
            while (proxy.requests() == 0) {
                sleep(Duration.ofMillis(20));
            }
            for (int i = 0; i < 5; i++) {
                renew();
                assertThrows(SyncLeaseException.class, () -> move(other, 0, 2));
            }
            moving.cancel(true);
            proxy.release();
        }
    }

    /** Its transaction takes longer than the lease, and holds back what would renew it. */
    @Full("waits as long as a lease lasts, by the server's clock")
    @Test
    void aLongTransactionIsWaitedFor() {
        try (TestFuseki fuseki = TestFuseki.stock(dataset);
                OpenDataset slow = new FusekiDataset(options(fuseki.url()).withLease(new LeaseOptions(SHORT, Duration.ZERO, false)));
                OpenDataset other = new FusekiDataset(options(fuseki.url()).withLease(waiting(SHORT))
                        .withHttp(http -> http.withTicker(Ticker.System.TIME)))) {
            dataset.beforeCommit(2, () -> sleep(SHORT.multipliedBy(2)));
            List<Callable<Void>> both = new ArrayList<>();
            both.add(() -> {
                move(slow, 0, 1);
                return null;
            });
            both.add(() -> {
                sleep(SHORT.dividedBy(2));
                move(other, 0, 2);
                return null;
            });
            List<Future<Void>> done = both.stream().map(threads::submit).toList();
            waitFor(done.get(0));
            ExecutionException late = assertThrows(ExecutionException.class, () -> done.get(1).get());
            assertEquals("<urn:1>", ((PositionConflictException) late.getCause()).found());
            assertEquals(set("1", "urn:1"), objects());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void ofTwoThatWaitOneTakesTheStep() throws Exception {
        update(HELD.formatted(Instant.now().plusMillis(300)));
        try (TestFuseki fuseki = TestFuseki.stock(dataset)) {
            FusekiOptions patient = options(fuseki.url()).withLease(waiting(LONG))
                    .withHttp(http -> http.withTicker(Ticker.System.TIME));
            List<Future<Integer>> taken = new ArrayList<>();
            for (int i = 1; i <= 2; i++) {
                int to = i;
                taken.add(threads.submit(() -> {
                    try (OpenDataset target = new FusekiDataset(patient)) {
                        move(target, 0, to);
                        return to;
                    } catch (PositionConflictException e) {
                        return 0;
                    }
                }));
            }
            int winner = taken.get(0).get() + taken.get(1).get();
            assertTrue(taken.get(0).get() == 0 || taken.get(1).get() == 0, "both took the step");
            assertEquals(set(String.valueOf(winner), "urn:" + winner), objects());
        }
    }

    @Test
    void aLeaseIsBrokenOnceWhereThatIsAskedFor() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset);
                OpenDataset target = new FusekiDataset(options(fuseki.url()).withBreakLease(true))) {
            update(HELD.formatted("2999-01-01T00:00:00Z"));
            move(target, 0, 1);
            assertEquals(set("1", "urn:1"), objects());
            update(HELD.formatted("2999-01-01T00:00:00Z"));
            assertThrows(SyncLeaseException.class, () -> move(target, 1, 2));
        }
    }

    /** The question within the transaction gets no answer; then the clock decides, and nobody is asked again. */
    @Full("waits 5 s for an answer that does not come")
    @Test
    void aDatasetThatIsNotReadWhileItIsWrittenTakesPatchesToo() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(DatasetGraphFactory.createGeneral());
                OpenDataset target = new FusekiDataset(options(fuseki.url())
                        .withLease(new LeaseOptions(Duration.ofSeconds(60), Duration.ZERO, false))
                        .withHttp(http -> http.withTimeout(Duration.ofSeconds(5))))) {
            move(target, 0, 1);
            long start = System.nanoTime();
            move(target, 1, 2);
            assertTrue(Duration.ofNanos(System.nanoTime() - start).compareTo(Duration.ofSeconds(4)) < 0);
            assertEquals("<urn:2>", target.readPosition(KEY));
        }
    }

    /** Passes bytes on, but for the question whether the body may come. */
    private static final class Unasking implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        private final ExecutorService pumps = Executors.newCachedThreadPool();
        private final List<Socket> sockets = new CopyOnWriteArrayList<>();

        Unasking(int port) throws IOException {
            pumps.submit(() -> {
                while (true) {
                    Socket from = server.accept();
                    Socket to = new Socket(InetAddress.getLoopbackAddress(), port);
                    sockets.addAll(List.of(from, to));
                    pumps.submit(() -> pump(from, to));
                    pumps.submit(() -> pump(to, from));
                }
            });
        }

        String url() {
            return "http://localhost:" + server.getLocalPort() + "/ds";
        }

        private static Void pump(Socket from, Socket to) throws IOException {
            try (from; to) {
                byte[] bytes = new byte[1 << 16];
                for (int count = from.getInputStream().read(bytes); count >= 0; count = from.getInputStream().read(bytes)) {
                    String text = new String(bytes, 0, count, ISO_8859_1).replaceFirst("(?i)Expect: 100", "Passed: 100");
                    to.getOutputStream().write(text.getBytes(ISO_8859_1));
                }
            }
            return null;
        }

        @Override
        public void close() throws IOException {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
            pumps.shutdownNow();
        }
    }

    /** As where something before it takes the question for its own. */
    @Full("waits 10 s for a question that does not come")
    @Test
    void aServerThatDoesNotAskForTheBodyGetsItUnasked() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset); Unasking between = new Unasking(fuseki.port());
                OpenDataset target = new FusekiDataset(options(between.url())
                        .withLease(new LeaseOptions(Duration.ofSeconds(60), Duration.ZERO, false)))) {
            move(target, 0, 1);
            assertEquals(set("1", "urn:1"), objects());
        }
    }

    /** Quads of a lease that was broken off, or of another version: half of it, or twice. */
    @Test
    void whatIsLeftOfALeaseIsNone() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset);
                OpenDataset target = new FusekiDataset(options(fuseki.url()))) {
            update("INSERT DATA { GRAPH <urn:jellybridge:sync> { "
                    + "<urn:jellybridge:lease> <urn:jellybridge:expires> 1 , 2 } }");
            move(target, 0, 1);
            assertEquals(set("1", "urn:1"), objects());
            update("INSERT DATA { GRAPH <urn:jellybridge:sync> { <urn:jellybridge:lease> <urn:jellybridge:token> 1 , 2 } }");
            move(target, 1, 2);
            assertEquals(set("2", "urn:2"), objects());
        }
    }

    @Test
    void whereNothingIsKeptTheErrorSpeaksOfNoOtherSync() {
        String message = new SyncLeaseException("http://host/update", null).getMessage();
        assertTrue(message.startsWith("http://host/update: no lease could be taken"), message);
        assertFalse(message.contains("another sync"), message);
    }

    // --- what is left of it, and what it asks the server for

    @Test
    void whatThePatchEndedIsNotEndedAgain() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset); FaultyProxy proxy = new FaultyProxy(fuseki, "update")) {
            for (boolean isApplied : new boolean[] {true, false}) {
                int before = proxy.requests();
                try (Lease lease = lease(proxy.url(), Duration.ofSeconds(600))) {
                    lease.take();
                    if (isApplied) {
                        apply(lease.ends());
                        lease.ended();
                        assertNull(expiry());
                    }
                }
                assertNull(expiry());
                assertEquals(isApplied ? 1 : 2, proxy.requests() - before);
            }
        }
    }

    /** The first attempt ended it and its answer was lost: so the second took it anew, and found nothing left to do. */
    @Test
    void aLeaseTakenAgainAfterThePatchEndedItIsGivenBack() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset)) {
            try (Lease lease = lease(fuseki.url(), Duration.ofSeconds(600))) {
                lease.take();
                apply(lease.ends());
                lease.take();
                lease.ended();
            }
            assertNull(expiry());
        }
    }

    /** It sets another end than the one that the patch deletes. */
    @Test
    void aLeaseRenewedBehindTheLastRowsIsGivenBack() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset)) {
            try (Lease lease = lease(fuseki.url(), LONG)) {
                lease.take();
                String rows = lease.ends();
                renew();
                apply(rows);
                lease.ended();
            }
            assertNull(expiry());
        }
    }

    /** The renewal stands before the server's transaction when the last rows are made, and comes after the patch. */
    @Test
    void aLeaseThatIsBeingRenewedWhenTheLastRowsAreMadeIsGivenBack() throws Exception {
        CountDownLatch renews = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        try (TestFuseki fuseki = TestFuseki.stock(dataset)) {
            dataset.beforeBegin(2, () -> {
                renews.countDown();
                await(goesOn);
            });
            try (Lease lease = lease(fuseki.url(), LONG)) {
                lease.take();
                String end = expiry();
                ticker.awaitSleeper();
                ticker.advance(LONG.dividedBy(3));
                await(renews);
                String rows = lease.ends();
                goesOn.countDown();
                while (end.equals(expiry())) {
                    sleep(Duration.ofMillis(5));
                }
                apply(rows);
                lease.ended();
            }
            assertNull(expiry());
        }
    }

    @Test
    void aRenewalThatIsDoneLeavesNothingMoreToEnd() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset); FaultyProxy proxy = new FaultyProxy(fuseki, "update")) {
            int before;
            try (Lease lease = lease(proxy.url(), LONG)) {
                lease.take();
                ticker.awaitSleeper();
                ticker.advance(LONG.dividedBy(3).minusMillis(1));
                assertEquals(1, proxy.requests(), "a renewal each third of its time");
                String end = expiry();
                ticker.advance(Duration.ofMillis(1));
                while (end.equals(expiry()) || ticker.slept().size() < 2) {
                    sleep(Duration.ofMillis(5));
                }
                assertEquals(2, proxy.requests());
                before = proxy.requests();
                apply(lease.ends());
                lease.ended();
            }
            assertEquals(before, proxy.requests());
            assertNull(expiry());
        }
    }

    @Test
    void whoWaitsAsksTwiceASecond() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset); FaultyProxy proxy = new FaultyProxy(fuseki, "update");
                OpenDataset target = new FusekiDataset(options(proxy.url())
                        .withLease(new LeaseOptions(LONG, Duration.ofMillis(1200), false)))) {
            update(HELD.formatted("2999-01-01T00:00:00Z"));
            assertThrows(SyncLeaseException.class, () -> move(target, 0, 1));
            assertEquals(Duration.ofMillis(1500).toNanos(), ticker.nanos());
            assertEquals(4, proxy.requests());
        }
    }

    /** Also where it is made by a thread that does. */
    @Test
    void itsThreadKeepsNoProcessAliveAndEndsWithIt() throws Exception {
        try (TestFuseki fuseki = TestFuseki.stock(dataset)) {
            ThreadGroup group = new ThreadGroup("whose threads are this test's");
            FutureTask<Lease> task = new FutureTask<>(() -> lease(fuseki.url(), Duration.ofSeconds(600)));
            new Thread(group, task).start();
            try (Lease lease = task.get()) {
                lease.take();
                lease.take();
                List<Thread> made = Thread.getAllStackTraces().keySet().stream().filter(thread ->
                        thread.getThreadGroup() == group && thread.getName().equals("jellybridge-lease")).toList();
                assertEquals(1, made.size());
                Thread renewals = made.get(0);
                assertTrue(renewals.isDaemon());
                lease.close();
                assertFalse(renewals.isAlive());
            }
        }
    }

    @Test
    void whoIsInterruptedWhileItEndsIsToldAndStaysInterrupted() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock(dataset)) {
            Lease lease = lease(fuseki.url(), Duration.ofSeconds(600));
            lease.take();
            Thread.currentThread().interrupt();
            assertThrows(InterruptedIOException.class, lease::close);
            assertTrue(Thread.interrupted());
            lease.close();
            assertNull(expiry());
        }
    }
}
