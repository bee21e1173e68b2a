package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.jellybridge.codec.FormatException;
import io.jellybridge.jena.dataset.DatasetStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.jena.query.QueryParseException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a query or an update may name, and what is read for it. */
class RemoteContentTest {
    @TempDir
    Path folder;

    private Path secret;

    @BeforeEach
    void writeAFile() throws IOException {
        secret = folder.resolve("secret.nt");
        Files.writeString(secret, "<urn:secret> <urn:p> <urn:o> .\n");
    }

    private String named(String text) {
        return text.replace("FILE", secret.toUri().toString()).replace("PATH", secret.toString())
                .replace("RELATIVE", Path.of("").toAbsolutePath().relativize(secret).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOAD <FILE>", "LOAD SILENT <FILE>", "LOAD <PATH>", "LOAD <RELATIVE>", "LOAD <FILE> INTO GRAPH <urn:g>",
        "LOAD <http://localhost:1/x.nt>", "BASE <file:///> LOAD <PATH>", "LOAD <jar:file:PATH!/x.nt>",
        "PREFIX f: <FILE> INSERT DATA { <urn:s> <urn:p> 1 } ; LOAD f:"})
    void loadIsRefusedUnlessItIsAskedFor(String update) throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            String message = assertThrows(IllegalArgumentException.class, () -> store.update(named(update))).getMessage();
            assertTrue(message.startsWith("LOAD <") && message.contains("load=True"), message);
            assertEquals(0, store.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOAD <FILE>", "LOAD <PATH>", "LOAD <RELATIVE>"})
    void loadThatIsAskedForLoads(String update) throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.update(named(update), true);
            assertEquals(1, store.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT * FROM <FILE> { ?s ?p ?o }", "SELECT * FROM NAMED <FILE> { GRAPH ?g { ?s ?p ?o } }",
        "SELECT * { GRAPH <FILE> { ?s ?p ?o } }", "SELECT * FROM <PATH> { ?s ?p ?o }", "DESCRIBE <FILE>",
        "CONSTRUCT { ?s ?p ?o } FROM <RELATIVE> WHERE { ?s ?p ?o }", "SELECT * { SERVICE SILENT <FILE> { ?s ?p ?o } }"})
    void aQueryReadsNoFile(String query) throws IOException {
        for (String location : new String[] {"mem:", "tdb2:" + folder.resolve("db")}) {
            try (DatasetStore store = DatasetStore.open(location)) {
                assertFalse(store.query(named(query)).contains("secret>"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERT { ?s ?p ?o } USING <FILE> WHERE { ?s ?p ?o }",
        "INSERT { ?s ?p ?o } USING NAMED <FILE> WHERE { GRAPH ?g { ?s ?p ?o } }",
        "COPY SILENT <FILE> TO DEFAULT", "WITH <FILE> INSERT { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "INSERT { ?s ?p ?o } WHERE { SERVICE SILENT <FILE> { ?s ?p ?o } }"})
    void noOtherUpdateReadsAFile(String update) throws IOException {
        for (String location : new String[] {"mem:", "tdb2:" + folder.resolve("db")}) {
            try (DatasetStore store = DatasetStore.open(location)) {
                store.update(named(update));
                assertEquals(0, store.size());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void loadOverHttpIsRefusedAlike(boolean asked) throws IOException {
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = serve("<urn:s> <urn:p> <urn:o> .\n", requests);
        try (DatasetStore store = DatasetStore.open("mem:")) {
            String update = "LOAD <http://localhost:" + server.getAddress().getPort() + "/x.nt>";
            if (asked) {
                store.update(update, true);
            } else {
                assertThrows(IllegalArgumentException.class, () -> store.update(update));
            }
            assertEquals(asked ? 1 : 0, requests.get());
            assertEquals(asked ? 1 : 0, store.size());
        } finally {
            server.stop(0);
        }
    }

    private static HttpServer serve(String text, AtomicInteger requests) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            byte[] body = text.getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/n-triples");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Test
    void aDocumentOfAServerIsHeldToTheSameRulesAsAFile() throws IOException {
        HttpServer server = serve("<s> <urn:p> 1 .\n<urn:s> <urn:p> 12", new AtomicInteger());
        String address = "http://localhost:" + server.getAddress().getPort();
        try (DatasetStore store = DatasetStore.open("mem:")) {
            String message = assertThrows(FormatException.class, () -> store.load(address + "/x.ttl")).getMessage();
            assertTrue(message.contains("/x.ttl, line 2, column 19: the end of the file within a statement"), message);
            assertThrows(FormatException.class, () -> store.load(address + "/x.nt"));
            assertEquals(0, store.size());
        } finally {
            server.stop(0);
        }
        server = serve("<s> <urn:p> 1 .", new AtomicInteger());
        String whole = "http://localhost:" + server.getAddress().getPort() + "/x.ttl";
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.load(whole);
            assertTrue(store.query("SELECT ?s { ?s ?p ?o }").contains(whole.replace("x.ttl", "s")));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aTextThatIsNoUpdateStaysASyntaxError() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            assertThrows(QueryParseException.class, () -> store.update("LOAD secret.nt", true));
        }
    }
}
