package io.jellybridge.sync;

import static io.jellybridge.sync.OpenDatasetTest.content;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.http.HttpException;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.jena.query.ReadWrite;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.sse.SSE;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.apache.jena.tdb2.TDB2;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores whose default graph, asked without a name, is what the named graphs have: such a dataset of TDB2. What is deleted
 * from it there is deleted from it alone, unlike in RDF4J.
 */
class DefaultGraphTest {
    private static final String NAME = Quad.defaultGraphIRI.getURI();
    private static final Map<String, String> NAMED = Map.of("defaultGraph", NAME);
    private static final String[] QUADS = {
        "A <urn:a> <urn:p> \"1\" .", "A <urn:b> <urn:p> \"1\" .",
        "A <urn:b> <urn:p> \"1\" <urn:g> .", "A <urn:c> <urn:p> \"1\" <urn:g> ."};
    private static final Set<String> ROWS = Set.of("<urn:a> <urn:p> \"1\"", "<urn:b> <urn:p> \"1\"",
            "<urn:b> <urn:p> \"1\" <urn:g>", "<urn:c> <urn:p> \"1\" <urn:g>");

    @TempDir
    Path folder;

    private final List<TestFuseki> servers = new ArrayList<>();

    private TestFuseki serve(DatasetGraph dataset) {
        TestFuseki server = TestFuseki.stock(dataset);
        servers.add(server);
        return server;
    }

    private TestFuseki union() {
        DatasetGraph dataset = DatabaseMgr.createDatasetGraph();
        dataset.getContext().set(TDB2.symUnionDefaultGraph, true);
        return serve(dataset);
    }

    @AfterEach
    void stop() {
        servers.forEach(TestFuseki::close);
    }

    private static OpenDataset open(String location, Map<String, String> options) throws IOException {
        return ServerLocation.of(location, options).open(false);
    }

    private static void apply(OpenDataset dataset, String... rows) throws IOException {
        dataset.apply("test", TextBatch.of(rows), ProgressListener.NONE);
    }

