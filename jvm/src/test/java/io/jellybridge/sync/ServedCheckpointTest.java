package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.fuseki.LogServer;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.Synchronizer.SyncReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.jena.fuseki.main.FusekiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An empty dataset that follows a log on a server begins with a checkpoint. */
class ServedCheckpointTest {
    private static final SyncOptions OPTIONS = new SyncOptions(SyncOptions.LOG, false, 100, 1000, 10, false);
    private static final Map<String, String> TWICE = Map.of("attempts", "2");
    private static final int QUADS = 2000;

    @TempDir
    Path temporary;

    private FusekiServer server;
    private HttpServer between;
    private StoreLog folder;
    /** What becomes of an answer to a request whose path ends like that. */
    private volatile String of = "none";
    private volatile UnaryOperator<byte[]> becomes = body -> body;
    private volatile boolean isCut;
    /** The requests so far, and the connections on which they came. */
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Set<InetSocketAddress> connections = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void start() throws IOException {
        server = LogServer.open(temporary.resolve("logs"));
        between = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        between.createContext("/", this::pass);
        between.start();
    }

    @AfterEach
    void stop() {
        between.stop(0);
        server.stop();
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            connections.add(exchange.getRemoteAddress());
            URI to = URI.create("http://localhost:" + server.getPort() + exchange.getRequestURI());
            byte[] sent = exchange.getRequestBody().readAllBytes();
            HttpRequest.Builder request = HttpRequest.newBuilder(to)
                    .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(sent));
            for (String header : List.of("Range", "If-None-Match")) {
                if (exchange.getRequestHeaders().containsKey(header)) {
                    request.header(header, exchange.getRequestHeaders().getFirst(header));
                }
            }
            HttpResponse<byte[]> answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
            for (String header : List.of("Content-Range", "Content-Length", "Jellybridge-Patch-Logs")) {
                answer.headers().firstValue(header).ifPresent(value -> exchange.getResponseHeaders().set(header, value));
            }
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.sendResponseHeaders(answer.statusCode(), -1);
                return;
            }
            byte[] body = answer.body();
            boolean isThis = exchange.getRequestURI().toString().endsWith(of);
            body = isThis ? becomes.apply(body) : body;
            exchange.sendResponseHeaders(answer.statusCode(), isThis && isCut ? body.length + 10 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private PatchLog open() throws IOException {
        return PatchLogs.open("http://localhost:" + between.getAddress().getPort() + "/$/patch-logs/changes", TWICE);
    }

    /** A log whose version 1 is a state. */
    private void begin() throws IOException {
        Path file = Files.write(temporary.resolve("state.nq"), IntStream.range(0, QUADS)
                .mapToObj(n -> "<urn:s" + n + "> <urn:p> \"" + n + "\" <urn:g> .").toList(), UTF_8);
        Path log = temporary.resolve("logs").resolve("changes");
        CheckpointFiles.begin(new FolderStore(log), new FileLocation(file.toString()), ConvertOptions.strict(false), ProgressListener.NONE);
        folder = StoreLog.open(log);
    }

    /** A log of six patches, of which the first four are pruned. */
    private void prune() throws IOException {
        folder = StoreLog.create(temporary.resolve("logs").resolve("changes"));
        for (int i = 1; i <= 6; i++) {
            LogPatches.append(folder, LogPatches.patch(null, null, LogPatches.add(i)));
        }
        CheckpointFiles.make(folder, 4, ProgressListener.NONE);
        Pruning.before(folder, 5);
    }

    /** Has a dataset follow; with how many patches, and from which checkpoint, or null. */
    private static List<Long> follow(PatchLog log, DatasetStore store) throws IOException {
        InitialLoad initialLoad = new InitialLoad(log);
        Checkpoint checkpoint = initialLoad.find(store, SyncOptions.LOG, null);
        if (checkpoint != null) {
            initialLoad.load(checkpoint, store, SyncOptions.LOG, null, ProgressListener.NONE);
        }
        try (FollowedLog behind = FollowedLog.open(log, store.storedPosition(SyncOptions.LOG), store.readNotes(SyncOptions.LOG))) {
            assertEquals(List.of(), behind.changes());
            SyncReport report = SyncRun.run(behind.patches(), store, OPTIONS, ProgressListener.NONE);
            return Arrays.asList(checkpoint == null ? null : checkpoint.version(), report.patches());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mem:", "tdb2:"})
    void anEmptyDatasetBeginsWithTheStateAndGoesOnBehindIt(String kind) throws IOException {
        begin();
        try (PatchLog log = open();
                DatasetStore store = DatasetStore.open(kind.equals("mem:") ? kind : kind + temporary.resolve("db"))) {
            assertEquals(List.of(2L, 1L), List.of(log.first(), log.head().version()));
            assertEquals(folder.head(), log.head());
            assertEquals(List.of(1L, 0L), follow(log, store));
            assertEquals(QUADS, store.size());
            assertEquals(Arrays.asList(null, 0L), follow(log, store), "at the head, without a patch");
            LogHead made = LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(1)));
            assertEquals(2, made.version());
            assertEquals(made, LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(1))), "once more");
            assertEquals(Arrays.asList(null, 1L), follow(log, store));
            assertEquals(QUADS + 1, store.size());
            assertEquals(0, LogComparison.of(folder, store, SyncOptions.LOG, 5, ProgressListener.NONE).missing());
            assertEquals(Arrays.asList(null, 0L), follow(folder, store), "the same log, by its folder");
        }
    }

    @Test
    void aFileOfACheckpointIsDownloadedOnceByOneClient() throws IOException {
        begin();
        try (PatchLog log = open(); DatasetStore store = DatasetStore.open("mem:")) {
            assertEquals(List.of(1L, 0L), follow(log, store));
        }
        List<String> ofFile = requests.stream().filter(request -> request.endsWith("/part-00000.jelly"))
                .map(request -> request.substring(0, request.indexOf(' '))).toList();
        assertEquals(List.of("HEAD", "GET"), ofFile);
        assertEquals(1, connections.size());
    }

    @Test
    void aLogThatWasPrunedIsFollowedFromItsCheckpoint() throws IOException {
        prune();
        try (PatchLog log = open(); DatasetStore store = DatasetStore.open("mem:")) {
            assertEquals(List.of(4L, 2L), follow(log, store));
            assertEquals(6, store.size());
            assertEquals(Arrays.asList(null, 0L), follow(log, store));
            Checkpoint newest = CheckpointFiles.make(folder, 6, ProgressListener.NONE);
            assertEquals(newest.hash(), log.findCheckpoint(Long.MAX_VALUE).hash());
            assertEquals(4, log.findCheckpoint(5).version());
            assertNull(log.findCheckpoint(3));
            try (DatasetStore other = DatasetStore.open("mem:")) {
                assertEquals(List.of(6L, 0L), follow(log, other));
            }
        }
    }

    @Test
    void aDatasetThatAnotherSyncMovesMeanwhileIsNotRewound() throws IOException {
        prune();
        of = "/00000000000000000004/part-00000.jelly";
        try (PatchLog log = open(); DatasetStore store = DatasetStore.open("mem:")) {
            becomes = body -> {
                followFolder(store);
                return body;
            };
            assertThrows(PositionConflictException.class, () -> new Follower(store).followLog(log));
            assertEquals(6, store.size());
            assertEquals("<urn:uuid:" + folder.head().id() + ">", store.readPosition(SyncOptions.LOG));
        }
    }

    private void followFolder(DatasetStore store) {
        try {
            new Follower(store).followLog(folder);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aDatasetThatIsNotEmptyIsToldToBeginAnew() throws IOException {
        begin();
        try (PatchLog log = open(); DatasetStore store = DatasetStore.open("mem:")) {
            store.update("INSERT DATA { <urn:x> <urn:p> <urn:o> }");
            String said = assertThrows(IllegalStateException.class, () -> follow(log, store)).getMessage();
            assertTrue(said.contains("begins with version 2, what was before it is no patch any more; sync an "
                    + "empty dataset, which begins from the checkpoint of version 1"), said);
            assertEquals(1, store.size());
        }
    }

    private String assertNothingLoaded() throws IOException {
        Set<Path> before = temporaryFolders();
        try (PatchLog log = open(); DatasetStore store = DatasetStore.open("tdb2:" + temporary.resolve("db"))) {
            Exception error = assertThrows(Exception.class, () -> follow(log, store));
            assertEquals(0, store.size());
            assertNull(store.readPosition(SyncOptions.LOG));
            Set<Path> left = temporaryFolders();
            left.removeAll(before);
            // A folder of another test goes when that ends.
            for (int tries = 0; tries < 200 && !left.isEmpty(); tries++) {
                LockSupport.parkNanos(50_000_000);
                left.removeIf(Files::notExists);
            }
            assertEquals(Set.of(), left);
            return error.getMessage();
        }
    }

    private static Set<Path> temporaryFolders() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().matches("jellybridge-[0-9]+")).collect(Collectors.toSet());
        }
    }

    @Test
    void aCheckpointThatVanishesMeanwhileLoadsNothing() throws IOException {
        prune();
        of = "/00000000000000000004/checkpoint.json";
        becomes = body -> { // described, and then taken away
            remove();
            return body;
        };
        String said = assertNothingLoaded();
        assertTrue(said.contains("changes/checkpoints/00000000000000000004 is not there any more, it was pruned meanwhile"), said);
    }

    private void remove() {
        try {
            new Checkpoints(folder).remove(4);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/00000000000000000001/part-00000.jelly", "/00000000000000000001/checkpoint.json", "/objects.json"})
    void anAnswerThatIsCutOffLoadsNothing(String path) throws IOException {
        begin();
        of = path;
        isCut = true;
        String said = assertNothingLoaded();
        assertTrue(said.contains("tried 2 times"), said);
    }

    @Test
    void aWrongAnswerLoadsNothing() throws IOException {
        begin();
        of = "/00000000000000000001/part-00000.jelly";
        becomes = body -> Arrays.copyOf(body, body.length / 2);
        assertNothingLoaded();
        becomes = body -> {
            byte[] other = body.clone();
            for (int at = other.length / 2; other[at] != other[at + 1]; at++) {
                other[at] = (byte) 'x';
            }
            return other;
        };
        assertNothingLoaded();
        becomes = body -> "<html>Welcome</html>".getBytes(UTF_8);
        assertNothingLoaded();
        becomes = body -> other();
        String said = assertNothingLoaded();
        assertTrue(said.contains("changes/checkpoints/00000000000000000001/part-00000.jelly: has "), said);
        assertTrue(said.endsWith("try once more, and if it stays so, copy the files, and then the list"), said);
        of = "/00000000000000000001/checkpoint.json";
        for (String wrong : List.of("{}", "[]", "<html>", "{\"format\":1}")) {
            becomes = body -> wrong.getBytes(UTF_8);
            said = assertNothingLoaded();
            assertTrue(said.contains("changes/checkpoints/00000000000000000001/checkpoint.json: has "), said);
        }
        becomes = body -> new String(body, UTF_8).replace("\"quads\":2000", "\"quads\":2001").getBytes(UTF_8);
        said = assertNothingLoaded();
        assertTrue(said.contains(" has 2000 quads of the hash ") && said.contains(", and had 2001 of the hash "), said);
    }

    /** A file of a checkpoint of another log. */
    private byte[] other() {
        try {
            Path file = Files.writeString(temporary.resolve("other.nq"), "<urn:s> <urn:p> <urn:o> .\n");
            Path log = temporary.resolve("other");
            return Files.readAllBytes(log.resolve((StoreLog.isLog(new FolderStore(log)) ? StoreLog.open(log).findCheckpoint(1)
                    : CheckpointFiles.begin(new FolderStore(log), new FileLocation(file.toString()),
                            ConvertOptions.strict(false), ProgressListener.NONE)).files().get(0).path()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
