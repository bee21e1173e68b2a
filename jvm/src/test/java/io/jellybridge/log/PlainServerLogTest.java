package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.UnreachableException;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.sync.Follower;
import io.jellybridge.sync.InitialLoad;
import io.jellybridge.sync.SyncOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** The contract of readers with a log whose files a plain web server serves. */
class PlainServerLogTest extends LogReadContract {
    @TempDir
    Path folder;

    private StoreLog original;
    private PlainServer server;

    @Override
    StoreLog create() throws IOException {
        original = StoreLog.create(folder.resolve("changes"));
        server = new PlainServer(folder);
        return original;
    }

    @Override
    StoreLog original() throws IOException {
        return StoreLog.open(folder.resolve("changes"));
    }

    @Override
    PatchLog open() throws IOException {
        ObjectList.publish(original());
        return openAsListed();
    }

    @Override
    boolean changesObjects() {
        return false;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void append(int number) throws IOException {
        LogPatches.append(original, LogPatches.patch(null, null, LogPatches.add(number)));
    }

    private PatchLog openAsListed() throws IOException {
        return PatchLogs.open(server.url() + "/changes/");
    }

    private void publishTwo() throws IOException {
        fill(2);
        ObjectList.publish(original);
    }

    private Path file(String name) {
        return folder.resolve("changes").resolve(name);
    }

    @Test
    void anOldListGivesAnOlderStateOrAnErrorThatNamesTheObject() throws IOException {
        publishTwo();
        List<String> before = LogPatches.texts(original, 1, 2);
        append(3);
        PatchLog log = openAsListed();
        assertEquals(2, log.head().version());
        assertEquals(before, LogPatches.texts(log, 1, 9));
        LogCompaction.run(original, 1 << 20);
        for (PatchLog one : List.of(log, openAsListed())) {
            String message = assertThrows(IOException.class, () -> LogPatches.texts(one, 1, 9)).getMessage();
            assertTrue(message.contains("/changes/0000000000000000000") && message.contains("is not there"), message);
        }
        ObjectList.publish(original);
        assertEquals(3, log.head().version(), "who had it open reads on");
        assertEquals(LogPatches.texts(original, 1, 3), LogPatches.texts(log, 1, 9));
        Files.delete(file("00000000000000000001-00000000000000000003.jellyp"));
        assertThrows(IOException.class, () -> openAsListed().head());
    }

    @Test
    void aListThatIsMadeBesideACompactionHasTheJoinedObject() throws IOException {
        fill(3);
        AtomicBoolean joined = new AtomicBoolean();
        LogStore store = (LogStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {LogStore.class},
                (proxy, call, arguments) -> {
                    if (call.getName().equals("lengthOf") && !joined.getAndSet(true)) {
                        LogCompaction.run(original, 1 << 20);
                    }
                    return call.invoke(original.store(), arguments);
                });
        Set<String> objects = ObjectList.of(StoreLog.open(store)).objects().keySet();
        assertTrue(joined.get());
        assertEquals(Set.of(LogProperties.NAME, new LogObject(1, 3).name()), objects);
    }

    @Test
    void aLogThatDoesNotWaitSaysSoWhateverIsOnTheWay() throws IOException {
        publishTwo();
        PatchLog log = openAsListed();
        Duration longest = Duration.ofSeconds(20);
        assertFalse(log.awaitNewer(2, longest), "a plain server");
        server.saysItWaited = true;
        assertFalse(log.awaitNewer(2, longest), "a cache that keeps an answer");
        assertTrue(log.awaitNewer(1, longest));
        server.cutsWaits = true;
        int before = server.requests.size();
        assertFalse(log.awaitNewer(2, longest), "a proxy that cuts");
        assertEquals(before + 1, server.requests.size(), "a wait is not repeated");
        assertEquals(2, log.headVersion());
        server.close();
        assertFalse(log.awaitNewer(2, longest), "nothing is there");
        assertThrows(IOException.class, log::headVersion);
    }

    @Test
    void aWaitEndsSoonIfTheMachineOfTheServerIsGone() throws IOException {
        publishTwo();
        PatchLog log = openAsListed();
        server.leavesWaits = true;
        assertFalse(assertTimeoutPreemptively(Duration.ofSeconds(20), () -> log.awaitNewer(2, Duration.ofMillis(100))));
        assertEquals(2, log.headVersion());
    }

    @Test
    void aLogWithoutAListIsNotAnEmptyOne() throws IOException {
        publishTwo();
        Files.delete(file(ObjectList.NAME));
        for (Executable call : List.<Executable>of(() -> openAsListed().head(), () -> openAsListed().first(), () -> openAsListed().fetch(1, 9),
                () -> openAsListed().findCheckpoint(9), () -> PatchLogs.create(server.url() + "/changes"))) {
            String message = assertThrows(IOException.class, call).getMessage();
            assertTrue(message.contains("without a list of its objects, objects.json") && message.contains("jellybridge log objects"),
                    message);
        }
        String none = assertThrows(IOException.class, () -> PatchLogs.open(server.url() + "/other")).getMessage();
        assertTrue(none.contains("/other is no patch log"), none);
    }

    @Test
    void whatWritesIsRefusedByNameAndChangesNothing() throws IOException {
        publishTwo();
        StoreLog log = openAsListed().stored();
        String url = server.url() + "/changes";
        String message = assertThrows(IllegalArgumentException.class,
                () -> LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(3)))).getMessage();
        assertTrue(message.startsWith(url + " can't do this over HTTP: "), message);
        assertThrows(FileAlreadyExistsException.class, () -> PatchLogs.create(url));
        assertThrows(IllegalArgumentException.class, () -> PatchLogs.create(server.url() + "/new"));
        assertEquals(2, original.head().version());
        assertFalse(Files.exists(folder.resolve("new")));
    }

    @Test
    void aServerThatMayReplaceFilesGetsNone() throws IOException {
        publishTwo();
        server.isWritable = true;
        append(3); // the list does not know it
        StoreLog log = openAsListed().stored();
        for (Executable call : List.<Executable>of(() -> LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(4))),
                () -> PatchLogs.create(server.url() + "/changes-2"))) {
            String message = assertThrows(IllegalArgumentException.class, call).getMessage();
            assertTrue(message.contains("its server is none of patch logs, so it could replace an object"), message);
        }
        assertEquals(LogPatches.texts(original, 3, 3), LogPatches.texts(StoreLog.open(folder.resolve("changes")), 3, 3));
        assertTrue(server.requests.stream().noneMatch(request -> request.startsWith("PUT")));
    }

    @Test
    void aSuccessThatDoesNotComeFromAServerOfLogsIsNone() throws IOException {
        publishTwo();
        server.hidesErrors = true;
        StoreLog log = openAsListed().stored();
        for (Executable call : List.<Executable>of(() -> LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(3))),
                () -> PatchLogs.create(server.url() + "/new"))) {
            String message = assertThrows(HttpException.class, call).getMessage();
            assertTrue(message.contains("answered 200, which is no answer of a server of patch logs; look whether"), message);
        }
    }

    /** Whoever publishes a log anew copies its files one after the other. */
    @Test
    void aFileThatIsStillBeingCopiedIsNotDamaged() throws IOException {
        publishTwo();
        byte[] whole = Files.readAllBytes(file(LogObject.fileName(2)));
        PatchLog log = openAsListed();
        for (byte[] part : List.of(Arrays.copyOf(whole, whole.length / 2), "<html>Back soon</html>".getBytes(UTF_8))) {
            Files.write(file(LogObject.fileName(2)), part);
            String message = assertThrows(UnreachableException.class, () -> LogPatches.texts(log, 1, 2)).getMessage();
            assertTrue(message.contains(LogObject.fileName(2) + ": has " + part.length + " bytes, and " + whole.length + " in the list"),
                    message);
        }
        Files.write(file(LogObject.fileName(2)), whole);
        assertEquals(LogPatches.texts(original, 1, 2), LogPatches.texts(log, 1, 2));
    }

    /** Each object is received into a file, and a long log has many. */
    @Test
    void filesOfReceivedObjectsAreClosedBeforeTheNextIsRead() throws Exception {
        publishTwo();
        String marker = UUID.randomUUID().toString();
        for (int i = 3; i <= 40; i++) {
            LogPatches.append(original, LogPatches.patch(null, null, "A <urn:s> <urn:p> \"" + i + marker + "\" ."));
        }
        ObjectList.publish(original);
        PatchLog log = openAsListed();
        LogPatches.texts(log, 1, 40);
        assertTrue(openFiles(marker) <= 1, () -> "open files: " + openFiles(marker));
        assertEquals(40, log.head().version());
        log.close();
        assertEquals(0, openFiles(marker));
    }

    @Test
    void aDatasetThatGoesOnReadsTheObjectOfItsPositionAndTheNewOnes() throws IOException {
        publishTwo();
        append(3);
        ObjectList.publish(original);
        try (DatasetStore replica = DatasetStore.open("mem:")) {
            follow(replica);
            assertEquals(List.of(LogObject.fileName(3)), follow(replica));
            append(4);
            ObjectList.publish(original);
            assertEquals(List.of(LogObject.fileName(3), LogObject.fileName(4)), follow(replica));
        }
        CheckpointFiles.make(original, 2, ProgressListener.NONE);
        Pruning.before(original, 3);
        ObjectList.publish(original);
        try (DatasetStore replica = DatasetStore.open("mem:"); PatchLog log = openAsListed()) {
            new InitialLoad(log).load(log.findCheckpoint(2), replica, SyncOptions.LOG, null, ProgressListener.NONE);
            server.requests.clear();
            assertNull(new InitialLoad(openAsListed()).find(replica, SyncOptions.LOG, null));
            assertEquals(List.of(LogObject.fileName(3)), readObjects());
        }
    }

    /** Has a dataset follow the log, and returns the objects of patches that it read for it. */
    private List<String> follow(DatasetStore dataset) throws IOException {
        server.requests.clear();
        try (PatchLog log = openAsListed()) {
            new Follower(dataset).followLog(log);
        }
        return readObjects();
    }

    private List<String> readObjects() {
        return server.requests.stream().filter(request -> request.endsWith(".jellyp"))
                .map(request -> request.substring(request.lastIndexOf('/') + 1)).distinct().toList();
    }

    /** Returns how many received objects are open that hold a text. Other tests of this JVM have some open, too. */
    private static long openFiles(String text) {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(each -> {
                try {
                    return Files.readSymbolicLink(each).toString().contains(".object")
                            && new String(Files.readAllBytes(each), ISO_8859_1).contains(text);
                } catch (IOException e) {
                    return false;
                }
            }).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lists of other moments, of other logs, and that nobody wrote: the objects decide. */
    @Test
    void whateverTheListSaysTheAnswerIsATrueStateOrAnError() throws IOException {
        publishTwo();
        for (int i = 3; i <= 6; i++) {
            append(i);
        }
        List<String> texts = LogPatches.texts(original, 1, 9);
        StoreLog joined = StoreLog.open(folder.resolve("changes"));
        CheckpointFiles.make(joined, 3, ProgressListener.NONE);
        Random random = new Random(7);
        String[] names = {LogProperties.NAME, LogObject.fileName(1), LogObject.fileName(2), LogObject.fileName(3), LogObject.fileName(4),
            LogObject.fileName(5), LogObject.fileName(6), LogObject.fileName(7), new LogObject(1, 3).name(), new LogObject(3, 6).name(),
            "checkpoints/00000000000000000003/checkpoint.json", "checkpoints/00000000000000000005/checkpoint.json", "nonsense"};
        int answers = 0;
        for (int run = 0; run < 60; run++) {
            StringBuilder said = new StringBuilder();
            for (String name : names) {
                if (random.nextInt(4) > 0 == name.matches("0{19}[1-6]\\.jellyp")) {
                    long length = Files.exists(file(name)) && random.nextInt(8) > 0 ? Files.size(file(name)) : random.nextInt(900) - 1;
                    said.append(said.isEmpty() ? "" : ",").append('"').append(name).append("\":").append(length);
                }
            }
            String id = random.nextInt(4) > 0 ? original.id() : LogPatches.newId();
            String several = random.nextInt(8) > 0 ? "" : '"' + names[1 + random.nextInt(7)] + "\":" + (2 + random.nextInt(3));
            Files.writeString(file(ObjectList.NAME), "{\"log\":\"" + id + "\",\"stamp\":\"" + run + "\",\"objects\":{" + said
                    + "},\"patches\":{" + several + "}}");
            try {
                PatchLog log = openAsListed();
                long first = log.first();
                List<String> found = new ArrayList<>();
                try (LogEntries entries = log.fetch(1, 9)) {
                    for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                        EntryCheck.read(entry); // as every reader does before it applies one
                        found.add(LogPatches.text(entry));
                    }
                }
                if (!found.isEmpty()) {
                    assertEquals(texts.subList((int) first - 1, (int) first - 1 + found.size()), found, said.toString());
                    answers++;
                }
            } catch (IOException | RuntimeException e) {
                assertFalse(e.getMessage() == null, "no reason");
            }
        }
        assertTrue(answers > 3, answers + " answers");
    }
}