    private static long quads(TestFuseki server) {
        return Txn.calculateRead(server.dataset(), server.dataset()::stream).count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFusekiIsReadByTheNameOfItsDefaultGraph(boolean union) throws IOException {
        TestFuseki server = union ? union() : serve(DatasetGraphFactory.createTxnMem());
        try (OpenDataset dataset = open(server.url(), Map.of())) {
            apply(dataset, QUADS);
            assertEquals(ROWS, content(dataset));
            assertEquals(4, dataset.size());
            apply(dataset, "D <urn:b> <urn:p> \"1\" .");
            assertEquals(3, dataset.size());
        }
    }

    @Test
    void aDefaultGraphWithANameIsReadAndChangedByIt() throws IOException {
        try (OpenDataset dataset = open(union().sparql(), NAMED)) {
            apply(dataset, QUADS);
            assertEquals(ROWS, content(dataset));
            assertEquals(4, dataset.size());
            apply(dataset, "D <urn:b> <urn:p> \"1\" .", "A <urn:d> <urn:p> \"1\" .");
            assertEquals(Set.of("<urn:a> <urn:p> \"1\"", "<urn:d> <urn:p> \"1\"", "<urn:b> <urn:p> \"1\" <urn:g>",
                    "<urn:c> <urn:p> \"1\" <urn:g>"), content(dataset));
        }
    }

    @Test
    void whereItShowsTheNamedGraphsNothingIsChangedInIt() throws IOException {
        TestFuseki server = union();
        try (OpenDataset dataset = open(server.sparql(), Map.of())) {
            for (String row : List.of("A <urn:a> <urn:p> \"1\" .", "D <urn:b> <urn:p> \"1\" .")) {
                String refused = assertThrows(HttpException.class, () -> apply(dataset, row)).getMessage();
                assertTrue(refused.contains("nothing was done") && refused.contains("set the option defaultGraph"), refused);
                assertEquals(0, quads(server));
            }
            Path file = Files.writeString(folder.resolve("one.nt"), "<urn:a> <urn:p> \"1\" .");
            assertThrows(HttpException.class, () -> dataset.load(file.toString()), "sent as Jelly-Patch");
            assertEquals(0, quads(server));
            // What names its graph may.
            apply(dataset, "A <urn:b> <urn:p> \"1\" <urn:g> .", "A <urn:c> <urn:p> \"1\" <urn:g> .");
            apply(dataset, "D <urn:b> <urn:p> \"1\" <urn:g> .");
            assertEquals(1, quads(server));
        }
    }

    @Test
    void whereItShowsTheNamedGraphsItIsNotRead() throws IOException {
        TestFuseki server = union();
        try (OpenDataset dataset = open(server.sparql(), Map.of())) {
            assertEquals(Set.of(), content(dataset));
            apply(dataset, "A <urn:b> <urn:p> \"1\" <urn:g> .");
            for (String refused : List.of(assertThrows(HttpException.class, dataset::size).getMessage(),
                    assertThrows(HttpException.class, () -> content(dataset)).getMessage())) {
                assertTrue(refused.contains("set the option defaultGraph") && refused.contains("exclusive"), refused);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsThereTwiceIsReadWhereItIsSaid(boolean inMemory) throws IOException {
        TestFuseki server = serve(inMemory ? DatasetGraphFactory.createTxnMem() : DatabaseMgr.createDatasetGraph());
        try (OpenDataset said = open(server.sparql(), Map.of("defaultGraph", "exclusive"));
                OpenDataset notSaid = open(server.sparql(), Map.of())) {
            apply(notSaid, "A <urn:b> <urn:p> \"1\" .");
            apply(said, "A <urn:b> <urn:p> \"1\" <urn:g> .");
            assertEquals(2, said.size());
            assertEquals(2, notSaid.size(), "it was looked at when it was changed");
            try (OpenDataset another = open(server.sparql(), Map.of())) {
                assertThrows(HttpException.class, another::size);
                apply(another, "A <urn:c> <urn:p> \"1\" .");
                assertEquals(3, another.size());
            }
        }
    }

    @Test
    void whatArrivesWhileItIsLookedAtIsNotTakenForWhatItShows() throws IOException {
        DatasetGraph quads = DatasetGraphFactory.createTxnMem();
        AtomicInteger left = new AtomicInteger();
        DatasetGraph grows = new DatasetGraphWrapper(quads) {
            @Override
            public void end() {
                boolean read = transactionMode() == ReadWrite.READ;
                super.end();
                if (read && left.getAndDecrement() > 0) {
                    Txn.executeWrite(quads, () -> quads.add(SSE.parseQuad("(<urn:g> <urn:a> <urn:p> 1)")));
                }
            }
        };
        try (OpenDataset dataset = open(serve(grows).sparql(), Map.of())) {
            left.set(1);
            assertEquals(1, dataset.size());
        }
    }

    @Test
    void queriesOfAnotherDatasetDoNotShowWhatItIs() throws IOException {
        TestFuseki server = serve(DatasetGraphFactory.createTxnMem());
        TestFuseki other = serve(DatasetGraphFactory.createTxnMem());
        try (OpenDataset dataset = open("sparql:" + server.url() + "/update?query=" + other.url() + "/query", Map.of())) {
            String refused = assertThrows(HttpException.class, () -> apply(dataset, QUADS)).getMessage();
            assertTrue(refused.contains("are both of one dataset"), refused);
            assertEquals(0, quads(server));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "union", "urn:", "urn:a b", "<urn:g>"})
    void whatIsNoNameIsRefused(String name) {
        String refused = assertThrows(IllegalArgumentException.class,
                () -> ServerLocation.of("sparql:http://localhost/", Map.of("defaultGraph", name))).getMessage();
        assertTrue(refused.contains("defaultGraph") && refused.contains("an IRI, or `exclusive`"), refused);
    }
}
