package io.jellybridge.fuseki;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.log.HttpLog;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    private static final String TYPE = "Content-Type: " + HttpLog.CONTENT_TYPE;
    private static final String CHANGES = LogEndpoint.PATH + "changes";
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

    private static byte[] patch() throws IOException {
        return LogPatches.jelly(LogPatches.patch(null, null, LogPatches.add(3)));
    }

    @Test
    void aConflictNamesTheLogByItsName() throws IOException {
        JsonObject conflict = error(409, "conflict", "POST " + CHANGES + "?prev=" + UUID.randomUUID(), patch(), TYPE);
        assertTrue(message(conflict).startsWith("changes: the patch follows"), message(conflict));
        assertEquals(log.head().id(), conflict.get("id").getAsString().value());
        assertTrue(message(error(409, "conflict", "PUT " + CHANGES, NOTHING)).startsWith("changes is there already"));
        assertTrue(message(error(404, "log", "GET " + CHANGES + "2", NOTHING)).startsWith("changes2 is no patch log"));
    }

    @Test
    void aPatchThatCantBeReadIsNamedByTheLogAndItsFile() throws IOException {
        Files.write(LogPatches.file(log, 1), new byte[] {1, 2, 3});
        JsonObject entries = send("GET " + CHANGES + "/entries", NOTHING).json();
        String fault = entries.get("entries").getAsArray().get(0).getAsObject().get("fault").getAsString().value();
        assertTrue(fault.contains("] changes/00000000000000000001.jellyp, "), fault);
        Files.write(LogPatches.file(log, 2), new byte[] {1, 2, 3});
        for (String line : new String[] {"GET " + CHANGES, "POST " + CHANGES}) {
            String message = message(error(500, "log", line, patch(), TYPE));
            assertTrue(message.contains("] changes/00000000000000000002.jellyp, "), message);
        }
    }

    @Test
    void aFaultOfTheServerIsAnIncidentThatItsLogExplains() throws IOException {
        Files.writeString(folder.resolve("changes").resolve("patch-log.properties"), "nonsense");
        try (LoggedLines logged = new LoggedLines()) {
            JsonObject error = error(500, "log", "GET " + CHANGES, NOTHING);
            String incident = error.get("incident").getAsString().value();
            assertTrue(message(error).contains(incident), message(error));
            List<String> lines = logged.with(incident);
            assertEquals(1, lines.size());
            assertTrue(lines.get(0).contains("patch-log.properties is none of this version"), lines.get(0));
        }
        Files.delete(folder.resolve("changes").resolve("patch-log.properties"));
        Files.createDirectory(folder.resolve("changes").resolve("patch-log.properties"));
        for (String line : new String[] {"GET " + CHANGES, "POST " + CHANGES, "GET " + CHANGES + "/entries"}) {
            error(500, "log", line, patch(), TYPE);
        }
        error(409, "conflict", "PUT " + CHANGES, NOTHING);
        Files.writeString(folder.resolve("file"), "of somebody");
        error(404, "log", "GET " + LogEndpoint.PATH + "file", NOTHING);
        error(409, "conflict", "PUT " + LogEndpoint.PATH + "file", NOTHING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "DELETE", "PATCH", "MOVE", "get", "post"})
    void methodsThatAreNoneAreRefused(String method) throws IOException {
        RawRequest.Answer answer = send(method + " " + CHANGES, NOTHING, "X-Secret: not to be echoed");
        assertEquals(405, answer.status(), answer.text());
        assertEquals("request", answer.json().get("error").getAsString().value());
        assertTrue(answer.head().contains("\r\nAllow: GET,HEAD,OPTIONS,POST,PUT"), answer.head());
        assertFalse(answer.text().contains("not to be echoed"), answer.text());
        assertEquals(2, log.head().version());
    }

    @Test
    void headAndOptionsSayWhatGetWouldSayAndWhatThereIs() throws IOException {
        RawRequest.Answer head = send("HEAD " + CHANGES + "/patches/1", NOTHING);
        assertEquals(200, head.status());
        assertTrue(head.head().contains("Content-Length: " + Files.size(LogPatches.file(log, 1))), head.head());
        assertEquals("", head.body());
        assertEquals("", send("HEAD " + CHANGES, NOTHING).body());
        RawRequest.Answer options = send("OPTIONS " + CHANGES, NOTHING);
        assertEquals(200, options.status());
        assertTrue(options.head().contains("Allow: GET,HEAD,OPTIONS,POST,PUT"), options.head());
        assertTrue(options.head().contains("Accept-Post: " + HttpLog.CONTENT_TYPE), options.head());
    }

    /** A page of any site may make a browser post these, in its user's name. */
    @ParameterizedTest
    @ValueSource(strings = {"application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""})
    void whatAPageMayPostIsRefused(String type) throws IOException {
        String[] headers = type.isEmpty() ? new String[0] : new String[] {"Content-Type: " + type};
        error(415, "media-type", "POST " + CHANGES, patch(), headers);
        if (!type.isEmpty()) {
            error(415, "media-type", "PUT " + LogEndpoint.PATH + "made", NOTHING, headers);
        }
        assertEquals(2, log.head().version());
        assertFalse(Files.exists(folder.resolve("made")));
    }

    @ParameterizedTest
    @CsvSource({"..", ".", ".hidden", "-a", "%C3%A4", "a%20b", "a%0Ab", "a%3Ab", "%F0%9F%8E%89", "a%5Cb", "a%22b", "a;x=y"})
    void namesThatAreNoneMakeNothing(String name) throws IOException {
        for (String method : new String[] {"PUT", "GET", "POST"}) {
            int status = send(method + " " + LogEndpoint.PATH + name, NOTHING).status();
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
            RawRequest.Answer answer = send(method + " " + LogEndpoint.PATH + path, NOTHING);
            assertTrue(answer.status() >= 400 && answer.status() < 500, answer.text());
        }
        try (var made = Files.list(folder); var beside = Files.list(temporary)) {
            assertEquals(List.of("changes"), made.map(file -> file.getFileName().toString()).toList());
            assertEquals(List.of(folder), beside.toList());
        }
    }

    @Test
    void aNameMayHaveTwoHundredCharacters() throws IOException {
        assertEquals(201, send("PUT " + LogEndpoint.PATH + "n".repeat(200), NOTHING).status());
        for (int length : new int[] {201, 300, 5000}) {
            for (String method : new String[] {"PUT", "GET", "POST"}) {
                String line = method + " " + LogEndpoint.PATH + "n".repeat(length);
                String message = message(error(400, "request", line, NOTHING));
                assertTrue(message.contains("up to 200"), message);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"?prv=x", "?prev=a&prev=b", "?prev", "?prev=%zz", "?prev=no-uuid"})
    void parametersThatAreNoneAreRefused(String query) throws IOException {
        error(400, "request", "POST " + CHANGES + query, patch(), TYPE);
        assertEquals(2, log.head().version());
    }

    @Test
    void textInAnswersIsEscaped() throws IOException {
        String message = message(error(400, "request", "GET " + CHANGES + "/entries?from=%22%0A%3Cb%3E", NOTHING));
        assertTrue(message.contains("'\"\n<b>'"), message);
    }
}
