package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an error says of an answer. */
class HttpCallsTest {
    private static final String CONFLICT = "the head is <urn:uuid:1>, not <urn:uuid:2>, &amp; so on";
    private static final String PAGE = """
            <html><head><style>b { color: red }</style><title>Error 403</title></head><!-- <b>of a proxy</b> -->
            <body><h2>HTTP ERROR 403</h2> no writer of &lt;urn:log&gt; &quot;a&quot; &amp;lt; b&nbsp;</body></html>
            """;

    @TempDir
    Path folder;

    private IOException refused(String contentType, String body, boolean download) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Type", contentType);
                exchange.sendResponseHeaders(403, 0);
                exchange.getResponseBody().write(body.getBytes(UTF_8));
            }
        });
        server.start();
        try {
            HttpCalls calls = new HttpCalls(URI.create("http://localhost:" + server.getAddress().getPort() + "/"));
            return (download ? calls.download("1", folder.resolve("file")) : calls.get("1")).refused("GET 1");
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void textKeepsItsIris(boolean download) throws IOException {
        for (String type : new String[] {"application/json", "text/plain;charset=utf-8"}) {
            assertEquals("GET 1 was answered with status 403: " + CONFLICT, refused(type, CONFLICT, download).getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPageIsShownAsText(boolean download) throws IOException {
        for (String type : new String[] {"text/html", "Text/HTML;charset=utf-8"}) {
            assertEquals("GET 1 was answered with status 403: Error 403 HTTP ERROR 403 no writer of <urn:log> \"a\" &lt; b",
                    refused(type, PAGE, download).getMessage());
        }
    }

    @Test
    void aLongTextIsCut() throws IOException {
        String message = refused("text/plain", "x".repeat(10_000), false).getMessage();
        assertTrue(message.endsWith("x…") && message.length() < 500, message);
    }
}
