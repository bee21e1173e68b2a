package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
        try (AnsweringServer server = new AnsweringServer(403, contentType, body)) {
            HttpCalls calls = new HttpCalls(URI.create(server.url()));
            return (download ? calls.download("1", folder.resolve("file")) : calls.get("1")).refused("GET 1");
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
