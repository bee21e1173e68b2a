package io.jellybridge.jena.dataset;

import static io.jellybridge.jena.TestPatches.content;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.jellybridge.jena.Backend;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadRows;
import io.jellybridge.jena.data.SparqlLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.jena.query.QueryParseException;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries, updates and rows of a dataset. */
class DatasetQueryTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Backend.class)
    void everyKindOfQueryHasItsJson(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(folder)) {
            store.update("""
                    PREFIX : <http://e/>
                    INSERT DATA { :s :p "a\\"b\\nc\\u0001</script>"@EN-gb . GRAPH :g { :s :p :o } }""");
            assertJson("{'vars':['s','o','x'],'rows':[['<http://e/s>',"
                    + "'\\\"a\\\\\\\"b\\\\nc\\\\u0001</script>\\\"@en-gb',null]]}",
                    store.runQuery("SELECT ?s ?o ?x { ?s <http://e/p> ?o }"));
            assertJson("{'vars':['g'],'rows':[['<http://e/g>']]}", store.runQuery("SELECT ?g { GRAPH ?g {} }"));
            assertJson("{'boolean':true}", store.runQuery("ASK { ?s ?p ?o }"));
            assertJson("{'triples':[['<http://e/s>','<http://e/x>','<http://e/s>']]}",
                    store.runQuery("CONSTRUCT { ?s <http://e/x> ?s } { { ?s ?p ?o } UNION { ?s ?p ?o } }"));
            assertJson("{'quads':[['<http://e/s>','<http://e/x>','<http://e/s>','<http://e/n>'],"
                    + "['<http://e/s>','<http://e/y>','<http://e/s>',null]]}",
                    store.runQuery("CONSTRUCT { GRAPH <http://e/n> { ?s <http://e/x> ?s } "
                            + "?s <http://e/y> ?s } { ?s ?p ?o }"));
            assertJson("{'triples':[]}", store.runQuery("DESCRIBE <http://e/none>"));
            assertThrows(QueryParseException.class, () -> store.runQuery("SELEKT"));
            assertFalse(store.dataset().isInTransaction());
        }
    }

    private static void assertJson(String expected, String actual) {
        assertEquals(JsonParser.parseString(expected.replace('\'', '"')), JsonParser.parseString(actual));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void anUpdateIsOneTransactionOfAllItsOperations(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(folder)) {
            store.update("INSERT DATA { <http://e/s> <http://e/p> 1 }");
            SortedSet<String> before = content(store);
            assertThrows(RuntimeException.class, () -> store.update("""
                    INSERT DATA { <http://e/s> <http://e/p> 2 } ;
                    CLEAR DEFAULT ;
                    LOAD <file:///no/such/file.ttl>""", SparqlLimits.of(true, false, 0)));
            assertEquals(before, content(store));
            assertFalse(store.dataset().isInTransaction());
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void rowsAreAllQuadsOfOneMoment(Backend backend) throws IOException {
        try (DatasetStore store = backend.open(folder)) {
            store.load(Files.writeString(folder.resolve("a.nq"), DatasetStoreTest.LABELS).toString());
            assertEquals(5, store.size());
            SortedSet<String> seen = new TreeSet<>();
            try (QuadCursor rows = store.rows()) {
                assertThrows(IllegalStateException.class, () -> store.update("CLEAR ALL"));
                assertThrows(IllegalStateException.class, store::close);
                assertEquals(5, store.size());
                assertJson("{'boolean':true}", store.runQuery("ASK { ?s ?p ?o }"));
                while (rows.hasNext()) {
                    byte[][] row = rows.next();
                    seen.add(new String(row[0], UTF_8) + " " + new String(row[1], UTF_8) + " "
                            + new String(row[2], UTF_8)
                            + (row[3] == null ? "" : " " + new String(row[3], UTF_8)));
                }
            }
            assertEquals(content(store), seen);
            try (QuadCursor rows = store.rows()) {
                rows.next();
            }
            assertFalse(store.dataset().isInTransaction());
        }
    }

    @Test
    void rowsThatWereAllReadHoldNoTransaction() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            QuadCursor rows = store.rows();
            assertFalse(rows.hasNext());
            assertFalse(store.dataset().isInTransaction());
        }
    }

    @Test
    void rowsBelongToTheThreadThatAskedForThem() throws Exception {
        try (DatasetStore store = DatasetStore.open("mem:"); QuadCursor rows = store.rows()) {
            Throwable[] thrown = new Throwable[1];
            Thread other = new Thread(() -> {
                try {
                    rows.hasNext();
                } catch (IllegalStateException e) {
                    thrown[0] = e;
                }
            });
            other.start();
            other.join();
            assertTrue(thrown[0].getMessage().contains("belong to the thread"), thrown[0].getMessage());
        }
    }

    @Test
    void rowsThatCannotBeFoundHoldNoTransaction() {
        DatasetGraph base = DatasetGraphFactory.createTxnMem();
        DatasetGraph failing = new DatasetGraphWrapper(base) {
            @Override
            public Iterator<Quad> find(Quad pattern) {
                throw new IllegalStateException("no rows");
            }
        };
        QuadRows rows = new QuadRows(failing);
        assertEquals("no rows", assertThrows(IllegalStateException.class, rows::hasNext).getMessage());
        assertFalse(base.isInTransaction());
    }

    @Test
    void anotherThreadCannotEndTheRows() throws Exception {
        try (DatasetStore store = DatasetStore.open("mem:"); QuadCursor rows = store.rows()) {
            ExecutionException refused = assertThrows(ExecutionException.class,
                    () -> CompletableFuture.runAsync(rows::close).get());
            assertTrue(refused.getCause().getMessage().contains("belong to the thread that asked for them ("
                    + Thread.currentThread().getName() + "), not to "), refused.toString());
            assertTrue(store.dataset().isInTransaction());
        }
    }

    /** ARQ's own kind, whose result has no terms. */
    @Test
    void aQueryOfAnotherKindIsRefused() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            String message = assertThrows(IllegalArgumentException.class,
                    () -> store.runQuery("JSON { \"s\" : ?s } WHERE { ?s ?p ?o }")).getMessage();
            assertEquals("a query that is not SELECT, ASK, CONSTRUCT or DESCRIBE", message);
            assertFalse(store.dataset().isInTransaction());
        }
    }

    @Test
    void whatIsDescribedIsItsTriples() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.update("INSERT DATA { <http://e/s> <http://e/p> <http://e/o> . <http://e/o> <http://e/p> 1 }");
            assertJson("{'triples':[['<http://e/s>','<http://e/p>','<http://e/o>']]}", store.runQuery("DESCRIBE <http://e/s>"));
        }
    }

    @Test
    void theDefaultGraphHasNoTerm() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.update("INSERT DATA { <http://e/s> <http://e/p> 1 }");
            try (QuadCursor rows = store.rows()) {
                byte[][] row = rows.next();
                assertArrayEquals("<http://e/s>".getBytes(UTF_8), row[0]);
                assertNull(row[3]);
            }
        }
    }

    @Test
    void behindTheLastRowThereIsNone() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:"); QuadCursor rows = store.rows()) {
            assertThrows(NoSuchElementException.class, rows::next);
            rows.close();
            assertFalse(rows.hasNext());
        }
    }

    @Test
    void anUpdateReadsFilesForThoseWhoAskForIt() throws IOException {
        Path file = Files.writeString(folder.resolve("a.nt"), "<http://e/s> <http://e/p> <http://e/o> .\n");
        String update = "LOAD <" + file.toUri() + ">";
        try (DatasetStore store = DatasetStore.open("mem:")) {
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> store.update(update));
            assertTrue(refused.getMessage().startsWith("LOAD <" + file.toUri() + ">, which reads files"),
                    refused.getMessage());
            assertEquals(0, store.size());
            store.update(update, SparqlLimits.of(true, false, 0));
            assertEquals(1, store.size());
        }
    }

    // --- how long

    private static final SparqlLimits SOON = SparqlLimits.of(false, false, 0.05);
    /** Of 300 quads, which are joined with themselves: more rows than anyone waits for. */
    private static final String ENDLESS = "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER (?c + ?f + ?i + ?l < 0) }";

    @ParameterizedTest
    @ValueSource(strings = {"SELECT * ", "ASK ", "CONSTRUCT { ?a ?b ?c } WHERE ", "SELECT (count(*) AS ?n) ",
        "SELECT (max(?l) AS ?m) ", "DESCRIBE ?a "})
    void aQueryEndsAtItsTimeout(String query) throws IOException {
        for (String location : new String[] {"mem:", "tdb2:" + folder.resolve("db")}) {
            try (DatasetStore store = withNumbers(location)) {
                String late = assertTimeoutPreemptively(Duration.ofSeconds(30),
                        () -> assertThrows(IOException.class, () -> store.runQuery(query + ENDLESS, SOON))).getMessage();
                assertEquals("the query was not done within 0.05 s, and was cancelled; ask for less, or give it more time", late);
                assertEquals("{\"boolean\":true}", store.runQuery("ASK { ?s ?p 1 }", SparqlLimits.of(false, false, 60)));
            }
        }
    }

    @Test
    void anUpdateEndsAtItsTimeoutAndLeavesNothing() throws IOException {
        for (String location : new String[] {"mem:", "tdb2:" + folder.resolve("db")}) {
            try (DatasetStore store = withNumbers(location)) {
                String update = "INSERT DATA { <urn:new> <urn:p> 1 } ; INSERT { ?a <urn:q> ?l } WHERE " + ENDLESS;
                String late = assertTimeoutPreemptively(Duration.ofSeconds(30),
                        () -> assertThrows(IOException.class, () -> store.update(update, SOON))).getMessage();
                assertEquals("the update was not done within 0.05 s, and was cancelled; ask for less, or give it more time",
                        late);
                assertEquals(300, store.size());
                store.update("INSERT DATA { <urn:new> <urn:p> 1 }", SparqlLimits.of(false, false, 60));
                assertEquals(301, store.size());
            }
        }
    }

    private static DatasetStore withNumbers(String location) throws IOException {
        DatasetStore store = DatasetStore.open(location);
        store.update(IntStream.range(0, 300).mapToObj(i -> "<urn:s> <urn:p> " + i).collect(Collectors.joining(" . ",
                "INSERT DATA { ", " }")));
        return store;
    }
}
