package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.TemporaryFiles;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.LateBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.apache.jena.fuseki.auth.Auth;
import org.apache.jena.fuseki.main.FusekiServer;
import org.apache.jena.fuseki.main.auth.AuthBearerFilter;
import org.apache.jena.fuseki.main.sys.FusekiModule;
import org.apache.jena.fuseki.main.sys.FusekiModules;
import org.apache.jena.fuseki.server.DataService;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.rdf.model.Model;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are too large, too slow or too many, at the patch endpoint of a dataset and at patch logs. */
@ResourceLock(LoggedLines.LOCK)
class RequestLimitsTest {
    private static final String JELLY = "Content-Type: " + PatchProtocol.JELLY;
    private static final String TEXT = "Content-Type: application/rdf-patch";
    private static final String NEW = "If-None-Match: *";
    private static final String CHANGES = LogServlets.PATH + "changes";
    private static final String FIRST = "/$/patch-logs/changes/00000000000000000001.jellyp";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final DatasetGraph dataset = DatasetGraphFactory.createTxnMem();
    private final String marker = UUID.randomUUID().toString();
    private FusekiServer server;
    private StoreLog log;

    @BeforeEach
    void makeLog() throws IOException {
        log = StoreLog.create(folder.resolve("changes"));
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private void start(Map<String, String> limits, UnaryOperator<FusekiServer.Builder> more) {
        Map<String, String> properties = new HashMap<>(limits);
        properties.put(LogServlets.FOLDER, folder.toString());
        properties.put(LogServlets.WRITERS, "_");
        server = LogServer.start(properties, more);
    }

    private void start(Map<String, String> limits) {
        start(limits, builder -> builder.add("/ds", dataset));
    }

    private RawRequest.Answer send(String line, byte[] body, String... headers) throws IOException {
        return RawRequest.send(server.getPort(), line, body, headers);
    }

    private static void assertLimit(int status, String words, RawRequest.Answer answer) {
        assertEquals(status, answer.status(), answer.text());
        assertEquals("limit", answer.json().get("error").getAsString().value());
        assertTrue(answer.json().get("message").getAsString().value().contains(words), answer.text());
    }

    private long size() {
        return dataset.calculateRead(() -> dataset.stream().count());
    }

    private byte[] patch() throws IOException {
        return LogPatches.jelly(LogPatches.patch(null, null, "A <urn:s> <urn:p> \"" + marker + "\" ."));
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    /** Returns how many temporary files of this test's bodies there are. */
    private int kept() throws IOException {
        return TemporaryFiles.with(marker).size();
    }

    private void awaitKept(int number) throws Exception {
        for (int i = 0; kept() != number && i < 200; i++) {
            Thread.sleep(50);
        }
        assertEquals(number, kept());
    }

    // --- stalls

    @Test
    void manyStalledBodiesHoldNoThreadOfTheServer() throws Exception {
        start(Map.of(), builder -> builder.add("/ds", dataset).numServerThreads(2, 12));
        List<Socket> stalled = new ArrayList<>();
        byte[] patch = patch();
        try {
            for (int i = 0; i < 300; i++) {
                Socket socket = RawRequest.begin(server.getPort(), i % 2 == 0 ? "POST /ds/patch" : "PUT " + FIRST, JELLY,
                        i % 3 == 0 ? "Transfer-Encoding: chunked" : "Content-Length: " + (patch.length + 1));
                stalled.add(socket);
                RawRequest.send(socket, i % 3 == 0 ? "5\r\nabc".getBytes(UTF_8) : patch);
            }
            assertTimeoutPreemptively(Duration.ofSeconds(15), () -> {
                for (int i = 1; i <= 5; i++) {
                    assertEquals(200, send("GET /ds/query?query=ASK%7B%7D", new byte[0]).status());
                    assertEquals(200, send("POST /ds/patch", patch, JELLY).status());
                    byte[] next = LogPatches.next(log, LogPatches.add(i));
                    assertEquals(201, send("PUT " + CHANGES + LogPatches.object(i), next, NEW).status());
                    assertEquals(i, log.head().version());
                }
            });
            awaitKept(200);
        } finally {
            for (Socket socket : stalled) {
                socket.close();
            }
        }
        awaitKept(0);
        assertEquals(1, size());
        assertEquals(5, log.head().version());
    }

    @Test
    void clientsThatDoNotReadTheirPatchHoldNoThreadOfTheServer() throws Exception {
        start(Map.of(), builder -> builder.add("/ds", dataset).numServerThreads(2, 12));
        LogPatches.append(log, LogPatches.patch(null, null, "A <urn:s> <urn:p> \"" + "x".repeat(15 << 20) + "\" ."));
        byte[] request = ("GET " + CHANGES + LogPatches.object(1) + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                .getBytes(UTF_8);
        List<Socket> stalled = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                Socket socket = new Socket();
                stalled.add(socket);
                socket.setReceiveBufferSize(1 << 12);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()));
                RawRequest.send(socket, request);
            }
            for (Socket socket : stalled) {
                assertEquals('H', socket.getInputStream().read());
            }
            assertTimeoutPreemptively(Duration.ofSeconds(15), () -> {
                assertEquals(200, send("GET /ds/query?query=ASK%7B%7D", new byte[0]).status());
                assertEquals(201, send("PUT " + CHANGES + LogPatches.object(2), LogPatches.next(log), NEW).status());
            });
            byte[] answer = stalled.get(0).getInputStream().readAllBytes();
            byte[] file = Files.readAllBytes(LogPatches.file(log, 1));
            assertArrayEquals(file, Arrays.copyOfRange(answer, answer.length - file.length, answer.length));
        } finally {
            for (Socket socket : stalled) {
                socket.close();
            }
        }
        assertEquals(200, send("GET " + CHANGES + LogPatches.object(2), new byte[0]).status());
    }

    @ParameterizedTest
    @CsvSource({"POST /ds/patch,Content-Length: 1000", "PATCH /ds,Transfer-Encoding: chunked",
        "PUT /ds/patch,Content-Length: 1000", "PUT " + FIRST + ",Content-Length: 1000",
        "DELETE /$/patch-logs/changes,Content-Length: 1000"})
    void aBodyThatStallsIsAnsweredWith408(String line, String length) throws IOException {
        start(Map.of());
        for (Connector connector : server.getJettyServer().getConnectors()) {
            ((AbstractConnector) connector).setIdleTimeout(500);
        }
        try (Socket socket = RawRequest.begin(server.getPort(), line, JELLY, length)) {
            RawRequest.send(socket, "3\r\nabc".getBytes(UTF_8));
            RawRequest.Answer answer = assertTimeoutPreemptively(PATIENCE, () -> RawRequest.answer(socket));
            assertLimit(408, "did not come in time", answer);
        }
    }

    @Full("waits for a time-out")
    @Test
    void aBodyThatTricklesIsAnsweredWith408() throws Exception {
        start(Map.of(RequestLimits.BODY_SECONDS, "1"));
        for (String line : new String[] {"POST /ds/patch", "PUT " + FIRST}) {
            try (Socket socket = RawRequest.begin(server.getPort(), line, JELLY, "Content-Length: 1000000")) {
                for (int i = 0; i < 100 && socket.getInputStream().available() == 0; i++) {
                    RawRequest.send(socket, new byte[1]);
                    Thread.sleep(50);
                }
                assertLimit(408, "did not come in time", RawRequest.answer(socket));
            }
        }
    }

    @Test
    void aBodyThatIsCutOffDoesNothingAndLeavesNothing() throws Exception {
        start(Map.of());
        byte[] patch = patch();
        for (String line : new String[] {"POST /ds/patch", "PUT " + FIRST}) {
            try (Socket socket = RawRequest.begin(server.getPort(), line, JELLY, "Content-Length: " + (patch.length + 1))) {
                RawRequest.send(socket, patch);
                awaitKept(1);
            }
            awaitKept(0);
            try (Socket socket = RawRequest.begin(server.getPort(), line, JELLY, "Content-Length: " + (patch.length + 1))) {
                RawRequest.send(socket, patch);
                socket.shutdownOutput();
                RawRequest.Answer answer = RawRequest.answer(socket);
                assertEquals(400, answer.status(), answer.text());
                assertTrue(answer.json().toString().contains("cut off"), answer.text());
            }
        }
        assertEquals(0, size());
        assertEquals(0, log.head().version());
    }

    /** A reader could fill the disk otherwise, who may not write. */
    @Test
    void aBodyThatNobodyReadsIsNotStored() throws Exception {
        start(Map.of());
        byte[] patch = patch();
        List<Socket> unfinished = new ArrayList<>();
        try {
            for (String method : new String[] {"GET", "POST", "DELETE", "PUT"}) {
                Socket socket = RawRequest.begin(server.getPort(), method + " " + FIRST, JELLY, "Content-Length: " + (patch.length + 1));
                unfinished.add(socket);
                RawRequest.send(socket, patch);
            }
            awaitKept(1);
            int[] statuses = {404, 405, 405, 428};
            for (int i = 0; i < statuses.length; i++) {
                RawRequest.send(unfinished.get(i), new byte[1]);
                assertEquals(statuses[i], RawRequest.answer(unfinished.get(i)).status());
            }
        } finally {
            for (Socket socket : unfinished) {
                socket.close();
            }
        }
    }

    @Test
    void patchesAtOnceAreAllApplied() throws Exception {
        start(Map.of(), builder -> builder.add("/ds", dataset).numServerThreads(2, 12));
        ExecutorService clients = Executors.newFixedThreadPool(50);
        try {
            List<Callable<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                byte[] patch = LogPatches.jelly(LogPatches.patch(null, null, LogPatches.add(i)));
                calls.add(() -> send("POST /ds/patch", patch, JELLY).status());
            }
            for (Future<Integer> status : clients.invokeAll(calls)) {
                assertEquals(200, status.get());
            }
        } finally {
            clients.shutdownNow();
        }
        assertEquals(200, size());
        assertEquals(0, kept());
    }

    // --- sizes

    @ParameterizedTest
    @ValueSource(strings = {"POST /ds/patch", "PATCH /ds", "PUT " + FIRST})
    void aBodyBeyondTheLimitIsAnsweredWith413(String line) throws IOException {
        start(Map.of(RequestLimits.BODY_BYTES, "2000"));
        String rows = "#" + "x".repeat(1999);
        String type = line.contains("logs") ? JELLY : TEXT;
        RawRequest.Answer fits = send(line, rows.getBytes(UTF_8), type, NEW);
        assertEquals(line.contains("logs") ? 400 : 200, fits.status(), fits.text());
        for (int length : new int[] {2001, 3000, 4000}) {
            assertLimit(413, RequestLimits.BODY_BYTES, send(line, new byte[length], type, NEW));
        }
        try (Socket socket = RawRequest.begin(server.getPort(), line, type, NEW, "Transfer-Encoding: chunked")) {
            RawRequest.send(socket, ("BB8\r\n" + "x".repeat(3000) + "\r\n0\r\n\r\n").getBytes(UTF_8));
            assertLimit(413, RequestLimits.BODY_BYTES, RawRequest.answer(socket));
        }
        assertEquals(0, log.head().version());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /ds/patch", "PUT " + FIRST})
    void aBodyThatGoesOnFarBeyondTheLimitIsCutOff(String line) throws IOException {
        start(Map.of(RequestLimits.BODY_BYTES, "2000"));
        try (Socket socket = RawRequest.begin(server.getPort(), line, JELLY, "Content-Length: " + Long.MAX_VALUE)) {
            assertTimeoutPreemptively(PATIENCE, () -> assertThrows(IOException.class, () -> {
                while (true) {
                    RawRequest.send(socket, new byte[1000]);
                }
            }));
        }
        try (Socket socket = RawRequest.begin(server.getPort(), line, JELLY, "Content-Length: " + (5 << 20),
                "Expect: 100-continue")) {
            assertLimit(413, RequestLimits.BODY_BYTES, RawRequest.answer(socket));
        }
        byte[] patch = line.endsWith(FIRST) ? LogPatches.next(log) : patch();
        try (Socket socket = RawRequest.begin(server.getPort(), line, JELLY, NEW, "Content-Length: " + patch.length,
                "Expect: 100-continue")) {
            RawRequest.send(socket, patch);
            String answers = RawRequest.answer(socket).text();
            assertTrue(answers.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 20"), answers);
        }
    }

    @Test
    void aBodyALittleBeyondTheLimitLeavesTheConnectionOpen() throws IOException {
        start(Map.of(RequestLimits.BODY_BYTES, Integer.toString(10 << 20)));
        for (String line : new String[] {"POST /ds/patch", "PUT " + FIRST}) {
            assertEquals(List.of("413", "200"),
                    LateBody.statuses(server.getPort(), "/ds/query?query=ASK%7B%7D", line + " HTTP/1.1", JELLY, NEW));
        }
    }

    @Test
    void aSmallBodyThatUnpacksToALargeOneIsAnsweredWith413() throws IOException {
        start(Map.of(RequestLimits.UNPACKED_BYTES, "1000000"));
        byte[] row = "A <urn:s> <urn:p> 1 .\n".getBytes(UTF_8);
        byte[] bomb = gzip(("#" + "x".repeat(999_998 - row.length) + "\n" + new String(row, UTF_8)).getBytes(UTF_8));
        assertTrue(bomb.length < 10_000);
        assertEquals(200, send("POST /ds/patch", bomb, TEXT, "Content-Encoding: gzip").status());
        assertEquals(1, size());
        byte[] larger = gzip(("A <urn:s> <urn:p> 2 .\n#" + "x".repeat(1_000_000)).getBytes(UTF_8));
        assertLimit(413, RequestLimits.UNPACKED_BYTES, send("POST /ds/patch", larger, TEXT, "Content-Encoding: gzip"));
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        for (int i = 0; i < 30; i++) {
            members.write(gzip(("#" + "x".repeat(100_000) + "\n").getBytes(UTF_8)));
        }
        assertLimit(413, RequestLimits.UNPACKED_BYTES,
                send("POST /ds/patch", members.toByteArray(), TEXT, "Content-Encoding: gzip"));
        assertLimit(413, RequestLimits.UNPACKED_BYTES,
                send("POST /ds/patch", gzip(new byte[3_000_000]), JELLY, "Content-Encoding: gzip"));
        assertEquals(1, size());
    }

    @Test
    void headersBeyondTheLimitAreAnsweredWith431() throws IOException {
        start(Map.of());
        String large = "X-Large: " + "x".repeat(70_000);
        for (String line : new String[] {"POST /ds/patch", "GET /ds/patch", "PUT " + FIRST, "GET " + FIRST,
            "GET " + CHANGES + "/objects.json?from=" + "0".repeat(70_000)}) {
            assertLimit(431, RequestLimits.HEADER_BYTES, send(line, patch(), JELLY, large));
        }
        assertEquals(200, send("GET /ds/query?query=ASK%7B%7D", new byte[0], large).status(), "another's service");
        assertEquals(200, send("POST /ds/patch", patch(), JELLY, large.substring(0, 60_000)).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0", "-1", "", "1.5", "99999999999999999999"})
    void aLimitThatIsNoneIsRefusedWhenTheServerIsMade(String value) {
        start(Map.of());
        for (String name : Set.of(RequestLimits.BODY_BYTES, RequestLimits.UNPACKED_BYTES, RequestLimits.HEADER_BYTES,
                RequestLimits.BODY_SECONDS)) {
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                    () -> LogServer.start(Map.of(name, value), builder -> builder));
            assertTrue(refused.getMessage().contains(name), refused.getMessage());
        }
        assertThrows(IllegalArgumentException.class,
                () -> LogServer.start(Map.of(RequestLimits.BODY_SECONDS, Long.toString(Long.MAX_VALUE)), builder -> builder));
    }

    // --- other ways to the endpoint

    @Test
    void bodiesComeThroughFiltersOfOthers() throws IOException {
        start(Map.of(), builder -> builder.add("/ds", dataset).enableCors(true)
                .addFilter("/*", new AuthBearerFilter(token -> token)));
        for (String line : new String[] {"POST /ds/patch", "POST /ds", "PUT " + FIRST}) {
            byte[] body = line.endsWith(FIRST) ? LogPatches.next(log) : patch();
            RawRequest.Answer answer = send(line, body, JELLY, NEW, "Authorization: Bearer ada");
            assertEquals(2, answer.status() / 100, answer.text());
            assertEquals(401, send(line, body, JELLY).status());
        }
        assertEquals(1, size());
        assertEquals(1, log.head().version());
    }

    /** A filter that finds out who asks, and stands behind ours: then the user is unknown when the request comes by. */
    @Test
    void aBodyIsReceivedAlsoWhereTheUserIsKnownLate() throws IOException {
        FusekiModule late = new FusekiModule() {
            @Override
            public String name() {
                return "late";
            }

            @Override
            public void prepare(FusekiServer.Builder builder, Set<String> datasets, Model configuration) {
                builder.addFilter("/*", new AuthBearerFilter(token -> token));
            }
        };
        start(Map.of(RequestLimits.BODY_BYTES, "1000"), builder -> builder.fusekiModules(
                FusekiModules.create(new PatchModule(), late)).add("/ds", DataService.newBuilder(dataset)
                .setAuthPolicy(Auth.policyAllowSpecific("ada")).addEndpoint(Operation.Patch, "patch")));
        String ada = "Authorization: Bearer ada";
        assertEquals(403, send("POST /ds/patch", patch(), JELLY, "Authorization: Bearer bob").status());
        assertEquals(0, size());
        assertEquals(200, send("POST /ds/patch", patch(), JELLY, ada).status());
        assertEquals(1, size());
        assertLimit(413, RequestLimits.BODY_BYTES, send("POST /ds/patch", new byte[1001], JELLY, ada));
        for (Connector connector : server.getJettyServer().getConnectors()) {
            ((AbstractConnector) connector).setIdleTimeout(500);
        }
        try (Socket socket = RawRequest.begin(server.getPort(), "POST /ds/patch", JELLY, ada, "Content-Length: 999")) {
            RawRequest.send(socket, patch());
            assertLimit(408, "did not come in time", RawRequest.answer(socket));
        }
        assertEquals(0, kept());
        try (Socket socket = RawRequest.begin(server.getPort(), "POST /ds/patch", JELLY, ada,
                "Content-Length: " + Long.MAX_VALUE)) {
            assertTimeoutPreemptively(PATIENCE, () -> assertThrows(IOException.class, () -> {
                while (true) {
                    RawRequest.send(socket, new byte[1000]);
                }
            }));
        }
    }
}
