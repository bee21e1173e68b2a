package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QuadSelection.Wanted;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuadSelectionTest {
    private static final String INTEGER = "^^<http://www.w3.org/2001/XMLSchema#integer>";
    private static final List<String> TERMS = List.of("<urn:a>", "<urn:b>", "<http://example.org/>", "_:b", "\"text\"",
            "\"a \\\"quoted\\\" one\"", "\"chat\"@en-gb", "\"7\"" + INTEGER, "\"07\"" + INTEGER, "\"1.5\"", "<urn:none>",
            "<urn:x-arq:UnionGraph>", "<urn:x-arq:DefaultGraph>", "<urn:jellybridge:sync>", "no term", "<urn:g>");

    @TempDir
    Path folder;

    @Test
    void aDatasetOfThisProcessFindsWhatIsWanted() throws IOException {
        for (String location : List.of("mem:", "tdb2:" + folder.resolve("database"))) {
            try (OpenDataset dataset = DatasetStore.open(location)) {
                findsWhatIsWanted(dataset, 150);
            }
        }
    }

    @Test
    void aServersDatasetFindsWhatIsWanted() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock();
                OpenDataset dataset = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            findsWhatIsWanted(dataset, 150);
        }
    }

    /** Where a blank node is another term. */
    @Test
    void aStoreThatSpeaksSparqlFindsWhatIsWanted() throws IOException {
        try (TestFuseki fuseki = TestFuseki.stock();
                OpenDataset dataset = SparqlOptions.of(fuseki.sparql(), Map.of()).open(false)) {
            findsWhatIsWanted(dataset, 60);
        }
    }

    /** Where it can be: what comes is looked at all the same. */
    @Test
    void aServerIsAskedForNoMoreThanIsWanted() throws IOException {
        Set<String> requests = new LinkedHashSet<>(); // a request whose answer is late is sent again
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                requests.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write(("{\"head\":{\"vars\":[\"n\"]},\"results\":{\"bindings\":"
                        + "[{\"n\":{\"type\":\"literal\",\"value\":\"5\"}}]}}").getBytes(UTF_8));
            }
        });
        server.start();
        String url = "http://localhost:" + server.getAddress().getPort();
        try (OpenDataset dataset = SparqlOptions.of("sparql:" + url + "/update?query=" + url + "/query",
                Map.of("defaultGraph", "exclusive")).dataset()) {
            assertEquals(5, dataset.count(QuadSelection.ALL));
            dataset.readRows(QuadSelection.ALL).close();
            dataset.readRows(QuadSelection.ALL.withLimit(2)).close();
        } finally {
            server.stop(0);
        }
        List<String> asked = List.copyOf(requests);
        assertEquals(3, asked.size());
        assertTrue(asked.get(0).startsWith("SELECT (count(*) AS ?n)"), asked.get(0));
        assertFalse(asked.get(1).contains("LIMIT"), asked.get(1));
        assertTrue(asked.get(2).endsWith(" LIMIT 2"), asked.get(2));
    }

    private void findsWhatIsWanted(OpenDataset dataset, int selections) throws IOException {
        dataset.load(Files.writeString(folder.resolve("quads.trig"), """
                  <urn:a> <urn:a> <urn:b> , "text" , "a \\"quoted\\" one" , "chat"@en-GB , 7 , "1.5" .
                  GRAPH <urn:a> { <urn:a> <urn:b> <urn:b> . <urn:b> <urn:a> "text" , _:b . _:b <urn:b> 7 }
                  GRAPH <urn:g> { <http://example.org/> <urn:a> 7 . <http://example.org/x> <urn:b> "text" }
                  GRAPH <urn:b> { <urn:a> <urn:a> <urn:b> }
                """).toString());
        List<List<String>> all = rows(dataset, QuadSelection.ALL);
        assertEquals(13, all.size());
        Set<String> terms = new TreeSet<>(TERMS);
        all.forEach(quad -> quad.stream().filter(term -> !term.isEmpty()).forEach(terms::add));
        Random random = new Random(7);
        for (int i = 0; i < selections; i++) {
            QuadSelection some = new QuadSelection(wanted(random, List.copyOf(terms)), wanted(random, List.copyOf(terms)),
                    wanted(random, List.copyOf(terms)), wanted(random, List.copyOf(terms)), Long.MAX_VALUE);
            List<List<String>> right = all.stream().filter(quad -> takes(some.subject(), quad.get(0))
                    && takes(some.predicate(), quad.get(1)) && takes(some.object(), quad.get(2))
                    && takes(some.graph(), quad.get(3))).toList();
            assertEquals(right, rows(dataset, some), some.toString());
            assertEquals(Math.min(2, right.size()), rows(dataset, some.withLimit(2)).size(), some.toString());
            assertEquals(right.size(), dataset.count(some), some.toString());
            assertEquals(Math.min(2, right.size()), dataset.count(some.withLimit(2)), some.toString());
        }
    }

    private static Wanted wanted(Random random, List<String> terms) {
        return switch (random.nextInt(7)) {
            case 0, 1, 2 -> Wanted.ANY;
            case 3 -> random.nextBoolean() ? Wanted.TERM : Wanted.NULL;
            case 4 -> Wanted.startingWith(List.of("<", "<urn:", "<http://example.org/", "\"", "_:", "<urn:a>", "")
                    .get(random.nextInt(7)));
            default -> {
                Set<String> values = new TreeSet<>();
                for (int i = random.nextInt(6); i >= 0; i--) {
                    values.add(terms.get(random.nextInt(terms.size())));
                }
                yield random.nextInt(5) == 0 ? Wanted.oneOf(values).and(Wanted.startingWith("<urn:")) : Wanted.oneOf(values);
            }
        };
    }

    /** The definition, said once more. */
    private static boolean takes(Wanted wanted, String term) {
        if (term.isEmpty()) {
            return wanted.orNull();
        }
        return (wanted.values() == null || wanted.values().contains(term))
                && wanted.starts().stream().allMatch(term::startsWith);
    }

    /** In an order; the default graph as an empty text. */
    private static List<List<String>> rows(OpenDataset dataset, QuadSelection selection) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        try (QuadCursor quads = dataset.readRows(selection)) {
            while (quads.hasNext()) {
                List<String> row = new ArrayList<>();
                for (byte[] term : quads.next()) {
                    row.add(term == null ? "" : new String(term, UTF_8));
                }
                rows.add(row);
            }
        }
        rows.sort((one, other) -> one.toString().compareTo(other.toString()));
        return rows;
    }
}
