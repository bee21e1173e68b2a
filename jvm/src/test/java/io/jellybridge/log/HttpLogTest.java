package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.codec.Checksums;
import io.jellybridge.fuseki.LogServlets;
import io.jellybridge.fuseki.LogServer;
import io.jellybridge.http.AnsweringServer;
import io.jellybridge.http.HttpException;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.sync.FilePatches;
import io.jellybridge.sync.FollowedLog;
import io.jellybridge.sync.LateBody;
import io.jellybridge.sync.SyncState;
import io.jellybridge.sync.SyncOptions;
import io.jellybridge.sync.SyncPatch;
import io.jellybridge.sync.SyncRun;
import io.jellybridge.sync.Synchronizer.SyncReport;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.jena.fuseki.main.FusekiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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
    private static Path folder;

    private static FusekiServer server;
    private static int used;

    private String name;
    private String url;

    @BeforeAll
    static void start() {
        server = LogServer.open(folder);
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    @Override
    PatchLog create() throws IOException {
        name = "changes" + ++used;
        url = "http://localhost:" + server.getPort() + LogServlets.PATH + name;
        return PatchLogs.create(url);
    }

    @Override
    StoreLog original() throws IOException {
        return StoreLog.open(there());
    }

    private Path there() {
        return folder.resolve(name);
    }

    @Override
    boolean changesObjects() {
        return false;
    }

    @Override
    PatchLog open() throws IOException {
        return PatchLogs.open(url);
    }

    @Override
    void createAgain() throws IOException {
        PatchLogs.create(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "3", "null", "[]", "", "<html>Welcome</html>", "{\"log\":\"x\",\"objects\":{}}",
        "{\"log\":\"00000000-0000-0000-0000-000000000000\"}",
        "{\"log\":\"00000000-0000-0000-0000-000000000000\",\"objects\":{\"00000000000000000001.jellyp\":\"3\"}}",
        "{\"log\":\"00000000-0000-0000-0000-000000000000\",\"objects\":[]}"})
    void aListThatIsNoneIsNoAnswerOfALog(String list) throws IOException {
        try (AnsweringServer other = new AnsweringServer(200, "application/json", list)) {
            HttpException failure = assertThrows(HttpException.class,
                    () -> new HttpStore(PatchLogs.serverOptions(other.url() + "log", Map.of())).list(""));
            assertTrue(failure.getMessage().contains("which is no answer of a patch log"), failure.getMessage());
        }
    }

    @Test
    void anotherPageIsNoLog() throws IOException {
        try (AnsweringServer other = new AnsweringServer(200, "text/html", "<html>Welcome</html>")) {
            String message = assertThrows(IOException.class, () -> PatchLogs.open(other.url() + "log")).getMessage();
            assertTrue(message.contains("log/patch-log.properties is none of this version of jellybridge"), message);
        }
    }

    /** A server that closes a connection whose client still sends makes the client lose the answer, or its next request. */
    @ParameterizedTest
    @CsvSource({"PUT,/nothing,404", "PUT,2/00000000000000000001.jellyp,404", "PUT,/00000000000000000001.jellyp,400",
        "PUT,/patch-log.properties,400", "DELETE,/00000000000000000001.jellyp,405"})
    void refusalsLeaveTheConnectionOpen(String method, String path, String status) throws IOException {
        String log = URI.create(url).getPath();
        assertEquals(List.of(status, "200"), LateBody.statuses(server.getPort(), log + "/objects.json",
                method + " " + log + path + " HTTP/1.1", "If-None-Match: *"));
        assertEquals(LogHead.EMPTY, this.log.head());
    }

    /** Returns the requests of a call, whose last one is a PUT. */
    /** Returns the requests of a call, up to the one that put the patch. The server notes one after it answered, some thus after the call. */
    private List<String> requestsOf(Executable call) throws Throwable {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        long start = System.nanoTime();
        server.getJettyServer().setRequestLog((request, response) -> {
            if (request.getBeginNanoTime() - start >= 0) {
                seen.add(request.getMethod() + " " + response.getStatus()
                        + " " + request.getHttpURI().getPath().replaceFirst(".*/" + name + "/0*", ""));
            }
        });
        call.execute();
        List<String> requests = new ArrayList<>();
        while (requests.isEmpty() || !requests.get(requests.size() - 1).startsWith("PUT 20")) {
            requests.add(seen.poll(10, TimeUnit.SECONDS));
        }
        return requests;
    }

    @Test
    void anAppendIsOneRequestWhereTheHeadIsTheRememberedOne() throws Throwable {
        append(1);
        assertEquals(List.of("PUT 201 2.jellyp"), requestsOf(() -> append(2)));
        String id = LogPatches.newId();
        String third = LogPatches.patch(id, log.head().id(), LogPatches.add(3));
        assertEquals(List.of("PUT 201 3.jellyp"), requestsOf(() -> LogPatches.append(log, third)));
        assertEquals(List.of("GET 200 objects.json", "GET 200 3.jellyp", "PUT 201 4.jellyp"),
                requestsOf(() -> LogPatches.append(open(), LogPatches.patch(null, null, LogPatches.add(4)))).stream()
                        .filter(request -> !request.endsWith("patch-log.properties")).toList());
        assertEquals(List.of("PUT 412 4.jellyp", "GET 200 objects.json", "GET 200 3.jellyp", "GET 200 4.jellyp", "PUT 201 5.jellyp"),
                requestsOf(() -> LogPatches.append(log, "H why \"so\" .\n" + LogPatches.patch(null, null, LogPatches.add(5)))));
        assertEquals(LogPatches.patch(log.head().id(), LogPatches.idOf(log, 4), LogPatches.add(5)).replaceFirst("TX", "H why \"so\" .\nTX"),
                LogPatches.texts(open(), 5, 5).get(0));
        assertEquals(5, open().head().version());
        assertEquals(new LogHead(3, id), LogPatches.append(log, third), "once more");
        String last = LogPatches.patch(LogPatches.newId(), log.head().id(), LogPatches.add(6));
        assertEquals(LogPatches.append(log, last), LogPatches.append(log, last), "the head once more");
    }

    @Test
    void aCallOfSeveralPatchesIsOneRequestWhereTheHeadIsTheRememberedOne() throws Throwable {
        append(1);
        List<String> patches = LogPatches.chain(log.head().id(), 50);
        assertEquals(List.of("PUT 201 2.jellyp"), requestsOf(() -> LogPatches.appendAll(log, patches)));
        assertEquals(patches, LogPatches.texts(open(), 2, 99));
        LogPatches.append(open(), LogPatches.patch(null, null, LogPatches.add(70)));
        List<String> others = List.of(LogPatches.patch(null, null, LogPatches.add(71)), LogPatches.patch(null, null, LogPatches.add(71)),
                LogPatches.patch(LogPatches.newId(), null, LogPatches.add(72)), LogPatches.patch(null, null, LogPatches.add(73)));
        assertEquals(List.of(53L, 53L, 54L, 55L),
                LogPatches.appendAll(log, others).stream().map(LogHead::version).toList(), "behind the patch of another");
        List<String> mixed = List.of(LogPatches.patch(null, null, LogPatches.add(74)), patches.get(7), others.get(2));
        assertEquals(List.of(56L, 9L, 54L), LogPatches.appendAll(log, mixed).stream().map(LogHead::version).toList());
        assertEquals(56, open().head().version());
        assertEquals(List.of(2L, 52L), List.of(open().versionWith(LogPatches.idOf(log, 2)), open().versionWith(LogPatches.idOf(log, 52))));
    }

    @Test
    void aPatchThatWasPrunedIsNotAppendedAgainSinceNothingCanCompareIt() throws IOException {
        String text = LogPatches.patch(LogPatches.newId(), null, LogPatches.add(1));
        LogHead first = LogPatches.append(log, text);
        append(2);
        append(3);
        append(4);
        CheckpointFiles.make(original(), 2, ProgressListener.NONE);
        Pruning.before(original(), 3);
        for (PatchLog one : List.of(log, open())) {
            LogConflictException refused = assertThrows(LogConflictException.class, () -> LogPatches.append(one, text));
            assertEquals(List.of(true, first), List.of(refused.isTaken(), refused.found()));
            assertTrue(refused.getMessage().contains("leave this patch out if it is the same"), refused.getMessage());
            assertEquals(1, one.versionWith(first.id()));
        }
        assertEquals(first, LogPatches.append(original(), text), "the index beside it knows its rows");
        assertEquals(4, open().head().version());
    }

    @Test
    void aHeadThatIsRememberedAndIsNoneAnyMoreIsFoundOut() throws Throwable {
        append(1);
        append(2);
        append(3);
        for (int from : new int[] {3, 2}) {
            // a backup was restored, and others went on with it
            for (int version = from; version <= 3; version++) {
                Files.delete(file(version));
            }
            String message = assertThrows(IOException.class, () -> append(4)).getMessage();
            assertTrue(message.contains("ends with version " + (from - 1) + " now"), message);
            for (int version = from; version <= 3; version++) {
                LogPatches.append(original(), LogPatches.patch(null, null, LogPatches.add(70 + version)));
            }
            message = assertThrows(IOException.class, () -> append(4)).getMessage();
            assertTrue(message.contains("has another patch as version 3 now"), message);
        }
        assertEquals(3, original().head().version());
    }

    @Full("waits between five attempts")
    @Test
    void aServerThatIsDownIsAnError() throws IOException {
        FusekiServer down = LogServer.open(folder.resolve("down"));
        PatchLog last = PatchLogs.create("http://localhost:" + down.getPort() + LogServlets.PATH + "changes");
        down.stop();
        IOException error = assertThrows(IOException.class, last::head);
        assertTrue(error.getMessage().contains("no connection"), error.getMessage());
    }

    @Test
    void aLogThatIsNotThereIsAnError() {
        IOException error = assertThrows(IOException.class, () -> PatchLogs.open(url + "2"));
        assertTrue(error.getMessage().startsWith(url + "2 is no patch log"), error.getMessage());
    }

    @Test
    void joinedObjectsAreReadFromAnyPlace() throws IOException {
        StoreLog served = original();
        String large = "x".repeat(400_000);
        for (int i = 1; i <= 8; i++) {
            LogPatches.append(served, LogPatches.patch(null, null, "A <urn:s> <urn:p> \"" + i + large + "\" ."));
            append(i);
        }
        LogHead head = log.head();
        List<String> texts = LogPatches.texts(log, 1, 99);
        assertEquals(16, texts.size());
        assertEquals(1, LogCompaction.run(served, 1L << 30).after());
        assertEquals(texts, LogPatches.texts(log, 1, 99), "who had it open reads on");
        assertEquals(texts, LogPatches.texts(open(), 1, 99));
        assertEquals(texts.subList(14, 16), LogPatches.texts(open(), 15, 16));
        assertEquals(head, open().head());
        assertEquals(17, LogPatches.append(open(), LogPatches.patch(null, null, LogPatches.add(99))).version());
        try (InputStream in = log.stored().store().open("00000000000000000001-00000000000000000016.jellyp", 100)) {
            byte[] file = Files.readAllBytes(there().resolve("00000000000000000001-00000000000000000016.jellyp"));
            assertArrayEquals(Arrays.copyOfRange(file, 100, file.length), in.readAllBytes());
            try (InputStream end = log.stored().store().open("00000000000000000001-00000000000000000016.jellyp", file.length)) {
                assertEquals(-1, end.read());
            }
        }
    }

    @Test
    void aSyncStopsAtAPatchThatCantBeReadOrGoesOnBehindIt() throws Exception {
        for (int i = 1; i <= 4; i++) {
            append(i);
        }
        byte[] whole = Files.readAllBytes(file(2));
        Files.write(file(2), Arrays.copyOf(whole, whole.length - 3));
        assertStopsOrGoesOn();
        Files.delete(file(2));
        StoreLog served = original();
        LogRepair repair = new LogRepair(served);
        LogRepair.FoundPatch first = repair.readFile(LogObject.fileName(1)).get(0);
        repair.insertPlaceholder(2, repair.readFile(LogObject.fileName(3)).get(0).prev(), first.id(), "cut off");
        log = open();
        assertStopsOrGoesOn();
    }

    private void assertStopsOrGoesOn() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); FollowedLog behind = follow(store)) {
            List<SyncPatch> patches = behind.patches();
            SyncReport stopped = sync(store, patches);
            assertEquals(1, stopped.faulty());
            assertEquals(name + "#2", patches.get(1).name());
            assertNull(patches.get(1).file());
            assertTrue(stopped.fault().getMessage().contains(url + "/00000000000000000002.jellyp"), stopped.fault().getMessage());
            assertEquals(1, store.size(), "the patch before");
            assertEquals(2, sync(store, patches.subList(2, patches.size())).patches());
            try (FollowedLog more = follow(store)) {
                assertEquals(4, more.applied());
                assertEquals(List.of(), more.patches());
            }
        }
    }

    private FollowedLog follow(DatasetStore store) throws IOException {
        return FollowedLog.open(log, store.storedPosition(SyncOptions.LOG), store.readNotes(SyncOptions.LOG));
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
        return there().resolve(LogObject.fileName(version));
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
                assertEquals(List.of(url + "/00000000000000000003.jellyp, the last patch that the dataset has applied, says something else "
                        + "now than its 7 rows did then: it was rewritten; put back what was applied, or have an empty dataset "
                        + "follow the log"), behind.changes());
            }
            StoreLog changes = original();
            LogRepair.FoundPatch last = new LogRepair(changes).readFile(LogObject.fileName(2)).get(0);
            String id = LogVersions.headerOf(changes, 3).id();
            Files.write(file(3), LogPatches.chained(LogPatches.patch(id, last.id(), LogPatches.add(9)),
                    new ChainPlace(changes.id(), 3, last.hash())).bytes());
            assertTrue(assertThrows(IOException.class, () -> append(4)).getMessage().contains("has another patch as version 3 now"));
            log = open();
            append(4);
            String message = assertThrows(IllegalStateException.class, () -> follow(store)).getMessage();
            assertTrue(message.contains(": it was version 3 of the hash ") && message.contains(", which has the hash "), message);
        }
    }

    @Test
    void anOpenLogEndsWhereAnotherOneTakesItsPlace() throws IOException {
        append(1);
        append(2);
        append(3);
        try (LogEntries entries = log.fetch(1, 9)) {
            entries.next();
            Files.move(there(), folder.resolve(name + "-away"));
            StoreLog other = StoreLog.create(there());
            LogPatches.append(other, LogPatches.patch(null, null, LogPatches.add(1)));
            LogPatches.append(other, LogPatches.patch(null, null, LogPatches.add(2)));
            LogPatches.append(other, LogPatches.patch(null, null, LogPatches.add(3)));
            LogEntry second = entries.next();
            String read = LogReader.findFault(second).getMessage();
            assertTrue(read.contains("the patch is not what was appended as version 2 of the log "), read);
            for (Executable call : List.<Executable>of(log::head, log::first, () -> log.fetch(1, 9).next(), () -> append(4))) {
                String message = assertThrows(IOException.class, call).getMessage();
                assertTrue(message.contains("was opened as the log ") && message.contains("open it again"), message);
            }
            assertEquals(3, other.head().version(), "nothing was appended");
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
                SyncState state = SyncState.ofPatches(null);
                state.setAside(behind.patches().get(1), behind.patches().get(2).prev(), cursor);
                SyncRun.run(List.of(behind.patches().get(0), behind.patches().get(2)), store, OPTIONS, state,
                        ProgressListener.NONE);
            }
            catchUp(store);
            Files.write(file(2), whole);
            try (FollowedLog behind = follow(store)) {
                assertEquals(1, behind.changes().size());
                assertTrue(behind.changes().get(0).startsWith(url + "/00000000000000000002.jellyp was set aside, the dataset went on behind "
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
            log = open();
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
        return SyncRun.run(patches, store, OPTIONS, ProgressListener.NONE);
    }
}
