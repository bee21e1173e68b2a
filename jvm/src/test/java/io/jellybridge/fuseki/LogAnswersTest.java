package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.log.ChainPlace;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.jena.atlas.json.JsonObject;
import org.apache.jena.fuseki.main.FusekiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server of patch logs answers to what is wrong: JSON that says nothing of where its files are. */
@ResourceLock(LoggedLines.LOCK)
class LogAnswersTest {
    private static final String NEW = "If-None-Match: *";
    private static final String CHANGES = LogServlets.PATH + "changes";
    private static final String LIST = "GET " + CHANGES + "/objects.json";
    private static final String NEXT = "PUT " + CHANGES + LogPatches.object(3);
    private static final byte[] NOTHING = new byte[0];

    @TempDir
    Path temporary;

    private Path folder;
    private FusekiServer server;
    private StoreLog log;

    @BeforeEach
    void start() throws IOException {
        folder = temporary.resolve("logs");
        server = LogServer.open(folder);
        log = StoreLog.create(folder.resolve("changes"));
        LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(1)));
        LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(2)));
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private RawRequest.Answer send(String line, byte[] body, String... headers) throws IOException {
        RawRequest.Answer answer = RawRequest.send(server.getPort(), line, body, headers);
        assertFalse(answer.text().contains(folder.toString()), answer.text());
        return answer;
    }

    private JsonObject error(int status, String kind, String line, byte[] body, String... headers) throws IOException {
        RawRequest.Answer answer = send(line, body, headers);
        assertEquals(status, answer.status(), answer.text());
        assertEquals(kind, answer.json().get("error").getAsString().value(), answer.text());
        return answer.json();
    }

    private static String message(JsonObject error) {
        return error.get("message").getAsString().value();
    }

    private byte[] patch() throws IOException {
        return LogPatches.next(log, LogPatches.add(3));
    }

    private static byte[] properties() {
        return ("format=2\nid=" + UUID.randomUUID() + "\n").getBytes(UTF_8);
    }

    @Test
    void theListHasTheObjectsThatAreThereAndEachIsServedAsItIs() throws IOException {
        JsonObject list = send(LIST, NOTHING).json();
        assertEquals(log.id(), list.get("log").getAsString().value());
        JsonObject objects = list.get("objects").getAsObject();
        assertEquals(Set.of("patch-log.properties", LogPatches.object(1).substring(1), LogPatches.object(2).substring(1)),
                objects.keySet());
        byte[] file = Files.readAllBytes(LogPatches.file(log, 2));
        assertEquals(file.length, objects.get(LogPatches.object(2).substring(1)).getAsNumber().value().intValue());
        RawRequest.Answer whole = send("GET " + CHANGES + LogPatches.object(2), NOTHING);
        assertTrue(whole.head().contains("Content-Type: application/x-jelly-rdf-patch"), whole.head());
        for (String range : List.of("10-19", "10-", "0-999999")) {
            RawRequest.Answer part = send("GET " + CHANGES + LogPatches.object(2), NOTHING, "Range: bytes=" + range);
            assertEquals(206, part.status());
            int from = range.startsWith("0") ? 0 : 10;
            int to = range.endsWith("19") ? 19 : file.length - 1;
            assertTrue(part.head().contains("Content-Range: bytes " + from + "-" + to + "/" + file.length), part.head());
            assertTrue(part.head().contains("Content-Length: " + (to - from + 1)), part.head());
        }
        assertEquals(200, send("GET " + CHANGES + LogPatches.object(2), NOTHING, "Range: bytes=-5").status(), "none of ours");
        assertEquals(416, send("GET " + CHANGES + LogPatches.object(2), NOTHING, "Range: bytes=" + file.length + "-").status());
        JsonObject found = send("GET " + CHANGES + "/ids/" + log.head().id(), NOTHING).json();
        assertEquals(2, found.get("version").getAsNumber().value().intValue());
        assertEquals(0, send("GET " + CHANGES + "/ids/" + UUID.randomUUID(), NOTHING).json().get("version").getAsNumber().value()
                .intValue());
    }

    @Test
    void nothingButTheObjectsOfALogIsServed() throws IOException {
        Path there = folder.resolve("changes");
        Files.writeString(there.resolve("secret"), "x");
        Files.writeString(there.resolve(".index.jellyp"), "x");
        Files.createDirectories(there.resolve("quarantine"));
        Files.writeString(there.resolve("quarantine").resolve("00000000000000000001.jellyp"), "x");
        for (String path : List.of("", "/", "/secret", "/.index", "/.writer.lock", "/.index.jellyp", "/quarantine",
                "/quarantine/00000000000000000001.jellyp", "/checkpoints", "/checkpoints/00000000000000000001",
                "/checkpoints/%2e%2e/secret", "/objects.json/", "/ids/", "/ids/x")) {
            RawRequest.Answer answer = send("GET " + CHANGES + path, NOTHING);
            assertTrue(answer.status() == 404 || answer.status() == 400, path + " " + answer.text());
        }
        assertEquals(3, send(LIST, NOTHING).json().get("objects").getAsObject().keySet().size());
    }

    @Test
    void aPatchIsPutOnlyWhereItWasWrittenFor() throws IOException {
        byte[] next = patch();
        error(428, "request", NEXT, next);
        error(415, "media-type", NEXT, next, NEW, "Content-Encoding: gzip");
        error(400, "format", "PUT " + CHANGES + LogPatches.object(4), next, NEW);
        error(400, "format", "PUT " + CHANGES + LogPatches.object(2), next, NEW);
        error(400, "format", NEXT, LogPatches.jelly(LogPatches.patch(null, null, LogPatches.add(3))), NEW);
        JsonObject cut = error(400, "format", NEXT, Arrays.copyOf(next, next.length - 3), NEW);
        assertTrue(cut.hasKey("rule"), cut.toString());
        byte[] changed = next.clone();
        changed[next.length - 12] ^= 1;
        error(400, "format", NEXT, changed, NEW);
        error(400, "format", NEXT, NOTHING, NEW);
        byte[] two = Arrays.copyOf(next, 2 * next.length);
        System.arraycopy(next, 0, two, next.length, next.length);
        error(400, "format", NEXT, two, NEW);
        for (String object : List.of("/00000000000000000001-00000000000000000002.jellyp",
                "/checkpoints/00000000000000000002/checkpoint.json")) {
            error(405, "request", "PUT " + CHANGES + object, next, NEW);
        }
        assertEquals(2, log.head().version());
        try (StoreLog other = StoreLog.create(temporary.resolve("other"))) {
            LogPatches.append(other, LogPatches.patch(null, null, LogPatches.add(1)));
            LogPatches.append(other, LogPatches.patch(null, null, LogPatches.add(2)));
            error(400, "format", NEXT, LogPatches.next(other), NEW);
        }
        assertEquals(201, send(NEXT, next, NEW).status());
        assertEquals(200, send(NEXT, next, NEW).status(), "the answer to the first one was lost");
        LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(9)));
        assertEquals(200, send(NEXT, next, NEW).status(), "and the log went on");
        assertEquals(4, log.head().version());
    }

    @Test
    void severalPatchesAreOneObjectThatSaysHowManyItHas() throws IOException {
        Path copy = Files.createDirectories(temporary.resolve("copy"));
        for (String name : List.of("patch-log.properties", LogPatches.object(1).substring(1), LogPatches.object(2).substring(1))) {
            Files.copy(folder.resolve("changes").resolve(name), copy.resolve(name));
        }
        byte[] several;
        byte[] fewer;
        try (StoreLog client = StoreLog.open(copy)) {
            LogPatches.appendAll(client, LogPatches.chain(client.head().id(), 3));
            several = Files.readAllBytes(LogPatches.file(client, 3));
            fewer = Arrays.copyOf(several, several.length - (int) client.lengthOf(5));
        }
        byte[] one = patch();
        byte[] uncounted = Arrays.copyOf(one, one.length + several.length - fewer.length);
        System.arraycopy(several, fewer.length, uncounted, one.length, several.length - fewer.length);
        assertTrue(message(error(400, "request", NEXT, fewer, NEW)).contains("has 2 patches, and says in its first frame that it has 3"));
        error(400, "format", NEXT, uncounted, NEW);
        assertEquals(2, log.head().version());
        assertEquals(201, send(NEXT, several, NEW).status());
        assertEquals(200, send(NEXT, several, NEW).status(), "the answer to the first one was lost");
        assertEquals(5, log.head().version());
        error(412, "conflict", NEXT, one, NEW);
        LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(9)));
        assertEquals(200, send(NEXT, several, NEW).status(), "and the log went on");
        assertEquals(6, log.head().version());
    }

    @Test
    void aConflictNamesTheLogByItsName() throws IOException {
        byte[] next = patch();
        byte[] other = patch();
        assertEquals(201, send(NEXT, other, NEW).status());
        assertTrue(message(error(412, "conflict", NEXT, next, NEW)).startsWith("changes: the patch follows"));
        JsonObject there = error(412, "conflict", "PUT " + CHANGES + "/patch-log.properties", properties(), NEW);
        assertTrue(message(there).startsWith("changes is there already"));
        assertTrue(message(error(404, "log", "GET " + CHANGES + "2/objects.json", NOTHING)).startsWith("changes2 is no patch log"));
        String id = "H id <urn:uuid:" + log.head().id() + "> .\nH prev <urn:uuid:" + log.head().id() + "> .\n";
        ChainPlace place = new ChainPlace(log.id(), 4, log.headHash());
        error(400, "format", "PUT " + CHANGES + LogPatches.object(4), LogPatches.chained(id + "TX .\nTC .\n", place).bytes(), NEW);
        String first = "H id <urn:uuid:" + LogVersions.headerOf(log, 1).id() + "> .\nH prev <urn:uuid:" + log.head().id() + "> .\n";
        error(412, "id-taken", "PUT " + CHANGES + LogPatches.object(4), LogPatches.chained(first + "TX .\nTC .\n", place).bytes(),
                NEW);
        assertEquals(3, log.head().version());
    }

    @Test
    void aFaultOfTheServerIsAnIncidentThatItsLogExplains() throws IOException {
        byte[] next = patch();
        Files.write(LogPatches.file(log, 2), new byte[] {1, 2, 3});
        assertTrue(message(error(500, "log", NEXT, next, NEW)).contains("] changes/00000000000000000002.jellyp, "));
        Files.writeString(folder.resolve("changes").resolve("patch-log.properties"), "nonsense");
        try (LoggedLines logged = new LoggedLines()) {
            JsonObject error = error(500, "log", LIST, NOTHING);
            String incident = error.get("incident").getAsString().value();
            assertTrue(message(error).contains(incident), message(error));
            List<String> lines = logged.with(incident);
            assertEquals(1, lines.size());
            assertTrue(lines.get(0).contains("patch-log.properties is none of this version"), lines.get(0));
        }
        Files.delete(folder.resolve("changes").resolve("patch-log.properties"));
        Files.createDirectory(folder.resolve("changes").resolve("patch-log.properties"));
        error(500, "log", LIST, NOTHING);
        error(500, "log", NEXT, next, NEW);
        Files.writeString(folder.resolve("file"), "of somebody");
        error(404, "log", "GET " + LogServlets.PATH + "file/objects.json", NOTHING);
        error(412, "conflict", "PUT " + LogServlets.PATH + "file/patch-log.properties", properties(), NEW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "DELETE", "PATCH", "MOVE", "get", "post", "POST"})
    void methodsThatAreNoneAreRefused(String method) throws IOException {
        RawRequest.Answer answer = send(method + " " + CHANGES + LogPatches.object(1), NOTHING, "X-Secret: not to be echoed");
        assertEquals(405, answer.status(), answer.text());
        assertEquals("request", answer.json().get("error").getAsString().value());
        assertTrue(answer.head().contains("\r\nAllow: GET,HEAD,OPTIONS,PUT"), answer.head());
        assertFalse(answer.text().contains("not to be echoed"), answer.text());
        assertEquals(2, log.head().version());
    }

    @Test
    void headAndOptionsSayWhatGetWouldSayAndWhatThereIs() throws IOException {
        RawRequest.Answer head = send("HEAD " + CHANGES + LogPatches.object(1), NOTHING);
        assertEquals(200, head.status());
        assertTrue(head.head().contains("Content-Length: " + Files.size(LogPatches.file(log, 1))), head.head());
        assertEquals("", head.body());
        assertEquals("", send(LIST.replace("GET", "HEAD"), NOTHING).body());
        RawRequest.Answer options = send("OPTIONS " + CHANGES, NOTHING);
        assertEquals(200, options.status());
        assertTrue(options.head().contains("Allow: GET,HEAD,OPTIONS,PUT"), options.head());
    }

    @Test
    void aLogIsMadeByItsPropertiesAlone() throws IOException {
        String made = "PUT " + LogServlets.PATH + "made/patch-log.properties";
        byte[] properties = properties();
        for (byte[] wrong : List.of(NOTHING, "format=2\n".getBytes(UTF_8), "format=2\nid=x\n".getBytes(UTF_8),
                "format=9\nid=00000000-0000-0000-0000-000000000000\n".getBytes(UTF_8), new byte[5000])) {
            error(400, "request", made, wrong, NEW);
        }
        error(428, "request", made, properties);
        assertFalse(Files.exists(folder.resolve("made")));
        assertEquals(201, send(made, properties, NEW).status());
        assertEquals(200, send(made, properties, NEW).status(), "the answer to the first one was lost");
        error(412, "conflict", made, properties(), NEW);
    }

    @ParameterizedTest
    @CsvSource({"..", ".", ".hidden", "-a", "%C3%A4", "a%20b", "a%0Ab", "a%3Ab", "%F0%9F%8E%89", "a%5Cb", "a%22b", "a;x=y"})
    void namesThatAreNoneMakeNothing(String name) throws IOException {
        for (String method : new String[] {"PUT", "GET", "POST"}) {
            int status = send(method + " " + LogServlets.PATH + name + "/patch-log.properties", properties(), NEW).status();
            assertTrue(status >= 400  && status < 500 || name.equals("a;x=y"), method + " " + name + " " + status);
        }
        try (var made = Files.list(folder)) {
            assertEquals(name.equals("a;x=y") ? 2 : 1, made.count());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%2F", "..%2Fx", "%2e%2e/x", "../x", "changes%2F..%2F..%2Fx", "a%00b", "%00", "%ff", "a\\..\\x"})
    void noPathLeadsOutOfTheFolder(String path) throws IOException {
        for (String method : new String[] {"PUT", "GET", "POST"}) {
            RawRequest.Answer answer = send(method + " " + LogServlets.PATH + path + "/patch-log.properties", properties(), NEW);
            assertTrue(answer.status() >= 400 && answer.status() < 500, answer.text());
        }
        try (var made = Files.list(folder); var beside = Files.list(temporary)) {
            assertEquals(List.of("changes"), made.map(file -> file.getFileName().toString()).toList());
            assertEquals(List.of(folder), beside.toList());
        }
    }

    @Test
    void aNameMayHaveTwoHundredCharacters() throws IOException {
        assertEquals(201, send("PUT " + LogServlets.PATH + "n".repeat(200) + "/patch-log.properties", properties(), NEW).status());
        for (int length : new int[] {201, 300, 5000}) {
            for (String method : new String[] {"PUT", "GET"}) {
                String line = method + " " + LogServlets.PATH + "n".repeat(length) + "/patch-log.properties";
                String message = message(error(400, "request", line, properties(), NEW));
                assertTrue(message.contains("up to 200"), message);
            }
        }
    }
}
