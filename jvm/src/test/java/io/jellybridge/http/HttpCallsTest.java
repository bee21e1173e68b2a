package io.jellybridge.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.jellybridge.files.SpillBuffer;
import io.jellybridge.http.HttpCalls.Answer;
import io.jellybridge.http.HttpCalls.Repeat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCallsTest {
    private static final String CONFLICT = "the head is <urn:uuid:1>, not <urn:uuid:2>, &amp; so on";
    private static final String PAGE = """
            <html><head><style>b { color: red }</style><title>Error 403</title></head><!-- <b>of a proxy</b> -->
            <body><h2>HTTP ERROR 409</h2> no writer of &lt;urn:log&gt; &quot;a&quot; &amp;lt; b&nbsp;</body></html>
            """;

    @TempDir
    Path folder;

    private static HttpCalls calls(String url) {
        return new HttpCalls(
                HttpOptions.of(url, Map.of(), "URL", Map.of()).withAttempts(3).withTicker(TestTicker.jumping()));
    }

    /** A server that hands each request to a handler of the test. */
    private static HttpServer server(com.sun.net.httpserver.HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                handler.handle(exchange);
            }
        });
        server.start();
        return server;
    }

    private static String url(HttpServer server) {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        exchange.sendResponseHeaders(status, 0);
        exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
    }

    // --- what an error says of an answer

    private String refused(String contentType, String body, boolean intoFile) throws IOException {
        try (AnsweringServer server = new AnsweringServer(409, contentType, body)) {
            HttpCalls calls = calls(server.url());
            HttpResponse<?> answer = (intoFile ? calls.sendForFile(calls.newRequest("/1"), folder.resolve("file"))
                    : calls.sendForText(calls.newRequest("/1?x=y"))).response();
            HttpException failure = calls.toFailure(answer);
            assertEquals(409, failure.status());
            String start = server.url() + "1: answered 409: ";
            assertTrue(failure.getMessage().startsWith(start), failure.getMessage());
            return failure.getMessage().substring(start.length());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void textKeepsItsIris(boolean intoFile) throws IOException {
        for (String type : new String[] {"application/json", "text/plain;charset=utf-8"}) {
            assertEquals(CONFLICT, refused(type, CONFLICT, intoFile));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPageIsShownAsText(boolean intoFile) throws IOException {
        for (String type : new String[] {"text/html", "Text/HTML;charset=utf-8"}) {
            assertEquals("Error 403 HTTP ERROR 409 no writer of <urn:log> \"a\" &lt; b", refused(type, PAGE, intoFile));
        }
    }

    @Test
    void anErrorPageOfJettyIsShownAsItsMessage() throws IOException {
        assertEquals("no right to \"x\"", refused("text/html", """
                <html><head><title>Error 409</title></head><body><h2>HTTP ERROR 409</h2><table>
                <tr><th>URI:</th><td>/ds</td></tr><tr><th>STATUS:</th><td>409</td></tr>
                <tr><th>MESSAGE:</th><td>no right to &quot;x&quot;</td></tr></table></body></html>
                """, false));
    }

    @Test
    void whatSteersATerminalIsEscaped() throws IOException {
        assertEquals("no \\u001B[2J\\u001B]0;pwned\\u0007 forged: ok",
                refused("text/plain", "no \033[2J\033]0;pwned\007\r\nforged: ok", false));
    }

    @Test
    void aLongTextIsCut() throws IOException {
        String said = refused("text/plain", "x".repeat(100_000), false);
        assertTrue(said.endsWith("x…") && said.length() < 500, said);
    }

    // --- large answers

    /** A server whose answers have no end, and who never lets go. */
    private static HttpServer endless(int status) throws IOException {
        return server(exchange -> {
            exchange.sendResponseHeaders(status, 0);
            byte[] piece = new byte[1 << 16];
            Arrays.fill(piece, (byte) 'x');
            try {
                while (true) {
                    exchange.getResponseBody().write(piece);
                }
            } catch (IOException e) {
                // The client has enough.
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 409})
    void ofAnAnswerWithoutAnEndTheBeginningIsTaken(int status) throws IOException {
        HttpServer server = endless(status);
        try {
            HttpCalls calls = calls(url(server));
            assertEquals(status == 200 ? 1 << 20 : 1 << 16, calls.sendForText(calls.newRequest("/")).body().length());
            HttpRequest request = calls.newRequest("/").build();
            assertEquals(1 << 16, calls.send(request, HttpCalls.receipt(), Repeat.UNSENT).body().length);
            assertEquals(status == 200 ? 1 << 24 : 1 << 16,
                    calls.send(request, HttpCalls.readFirst(1 << 24), Repeat.UNSENT).body().length);
            assertTrue(calls.toFailure(calls.sendForText(calls.newRequest("/")).response()).getMessage().endsWith("xxx…"));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void ofAnErrorWithoutAnEndTheBeginningIsTakenWhereverItGoes() throws IOException {
        HttpServer server = endless(500);
        try {
            HttpCalls calls = calls(url(server));
            Answer<SpillBuffer> body = calls.send(calls.newRequest("/").build(), HttpCalls.body(), Repeat.UNSENT);
            assertEquals(1 << 16, body.body().read().readAllBytes().length);
            assertTrue(calls.toFailure(body.response()).getMessage().endsWith("xxx…"));
            Answer<Path> file = calls.sendForFile(calls.newRequest("/"), folder.resolve("file"));
            assertEquals(1 << 16, Files.size(file.body()));
            assertTrue(calls.toFailure(file.response()).getMessage().endsWith("xxx…"));
        } finally {
            server.stop(0);
        }
    }

    /** What did not come in time is let go of, and its file too. Two seconds, since what comes next has them too, on a busy machine. */
    @Test
    void anAnswerWithoutAnEndEndsAtTheTimeoutAndTheNextIsTaken() throws IOException {
        HttpServer server = endless(200);
        try (AnsweringServer other = new AnsweringServer(200, "text/plain", "fine")) {
            HttpCalls calls = new HttpCalls(calls(other.url()).options().withAttempts(1).withTimeout(Duration.ofSeconds(2)));
            for (BodyHandler<?> handler : List.of(HttpCalls.body(), HttpCalls.writeTo(folder.resolve("file")))) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(url(server))).build();
                String late = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> assertThrows(
                        UnreachableException.class, () -> calls.send(request, handler, Repeat.UNSENT))).getMessage();
                assertEquals(url(server) + ": no whole answer within 2.0 s; give it more time by the option timeout", late);
                assertEquals("fine", calls.sendForText(calls.newRequest("")).body());
            }
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aBodyOfAnySizeIsRead() throws IOException {
        byte[] sent = new byte[(17 << 20) + 1];
        new Random(1).nextBytes(sent);
        try (AnsweringServer server = new AnsweringServer(200, "text/plain", sent)) {
            HttpCalls calls = calls(server.url());
            SpillBuffer body = calls.send(calls.newRequest("").build(), HttpCalls.body(), Repeat.UNSENT).body();
            assertArrayEquals(sent, body.read().readAllBytes());
            body.discard();
            assertArrayEquals(sent, Files.readAllBytes(calls.sendForFile(calls.newRequest(""), folder.resolve("file")).body()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "text/plain; charset=utf-8", "text/plain;charset=\"US-ASCII\""})
    void aTextThatIsNotUtf8IsRefused(String type) throws IOException {
        try (AnsweringServer server = new AnsweringServer(200, type, new byte[] {'K', (byte) 0xF6, 'l', 'n'})) {
            HttpCalls calls = calls(server.url());
            assertEquals(calls.options().base() + ": the answer is not in UTF-8; is the address right?",
                    assertThrows(HttpException.class, () -> calls.sendForText(calls.newRequest(""))).getMessage());
        }
    }

    @Test
    void aTextOfAnotherCharsetIsRefused() throws IOException {
        try (AnsweringServer server = new AnsweringServer(200, "text/plain; charset=iso-8859-1", "abc")) {
            HttpCalls calls = calls(server.url());
            assertThrows(HttpException.class, () -> calls.sendForText(calls.newRequest("")));
        }
    }

    // --- attempts

    @Test
    void whatMayBeSentTwiceIsSentAgain() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = server(exchange -> answer(exchange, requests.incrementAndGet() < 3 ? 503 : 200, "fine"));
        try {
            Answer<String> answer = calls(url(server)).sendForText(calls(url(server)).newRequest("/"));
            assertEquals("fine", answer.body());
            assertEquals(3, requests.get());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void whatMayArriveOnceIsNotSentAgainOnceItLeft() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = server(exchange -> requests.incrementAndGet());
        try {
            HttpCalls calls = calls(url(server));
            assertThrows(UnreachableException.class, () -> calls.send(
                    calls.newRequest("/").POST(BodyPublishers.ofString("x")).build(), BodyHandlers.ofString(), Repeat.UNSENT));
            assertEquals(1, requests.get());
        } finally {
            server.stop(0);
        }
    }

    /** A page of a gateway that is longer than the answer after it would leave its end in the file. */
    @Test
    void aFileHoldsTheLastAnswerAlone() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = server(exchange -> {
            boolean first = requests.incrementAndGet() == 1;
            answer(exchange, first ? 503 : 200, first ? "x".repeat(1000) : "patch");
        });
        try {
            HttpCalls calls = calls(url(server));
            Path file = folder.resolve("file");
            assertTrue(calls.sendForFile(calls.newRequest("/"), file).isSuccess());
            assertEquals("patch", Files.readString(file));
        } finally {
            server.stop(0);
        }
    }

    /** A full disk is no trouble of the server's, which need not be asked again. */
    @Test
    void aFileThatCannotBeWrittenIsNamedAndTheServerIsAskedOnce() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full));
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = server(exchange -> {
            requests.incrementAndGet();
            answer(exchange, 200, "x".repeat(1 << 20));
        });
        try {
            HttpCalls calls = calls(url(server));
            FileSystemException failure = assertThrows(FileSystemException.class, () -> calls.sendForFile(calls.newRequest("/"), full));
            assertEquals("/dev/full: No space left on device", failure.getMessage());
            assertEquals(1, requests.get());
            Path nowhere = folder.resolve("none").resolve("file");
            assertThrows(NoSuchFileException.class, () -> calls.sendForFile(calls.newRequest("/"), nowhere));
            assertEquals(2, requests.get());
        } finally {
            server.stop(0);
        }
    }

    /** The JDK's client waits for ever for a 100 where another answer came in its place. */
    @Test
    void aServerThatDoesNotAskForTheBodyIsGivenUpSoon() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread refusing = new Thread(() -> {
                try (Socket socket = server.accept()) {
                    socket.getInputStream().read();
                    socket.getOutputStream().write("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n".getBytes(
                            StandardCharsets.US_ASCII));
                    socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    // The client gave up.
                }
            });
            refusing.setDaemon(true);
            refusing.start();
            HttpCalls calls = calls("http://localhost:" + server.getLocalPort());
            HttpRequest request = calls.newRequest("/").expectContinue(true).POST(BodyPublishers.ofString("x")).build();
            HttpResponse<String> answer = assertTimeoutPreemptively(Duration.ofSeconds(60),
                    () -> calls.exchangeIfAsked(request, BodyHandlers.ofString(), new CompletableFuture<>()));
            assertTrue(answer == null || answer.statusCode() == 403);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 502, 503, 504})
    void aBusyServerIsOneThatCantBeReached(int status) throws IOException {
        try (AnsweringServer server = new AnsweringServer(status, "text/plain", "later")) {
            HttpCalls calls = calls(server.url());
            assertInstanceOf(UnreachableException.class, calls.toFailure(calls.sendForText(calls.newRequest("/")).response()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 500})
    void aServerThatRefusesWasReached(int status) throws IOException {
        try (AnsweringServer server = new AnsweringServer(status, "text/plain", "no")) {
            HttpCalls calls = calls(server.url());
            assertEquals(HttpException.class, calls.toFailure(calls.sendForText(calls.newRequest("/")).response()).getClass());
        }
    }

    @Test
    void aServerThatIsDownCantBeReached() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        HttpCalls calls = calls("http://me:secret@localhost:" + port + "/log");
        UnreachableException down = assertThrows(UnreachableException.class, () -> calls.sendForText(calls.newRequest("/1?x=y")));
        assertEquals("http://localhost:" + port + "/log/1: no connection; is the server running?, tried 3 times",
                down.getMessage());
    }

    // --- credentials

    /** Another host, and even another port of this one, gets nothing of ours. */
    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void aRedirectCarriesNoCredentials(int status) throws IOException {
        AtomicInteger elsewhere = new AtomicInteger();
        HttpServer other = server(exchange -> {
            elsewhere.incrementAndGet();
            answer(exchange, 200, "");
        });
        AtomicReference<String> sent = new AtomicReference<>();
        HttpServer server = server(exchange -> {
            sent.set(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.getResponseHeaders().set("Location", url(other).replace("//", "//me:secret@") + "/log");
            answer(exchange, status, "");
        });
        try {
            HttpCalls calls = calls(url(server).replace("//", "//me:secret@"));
            HttpException moved = calls.toFailure(calls.sendForText(calls.newRequest("/")).response());
            assertEquals(url(server) + "/: answered " + status + "; it has moved to " + url(other) + "/log",
                    moved.getMessage());
            assertEquals("Basic bWU6c2VjcmV0", sent.get());
            assertEquals(0, elsewhere.get());
        } finally {
            server.stop(0);
            other.stop(0);
        }
    }

    @Test
    void aRequestWithoutCredentialsNamesNone() throws IOException {
        AtomicReference<String> sent = new AtomicReference<>("");
        HttpServer server = server(exchange -> {
            sent.set(exchange.getRequestHeaders().getFirst("Authorization"));
            answer(exchange, 200, "");
        });
        try {
            calls(url(server)).sendForText(calls(url(server)).newRequest("/"));
            assertNull(sent.get());
        } finally {
            server.stop(0);
        }
    }

    /** Some proxies answer with what they were sent. */
    @Test
    void whatAServerRepeatsOfTheCredentialsIsNotShown() throws IOException {
        String said = "no: Basic bWU6cyM6L0Bw, me s#:/@p, s%23%3A%2F%40p, http://me:s#:/@p@host/ds";
        try (AnsweringServer server = new AnsweringServer(401, "text/plain", said)) {
            HttpCalls calls = calls(server.url().replace("//", "//me:s%23:%2F%40p@"));
            String message = calls.toFailure(calls.sendForText(calls.newRequest("/")).response()).getMessage();
            assertEquals(server.url() + ": answered 401: no: Basic ***, me ***, ***, http://host/ds; the server "
                    + "knows no such user with that password, or no such token", message);
        }
    }
}
