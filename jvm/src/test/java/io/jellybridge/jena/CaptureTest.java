package io.jellybridge.jena;

import static io.jellybridge.jena.TestPatches.G;
import static io.jellybridge.jena.TestPatches.O;
import static io.jellybridge.jena.TestPatches.P;
import static io.jellybridge.jena.TestPatches.S;
import static io.jellybridge.jena.TestPatches.blank;
import static io.jellybridge.jena.TestPatches.content;
import static io.jellybridge.jena.TestPatches.events;
import static io.jellybridge.jena.TestPatches.integer;
import static io.jellybridge.jena.TestPatches.iri;
import static io.jellybridge.jena.TestPatches.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.WriteOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.jena.graph.Node;
import org.apache.jena.query.TxnType;
import org.apache.jena.rdfpatch.changes.RDFChangesBase;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.Var;
import org.apache.jena.sparql.exec.UpdateExec;
import org.apache.jena.sparql.graph.GraphFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CaptureTest {
    private static final String ROW = "<http://e/s> <http://e/p> <http://e/o> ";

    @TempDir
    Path folder;

    private Capture start(DatasetStore store, Path file) throws IOException {
        return store.startCapture(file, PatchOptions.DEFAULT, WriteOptions.DEFAULT);
    }

    /**
     * What is told about what {@code work} does to a dataset that holds one quad in each of two graphs and a prefix.
     */
    private List<String> told(Backend backend, Consumer<DatasetGraph> work) throws IOException {
        Path inside = Files.createTempDirectory(folder, "told");
        try (DatasetStore store = backend.open(inside)) {
            store.update("INSERT DATA { <http://e/s> <http://e/p> <http://e/o> "
                    + "GRAPH <http://e/g> { <http://e/s> <http://e/p> <http://e/o> } }");
            store.load(Files.writeString(inside.resolve("p.ttl"), "PREFIX old: <http://old/>").toString());
            TestPatches.Recorder recorder = new TestPatches.Recorder();
            work.accept(new CapturingDatasetGraph(store.dataset(), recorder));
            assertFalse(store.dataset().isInTransaction());
            return recorder.events();
        }
    }

    private List<String> toldInTransaction(Backend backend, Consumer<DatasetGraph> work) throws IOException {
        return told(backend, dataset -> {
            dataset.begin(TxnType.WRITE);
            work.accept(dataset);
            dataset.commit();
            dataset.end();
        });
    }

    private static List<String> transaction(String... rows) {
        List<String> all = new ArrayList<>(List.of("TX"));
        all.addAll(List.of(rows));
        all.addAll(List.of("TC", "---"));
        return all;
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void onlyWhatChangesSomethingIsTold(Backend backend) throws IOException {
        assertEquals(transaction("A <http://e/s> <http://e/p> \"x\" null"), toldInTransaction(backend, dataset -> {
            dataset.add(Quad.defaultGraphIRI, S, P, O);
            dataset.add(new Quad(G, S, P, O));
            dataset.delete(G, S, P, text("not there"));
            dataset.add(Quad.defaultGraphNodeGenerated, S, P, text("x"));
            dataset.prefixes().add("old", "http://old/");
            dataset.prefixes().delete("not there");
        }));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void clearTellsEveryQuad(Backend backend) throws IOException {
        List<String> told = toldInTransaction(backend, DatasetGraph::clear);
        assertEquals(transaction("D " + ROW + "null", "D " + ROW + "<http://e/g>"), told);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void prefixesAreTold(Backend backend) throws IOException {
        assertEquals(transaction("PA a http://a/ null", "PA b http://b/ null", "PA a http://a2/ null", "PD old null",
                "PA c http://c/ null", "PA d http://d/ null", "PD a null"), toldInTransaction(backend, dataset -> {
                    dataset.prefixes().add("a:", "http://a/");
                    dataset.prefixes().putAll(Map.of("b", "http://b/"));
                    dataset.prefixes().add("a", "http://a2/");
                    dataset.prefixes().delete("old");
                    dataset.getDefaultGraph().getPrefixMapping().setNsPrefix("c", "http://c/");
                    dataset.getGraph(G).getPrefixMapping().setNsPrefix("d", "http://d/").removeNsPrefix("a");
                }));
        assertEquals(transaction("PD old null"), toldInTransaction(backend, dataset -> dataset.prefixes().clear()));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void graphsOfTheDatasetAreTold(Backend backend) throws IOException {
        assertEquals(transaction("A <http://e/s> <http://e/p> \"x\" null",
                "A <http://e/s> <http://e/p> \"y\" <http://e/g>",
                "D " + ROW + "null"), toldInTransaction(backend, dataset -> {
                    dataset.getDefaultGraph().add(S, P, text("x"));
                    dataset.getGraph(G).add(S, P, text("y"));
                    dataset.getDefaultGraph().delete(S, P, O);
                    dataset.getUnionGraph().find().toList();
                }));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void removingFromTheDefaultGraphLeavesTheOtherGraphsAlone(Backend backend) throws IOException {
        assertEquals(transaction("D " + ROW + "null"),
                toldInTransaction(backend, dataset -> dataset.getDefaultGraph().remove(S, Node.ANY, Node.ANY)));
        assertEquals(transaction("D " + ROW + "null"),
                toldInTransaction(backend, dataset -> dataset.getDefaultGraph().clear()));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void wholeGraphsAreTold(Backend backend) throws IOException {
        assertEquals(transaction("D " + ROW + "<http://e/g>"),
                toldInTransaction(backend, dataset -> dataset.removeGraph(G)));
        assertEquals(transaction("D " + ROW + "null", "D " + ROW + "<http://e/g>"),
                toldInTransaction(backend, dataset -> dataset.deleteAny(Node.ANY, S, null, Node.ANY)));
        assertEquals(transaction("A <http://e/s> <http://e/p> \"x\" <http://e/new>"), toldInTransaction(backend,
                dataset -> {
            var graph = GraphFactory.createDefaultGraph();
            graph.add(S, P, text("x"));
            dataset.addGraph(iri("http://e/new"), graph);
        }));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void everySparqlUpdateIsTold(Backend backend) throws IOException {
        String all = "D " + ROW + "null|D " + ROW + "<http://e/g>";
        Map<String, String> updates = Map.of(
                "CLEAR ALL", all,
                "DROP ALL", all,
                "CLEAR DEFAULT", "D " + ROW + "null",
                "CLEAR NAMED", "D " + ROW + "<http://e/g>",
                "DROP GRAPH <http://e/g>", "D " + ROW + "<http://e/g>",
                "DELETE WHERE { ?s ?p ?o }", "D " + ROW + "null",
                "INSERT { GRAPH <http://e/n> { ?s ?p 1 } } WHERE { ?s ?p ?o }",
                "A <http://e/s> <http://e/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> <http://e/n>",
                "COPY <http://e/g> TO <http://e/n>", "A " + ROW + "<http://e/n>",
                "MOVE <http://e/g> TO <http://e/n>", "A " + ROW + "<http://e/n>|D " + ROW + "<http://e/g>",
                "ADD DEFAULT TO <http://e/n>", "A " + ROW + "<http://e/n>");
        for (Map.Entry<String, String> update : updates.entrySet()) {
            assertEquals(transaction(update.getValue().split("\\|")), toldInTransaction(backend,
                    dataset -> UpdateExec.dataset(dataset).update(update.getKey()).execute()), update.getKey());
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aTransactionThatBeganAsAReadBalances(Backend backend) throws IOException {
        for (TxnType type : List.of(TxnType.READ_PROMOTE, TxnType.READ_COMMITTED_PROMOTE)) {
            assertEquals(transaction("A <http://e/s> <http://e/p> \"x\" null"), told(backend, dataset -> {
                dataset.begin(type);
                dataset.getDefaultGraph().add(S, P, text("x"));
                dataset.commit();
                dataset.end();
            }));
        }
        assertEquals(transaction("D " + ROW + "null"), told(backend, dataset -> {
            dataset.begin();
            dataset.delete(Quad.defaultGraphIRI, S, P, O);
            dataset.commit();
            dataset.end();
        }));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aChangeOutsideOfATransactionIsOneOfItsOwn(Backend backend) throws IOException {
        List<String> expected = new ArrayList<>(transaction("A <http://e/s> <http://e/p> \"x\" null"));
        expected.addAll(transaction("PA x http://x/ null"));
        assertEquals(expected, told(backend, dataset -> {
            dataset.getDefaultGraph().add(S, P, text("x"));
            dataset.prefixes().add("x", "http://x/");
            assertThrows(RuntimeException.class, () -> dataset.add(Quad.unionGraph, S, P, O));
        }));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void transactionsEndInTheLogAsTheyEndInTheDataset(Backend backend) throws IOException {
        assertEquals(List.of("TX", "A <http://e/s> <http://e/p> \"x\" null", "TA", "---"), told(backend, dataset -> {
            dataset.begin(TxnType.WRITE);
            dataset.add(Quad.defaultGraphIRI, S, P, text("x"));
            dataset.abort();
            dataset.end();
        }));
        assertEquals(List.of("TX", "A <http://e/s> <http://e/p> \"x\" null", "TA", "---"), told(backend, dataset -> {
            dataset.begin(TxnType.WRITE);
            dataset.add(Quad.defaultGraphIRI, S, P, text("x"));
            assertThrows(RuntimeException.class, dataset::end);
        }));
        assertEquals(List.of(), told(backend, dataset -> {
            dataset.begin(TxnType.WRITE);
            dataset.commit();
            dataset.end();
            dataset.begin(TxnType.READ);
            assertThrows(RuntimeException.class, () -> dataset.add(Quad.defaultGraphIRI, S, P, text("x")));
            dataset.end();
        }));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aFailedChangeIsNotTold(Backend backend) throws IOException {
        assertEquals(transaction("A <http://e/s> <http://e/p> \"x\" null"), toldInTransaction(backend, dataset -> {
            assertThrows(RuntimeException.class, () -> dataset.add(Quad.unionGraph, S, P, O));
            assertThrows(RuntimeException.class, () -> dataset.delete(Quad.unionGraph, S, P, O));
            dataset.add(Quad.defaultGraphIRI, S, P, text("x"));
        }));
    }

    @Test
    void aNumberIsToldAsTdb2KeepsIt() throws IOException {
        assertEquals(transaction("A <http://e/s> <http://e/p> \"42\"^^<http://www.w3.org/2001/XMLSchema#integer> null",
                "D <http://e/s> <http://e/p> \"42\"^^<http://www.w3.org/2001/XMLSchema#integer> null"),
                toldInTransaction(Backend.TDB2, dataset -> {
                    dataset.add(Quad.defaultGraphIRI, S, P, integer("042"));
                    dataset.add(Quad.defaultGraphIRI, S, P, integer("0042"));
                    dataset.delete(Quad.defaultGraphIRI, S, P, integer("00042"));
                }));
    }

    // --- when the log or the dataset fails

    @Test
    void aChangeThatTheLogRefusesAbortsItsTransactionAndTheLogGoesOn() throws IOException {
        Path file = folder.resolve("log.jellyp");
        try (JellyPatchWriter log = new JellyPatchWriter(Files.newOutputStream(file), null, TestPatches.QUADS,
                WriteOptions.DEFAULT)) {
            DatasetGraph base = DatasetGraphFactory.createTxnMem();
            DatasetGraph dataset = new CapturingDatasetGraph(base, log);
            dataset.begin(TxnType.WRITE);
            dataset.add(Quad.defaultGraphIRI, S, P, text("lost"));
            assertThrows(RuntimeException.class, () -> dataset.add(Quad.defaultGraphIRI, S, P, Var.alloc("v")));
            dataset.add(Quad.defaultGraphIRI, S, P, text("lost too"));
            assertTrue(assertThrows(RuntimeException.class, dataset::commit).getMessage().contains("change log"));
            assertFalse(dataset.isInTransaction());
            dataset.add(Quad.defaultGraphIRI, S, P, text("kept"));
            assertEquals(TestPatches.set("<http://e/s> <http://e/p> \"kept\""), content(base));
        }
        assertEquals(List.of("start", "TX", "A <http://e/s> <http://e/p> \"lost\" DEFAULT", "TA", "---", "TX",
                "A <http://e/s> <http://e/p> \"kept\" DEFAULT", "TC", "---", "finish"), events(file));
    }

    @Test
    void whenTheFirstChangeIsRefusedTheTransactionLeavesNoTrace() throws IOException {
        Path file = folder.resolve("log.jellyp");
        try (DatasetStore store = DatasetStore.open("mem:")) {
            try (Capture capture = store.startCapture(file, PatchOptions.DEFAULT, new WriteOptions(1, true, 1000))) {
                String huge = "x".repeat(2000);
                assertThrows(RuntimeException.class,
                        () -> store.update("INSERT DATA { <http://e/s> <http://e/p> '" + huge + "' }"));
                store.update("INSERT DATA { <http://e/s> <http://e/p> 'small' }");
                assertEquals(1, store.size());
                assertEquals(2, capture.patches());
            }
        }
        assertEquals(List.of("start", "TX", "TA", "---", "TX", "A <http://e/s> <http://e/p> \"small\" DEFAULT", "TC",
                "---",
                "finish"), events(file));
    }

    @Test
    void aLogThatCannotCommitAbortsTheTransactionAndEndsAllChanges() {
        DatasetGraph base = DatasetGraphFactory.createTxnMem();
        CapturingDatasetGraph dataset = new CapturingDatasetGraph(base, new RDFChangesBase() {
            @Override
            public void txnCommit() {
                throw new IllegalStateException("the disk is full");
            }
        });
        assertThrows(IllegalStateException.class, () -> dataset.add(Quad.defaultGraphIRI, S, P, O));
        assertFalse(dataset.isInTransaction());
        assertTrue(assertThrows(IllegalStateException.class,
                () -> dataset.add(Quad.defaultGraphIRI, S, P, O)).getMessage()
                .contains("the disk is full"));
        assertFalse(dataset.isInTransaction());
        assertEquals(TestPatches.set(), content(base));
    }

    @Test
    void aDatasetThatCannotCommitWhatTheLogHasBreaksTheCapture() {
        DatasetGraph base = new DatasetGraphWrapper(DatasetGraphFactory.createTxnMem()) {
            @Override
            public void commit() {
                throw new IllegalStateException("no commit");
            }
        };
        CapturingDatasetGraph dataset = new CapturingDatasetGraph(base, new TestPatches.Recorder());
        assertThrows(IllegalStateException.class, () -> dataset.add(Quad.defaultGraphIRI, S, P, O));
        assertFalse(dataset.isInTransaction());
        assertEquals("no commit", dataset.broken().getMessage());
    }

    // --- the file

    @ParameterizedTest
    @EnumSource(Backend.class)
    void everyChangeThroughTheStoreIsAPatchOfTheFile(Backend backend) throws IOException {
        Path file = folder.resolve("log.jellyp");
        try (DatasetStore store = backend.open(folder)) {
            store.update("INSERT DATA { <http://e/s> <http://e/p> 'before' }");
            try (Capture capture = start(store, file)) {
                assertFalse(Files.exists(file));
                store.load(Files.writeString(folder.resolve("a.ttl"),
                        "PREFIX ex: <http://e/> ex:s ex:p ex:o .").toString());
                store.apply(TestPatches.file(folder, changes -> {
                    changes.txnBegin();
                    changes.add(G, blank("b"), P, O);
                    changes.txnCommit();
                    changes.txnBegin();
                    changes.add(G, blank("c"), P, O);
                    changes.txnAbort();
                }));
                assertThrows(IllegalArgumentException.class, () -> store.load(Files.writeString(folder.resolve("b.ttl"),
                        "PREFIX no: <http://no/> no:s no:p no:o . oops").toString()));
                store.update("CLEAR ALL");
                store.query("ASK {}");
                assertEquals(4, capture.patches());
                assertTrue(assertThrows(IllegalStateException.class, () -> start(store, file)).getMessage()
                        .contains("captured already"));
            }
            store.update("INSERT DATA { <http://e/s> <http://e/p> 'after' }");
        }
        assertEquals(List.of("start",
                "TX", "PA ex http://e/ DEFAULT", "A " + ROW + "DEFAULT", "TC", "---",
                "TX", "A _:b <http://e/p> <http://e/o> <http://e/g>", "TC", "---",
                "TX", "PA no http://no/ DEFAULT", "A <http://no/s> <http://no/p> <http://no/o> DEFAULT",
                "PD no DEFAULT", "TA",
                "---"), events(file).subList(0, 16));
        assertEquals(List.of("D <http://e/s> <http://e/p> \"before\" DEFAULT", "D " + ROW + "DEFAULT",
                "D _:b <http://e/p> <http://e/o> <http://e/g>"), events(file).subList(17, 20)
                .stream().sorted().toList());
    }

    @Test
    void anAbortedCaptureLeavesNoFileAndTheOldOneStays() throws IOException {
        Path file = Files.writeString(folder.resolve("log.jellyp"), "old");
        try (DatasetStore store = DatasetStore.open("mem:")) {
            Capture capture = start(store, file);
            store.update("INSERT DATA { <http://e/s> <http://e/p> 1 }");
            capture.abort();
            capture.abort();
            capture.close();
            store.update("INSERT DATA { <http://e/s> <http://e/p> 2 }");
            assertEquals(2, store.size());
        }
        assertEquals("old", Files.readString(file));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(1, files.count());
        }
    }

    @Test
    void closingTheDatasetCompletesTheCapture() throws IOException {
        Path file = folder.resolve("log.jellyp");
        DatasetStore store = DatasetStore.open("mem:");
        start(store, file);
        store.update("INSERT DATA { <http://e/s> <http://e/p> <http://e/o> }");
        store.close();
        assertEquals(List.of("start", "TX", "A " + ROW + "DEFAULT", "TC", "---", "finish"), events(file));
    }

    @Test
    void optionsThatNotEveryChangeFitsIntoAreRefused() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            for (PatchOptions options : List.of(PatchOptions.DEFAULT.withStreamType(StreamType.FLAT),
                    PatchOptions.DEFAULT.withStreamType(StreamType.FRAME),
                    PatchOptions.DEFAULT.withStatementType(StatementType.TRIPLES),
                    PatchOptions.DEFAULT.withTableSizes(8, 0, 0))) {
                assertThrows(IllegalArgumentException.class,
                        () -> store.startCapture(folder.resolve("x.jellyp"), options, WriteOptions.DEFAULT));
            }
            assertThrows(IllegalArgumentException.class, () -> store.startCapture(folder.resolve("x.jellyp"),
                    PatchOptions.DEFAULT, new WriteOptions(10, false, 1000)));
            assertThrows(IOException.class, () -> start(store, folder.resolve("no/folder/x.jellyp")));
            start(store, folder.resolve("x.jellyp")).close();
        }
    }

    // --- replay

    @ParameterizedTest
    @EnumSource(Backend.class)
    void replayingACaptureOfRandomUpdatesGivesTheSameDataset(Backend backend) throws IOException {
        for (int seed = 0; seed < (backend == Backend.MEMORY ? 40 : 3); seed++) {
            Random random = new Random(seed);
            Path inside = Files.createDirectory(folder.resolve("seed" + seed));
            Path file = inside.resolve("log.jellyp");
            SortedSet<String> end;
            try (DatasetStore store = backend.open(inside)) {
                Capture capture = store.startCapture(file, PatchOptions.DEFAULT.withTableSizes(8, 1, 1),
                        new WriteOptions(1 + random.nextInt(10), true, 1 << 20));
                for (int i = 0; i < 15; i++) {
                    randomChange(random, store, inside);
                }
                capture.close();
                end = content(store);
            }
            for (Backend target : backend == Backend.MEMORY ? List.of(Backend.MEMORY) : List.of(Backend.values())) {
                try (DatasetStore replica = target.open(Files.createDirectory(inside.resolve("replica" + target)))) {
                    replica.apply(file);
                    assertEquals(end, content(replica), "seed " + seed + " on " + target);
                }
            }
        }
    }

    private static void randomChange(Random random, DatasetStore store, Path folder) throws IOException {
        String data = randomTriples(random);
        switch (random.nextInt(10)) {
            case 0 -> store.update(List.of("CLEAR ALL", "CLEAR DEFAULT", "CLEAR NAMED",
                    "DROP ALL").get(random.nextInt(4)));
            case 1 -> store.update("DELETE { ?s ?p ?o } "
                    + "INSERT { GRAPH <http://e/moved> { ?s ?p ?o } } WHERE { ?s ?p ?o }");
            case 2 -> store.load(Files.writeString(folder.resolve("load.trig"),
                    "PREFIX p" + random.nextInt(3) + ": <http://e/" + random.nextInt(3) + "> " + data).toString());
            case 3 -> assertThrows(RuntimeException.class, () ->
                    store.load(Files.writeString(folder.resolve("bad.trig"),
                    "PREFIX bad: <http://bad/> " + data + " oops").toString()));
            case 4 -> store.update("DELETE WHERE { ?s ?p 1 }");
            case 5 -> store.update("COPY DEFAULT TO <http://e/copy>");
            case 6 -> store.update("DELETE DATA { " + data + " }");
            case 7 -> store.update("INSERT DATA { GRAPH <http://e/g" + random.nextInt(2) + "> { " + data + " } }");
            default -> store.update("INSERT DATA { " + data + " }");
        }
    }

    private static String randomTriples(Random random) {
        StringBuilder text = new StringBuilder();
        String[] objects = {"1", "'042'^^<http://www.w3.org/2001/XMLSchema#integer>", "'x'@en-GB", "1.0e0", "true",
            "<http://e/o>", "'2020-01-01T00:00:00+00:00'^^<http://www.w3.org/2001/XMLSchema#dateTime>",
            "'\\u0001 \\\" x'"};
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            text.append("<http://e/s").append(random.nextInt(3)).append("> <http://e/p").append(random.nextInt(2))
                    .append("> ")
                    .append(objects[random.nextInt(objects.length)]).append(" . ");
        }
        return text.toString();
    }
}
