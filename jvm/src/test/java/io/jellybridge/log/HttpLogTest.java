package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.codec.Checksums;
import io.jellybridge.fuseki.LogEndpoint;
import io.jellybridge.fuseki.LogServer;
import io.jellybridge.http.AnsweringServer;
import io.jellybridge.http.HttpException;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.sync.FilePatches;
import io.jellybridge.sync.FollowedLog;
import io.jellybridge.sync.LateBody;
import io.jellybridge.sync.Ledger;
import io.jellybridge.sync.SyncOptions;
import io.jellybridge.sync.SyncPatch;
import io.jellybridge.sync.Synchronizer;
import io.jellybridge.sync.Synchronizer.SyncReport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.jena.fuseki.main.FusekiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract over HTTP, with the module as Fuseki finds it. */
class HttpLogTest extends PatchLogContract {
    private static final SyncOptions OPTIONS = new SyncOptions(SyncOptions.LOG, false, 100, 1000, 10, false);

    @TempDir
    Path folder;

    private FusekiServer server;
    private String url;

    @Override
    PatchLog create() throws IOException {
        server = LogServer.open(folder);
        url = "http://localhost:" + server.getPort() + LogEndpoint.PATH + "changes";
        return PatchLogs.create(url);
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    @Override
    PatchLog open() throws IOException {
        return PatchLogs.open(url);
    }

    @Override
    void createAgain() throws IOException {
        PatchLogs.create(url);
    }

    /** Whoever believed such a page would ask for it for ever, or fail with something else. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"version\":1}", "{\"version\":4},{\"version\":4}", "{\"version\":5},{\"version\":3}", "{\"version\":10}",
        "{\"version\":-5}", "{\"version\":\"3\"}", "{}", "3", "null", "[]"})
    void aPageThatDoesNotGoOnIsNoAnswerOfALog(String entries) throws IOException {
        String page = "{\"log\":\"" + LogPatches.newId() + "\",\"entries\":[" + entries + "]}";
        try (AnsweringServer other = new AnsweringServer(200, "application/json", page);
                PatchLog log = PatchLogs.open(other.url() + "log")) {
            HttpException failure = assertThrows(HttpException.class, () -> {
                try (LogEntries found = log.fetch(3, 9)) {
                    for (int i = 0; i < 10 && found.next() != null; i++) {
                        // on it goes
                    }
                }
            });
            assertTrue(failure.getMessage().contains("which is no answer of a patch log"), failure.getMessage());
        }
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String type, byte[] body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path)).header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body)));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path)));
    }

    /** A file of a log is the body of a request. */
    private byte[] patch() throws IOException {
        try (StoreLog other = StoreLog.create(folder.resolve("other"))) {
            LogPatches.append(other, LogPatches.patch(null, null, LogPatches.add(1)));
            return Files.readAllBytes(LogPatches.file(other, 1));
        }
    }

    @Test
    void statusesSayWhatIsWrong() throws Exception {
        byte[] patch = patch();
        assertEquals(415, post("", "application/rdf-patch", patch).statusCode());
        HttpResponse<String> cut = post("", HttpLog.CONTENT_TYPE, Arrays.copyOf(patch, patch.length - 3));
        assertEquals(400, cut.statusCode());
        assertTrue(cut.body().contains("\"rule\""), cut.body());
        assertEquals(400, post("", HttpLog.CONTENT_TYPE, new byte[0]).statusCode());
        assertEquals(400, post("?prev=x", HttpLog.CONTENT_TYPE, patch).statusCode());
        assertEquals(400, post("/entries", HttpLog.CONTENT_TYPE, patch).statusCode());
        assertEquals(400, get("/entries?from=x").statusCode());
        assertEquals(404, get("/nothing").statusCode());
        assertEquals(404, get("/patches/1").statusCode());
        assertEquals(404, get("x").statusCode());
        assertEquals(404, get("/../../other").statusCode());
        assertEquals(LogHead.EMPTY, log.head());
        assertEquals(200, post("?prev=", HttpLog.CONTENT_TYPE, patch).statusCode());
        HttpResponse<String> conflict = post("?prev=" + LogPatches.newId(), HttpLog.CONTENT_TYPE, patch);
        assertEquals(409, conflict.statusCode());
        assertTrue(conflict.body().contains(log.head().id()), conflict.body());
    }

    /** A server that closes a connection whose client still sends makes the client lose the answer, or its next request. */
    @ParameterizedTest
    @CsvSource({"POST,'',text/turtle,415", "POST,/entries,application/x-jelly-rdf-patch,400",
        "POST,2,application/x-jelly-rdf-patch,404", "POST,?prev=x,application/x-jelly-rdf-patch,400",
        "POST,'',application/x-jelly-rdf-patch,400", "POST,'',application/x-jelly-rdf-patch; charset=none-such,400",
        "PUT,'',application/x-jelly-rdf-patch,415", "DELETE,'',application/x-jelly-rdf-patch,405"})
    void refusalsLeaveTheConnectionOpen(String method, String path, String type, String status) throws IOException {
        assertEquals(List.of(status, "200"), LateBody.statuses(server.getPort(), URI.create(url).getPath(),
                method + " " + URI.create(url).getPath() + path + " HTTP/1.1", "Content-Type: " + type));
        assertEquals(LogHead.EMPTY, log.head());
    }

    @Test
    void aSecondPatchIsRefusedAndNothingIsAppended() throws Exception {
        byte[] patch = patch();
        byte[] two = Arrays.copyOf(patch, 2 * patch.length);
        System.arraycopy(patch, 0, two, patch.length, patch.length);
        HttpResponse<String> refused = post("", HttpLog.CONTENT_TYPE, two);
        assertEquals(400, refused.statusCode());
        assertTrue(refused.body().contains("a second patch"), refused.body());
        assertEquals(LogHead.EMPTY, log.head());
        assertEquals(200, post("", HttpLog.CONTENT_TYPE, patch).statusCode());
        assertEquals(400, post("", HttpLog.CONTENT_TYPE, two).statusCode(), "after the first of the two");
        assertEquals(200, post("", HttpLog.CONTENT_TYPE, patch).statusCode(), "the head again");
        assertEquals(1, log.head().version());
    }

    @Full("waits between five attempts")
    @Test
    void aServerThatIsDownIsAnError() throws IOException {
        server.stop();
        IOException error = assertThrows(IOException.class, () -> log.head());
        assertTrue(error.getMessage().contains("no connection"), error.getMessage());
    }

    @Test
    void aLogThatIsNotThereIsAnError() {
        IOException error = assertThrows(IOException.class,
                () -> PatchLogs.open(url + "2").head());
        assertTrue(error.getMessage().contains("404"), error.getMessage());
    }

    @Test
    void aPatchThatCantBeReadIsListed() throws Exception {
        LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(1)));
        LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(2)));
        Files.write(folder.resolve("changes").resolve(LogObject.fileName(1)), new byte[] {1, 2, 3});
        assertTrue(get("/entries").body().contains("\"fault\""));
        try (LogReader reader = new LogReader(
                log.fetch(1, 9), 0, null, (entry, reason) -> assertEquals(1, entry.version()))) {
            assertEquals(2, reader.next().version());
        }
    }

    @Test
    void aSyncStopsAtAPatchThatCantBeReadOrGoesOnBehindIt() throws Exception {
        for (int i = 1; i <= 4; i++) {
            LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(i)));
        }
        Path second = folder.resolve("changes").resolve(LogObject.fileName(2));
        byte[] whole = Files.readAllBytes(second);
        Files.write(second, Arrays.copyOf(whole, whole.length - 3));
        assertStopsOrGoesOn();
        Files.delete(second);
        StoreLog served = StoreLog.open(folder.resolve("changes"));
        FileHeader first = served.read(LogObject.fileName(1)).get(0);
        served.putStandIn(2, served.read(LogObject.fileName(3)).get(0).prev(), first.id(), "cut off");
        assertStopsOrGoesOn();
    }

    private void assertStopsOrGoesOn() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); FollowedLog behind = follow(store)) {
            List<SyncPatch> patches = behind.patches();
            SyncReport stopped = sync(store, patches);
            assertEquals(1, stopped.faulty());
            assertEquals("2.jellyp#0", patches.get(1).name());
            assertNull(patches.get(1).file());
            assertTrue(stopped.fault().getMessage().contains(url + ", version 2"), stopped.fault().getMessage());
            assertEquals(1, store.size(), "the patch before");
            assertEquals(2, sync(store, patches.subList(2, patches.size())).patches());
            try (FollowedLog more = follow(store)) {
                assertEquals(4, more.applied());
                assertEquals(List.of(), more.patches());
            }
        }
    }

    private FollowedLog follow(DatasetStore store) throws IOException {
        return FollowedLog.open(log, store.stand(SyncOptions.LOG), store.notes(SyncOptions.LOG));
    }

    private void append(int number) throws IOException {
        LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(number)));
    }

    /** Has a dataset follow the log to its end. */
    private void catchUp(DatasetStore store) throws IOException {
        try (FollowedLog behind = follow(store)) {
            assertEquals(List.of(), behind.changes());
            sync(store, behind.patches());
        }
    }

    private Path file(long version) {
        return folder.resolve("changes").resolve(LogObject.fileName(version));
    }

    @Test
    void aPatchThatWasRewrittenOnTheServerIsNamed() throws IOException {
        for (int i = 1; i <= 3; i++) {
            append(i);
        }
        try (DatasetStore store = DatasetStore.open("mem:")) {
            catchUp(store);
            byte[] whole = Files.readAllBytes(file(3));
            String bytes = new String(whole, StandardCharsets.ISO_8859_1);
            Files.write(file(3), Checksums.renewed(
                    bytes.replace("\n\u00013", "\n\u00019").getBytes(StandardCharsets.ISO_8859_1)));
            try (FollowedLog behind = follow(store)) {
                assertEquals(List.of(url + ", version 3, the last patch that the dataset has applied, says something else "
                        + "now than its 7 rows did then: it was rewritten; put back what was applied, or have an empty dataset "
                        + "follow the log"), behind.changes());
            }
            StoreLog changes = StoreLog.open(folder.resolve("changes"));
            FileHeader last = changes.read(LogObject.fileName(2)).get(0);
            String id = LogVersions.headerOf(changes, 3).id();
            Files.write(file(3), LogPatches.chained(LogPatches.patch(id, last.id(), LogPatches.add(9)),
                    new ChainPlace(changes.id(), 3, last.hash())).bytes());
            append(4);
            String message = assertThrows(IllegalStateException.class, () -> follow(store)).getMessage();
            assertTrue(message.contains(": it was version 3 of the hash ") && message.contains(", which has the hash "), message);
        }
    }

    /** As where a folder is exchanged: the patch at the position has its id and its version, and another history. */
    @Test
    void aDatasetDoesNotGoOnInAnotherHistoryThatHasItsPatchAtItsVersion() throws IOException {
        String third = LogPatches.newId();
        append(1);
        append(2);
        LogPatches.append(log, LogPatches.patch(third, null, LogPatches.add(3)));
        try (DatasetStore store = DatasetStore.open("mem:")) {
            catchUp(store);
            String before = log.head().id();
            Files.delete(file(2));
            Files.delete(file(3));
            append(77);
            LogPatches.append(log, LogPatches.patch(third, null, LogPatches.add(3)));
            append(4);
            assertEquals(third, before);
            String message = assertThrows(IllegalStateException.class, () -> follow(store)).getMessage();
            assertTrue(message.contains("other patches are before it than those that the dataset has applied"), message);
        }
    }

    @Test
    void anOpenLogEndsWhereAnotherOneTakesItsPlace() throws IOException {
        append(1);
        append(2);
        try (LogEntries entries = log.fetch(1, 9)) {
            entries.next();
            Path there = folder.resolve("changes");
            Files.move(there, folder.resolve("away"));
            StoreLog other = StoreLog.create(there);
            LogPatches.append(other, LogPatches.patch(null, null, LogPatches.add(1)));
            LogPatches.append(other, LogPatches.patch(null, null, LogPatches.add(2)));
            LogEntry second = entries.next();
            String read = LogReader.fault(second).getMessage();
            assertTrue(read.contains("the patch is not what was appended as version 2 of the log "), read);
            for (Executable call : List.<Executable>of(log::head, log::first, () -> log.fetch(1, 9).next(), () -> append(3))) {
                String message = assertThrows(IOException.class, call).getMessage();
                assertTrue(message.contains("was opened as the log ") && message.contains("open it again"), message);
            }
            assertEquals(2, other.head().version(), "nothing was appended");
        }
    }

    @Test
    void aPatchThatWasSetAsideAndMendedOnTheServerIsNamed() throws IOException {
        for (int i = 1; i <= 3; i++) {
            append(i);
        }
        byte[] whole = Files.readAllBytes(file(2));
        Files.write(file(2), new byte[] {1, 2, 3});
        try (DatasetStore store = DatasetStore.open("mem:")) {
            try (FollowedLog behind = follow(store); FilePatches.Cursor cursor = new FilePatches.Cursor()) {
                Ledger ledger = Ledger.ofPatches(null);
                ledger.setAside(behind.patches().get(1), behind.patches().get(2).prev(), cursor);
                Synchronizer.run(List.of(behind.patches().get(0), behind.patches().get(2)), store, OPTIONS, ledger,
                        ProgressListener.NONE);
            }
            catchUp(store);
            Files.write(file(2), whole);
            try (FollowedLog behind = follow(store)) {
                assertEquals(1, behind.changes().size());
                assertTrue(behind.changes().get(0).startsWith(url + ", version 2 was set aside, the dataset went on behind "
                        + "it, and now it can be read"), behind.changes().get(0));
            }
        }
    }

    @Test
    void aDatasetAtNoVersionOfTheServersLogIsTold() throws IOException {
        append(1);
        append(2);
        try (DatasetStore store = DatasetStore.open("mem:")) {
            catchUp(store);
            Files.delete(file(2));
            String message = assertThrows(IllegalStateException.class, () -> follow(store)).getMessage();
            assertTrue(message.contains(", which is no patch of the log " + url + ": it was version 2, and the log ends "
                    + "with version 1; check"), message);
            append(3);
            message = assertThrows(IllegalStateException.class, () -> follow(store)).getMessage();
            assertTrue(message.contains(": it was version 2, which is <urn:uuid:" + log.head().id() + "> now; check"),
                    message);
        }
    }

    private static SyncReport sync(DatasetStore store, List<SyncPatch> patches) throws IOException {
        return Synchronizer.run(patches, store, OPTIONS, ProgressListener.NONE);
    }
}
