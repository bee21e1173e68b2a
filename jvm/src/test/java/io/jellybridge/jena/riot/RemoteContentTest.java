package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.jellybridge.http.AnsweringServer;
import io.jellybridge.jena.data.SparqlLimits;
import io.jellybridge.jena.dataset.DatasetStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.jena.query.QueryParseException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a query or an update may name, and what is read for it. */
class RemoteContentTest {
    private static final SparqlLimits LOADING = SparqlLimits.of(true, false, 0);
    private static final SparqlLimits ASKING = SparqlLimits.of(false, true, 0);

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
            store.update(named(update), LOADING);
            assertEquals(1, store.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT * FROM <FILE> { ?s ?p ?o }", "SELECT * FROM NAMED <FILE> { GRAPH ?g { ?s ?p ?o } }",
        "SELECT * { GRAPH <FILE> { ?s ?p ?o } }", "SELECT * FROM <PATH> { ?s ?p ?o }", "DESCRIBE <FILE>",
        "CONSTRUCT { ?s ?p ?o } FROM <RELATIVE> WHERE { ?s ?p ?o }"})
    void aQueryReadsNoFile(String query) throws IOException {
        for (String location : new String[] {"mem:", "tdb2:" + folder.resolve("db")}) {
            try (DatasetStore store = DatasetStore.open(location)) {
                assertFalse(store.runQuery(named(query)).contains("secret>"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERT { ?s ?p ?o } USING <FILE> WHERE { ?s ?p ?o }",
        "INSERT { ?s ?p ?o } USING NAMED <FILE> WHERE { GRAPH ?g { ?s ?p ?o } }",
        "COPY SILENT <FILE> TO DEFAULT", "WITH <FILE> INSERT { ?s ?p ?o } WHERE { ?s ?p ?o }"})
    void noOtherUpdateReadsAFile(String update) throws IOException {
        for (String location : new String[] {"mem:", "tdb2:" + folder.resolve("db")}) {
            try (DatasetStore store = DatasetStore.open(location)) {
                store.update(named(update));
                assertEquals(0, store.size());
            }
        }
    }

    /** Wherever in a query it stands. */
    private static final List<String> SERVICES = List.of("{ SERVICE <FILE> { ?s ?p ?o } }",
            "{ SERVICE SILENT <FILE> { ?s ?p ?o } }", "{ ?s ?p ?o SERVICE ?s { ?s ?p ?o } }",
            "{ ?s ?p ?o OPTIONAL { { ?s ?p ?o } UNION { SERVICE <FILE> { } } } }", "{ ?s ?p ?o MINUS { SERVICE <FILE> {} } }",
            "{ GRAPH ?g { SERVICE <FILE> {} } }", "{ { SELECT * { SERVICE <FILE> {} } } }",
            "{ ?s ?p ?o FILTER EXISTS { SERVICE <FILE> {} } }", "{ FILTER (1 = 1 || NOT EXISTS { SERVICE <FILE> {} }) }",
            "{ BIND (EXISTS { FILTER NOT EXISTS { SERVICE <FILE> {} } } AS ?x) }", "{ ?s ?p ?o LATERAL { SERVICE <FILE> {} } }",
            "{ SERVICE <loading:FILE> {} }", "{ SERVICE <cache:FILE> {} }", "{ SERVICE <urn:x-arq:self> {} }");

    @Test
    void serviceIsRefusedUnlessItIsAskedFor() throws IOException {
        List<String> queries = new ArrayList<>(List.of("SELECT (EXISTS { SERVICE <FILE> {} } AS ?x) {}",
                "SELECT * {} ORDER BY (EXISTS { SERVICE <FILE> {} })",
                "SELECT (count(*) AS ?n) {} HAVING (EXISTS { SERVICE <FILE> {} })",
                "SELECT (max(IF(EXISTS { SERVICE <FILE> {} }, 1, 2)) AS ?n) {}",
                "SELECT ?x {} GROUP BY (EXISTS { SERVICE <FILE> {} } AS ?x)",
                "PREFIX f: <FILE> SELECT * { SERVICE f: {} }"));
        for (String pattern : SERVICES) {
            queries.addAll(List.of("SELECT * " + pattern, "ASK " + pattern, "CONSTRUCT { ?s ?p ?o } WHERE " + pattern,
                    "DESCRIBE ?s " + pattern));
        }
        try (DatasetStore store = DatasetStore.open("mem:")) {
            for (String query : queries) {
                String message = assertThrows(IllegalArgumentException.class, () -> store.runQuery(named(query)), query).getMessage();
                assertTrue(message.startsWith("SERVICE ") && message.endsWith(
                        "query(..., service=True); nothing of the query was run"), message);
            }
            for (String pattern : SERVICES) {
                String update = "INSERT DATA { <urn:s> <urn:p> 1 } ; INSERT { ?s ?p ?o } WHERE " + pattern;
                String message = assertThrows(IllegalArgumentException.class, () -> store.update(named(update)), update)
                        .getMessage();
                assertTrue(message.startsWith("SERVICE ") && message.endsWith(
                        "update(..., service=True); nothing of the update was run"), message);
                assertEquals(0, store.size());
            }
            assertEquals("{\"triples\":[]}", store.runQuery("DESCRIBE <urn:service>"));
            assertEquals("{\"boolean\":true}", store.runQuery("ASK { BIND ('SERVICE <urn:s> {}' AS ?SERVICE) } # SERVICE"));
        }
    }

    @Test
    void serviceThatIsAskedForAsks() throws IOException {
        String json = "{\"head\":{\"vars\":[\"x\"]},\"results\":{\"bindings\":[{\"x\":{\"type\":\"uri\",\"value\":\"urn:x\"}}]}}";
        try (AnsweringServer server = new AnsweringServer(200, "application/sparql-results+json", json);
                DatasetStore store = DatasetStore.open("mem:")) {
            String service = "{ SERVICE <" + server.url() + "> { ?x ?y ?z } }";
            assertEquals("{\"vars\":[\"x\"],\"rows\":[[\"<urn:x>\"]]}", store.runQuery("SELECT ?x " + service, ASKING));
            store.update("INSERT { ?x <urn:p> 1 } WHERE " + service, ASKING);
            assertEquals(1, store.size());
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
                store.update(update, LOADING);
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

    /** As Python does it, where a cut shows. */
    @Test
    void anAddressIsNotLoaded() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            assertEquals("http://localhost:1/x.nt is an address; download it, and load the file",
                    assertThrows(IllegalArgumentException.class, () -> store.load("http://localhost:1/x.nt")).getMessage());
        }
    }

    @Test
    void aTextThatIsNoUpdateStaysASyntaxError() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            assertThrows(QueryParseException.class, () -> store.update("LOAD secret.nt", LOADING));
        }
    }
}
