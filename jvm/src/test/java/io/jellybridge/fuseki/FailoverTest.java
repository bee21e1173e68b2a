package io.jellybridge.fuseki;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Folders;
import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.fuseki.LoggedDatasetTest.Store;
import io.jellybridge.fuseki.LoggedDatasets.LoggedOptions;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.LogRepair;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.Follower;
import io.jellybridge.sync.SyncOptions;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.jena.fuseki.main.FusekiServer;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.system.Txn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a primary and its replicas: who records changes, what two at once do, and where a restored one goes on. */
class FailoverTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    private final Map<String, DatasetGraph> datasets = new HashMap<>();
    private final List<FusekiServer> servers = new ArrayList<>();
    private FusekiServer logs;
    private String log;

    @BeforeEach
    void startLogs() {
        logs = LogServer.open(folder.resolve("logs"));
        log = "http://localhost:" + logs.getPort() + "/$/patch-logs/ds";
    }

    @AfterEach
    void stop() {
        servers.forEach(FusekiServer::stop);
        logs.stop();
        datasets.values().forEach(DatasetGraph::close);
    }

    private DatasetGraph dataset(String name) {
        return datasets.computeIfAbsent(name, folderName -> Store.TDB2.open(folder.resolve(folderName)));
    }

    private FusekiServer start(String name, String property, String place) {
        return start(name, property, place, Map.of());
    }

    private FusekiServer start(String name, String property, String place, Map<String, String> more) {
        Map<String, String> properties = new HashMap<>(Map.of(property, "/ds=" + place, LogServlets.READERS, "_"));
        properties.putAll(more);
        if (property.equals(FollowingDatasets.PROPERTY)) {
            properties.put(property + ".poll-seconds", "0.1");
        }
        servers.add(LogServer.start(properties, builder -> builder.add("/ds", dataset(name))));
        return servers.get(servers.size() - 1);
    }

    private FusekiServer startPrimary(String name) {
        return start(name, LoggedDatasets.PROPERTY, log);
    }

    private FusekiServer startReplica(String name) {
        return start(name, FollowingDatasets.PROPERTY, log);
    }

    private static FollowingDataset following(FusekiServer server) {
        return NamedDatasets.find(server.getDataAccessPointRegistry().get("/ds").getDataService().getDataset(), FollowingDataset.class);
    }

    private static HttpResponse<String> insert(FusekiServer server, int number) throws IOException {
        try {
            return CLIENT.send(HttpRequest.newBuilder(URI.create("http://localhost:" + server.getPort() + "/ds/update"))
                    .header("Content-Type", "application/sparql-update")
                    .POST(BodyPublishers.ofString("INSERT DATA { <urn:s> <urn:p> %d }".formatted(number))).build(),
                    BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private Set<Object> data(String name) {
        return LoggedDatasetTest.data(dataset(name));
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        for (int i = 0; i < 1200 && !condition.call(); i++) {
            Thread.sleep(25);
        }
        assertTrue(condition.call(), "not in time");
    }

    private long version() throws IOException {
        try (PatchLog opened = PatchLogs.open(log)) {
            return opened.headVersion();
        }
    }

    @Test
    void ofTwoPrimariesOnlyTheNewOneGoesOnAndNothingAcknowledgedIsLost() throws Exception {
        FusekiServer first = startPrimary("first");
        FusekiServer standby = startReplica("second");
        startReplica("third");
        for (int number = 1; number <= 3; number++) {
            assertEquals(204, insert(first, number).statusCode());
        }
        await(() -> data("second").size() == 3);
        standby.stop();
        assertEquals(204, insert(first, 4).statusCode());
        FusekiServer second = startPrimary("second");
        assertEquals(4, data("second").size(), "what was acknowledged before is not in the new primary");
        for (int number = 5; number <= 6; number++) {
            HttpResponse<String> fenced = insert(first, number);
            assertEquals(500, fenced.statusCode());
            assertTrue(fenced.body().contains("another server records into the log"), fenced.body());
        }
        assertEquals(4, data("first").size(), "a refused change is in the dataset");
        DatasetStatus state = DatasetStatus.listAll(first.getDataAccessPointRegistry()).get(0);
        assertTrue(state.logged().isStopped() && !state.isHealthy() && !state.isWithin(Double.POSITIVE_INFINITY), "seems well");
        assertEquals(204, insert(second, 7).statusCode());
        first.stop();
        Exception returning = assertThrows(RuntimeException.class, () -> startPrimary("first"));
        assertTrue(returning.getMessage().contains("another server records into the log " + log + " since version 5; let this one follow"),
                returning.getMessage());
        startReplica("first");
        await(() -> data("first").size() == 5 && data("third").size() == 5);
        assertEquals(data("second"), data("first"));
        assertEquals(data("second"), data("third"));
        assertEquals(6, version());
    }

    @Test
    void aPrimaryGoesOnAfterARestartAndNobodyElseTakesOver() throws Exception {
        FusekiServer primary = startPrimary("first");
        for (int number = 1; number <= 3; number++) {
            assertEquals(204, insert(primary, number).statusCode());
            primary.stop();
            primary = startPrimary("first");
        }
        assertEquals(3, version());
        assertEquals(3, data("first").size());
        List<String> requests = Collections.synchronizedList(new ArrayList<>());
        logs.getJettyServer().setRequestLog((request, response) -> requests.add(request.getMethod()));
        assertEquals(204, insert(primary, 4).statusCode());
        await(() -> requests.contains("PUT"));
        assertEquals(List.of("PUT"), requests, "a commit asks for what the server compares itself");
    }

    @Test
    void aPlannedChangeOfThePrimaryGoesThereAndBack() throws Exception {
        FusekiServer primary = startPrimary("first");
        FusekiServer replica = startReplica("second");
        for (int round = 0; round < 4; round++) {
            assertEquals(204, insert(primary, round).statusCode());
            await(() -> !data("second").isEmpty());
            primary.stop();
            replica.stop();
            primary = startPrimary(round % 2 == 0 ? "second" : "first");
            replica = startReplica(round % 2 == 0 ? "first" : "second");
        }
        assertEquals(204, insert(primary, 4).statusCode());
        await(() -> data("first").size() == 5 && data("second").size() == 5);
        assertEquals(data("first"), data("second"));
        assertEquals(9, version(), "five changes, and four changes of the primary");
    }

    @Test
    void aPrimaryThatRecordedNothingBecomesAFollowerAndThePrimaryAgain() throws Exception {
        startPrimary("first").stop();
        FusekiServer second = startPrimary("second");
        assertEquals(204, insert(second, 1).statusCode());
        FusekiServer replica = startReplica("first");
        await(() -> data("first").size() == 1);
        replica.stop();
        FusekiServer first = startPrimary("first");
        assertEquals(500, insert(second, 2).statusCode());
        second.stop();
        assertThrows(RuntimeException.class, () -> startPrimary("second"), "two servers record by turns");
        assertEquals(204, insert(first, 3).statusCode());
        assertEquals(3, version());
    }

    @Test
    void aPrimaryWithItsOwnFolderIsReplacedByAReplicaWithThatFolder() throws Exception {
        Path own = folder.resolve("own");
        FusekiServer primary = start("first", LoggedDatasets.PROPERTY, own.toString());
        FusekiServer replica = start("second", FollowingDatasets.PROPERTY,
                "http://localhost:" + primary.getPort() + "/$/patch-logs/ds");
        assertEquals(204, insert(primary, 1).statusCode());
        await(() -> data("second").size() == 1);
        replica.stop();
        assertEquals(204, insert(primary, 2).statusCode());
        assertEquals(204, insert(primary, 3).statusCode());
        primary.stop();
        FusekiServer second = start("second", LoggedDatasets.PROPERTY, own.toString());
        assertEquals(data("first"), data("second"));
        FollowingDataset following = following(start("first", FollowingDatasets.PROPERTY,
                "http://localhost:" + second.getPort() + "/$/patch-logs/ds"));
        await(() -> following.version() == 3 && following.state().head() == 3);
        assertEquals(204, insert(second, 4).statusCode());
        await(() -> data("first").size() == 4);
    }

    @Test
    void aFormerPrimaryWithANewLogOfItsOwnGoesOnBehindItsLastPatchOrStops() throws Exception {
        Path own = folder.resolve("own");
        FusekiServer primary = start("first", LoggedDatasets.PROPERTY, own.toString());
        assertEquals(204, insert(primary, 1).statusCode());
        primary.stop();
        copy("own", "older");
        copy("first", "second");
        primary = start("first", LoggedDatasets.PROPERTY, own.toString());
        assertEquals(204, insert(primary, 2).statusCode());
        primary.stop();
        for (String name : List.of("first", "second")) {
            FollowingDataset following = following(start(name, FollowingDatasets.PROPERTY, folder.resolve("older").toString(), Map.of(
                    LoggedDatasets.PROPERTY, "/ds=" + folder.resolve(name + "-log"), LoggedOptions.PREFIX + "start", "reset")));
            boolean stops = name.equals("first");
            await(() -> stops ? following.state().isStopped() : following.state().head() == 1 && following.version() == 1);
            assertTrue(!stops || following.state().error().contains("is no patch of the log"), following.state().error());
            assertEquals(0, following.state().patches());
        }
    }

    @Test
    void aFormerPrimaryThatKeepsItsLogFollowsNoOtherOne() throws Exception {
        Map<String, String> own = Map.of(LoggedDatasets.PROPERTY, "/ds=" + folder.resolve("own"));
        Path other = folder.resolve("other");
        start("replica", FollowingDatasets.PROPERTY, other.toString(), own).stop();
        try (StoreLog opened = StoreLog.create(other)) {
            LogPatches.append(opened, LogPatches.patch(null, null, LogPatches.add(1)));
        }
        FusekiServer replica = start("replica", FollowingDatasets.PROPERTY, other.toString(), own);
        await(() -> following(replica).version() == 1);
        replica.stop();
        FusekiServer primary = start("first", LoggedDatasets.PROPERTY, folder.resolve("first-log").toString());
        assertEquals(204, insert(primary, 2).statusCode());
        primary.stop();
        for (String start : List.of("whole", "reset")) {
            FusekiServer returning = start("first", FollowingDatasets.PROPERTY, other.toString(), Map.of(
                    LoggedDatasets.PROPERTY, "/ds=" + folder.resolve("first-log"), LoggedOptions.PREFIX + "start", start));
            await(() -> following(returning).state().head() == 1 && following(returning).state().isStopped());
            assertTrue(following(returning).state().error().contains("and at no patch of the log"), following(returning).state().error());
            assertEquals(1, data("first").size());
            returning.stop();
        }
    }

    @Test
    void aReplicaWithALogThatWasPromotedFollowsAgainOnlyIfItHasNothingOfItsOwn() throws Exception {
        Path source = folder.resolve("source");
        Path own = folder.resolve("own");
        try (StoreLog opened = StoreLog.create(source)) {
            LogPatches.append(opened, LogPatches.patch(null, null, LogPatches.add(1)));
        }
        Map<String, String> both = Map.of(LoggedDatasets.PROPERTY, "/ds=" + own);
        FusekiServer replica = start("replica", FollowingDatasets.PROPERTY, source.toString(), both);
        await(() -> following(replica).version() == 1);
        replica.stop();
        start("replica", LoggedDatasets.PROPERTY, own.toString()).stop();
        try (StoreLog opened = StoreLog.open(source)) {
            LogPatches.append(opened, LogPatches.patch(null, null, LogPatches.add(2)));
        }
        FusekiServer again = start("replica", FollowingDatasets.PROPERTY, source.toString(), both);
        await(() -> following(again).version() == 2);
        again.stop();
        FusekiServer promoted = start("replica", LoggedDatasets.PROPERTY, own.toString());
        assertEquals(204, insert(promoted, 3).statusCode());
        promoted.stop();
        start("replica", LoggedDatasets.PROPERTY, own.toString()).stop();
        try (StoreLog opened = StoreLog.open(source)) {
            LogPatches.append(opened, LogPatches.patch(null, null, LogPatches.add(4)));
        }
        Map<String, String> reset = Map.of(LoggedDatasets.PROPERTY, "/ds=" + folder.resolve("new-log"), LoggedOptions.PREFIX + "start", "reset");
        copy("own", "copied");
        copy("replica", "reset");
        copy("replica", "behind");
        for (Map.Entry<String, Map<String, String>> form : Map.of("replica", both, "reset", reset).entrySet()) {
            FusekiServer refused = start(form.getKey(), FollowingDatasets.PROPERTY, source.toString(), form.getValue());
            await(() -> following(refused).state().isStopped());
            refused.stop();
        }
        FusekiServer bare = start("replica", FollowingDatasets.PROPERTY, source.toString());
        await(() -> following(bare).state().isStopped());
        assertEquals(3, data("replica").size());
        FusekiServer behind = start("behind", FollowingDatasets.PROPERTY, folder.resolve("copied").toString(), Map.of(
                LoggedDatasets.PROPERTY, "/ds=" + folder.resolve("other-log"), LoggedOptions.PREFIX + "start", "reset"));
        await(() -> following(behind).state().head() == 3 && following(behind).version() == 3);
        assertEquals(0, following(behind).state().patches());
    }

    @Test
    void aFormerPrimaryGoesOnBehindItsLastPatchThatWasPrunedOrLost() throws IOException {
        try (StoreLog own = StoreLog.create(folder.resolve("own"))) {
            List<String> ids = new ArrayList<>();
            for (int number = 1; number <= 3; number++) {
                ids.add(LogPatches.append(own, LogPatches.patch(null, null, LogPatches.add(number))).id());
            }
            for (int version = 1; version <= 2; version++) {
                Files.delete(folder.resolve("own" + LogPatches.object(version)));
            }
            assertGoesOn(own, ids.get(1));
            new LogRepair(own).insertPlaceholder(2, ids.get(1), ids.get(0), "no reason");
            assertGoesOn(own, ids.get(1));
        }
    }

    @Test
    void aFormerPrimaryKnowsItsVersionInALogThatIsNotInFiles() throws IOException {
        try (StoreLog own = StoreLog.create(folder.resolve("own"))) {
            String last = LogPatches.append(own, LogPatches.patch(null, null, LogPatches.add(1))).id();
            PatchLog served = (PatchLog) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {PatchLog.class},
                    (proxy, call, arguments) -> {
                        if (call.getName().equals("stored")) {
                            throw new IllegalArgumentException("a log over gRPC");
                        }
                        return call.invoke(own, arguments);
                    });
            DatasetGraph first = Store.MEMORY.open(null);
            Txn.executeWrite(first, () -> new StoredPosition(CaptureOptions.POSITION_KEY).set(first, "<urn:uuid:" + last + ">"));
            FollowedPosition.continueIn(first, served);
            assertEquals(1, new Follower(DatasetStore.over(first)).version());
        }
    }

    private static void assertGoesOn(StoreLog own, String last) throws IOException {
        DatasetGraph first = Store.MEMORY.open(null);
        Txn.executeWrite(first, () -> new StoredPosition(CaptureOptions.POSITION_KEY).set(first, "<urn:uuid:" + last + ">"));
        FollowedPosition.continueIn(first, own);
        assertEquals(1, new Follower(DatasetStore.over(first)).followLog(own).patches());
    }

    @Test
    void aLogThatIsAwayRefusesChangesAndAnEmptyOneIsNotTakenForIt() throws Exception {
        FusekiServer primary = startPrimary("first");
        FusekiServer replica = startReplica("second");
        assertEquals(204, insert(primary, 1).statusCode());
        await(() -> data("second").size() == 1);
        replica.stop();
        int port = logs.getPort();
        logs.stop();
        assertEquals(500, insert(primary, 2).statusCode());
        assertEquals(1, data("first").size());
        String shown = DatasetStatus.listAll(primary.getDataAccessPointRegistry()).get(0).json().get("log").toString();
        assertTrue(shown.matches("\\{\"version\":1,\"captured\":1,\"bytes\":null,.*\"error\":\"the change log can't.*\"last\":\\[]}"), shown);
        logs = LogServer.start(Map.of(LogServlets.FOLDER, folder.resolve("logs").toString(), LogServlets.WRITERS, "_"),
                builder -> builder.port(port));
        assertEquals(204, insert(primary, 3).statusCode());
        assertEquals(2, version());
        primary.stop();
        Path older = folder.resolve("older");
        StoreLog.create(older).close();
        Exception refused = assertThrows(RuntimeException.class, () -> start("first", LoggedDatasets.PROPERTY, older.toString()));
        assertTrue(refused.getMessage().contains("is empty, and the dataset is at"), refused.getMessage());
    }

    @Test
    void anOlderDatabaseCatchesUpAsAPrimaryAndAsAFollower() throws Exception {
        FusekiServer primary = startPrimary("first");
        assertEquals(204, insert(primary, 1).statusCode());
        primary.stop();
        copy("first", "restored");
        copy("first", "follower");
        primary = startPrimary("first");
        for (int number = 2; number <= 4; number++) {
            assertEquals(204, insert(primary, number).statusCode());
        }
        primary.stop();
        startReplica("follower");
        FusekiServer restored = startPrimary("restored");
        assertEquals(data("first"), data("restored"));
        assertEquals(204, insert(restored, 5).statusCode());
        await(() -> data("follower").size() == 5);
        assertEquals(data("restored"), data("follower"));
        assertEquals(5, version());
    }

    private void copy(String from, String to) throws IOException {
        Folders.copy(folder.resolve(from), folder.resolve(to), each -> !each.endsWith("tdb.lock"));
    }

    @Test
    void aReplicaThatWasKilledWhileItTookOverDoesSoAtItsNextStart() throws Exception {
        FusekiServer primary = startPrimary("first");
        assertEquals(204, insert(primary, 1).statusCode());
        FusekiServer replica = startReplica("second");
        await(() -> data("second").size() == 1);
        replica.stop();
        primary.stop();
        List<String> killed = new ArrayList<>();
        datasets.put("second", new DatasetGraphWrapper(dataset("second")) {
            @Override
            public void commit() {
                try {
                    copy("second", "killed" + killed.size());
                    killed.add("killed" + killed.size());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                super.commit();
            }
        });
        startPrimary("second").stop();
        assertEquals(2, version());
        assertTrue(killed.size() >= 2, "it did not commit its place in the log");
        Collections.reverse(killed);
        for (int number = 2; number < 2 + killed.size(); number++) {
            String name = killed.get(number - 2);
            FusekiServer again = startPrimary(name);
            assertEquals(204, insert(again, number).statusCode());
            assertEquals(number, data(name).size());
            again.stop();
        }
    }

    @Test
    void aPrimaryThatWasKilledComesBackAsAFollowerOrIsRefused() throws Exception {
        FusekiServer primary = startPrimary("first");
        assertEquals(204, insert(primary, 1).statusCode());
        assertEquals(204, insert(primary, 2).statusCode());
        copy("first", "killed");
        copy("first", "forked");
        assertEquals(204, insert(primary, 3).statusCode());
        startReplica("killed");
        await(() -> data("killed").size() == 3);
        assertEquals(data("first"), data("killed"));
        // A log that lacks what the dataset has: the position is in the file that a kill leaves.
        Path other = folder.resolve("forked-log");
        try (StoreLog older = StoreLog.create(other)) {
            LogPatches.append(older, LogPatches.patch(null, null, LogPatches.add(1)));
        }
        FusekiServer refused = start("forked", FollowingDatasets.PROPERTY, other.toString());
        FollowingDataset following = following(refused);
        await(() -> following.state().isStopped());
        assertEquals(2, data("forked").size());
    }

    @Test
    void aNewReplicaBeginsWithACheckpointWhileOthersRun() throws Exception {
        FusekiServer primary = startPrimary("first");
        for (int number = 1; number <= 3; number++) {
            assertEquals(204, insert(primary, number).statusCode());
        }
        try (StoreLog opened = StoreLog.open(folder.resolve("logs/ds"))) {
            CheckpointFiles.make(opened, 3, ProgressListener.NONE);
        }
        assertEquals(204, insert(primary, 4).statusCode());
        FusekiServer replica = startReplica("second");
        await(() -> data("second").size() == 4);
        await(() -> following(replica).state().patches() == 1);
    }

    @Test
    void aReplicaOrAPrimaryBeginsANewLogOnlyIfItIsToldTo() throws Exception {
        FusekiServer primary = startPrimary("first");
        FusekiServer replica = startReplica("second");
        assertEquals(204, insert(primary, 1).statusCode());
        await(() -> data("second").size() == 1);
        replica.stop();
        primary.stop();
        Path own = folder.resolve("own");
        PatchLogs.create(log + "-emptied").close();
        Map.of("first", "recorded into another one", "second", "followed another one").forEach((name, past) -> {
            for (String place : List.of(own.toString(), log + "-misspelt", log + "-emptied")) {
                String said = place.endsWith("emptied") && name.equals("first") ? "is empty, and the dataset is at" : past;
                Exception refused = assertThrows(RuntimeException.class, () -> start(name, LoggedDatasets.PROPERTY, place));
                assertTrue(refused.getMessage().contains(said), refused.getMessage());
            }
        });
        assertFalse(Files.exists(own) || Files.exists(folder.resolve("logs/ds-misspelt")), "a refused start made a log");
        StoredPosition followed = new StoredPosition(SyncOptions.LOG);
        boolean[] isFull = {true};
        datasets.put("second", new DatasetGraphWrapper(dataset("second")) {
            @Override
            public void commit() {
                if (FollowedPosition.hasRecorded(this)) {
                    assertNull(followed.get(this), "a kill after this commit leaves the position in the log that it followed");
                    if (isFull[0]) {
                        throw new IllegalStateException("the disk is full");
                    }
                }
                super.commit();
            }
        });
        Map<String, String> reset = Map.of(LoggedOptions.PREFIX + "start", "reset");
        assertThrows(RuntimeException.class, () -> start("second", LoggedDatasets.PROPERTY, own.toString(), reset));
        assertNotNull(Txn.calculateRead(dataset("second"), () -> followed.get(dataset("second"))), "it follows no log any more");
        isFull[0] = false;
        FusekiServer second = start("second", LoggedDatasets.PROPERTY, own.toString(), reset);
        assertEquals(204, insert(second, 2).statusCode());
        second.stop();
        try (StoreLog opened = StoreLog.open(own)) {
            assertEquals(2, opened.headVersion());
        }
        FollowingDataset following = following(startReplica("second"));
        await(() -> following.state().isStopped());
        assertTrue(following.state().error().contains("which is no patch of the log"), following.state().error());
    }

    @Test
    void aResetOfALogOnAServerTakesOver() throws Exception {
        Map<String, String> reset = Map.of(LoggedOptions.PREFIX + "start", "reset");
        FusekiServer first = startPrimary("first");
        assertEquals(204, insert(first, 1).statusCode());
        first.stop();
        for (String name : List.of("second", "third")) {
            start(name, LoggedDatasets.PROPERTY, log, reset).stop();
            startPrimary(name).stop();
        }
        assertEquals(3, version(), "two changes of the primary, of which the last one has no other change");
        for (String name : List.of("first", "second")) {
            Exception returning = assertThrows(RuntimeException.class, () -> startPrimary(name));
            assertTrue(returning.getMessage().contains("another server records into the log"), returning.getMessage());
        }
    }

    @Test
    void theFolderOfAPrimaryThatWasKilledHasEachOfItsChanges() throws Exception {
        FusekiServer primary = start("first", LoggedDatasets.PROPERTY, folder.resolve("own").toString());
        FusekiServer replica = start("second", FollowingDatasets.PROPERTY,
                "http://localhost:" + primary.getPort() + "/$/patch-logs/ds");
        assertEquals(204, insert(primary, 1).statusCode());
        await(() -> data("second").size() == 1);
        replica.stop();
        for (int number = 2; number <= 4; number++) {
            assertEquals(204, insert(primary, number).statusCode());
        }
        copy("own", "copied");
        FusekiServer second = start("second", LoggedDatasets.PROPERTY, folder.resolve("copied").toString());
        assertEquals(data("first"), data("second"));
        assertEquals(204, insert(second, 5).statusCode());
    }
}
