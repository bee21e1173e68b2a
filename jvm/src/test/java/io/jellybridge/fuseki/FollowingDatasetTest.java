package io.jellybridge.fuseki;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.fuseki.FollowingDatasets.FollowOptions;
import io.jellybridge.fuseki.LoggedDatasetTest.Store;
import io.jellybridge.fuseki.LoggedDatasetTest.Write;
import io.jellybridge.fuseki.LoggedDatasets.LoggedOptions;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.ObjectList;
import io.jellybridge.log.PlainServer;
import io.jellybridge.log.StoreLog;
import io.jellybridge.options.OptionDocuments;
import io.jellybridge.options.OptionTable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.jena.fuseki.access.DataAccessCtl;
import org.apache.jena.fuseki.access.SecurityRegistry;
import org.apache.jena.fuseki.main.FusekiServer;
import org.apache.jena.fuseki.server.DataService;
import org.apache.jena.fuseki.server.Operation;
import org.apache.jena.query.DatasetFactory;
import org.apache.jena.rdf.model.ModelFactory;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.system.Txn;
import org.apache.jena.vocabulary.RDF;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Fuseki whose datasets follow the log of another: what arrives, what is refused, and what ends it. */
class FollowingDatasetTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String UPDATE = "application/sparql-update";
    /** The position of a dataset that has recorded nothing yet. */
    private static final String NOTHING = "<" + RDF.nil.getURI() + ">";

    @TempDir
    Path folder;

    private final List<FusekiServer> servers = new ArrayList<>();
    private final List<DatasetGraph> datasets = new ArrayList<>();
    private DatasetGraph recorded;
    private FusekiServer primary;

    @BeforeEach
    void startPrimary() {
        recorded = open(Store.TDB2, "primary");
        primary = start(Map.of(LoggedDatasets.PROPERTY, "/ds=" + folder.resolve("log"), "jellybridge.capture.fsync", "false"),
                builder -> builder.add("/ds", allServices(recorded)));
    }

    @AfterEach
    void stop() {
        servers.forEach(FusekiServer::stop);
        datasets.forEach(DatasetGraph::close);
    }

    private DatasetGraph open(Store store, String name) {
        datasets.add(store.open(folder.resolve(name)));
        return datasets.get(datasets.size() - 1);
    }

    private static DataService allServices(DatasetGraph dataset) {
        return DataService.newBuilder(dataset).withStdServices(true).addEndpoint(Operation.PREFIXES_RW, "prefixes")
                .addEndpoint(Operation.Upload, "upload").build();
    }

    private FusekiServer start(Map<String, String> properties, UnaryOperator<FusekiServer.Builder> more) {
        // Jetty may leave a request unanswered whose server stops in this JVM, so the follower gives up soon.
        Map<String, String> all = new HashMap<>(Map.of(LogServlets.READERS, "_", FollowingDatasets.PROPERTY + ".poll-seconds", "0.1",
                FollowingDatasets.PROPERTY + ".attempts", "1", FollowingDatasets.PROPERTY + ".timeout", "4"));
        all.putAll(properties);
        servers.add(LogServer.start(all, more));
        return servers.get(servers.size() - 1);
    }

    private String log() {
        return "http://localhost:" + primary.getPort() + "/$/patch-logs/ds";
    }

    /** Returns the properties of a server that follows the log and records into a second one. */
    private Map<String, String> followingAndRecording() {
        return Map.of(FollowingDatasets.PROPERTY, "/ds=" + log(), LoggedDatasets.PROPERTY, "/ds=" + folder.resolve("second"));
    }

    private FusekiServer follow(String log, DatasetGraph replica) {
        return start(Map.of(FollowingDatasets.PROPERTY, "/ds=" + log), builder -> builder.add("/ds", allServices(replica)));
    }

    private static FollowingDataset following(FusekiServer server) {
        return NamedDatasets.find(server.getDataAccessPointRegistry().get("/ds").getDataService().getDataset(), FollowingDataset.class);
    }

    private static HttpResponse<String> send(FusekiServer to, Write write) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + to.getPort() + "/ds" + write.path()))
                .method(write.method(), BodyPublishers.ofString(write.body()));
        if (write.type() != null) {
            request.header("Content-Type", write.type());
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** Sends a change again if its connection was closed: the server does so where it has not read the body of the one before. */
    private static HttpResponse<String> sendToBeRefused(FusekiServer to, Write write) throws IOException {
        try {
            return send(to, write);
        } catch (IOException e) {
            return send(to, write);
        }
    }

    private void update(String sparql) throws IOException {
        assertEquals(204, send(primary, new Write("POST", "/update", UPDATE, sparql)).statusCode());
    }

    private static void await(BooleanSupplier condition) {
        for (int i = 0; i < 400 && !condition.getAsBoolean(); i++) {
            try {
                Thread.sleep(25);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        assertTrue(condition.getAsBoolean(), "not within ten seconds");
    }

    private void awaitEqual(DatasetGraph replica) {
        await(() -> LoggedDatasetTest.data(recorded).equals(LoggedDatasetTest.data(replica)));
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aReplicaFollowsAndRefusesEachOtherChange(Store store) throws IOException {
        update("PREFIX p: <urn:p:> INSERT DATA { <urn:s> p:p 1 . GRAPH <urn:g> { _:b p:p <<( <urn:s> p:p 'x'@en )>> } }");
        DatasetGraph replica = open(store, "replica");
        FusekiServer server = follow(log(), replica);
        awaitEqual(replica);
        for (Write write : LoggedDatasetTest.WRITES) {
            HttpResponse<String> answer = sendToBeRefused(server, write);
            assertEquals(403, answer.statusCode(), () -> write + ": " + answer.body());
            assertTrue(answer.body().contains("follows a patch log"), () -> write + ": " + answer.body());
        }
        assertEquals(LoggedDatasetTest.data(recorded), LoggedDatasetTest.data(replica));
        update("DELETE DATA { <urn:s> <urn:p:p> 1 } ; INSERT DATA { <urn:s> <urn:p:p> 2 }");
        awaitEqual(replica);
        await(() -> following(server).state().patches() == 2);
        assertEquals(2, following(server).version());
        assertEquals(2, following(server).state().head());
        HttpResponse<String> found = send(server, new Write("GET", "/query?query=ASK%7B%3Curn:s%3E%20?p%202%7D", null, ""));
        assertTrue(found.body().contains("true"), found.body());
    }

    @Test
    void aReplicaGoesOnAfterItsRestartAndAnOutageOfThePrimary() throws IOException {
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        DatasetGraph replica = open(Store.TDB2, "replica");
        String log = log();
        int port = primary.getPort();
        FusekiServer server = follow(log, replica);
        awaitEqual(replica);
        primary.stop();
        await(() -> following(server).state().error() != null);
        assertEquals(false, following(server).state().isStopped());
        server.stop();
        FusekiServer again = follow(log, replica);
        primary = start(Map.of(LoggedDatasets.PROPERTY, "/ds=" + folder.resolve("log")),
                builder -> builder.port(port).add("/ds", allServices(recorded)));
        update("INSERT DATA { <urn:s> <urn:p> 2 }");
        awaitEqual(replica);
        await(() -> following(again).state().error() == null);
    }

    @Test
    void aReplicaStopsWhereTheHistoryDiffersAndGoesOnAnswering() throws IOException {
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        DatasetGraph replica = open(Store.MEMORY, "memory");
        FusekiServer server = follow(log(), replica);
        awaitEqual(replica);
        server.stop();
        Path other = folder.resolve("other");
        StoreLog.create(other).close();
        FusekiServer again = follow(other.toString(), replica);
        await(() -> following(again).state().isStopped());
        assertTrue(following(again).state().error().contains("which is no patch of the log"), following(again).state().error());
        HttpResponse<String> found = send(again, new Write("GET", "/query?query=ASK%7B%3Curn:s%3E%20?p%201%7D", null, ""));
        assertTrue(found.body().contains("true"), found.body());
        assertEquals(403, send(again, LoggedDatasetTest.WRITES.get(0)).statusCode());
    }

    @Test
    void aReplicaRecordsWhatItFollows() throws IOException {
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        DatasetGraph replica = open(Store.TDB2, "replica");
        FusekiServer server = start(followingAndRecording(), builder -> builder.add("/ds", allServices(replica)));
        DatasetGraph third = open(Store.MEMORY, "memory");
        follow("http://localhost:" + server.getPort() + "/$/patch-logs/ds", third);
        update("INSERT DATA { <urn:s> <urn:p> 2 }");
        awaitEqual(replica);
        awaitEqual(third);
        server.stop();
        FollowingDataset again = following(follow(folder.resolve("second").toString(), replica));
        Instant begun = again.state().complete();
        await(() -> again.state().isStopped() || !again.state().complete().equals(begun));
        assertEquals(null, again.state().error(), "it does not go on in the log that it recorded into");
        assertEquals(again.state().head(), again.version());
    }

    /** The patch of a new log's state is in the log, and the dataset does not know. */
    @Test
    void aReplicaGoesOnRecordingWhereTheAnswerToItsFirstPatchWasLost() throws IOException {
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        DatasetGraph replica = open(Store.TDB2, "replica");
        FusekiServer before = follow(log(), replica);
        awaitEqual(replica);
        before.stop();
        Map<String, String> both = followingAndRecording();
        start(both, builder -> builder.add("/ds", replica)).stop();
        setRecorded(replica, NOTHING);
        FusekiServer server = start(both, builder -> builder.add("/ds", replica));
        update("INSERT DATA { <urn:s> <urn:p> 2 }");
        awaitEqual(replica);
        assertEquals(2, LoggedDataset.of(following(server)).version());
    }

    @Test
    void aDatasetDoesNotFollowTheLogThatItRecordsInto() throws IOException {
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        DatasetGraph replica = open(Store.TDB2, "replica");
        FusekiServer server = follow(log(), replica);
        awaitEqual(replica);
        server.stop();
        primary.stop();
        String own = "/ds=" + folder.resolve("log");
        Map<String, String> both = Map.of(FollowingDatasets.PROPERTY, own, LoggedDatasets.PROPERTY, own);
        Exception refused = assertThrows(RuntimeException.class, () -> start(both, builder -> builder.add("/ds", replica)));
        assertTrue(refused.getMessage().contains("let it follow no log any more"), refused.getMessage());
        FusekiServer again = start(both, builder -> builder.add("/ds", recorded));
        await(() -> following(again).state().isStopped());
        assertTrue(following(again).state().error().contains("records into the log (log) itself"), following(again).state().error());
        assertEquals(1, LoggedDataset.of(following(again)).version());
    }

    @Test
    void anIdleReplicaDownloadsNoPatchAgain() throws IOException {
        StoreLog plain = StoreLog.create(folder.resolve("plain"));
        try (PlainServer site = new PlainServer(folder)) {
            for (int number = 1; number <= 3; number++) {
                LogPatches.append(plain, LogPatches.patch(null, null, LogPatches.add(number)));
            }
            CheckpointFiles.make(plain, 2, ProgressListener.NONE);
            ObjectList.publish(plain);
            DatasetGraph dataset = open(Store.MEMORY, "memory");
            setRecorded(dataset, NOTHING);
            FusekiServer server = follow(site.url() + "/plain", dataset);
            FollowingDataset replica = following(server);
            await(() -> replica.state().patches() == 1);
            awaitRounds(replica, 2);
            site.requests.clear();
            awaitRounds(replica, 4);
            assertEquals(Set.of("GET /plain/objects.json"), Set.copyOf(site.requests));
            server.stop();
            site.requests.clear();
            awaitRounds(following(follow(site.url() + "/plain", dataset)), 2);
            assertFalse(site.requests.contains("GET /plain" + LogPatches.object(1)), "a start reads each patch");
        }
    }

    /** Its token is in a file that somebody replaces, and the site gets the log anew, file by file. */
    @Test
    void aReplicaOutlastsFilesThatAreBeingReplaced() throws IOException {
        StoreLog original = StoreLog.create(folder.resolve("original"));
        LogPatches.append(original, LogPatches.patch(null, null, LogPatches.add(1)));
        ObjectList.publish(original);
        Path plain = Files.createDirectory(folder.resolve("plain"));
        copy(original, plain, "patch-log.properties", LogPatches.object(1), ObjectList.NAME);
        Path token = Files.writeString(folder.resolve("token"), "secret");
        try (PlainServer site = new PlainServer(folder)) {
            FollowingDataset replica = following(start(Map.of(FollowingDatasets.PROPERTY, "/ds=" + site.url() + "/plain",
                    FollowingDatasets.PROPERTY + ".token-file", token.toString()),
                    builder -> builder.add("/ds", allServices(open(Store.MEMORY, "memory")))));
            await(() -> replica.state().patches() == 1);
            LogPatches.append(original, LogPatches.patch(null, null, LogPatches.add(2)));
            ObjectList.publish(original);
            Files.delete(token);
            Files.writeString(plain.resolve("." + LogPatches.object(2)), "half");
            copy(original, plain, ObjectList.NAME);
            await(() -> replica.state().error() != null);
            assertTrue(replica.state().error().contains("has 4 bytes"), replica.state().error());
            await(() -> !replica.state().error().contains("has 4 bytes"));
            assertTrue(replica.state().error().contains("'tokenFile'"), replica.state().error());
            assertFalse(replica.state().isStopped());
        }
    }

    private void copy(StoreLog from, Path to, String... names) throws IOException {
        for (String name : names) {
            Path made = Files.copy(from.folder().resolve("./" + name), folder.resolve("copy"));
            Files.move(made, to.resolve("./" + name), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static void setRecorded(DatasetGraph dataset, String id) {
        Txn.executeWrite(dataset, () -> new StoredPosition(CaptureOptions.POSITION_KEY).set(dataset, id));
    }

    private static void awaitRounds(FollowingDataset follower, int rounds) {
        for (int round = 0; round < rounds; round++) {
            Instant before = follower.state().complete();
            await(() -> !follower.state().complete().equals(before));
        }
    }

    @Test
    void aDescriptionMakesADatasetFollowBeneathOthers() throws IOException {
        Path config = folder.resolve("config.ttl");
        Files.writeString(config, """
                PREFIX : <#> PREFIX fuseki: <http://jena.apache.org/fuseki#> PREFIX ja: <http://jena.hpl.hp.com/2005/11/Assembler#>
                PREFIX tdb2: <http://jena.apache.org/2016/tdb#> PREFIX jb: <urn:jellybridge:>
                PREFIX access: <http://jena.apache.org/access#>
                [] fuseki:services ( :one :two ) .
                :one fuseki:name "ds" ; fuseki:dataset :replica ; fuseki:endpoint [ fuseki:operation fuseki:query ] ;
                    fuseki:endpoint [ fuseki:operation fuseki:update ; fuseki:name "update" ] .
                :two fuseki:name "two" ; fuseki:dataset :rights ; fuseki:endpoint [ fuseki:operation fuseki:query ] .
                :rights a access:AccessControlledDataset ; access:registry :users ; access:dataset :replica .
                :users a access:SecurityRegistry ; access:entry ( "ada" <urn:g> ) .
                :replica a jb:FollowingDataset ; ja:dataset :database ; jb:log "%s" ; jb:pollSeconds 0.1 ; jb:attempts 1 .
                :database a tdb2:DatasetTDB2 ; tdb2:location "%s" .
                """.formatted(log(), folder.resolve("replica")));
        FusekiServer server = start(Map.of(), builder -> builder.parseConfigFile(config.toString()));
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        awaitEqual(following(server).getWrapped());
        assertEquals(403, send(server, LoggedDatasetTest.WRITES.get(0)).statusCode());
        server.stop();
        String described = Files.readString(config);
        Files.writeString(config, described.replace("jb:pollSeconds", "jb:pollSecond"));
        Exception unknown = assertThrows(RuntimeException.class,
                () -> start(Map.of(), builder -> builder.parseConfigFile(config.toString())));
        assertTrue(LoggedDatasetTest.messages(unknown).contains("did you mean 'pollSeconds'"), LoggedDatasetTest.messages(unknown));
        Files.writeString(config, described.replace("ja:dataset :database ;", "ja:dataset :logged ;")
                + ":logged a jb:LoggedDataset ; ja:dataset :database ; jb:log \"" + folder.resolve("second") + "\" .");
        FusekiServer recording = start(Map.of(), builder -> builder.parseConfigFile(config.toString()));
        assertEquals(1, LoggedDataset.of(following(recording)).version(), "its own log does not begin with the data");
    }

    @Test
    void aResetOfADescribedDatasetLeavesItsPlaceInTheLogThatThePropertyMakesItFollow() throws IOException {
        Path config = folder.resolve("config.ttl");
        Files.writeString(config, """
                PREFIX : <#> PREFIX fuseki: <http://jena.apache.org/fuseki#> PREFIX ja: <http://jena.hpl.hp.com/2005/11/Assembler#>
                PREFIX tdb2: <http://jena.apache.org/2016/tdb#> PREFIX jb: <urn:jellybridge:>
                [] fuseki:services ( :one ) .
                :one fuseki:name "ds" ; fuseki:dataset :logged ; fuseki:endpoint [ fuseki:operation fuseki:query ] .
                :logged a jb:LoggedDataset ; ja:dataset :database ; jb:log "%s" ; jb:start "reset" .
                :database a tdb2:DatasetTDB2 ; tdb2:location "%s" .
                """.formatted(folder.resolve("second"), folder.resolve("replica")));
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        DatasetGraph replica = open(Store.TDB2, "replica");
        FusekiServer server = follow(log(), replica);
        awaitEqual(replica);
        server.stop();
        FollowingDataset again = following(start(Map.of(FollowingDatasets.PROPERTY, "/ds=" + log()),
                builder -> builder.parseConfigFile(config.toString())));
        update("INSERT DATA { <urn:s> <urn:p> 2 }");
        awaitEqual(replica);
        await(() -> again.state().head() == 2 && again.state().patches() > 0);
        assertEquals(1, again.state().patches(), "it began anew");
    }

    @Test
    void aServerThatCannotFollowDoesNotStart() throws IOException {
        DatasetGraph replica = open(Store.MEMORY, "memory");
        DatasetGraph noAbort = DatasetFactory.wrap(ModelFactory.createRDFSModel(ModelFactory.createDefaultModel()))
                .asDatasetGraph();
        DatasetGraph rights = DataAccessCtl.controlledDataset(replica, new SecurityRegistry());
        String log = log();
        refused("/ds=" + log, builder -> builder.add("/ds", noAbort), "/ds", "can't abort");
        refused("/none=" + log, builder -> builder.add("/ds", replica), "/none", "no such dataset");
        refused("/ds=" + log, builder -> builder.add("/ds", rights), "/ds", "access rights");
        refused("/ds=" + log, builder -> builder.add("/ds", replica).add("/rights", rights), "/ds", "/rights");
        refused("/ds", builder -> builder.add("/ds", replica), "'/ds'", "/DATASET=LOG");
        for (String secret : List.of("https://ada:se%2Ccret@example.org/ds", "/ds=https://ada:se,cr,et@example.org/ds")) {
            Exception unshown = assertThrows(RuntimeException.class, () -> start(Map.of(FollowingDatasets.PROPERTY, secret),
                    builder -> builder.add("/ds", replica)));
            String said = unshown.getMessage();
            assertTrue(said.matches(".*: the property jellybridge.follow is wrong in part [12]; write /DATASET=LOG,.* %2C"), said);
        }
        refused("/ds=http://no host/", builder -> builder.add("/ds", replica), "is no address of a patch log");
        refused("/ds=http://ada:secret@example.org/ds", builder -> builder.add("/ds", replica), "TLS");
        Exception option = assertThrows(RuntimeException.class, () -> start(Map.of(FollowingDatasets.PROPERTY, "/ds=" + log,
                FollowingDatasets.PROPERTY + ".pol-seconds", "1"), builder -> builder.add("/ds", replica)));
        assertTrue(option.getMessage().contains("did you mean 'pollSeconds'"), option.getMessage());
        for (String none : List.of("0", "0.0004", "-1")) {
            Exception pause = assertThrows(RuntimeException.class, () -> start(Map.of(FollowingDatasets.PROPERTY, "/ds=" + log,
                    FollowingDatasets.PROPERTY + ".poll-seconds", none), builder -> builder.add("/ds", replica)));
            assertTrue(pause.getMessage().contains("pollSeconds"), pause.getMessage());
        }
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        follow(log, replica);
        awaitEqual(replica);
    }

    private void refused(String property, UnaryOperator<FusekiServer.Builder> more, String... said) {
        Exception refused = assertThrows(RuntimeException.class, () -> start(Map.of(FollowingDatasets.PROPERTY, property), more));
        for (String word : said) {
            assertTrue(refused.getMessage().contains(word), refused.getMessage());
        }
    }

    private static HttpResponse<String> get(FusekiServer from, String path, String accept) throws IOException {
        try {
            return CLIENT.send(HttpRequest.newBuilder(URI.create("http://localhost:" + from.getPort() + path)).header("Accept", accept)
                    .build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void assertShows(FusekiServer server, String path, String... words) throws IOException {
        HttpResponse<String> answer = get(server, path, "application/json");
        for (String word : words) {
            assertTrue(answer.body().contains(word), () -> word + " is not in " + answer.body());
        }
    }

    @Test
    void aServerShowsItsLogsAndFollowers() throws IOException {
        update("INSERT DATA { <urn:s> <urn:p> 1 }");
        DatasetGraph replica = open(Store.TDB2, "replica");
        FusekiServer server = start(Map.of(FollowingDatasets.PROPERTY, "/ds=" + log(), LoggedDatasets.PROPERTY, "/ds="
                + folder.resolve("second"), LoggedOptions.PREFIX + "max-patches", "1"),
                builder -> builder.enableMetrics(true).add("/ds", allServices(replica)));
        awaitEqual(replica);
        await(() -> following(server).state().patches() == 1);
        assertShows(server, "/$/patch-logs", "\"healthy\":true", "\"dataset\":\"/ds\"", "\"log\":\"" + log() + "\"", "\"version\":1",
                "\"head\":1", "\"behind\":0", "\"seconds\":0.0", "\"captured\":1", "\"rows\":");
        assertShows(server, "/$/metrics", "jellybridge_follower_version{application=\"fuseki\",dataset=\"/ds\"} 1.0",
                "jellybridge_follower_lag_patches{application=\"fuseki\",dataset=\"/ds\"} 0.0", "jellybridge_follower_lag_seconds{application=\"fuseki\",dataset=\"/ds\"} 0.0",
                "jellybridge_follower_healthy{application=\"fuseki\",dataset=\"/ds\"} 1.0", "jellybridge_follower_last_error_seconds{application=\"fuseki\",dataset=\"/ds\"} 0.0",
                "jellybridge_follower_applied_patches_total{application=\"fuseki\",dataset=\"/ds\"} 1.0", "jellybridge_log_version{application=\"fuseki\",dataset=\"/ds\"} 1.0",
                "jellybridge_log_captured_patches_total{application=\"fuseki\",dataset=\"/ds\"} 1.0", "jellybridge_log_bytes{application=\"fuseki\",dataset=\"/ds\"} ",
                "jellybridge_log_healthy{application=\"fuseki\",dataset=\"/ds\"} 1.0");
        assertTrue(get(server, "/$/patch-logs/", "text/html,*/*").body().startsWith("<!DOCTYPE html>"));
        assertEquals(200, get(server, "/$/patch-logs/health?lag=5", "*/*").statusCode());
        assertEquals(400, get(server, "/$/patch-logs/health?lag=x", "*/*").statusCode());
        assertEquals(400, get(server, "/$/patch-logs/health?leg=1", "*/*").statusCode());
        primary.stop();
        await(() -> following(server).state().error() != null);
        assertEquals(200, get(server, "/$/patch-logs/health", "*/*").statusCode());
        assertEquals(503, get(server, "/$/patch-logs/health?lag=0", "*/*").statusCode());
    }

    @Test
    void aFollowerIsNotUpToDateIfItsLogHasNotAnsweredForLong() {
        Instant now = Instant.now();
        for (int seconds : List.of(30, 60)) {
            FollowingDataset.State read = new FollowingDataset.State(3, 0, now.minusSeconds(seconds), null, null, false);
            assertEquals(seconds == 30 ? 0 : 60, read.secondsBehind(3, Duration.ofSeconds(40), now));
            assertEquals(seconds, read.secondsBehind(2, Duration.ofSeconds(40), now));
        }
    }

    @Test
    void onlyReadersOfLogsSeeTheirState() throws IOException {
        DatasetGraph replica = open(Store.MEMORY, "memory");
        FusekiServer server = start(Map.of(FollowingDatasets.PROPERTY, "/ds=" + folder.resolve("none").toUri() + "/",
                LogServlets.READERS, "ada"), builder -> builder.add("/ds", replica));
        assertEquals(403, get(server, "/$/patch-logs", "*/*").statusCode());
        assertEquals(403, get(server, "/$/patch-logs", "text/html").statusCode());
        HttpResponse<String> health = get(server, "/$/patch-logs/health", "*/*");
        assertEquals("200 {\"healthy\":true}", health.statusCode() + " " + health.body().strip());
        await(() -> following(server).state().error() != null);
        assertTrue(following(server).state().error().contains("(log)"), following(server).state().error());
        DatasetStatus unread = DatasetStatus.listAll(server.getDataAccessPointRegistry()).get(0);
        assertTrue(unread.json().get("follows").toString().contains("\"head\":null,\"behind\":null"), unread.json().toString());
    }

    @Test
    void theDocumentHasTheOptions() throws IOException {
        OptionDocuments.assertHas("docs/fuseki-replicas.md", OptionTable.names(HttpOptions.OPTIONS), FollowOptions.TABLE);
    }
}
