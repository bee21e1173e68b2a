package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FusekiClientTest {

    /** A page is what Jetty, or a proxy, answers where Fuseki itself does not. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "text/html;charset=utf-8 | <html><h2>ERROR 400</h2><p>no &lt;urn:g&gt;</p></html> | ERROR 400 no <urn:g>",
        "text/plain              | no <urn:g> &amp; no other                              | no <urn:g> &amp; no other",
    })
    void anErrorShowsWhatTheAnswerSays(String contentType, String body, String shown) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Type", contentType);
                exchange.sendResponseHeaders(400, 0);
                exchange.getResponseBody().write(body.getBytes(UTF_8));
            }
        });
        server.start();
        try {
            String url = "http://localhost:" + server.getAddress().getPort() + "/ds";
            FusekiClient client = new FusekiClient(FusekiOptions.of(url));
            FusekiException refused = assertThrows(FusekiException.class, () -> client.select("ASK {}"));
            assertEquals(url + "/query: answered 400: " + shown, refused.getMessage());
        } finally {
            server.stop(0);
        }
    }
}
