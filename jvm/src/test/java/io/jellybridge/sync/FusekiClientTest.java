package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.jellybridge.http.AnsweringServer;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.TestTicker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FusekiClientTest {
    private final TestTicker ticker = TestTicker.jumping();

    /** A page is what Jetty, or a proxy, answers where Fuseki itself does not. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "text/html;charset=utf-8 | <html><h2>ERROR 400</h2><p>no &lt;urn:g&gt;</p></html> | ERROR 400 no <urn:g>",
        "text/plain              | no <urn:g> &amp; no other                              | no <urn:g> &amp; no other",
    })
    void anErrorShowsWhatTheAnswerSays(String contentType, String body, String shown) throws IOException {
        try (AnsweringServer server = new AnsweringServer(400, contentType, body)) {
            String url = server.url() + "ds";
            FusekiClient client = new FusekiClient(FusekiOptions.of(url));
            HttpException refused = assertThrows(HttpException.class, () -> client.select("ASK {}"));
            assertEquals(url + "/query: answered 400: " + shown, refused.getMessage());
        }
    }

    /** Seen where this class has a JVM of its own: nothing else has started Jena then. */
    @Test
    void aDatasetOfAServerIsOpenedBeforeAnythingElseOfJena() throws IOException {
        try (AnsweringServer server = new AnsweringServer(200, "application/sparql-results+json",
                "{ \"head\": { \"vars\": [] }, \"results\": { \"bindings\": [] } }")) {
            assertDoesNotThrow(() -> FusekiDataset.open(FusekiOptions.of(server.url() + "ds")).close());
        }
    }

    @Test
    void notesMayHaveAnySize() throws IOException {
        String note = "{\"note\":{\"type\":\"literal\",\"value\":\"" + "n".repeat(1 << 20) + "\"}}";
        try (AnsweringServer server = new AnsweringServer(200, "application/sparql-results+json",
                "{\"head\":{\"vars\":[\"note\"]},\"results\":{\"bindings\":[" + (note + ",").repeat(16) + note + "]}}")) {
            assertEquals(17, new FusekiClient(FusekiOptions.of(server.url() + "ds")).readNotes("urn:key").size());
        }
    }

    /** Others take formats of theirs by POST, and say so in the same header. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "application/x-jelly-rdf-patch              | true",
        "text/turtle, application/x-jelly-rdf-patch | true",
        "text/turtle, application/ld+json           | false",
    })
    void aServerHasOurModuleIfItTakesJellyPatch(String accepts, boolean isOurs) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/ds/patch", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Accept-Post", accepts);
                exchange.sendResponseHeaders(exchange.getRequestMethod().equals("OPTIONS") ? 204 : 405, -1);
            }
        });
        server.start();
        try {
            String url = "http://localhost:" + server.getAddress().getPort() + "/ds";
            assertEquals(isOurs, new FusekiClient(FusekiOptions.of(url)).takesJelly());
        } finally {
            server.stop(0);
        }
    }

    /** Fuseki serves files, or nothing, at an address without a service; a proxy may answer OPTIONS for it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "200 | GET, HEAD, OPTIONS                    | 405 | true",
        "200 | GET, HEAD, POST, PUT, TRACE, OPTIONS  | 404 | true",
        "200 | GET, HEAD, POST, PUT, TRACE, OPTIONS  | 200 | false",
        "200 | POST,PATCH,OPTIONS                    | 404 | false",
        "405 | GET, HEAD                             | 404 | false",
        "404 | POST                                  | 404 | true",
        "200 | ''                                    | 404 | false",
    })
    void aPatchServiceIsMissingIfAPageIsAtItsAddress(int status, String allowed, int posted, boolean isMissing)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/ds", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Allow", allowed);
                exchange.sendResponseHeaders(exchange.getRequestMethod().equals("POST") ? posted : status, -1);
            }
        });
        server.start();
        try {
            FusekiClient client = new FusekiClient(
                    FusekiOptions.of("http://localhost:" + server.getAddress().getPort() + "/ds"));
            if (isMissing) {
                assertTrue(assertThrows(HttpException.class, client::takesJelly).getMessage().contains("no service patch"));
            } else {
                assertFalse(client.takesJelly());
            }
        } finally {
            server.stop(0);
        }
    }

    /** How often a server is asked that answers so, by a client that asks three times at most. */
    private int requests(int status, ClientCall call) throws IOException {
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                requests.incrementAndGet();
                exchange.sendResponseHeaders(status, -1);
            }
        });
        server.start();
        try {
            FusekiOptions options = FusekiOptions.of("http://localhost:" + server.getAddress().getPort() + "/ds");
            FusekiClient client = new FusekiClient(options.withHttp(http -> http.withAttempts(3).withTicker(ticker)));
            assertThrows(HttpException.class, () -> call.of(client));
        } finally {
            server.stop(0);
        }
        return requests.get();
    }

    @FunctionalInterface
    private interface ClientCall {
        void of(FusekiClient client) throws IOException;
    }

    @Test
    void aQuestionWithoutAResultIsAskedAgainAfterAPause() throws IOException {
        assertEquals(3, requests(200, client -> client.select("ASK {}")));
        assertEquals(2, ticker.slept().size());
        assertTrue(ticker.slept().get(0).compareTo(Duration.ofMillis(100)) >= 0
                && ticker.slept().get(1).compareTo(Duration.ofMillis(200)) >= 0, ticker.slept().toString());
    }

    @Test
    void anUpdateIsSentAgainWhereItMayBeDoneTwice() throws IOException {
        assertEquals(1, requests(503, client -> client.update("CLEAR ALL", false)));
        assertEquals(3, requests(503, client -> client.update("CLEAR ALL", true)));
    }
}
