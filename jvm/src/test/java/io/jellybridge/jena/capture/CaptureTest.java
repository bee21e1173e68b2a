package io.jellybridge.jena.capture;

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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.Backend;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.nodes.IllegalTermException;
import io.jellybridge.jena.patch.JellyPatchWriter;
import io.jellybridge.log.CaptureWriter;
import io.jellybridge.log.MemoryStore;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.ReadWrite;
import org.apache.jena.query.TxnType;
import org.apache.jena.rdfpatch.changes.RDFChangesApply;
import org.apache.jena.rdfpatch.changes.RDFChangesBase;
import org.apache.jena.riot.system.PrefixMapFactory;
import org.apache.jena.shared.PrefixMapping;
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
import org.junit.jupiter.params.provider.ValueSource;

class CaptureTest {
    private static final String ROW = "<http://e/s> <http://e/p> <http://e/o> ";

    private static final CaptureOptions EFFECTIVE = CaptureOptions.DEFAULT.withEffectiveOnly(true);

    @TempDir
    Path folder;

    private Capture start(DatasetStore store, Path file) throws IOException {
        return store.startCapture(file, EFFECTIVE);
    }

    /**
     * What is told about what {@code work} does to a dataset that holds one quad in each of two graphs and a prefix.
     */
    private List<String> told(Backend backend, Consumer<DatasetGraph> work) throws IOException {
        return told(backend, true, work);
    }

    private List<String> told(Backend backend, boolean effectiveOnly, Consumer<DatasetGraph> work) throws IOException {
        Path inside = Files.createTempDirectory(folder, "told");
        try (DatasetStore store = backend.open(inside)) {
            store.update("INSERT DATA { <http://e/s> <http://e/p> <http://e/o> "
                    + "GRAPH <http://e/g> { <http://e/s> <http://e/p> <http://e/o> } }");
            store.load(Files.writeString(inside.resolve("p.ttl"), "PREFIX old: <http://old/>").toString());
            TestPatches.Recorder recorder = new TestPatches.Recorder();
            work.accept(new CapturingDatasetGraph(store.dataset(), recorder, effectiveOnly));
            assertFalse(store.dataset().isInTransaction());
            return recorder.events();
        }
    }

    /** The events of a file but the headers, whose values are new each time. */
    private static List<String> rows(Path file) throws IOException {
        return events(file).stream().filter(event -> !event.startsWith("H ")).toList();
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
    void everyChangeIsToldAlsoOneWithoutEffect(Backend backend) throws IOException {
        assertEquals(transaction("A " + ROW + "null", "A " + ROW + "<http://e/g>",
                "D <http://e/s> <http://e/p> \"not there\" <http://e/g>", "PA old http://old/ null",
                "PA old http://new/ null", "PD not there null"), told(backend, false, dataset -> {
                    dataset.begin(TxnType.WRITE);
                    dataset.add(Quad.defaultGraphIRI, S, P, O);
                    dataset.add(new Quad(G, S, P, O));
                    dataset.delete(G, S, P, text("not there"));
                    dataset.prefixes().add("old", "http://old/");
                    dataset.prefixes().add("old", "http://new/");
                    dataset.prefixes().delete("not there");
                    dataset.commit();
                    dataset.end();
                }));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void theSyncGraphIsTheDatasetsOwn(Backend backend) throws IOException {
        assertEquals(transaction("D " + ROW + "null", "D " + ROW + "<http://e/g>"), toldInTransaction(backend, dataset -> {
            StoredPosition position = new StoredPosition("urn:key");
            position.set(dataset, "<urn:1>");
            position.set(dataset, "<urn:2>");
            assertEquals("<urn:2>", position.get(dataset));
            dataset.clear();
            dataset.deleteAny(null, null, null, null);
            assertEquals("<urn:2>", position.get(dataset));
        }));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsAbortedIsUndonePrefixesToo(Backend backend) throws IOException {
        told(backend, true, dataset -> {
            var before = content(dataset);
            for (boolean abort : new boolean[] {true, false}) {
                dataset.begin(TxnType.WRITE);
                dataset.prefixes().add("old", "http://changed/");
                dataset.prefixes().add("new", "http://new/");
                dataset.clear();
                if (abort) {
                    dataset.abort();
                    dataset.end();
                } else {
                    assertThrows(RuntimeException.class, dataset::end);
                }
                assertEquals(before, content(dataset));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void clearTellsEveryQuad(Backend backend) throws IOException {
        List<String> told = toldInTransaction(backend, DatasetGraph::clear);
        assertEquals(transaction("D " + ROW + "null", "D " + ROW + "<http://e/g>"), told);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void removingTheDefaultGraphRemovesItsTriplesAndNoPrefix(Backend backend) throws IOException {
        assertEquals(transaction("D " + ROW + "null"), told(backend, dataset -> {
            dataset.begin(TxnType.WRITE);
            dataset.removeGraph(Quad.defaultGraphIRI);
            dataset.commit();
            dataset.end();
            assertEquals(TestPatches.set(ROW + "<http://e/g>", "@old: http://old/"), content(dataset));
        }));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void prefixesAreTold(Backend backend) throws IOException {
        assertEquals(transaction("PA a http://a/ null", "PA b http://b/ null", "PD a null", "PA a http://a2/ null",
                "PD old null", "PA c http://c/ null", "PA d http://d/ null",
                "PD a null"), toldInTransaction(backend, dataset -> {
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
        assertEquals(List.of("TX", "A <http://e/s> <http://e/p> \"x\" null", "TA", "---"), told(backend, dataset -> {
            dataset.begin(TxnType.WRITE);
            dataset.add(Quad.defaultGraphIRI, S, P, text("x"));
            dataset.close();
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

    /** TDB2 shows each of them in another form, which has another id. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatAnotherProgramStoredIsDeletedInTheDatasetAsInTheLog(boolean effectiveOnly) throws IOException {
        List<Node> written = List.of(NodeFactory.createLiteralDT("1.50", XSDDatatype.XSDdecimal),
                NodeFactory.createLiteralDT("0.00", XSDDatatype.XSDdecimal),
                NodeFactory.createLiteralDT("72057594037927936", XSDDatatype.XSDlong),
                NodeFactory.createTripleTerm(S, P, NodeFactory.createLiteralDT("5", XSDDatatype.XSDint)));
        try (DatasetStore store = Backend.TDB2.open(folder)) {
            DatasetGraph base = store.dataset();
            base.executeWrite(() -> {
                written.forEach(object -> base.add(Quad.defaultGraphIRI, S, P, object));
                written.forEach(object -> base.add(G, S, P, object));
            });
            TestPatches.Recorder recorder = new TestPatches.Recorder();
            DatasetGraph dataset = new CapturingDatasetGraph(base, recorder, effectiveOnly);
            dataset.executeWrite(() -> Iter.toList(dataset.find()).forEach(dataset::delete));
            assertEquals(TestPatches.set(), content(base));
            assertEquals(8, recorder.events().stream().filter(event -> event.startsWith("D ")).count());
        }
    }

    @Test
    void aPatternWithSuchAnObjectDeletesAllOfItsForms() throws IOException {
        Node shown = NodeFactory.createLiteralDT("1.5", XSDDatatype.XSDdecimal);
        try (DatasetStore store = Backend.TDB2.open(folder)) {
            DatasetGraph base = store.dataset();
            base.executeWrite(() -> {
                base.add(G, S, P, NodeFactory.createLiteralDT("1.50", XSDDatatype.XSDdecimal));
                base.add(G, S, P, shown);
                base.add(Quad.defaultGraphIRI, S, P, NodeFactory.createLiteralDT("1.500", XSDDatatype.XSDdecimal));
                base.add(G, S, P, O);
            });
            TestPatches.Recorder recorder = new TestPatches.Recorder();
            DatasetGraph dataset = new CapturingDatasetGraph(base, recorder, false);
            dataset.executeWrite(() -> dataset.deleteAny(Node.ANY, S, null, shown));
            assertEquals(1, content(base).size());
            assertEquals(2, recorder.events().stream().filter(event -> event.startsWith("D ")).count());
        }
    }

    /** The replica is changed by Jena's own player of changes. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsToldMakesAReplicaTheSame(Backend backend) throws IOException {
        List<Consumer<DatasetGraph>> changes = List.of(
                dataset -> dataset.deleteAny(G, S, null, text("1")),
                dataset -> dataset.delete(new Quad(G, S, P, text("2"))),
                dataset -> dataset.delete(new Quad(Quad.defaultGraphIRI, S, P, O)),
                dataset -> dataset.delete(new Quad(null, S, P, text("d"))),
                dataset -> dataset.add(new Quad(null, S, P, text("e"))),
                dataset -> dataset.removeGraph(G),
                dataset -> dataset.prefixes().delete("old:"),
                dataset -> dataset.prefixes().putAll(PrefixMapFactory.create(Map.of("m", "http://m/"))),
                dataset -> dataset.prefixes().putAll(PrefixMapping.Factory.create().setNsPrefix("n", "http://n/")),
                dataset -> dataset.prefixes().clear(),
                DatasetGraph::clear);
        try (DatasetStore store = backend.open(folder); DatasetStore replica = DatasetStore.open("mem:")) {
            Path file = Files.writeString(folder.resolve("a.trig"), """
                    PREFIX old: <http://old/> PREFIX kept: <http://kept/>
                    { <http://e/s> <http://e/p> <http://e/o>, "d" }
                    <http://e/g> { <http://e/s> <http://e/p> "1", "2", "3" }""");
            store.load(file.toString());
            replica.load(file.toString());
            DatasetGraph dataset = new CapturingDatasetGraph(store.dataset(), new RDFChangesApply(replica.dataset()), true);
            for (int i = 0; i < changes.size(); i++) {
                SortedSet<String> before = content(dataset);
                Consumer<DatasetGraph> change = changes.get(i);
                dataset.executeWrite(() -> change.accept(dataset));
                assertNotEquals(before, content(store), "change " + i);
                assertEquals(content(store), content(replica), "change " + i);
            }
            assertEquals(TestPatches.set(), content(store));
        }
    }

    /** Here it is the first change of a prefix, before which nothing is known of what they were. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void aPrefixThatWasDeletedIsThereAgainAfterAnAbort(Backend backend) throws IOException {
        told(backend, true, dataset -> {
            var before = content(dataset);
            dataset.begin(ReadWrite.WRITE);
            dataset.prefixes().delete("old");
            dataset.abort();
            dataset.end();
            assertEquals(before, content(dataset));
        });
    }

    /** Which its lookup of what is there must see. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatOthersCommittedAfterTheBeginningOfAReadIsNotToldAgain(Backend backend) throws IOException {
        assertEquals(transaction("A <http://e/s> <http://e/p> \"x\" null"), told(backend, dataset -> {
            dataset.begin(TxnType.READ_COMMITTED_PROMOTE);
            assertFalse(dataset.contains(Quad.defaultGraphIRI, S, P, text("x")));
            CompletableFuture.runAsync(() -> dataset.add(Quad.defaultGraphIRI, S, P, text("x"))).join();
            dataset.add(Quad.defaultGraphIRI, S, P, text("x"));
            dataset.commit();
            dataset.end();
        }));
    }

    // --- when the log or the dataset fails

    /** What is told to it fails at these ends of a transaction. */
    private static CapturingDatasetGraph capturedByOneThatFails(DatasetGraph base, String... ends) {
        List<String> failing = List.of(ends);
        return new CapturingDatasetGraph(base, new RDFChangesBase() {
            private void end(String op) {
                if (failing.contains(op)) {
                    throw new IllegalStateException("no " + op);
                }
            }

            @Override
            public void txnCommit() {
                end("TC");
            }

            @Override
            public void txnAbort() {
                end("TA");
            }

            @Override
            public void segment() {
                end("---");
            }
        }, true);
    }

    private static void assertEndsAllChanges(CapturingDatasetGraph dataset, Runnable end, String message) {
        dataset.begin(TxnType.WRITE);
        dataset.add(Quad.defaultGraphIRI, S, P, O);
        assertEquals(message, assertThrows(IllegalStateException.class, end::run).getMessage());
        assertFalse(dataset.isInTransaction());
        assertEquals(TestPatches.set(), content(dataset));
        String refused = assertThrows(IllegalStateException.class,
                () -> dataset.add(Quad.defaultGraphIRI, S, P, O)).getMessage();
        assertTrue(refused.startsWith("the change log is broken, so that no change can be made any more: no "), refused);
    }

    @Test
    void aLogThatCannotAbortOrEndAPatchAbortsTheTransactionAndEndsAllChanges() {
        DatasetGraph base = DatasetGraphFactory.createTxnMem();
        CapturingDatasetGraph noAbort = capturedByOneThatFails(base, "TA");
        assertEndsAllChanges(noAbort, noAbort::abort, "no TA");
        CapturingDatasetGraph noEnd = capturedByOneThatFails(base, "---");
        assertEndsAllChanges(noEnd, noEnd::commit, "no ---");
        CapturingDatasetGraph neither = capturedByOneThatFails(base, "TC", "TA");
        assertEndsAllChanges(neither, neither::commit, "no TC");
    }

    @Test
    void anErrorOfACommitHasThatOfTheAbortAfterIt() {
        CapturingDatasetGraph dataset = capturedByOneThatFails(DatasetGraphFactory.createTxnMem(), "TC", "TA");
        IllegalStateException failure = assertThrows(IllegalStateException.class,
                () -> dataset.add(Quad.defaultGraphIRI, S, P, O));
        assertEquals(List.of("no TC", "no TA"), List.of(failure.getMessage(), failure.getSuppressed()[0].getMessage()));
    }

    @Test
    void aChangeThatTheLogRefusesAbortsItsTransactionAndTheLogGoesOn() throws IOException {
        Path file = folder.resolve("log.jellyp");
        try (JellyPatchWriter log = new JellyPatchWriter(Files.newOutputStream(file), null, TestPatches.QUADS,
                WriteOptions.DEFAULT)) {
            DatasetGraph base = DatasetGraphFactory.createTxnMem();
            DatasetGraph dataset = new CapturingDatasetGraph(base, log, true);
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
            try (Capture capture = store.startCapture(file, CaptureOptions.DEFAULT
                    .withWriteOptions(new WriteOptions(1, true, 1000)))) {
                String huge = "x".repeat(2000);
                assertThrows(RuntimeException.class,
                        () -> store.update("INSERT DATA { <http://e/s> <http://e/p> '" + huge + "' }"));
                store.update("INSERT DATA { <http://e/s> <http://e/p> 'small' }");
                assertEquals(1, store.size());
                assertEquals(1, capture.patches());
            }
        }
        assertEquals(List.of("start", "TX", "A <http://e/s> <http://e/p> \"small\" DEFAULT", "TC", "---", "finish"),
                rows(file));
    }

    @Test
    void aLogThatCannotCommitAbortsTheTransactionAndEndsAllChanges() {
        DatasetGraph base = DatasetGraphFactory.createTxnMem();
        CapturingDatasetGraph dataset = new CapturingDatasetGraph(base, new RDFChangesBase() {
            @Override
            public void txnCommit() {
                throw new IllegalStateException("the disk is full");
            }
        }, true);
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
        CapturingDatasetGraph dataset = new CapturingDatasetGraph(base, new TestPatches.Recorder(), true);
        assertThrows(IllegalStateException.class, () -> dataset.add(Quad.defaultGraphIRI, S, P, O));
        assertFalse(dataset.isInTransaction());
        assertEquals("no commit", dataset.findBroken().getMessage());
    }

    /** The base may let the next writer begin before its failure is known. */
    @Test
    void aTransactionThatBeganWhileTheCaptureBrokeIsNotCommitted() {
        ExecutorService other = Executors.newSingleThreadExecutor();
        CapturingDatasetGraph[] captured = new CapturingDatasetGraph[1];
        boolean[] isFirst = {true};
        DatasetGraph base = new DatasetGraphWrapper(DatasetGraphFactory.createTxnMem()) {
            @Override
            public void commit() {
                if (!isFirst[0]) {
                    super.commit();
                    return;
                }
                isFirst[0] = false;
                super.abort();
                CompletableFuture.runAsync(() -> {
                    captured[0].begin(TxnType.WRITE);
                    captured[0].add(G, S, P, text("next"));
                }, other).join();
                throw new IllegalStateException("no commit");
            }
        };
        TestPatches.Recorder recorder = new TestPatches.Recorder();
        captured[0] = new CapturingDatasetGraph(base, recorder, true);
        assertThrows(IllegalStateException.class, () -> captured[0].add(G, S, P, O));
        CompletableFuture.runAsync(() -> {
            String refused = assertThrows(IllegalStateException.class, captured[0]::commit).getMessage();
            assertTrue(refused.startsWith("the change log is broken"), refused);
            assertFalse(captured[0].isInTransaction());
        }, other).join();
        other.shutdown();
        assertEquals(TestPatches.set(), content(base));
        assertEquals(List.of("TX", "A <http://e/s> <http://e/p> \"next\" <http://e/g>", "TA", "---"),
                recorder.events().subList(4, 8));
    }

    // --- the file

    private void changeEveryWay(DatasetStore store) throws IOException {
        store.load(Files.writeString(folder.resolve("a.ttl"), "PREFIX ex: <http://e/> ex:s ex:p ex:o .").toString());
        TestPatches.apply(store, TestPatches.file(folder, changes -> {
            changes.txnBegin();
            changes.add(G, blank("b"), P, O);
            changes.txnCommit();
            changes.txnBegin();
            changes.add(G, blank("c"), P, O);
            changes.txnAbort();
        }));
        assertThrows(FormatException.class, () -> store.load(Files.writeString(folder.resolve("b.ttl"),
                "PREFIX no: <http://no/> no:s no:p no:o . no:s no:p no:p . oops").toString()));
        store.update("CLEAR ALL");
        store.runQuery("ASK {}");
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void everyTransactionThatCommitsIsAPatchOfTheFile(Backend backend) throws IOException {
        Path file = folder.resolve("log.jellyp");
        try (DatasetStore store = backend.open(folder)) {
            store.update("INSERT DATA { <http://e/s> <http://e/p> 'before' }");
            try (Capture capture = start(store, file)) {
                assertFalse(Files.exists(file));
                changeEveryWay(store);
                assertEquals(3, capture.patches());
                assertEquals(8 + 4 + 3 + 5, capture.rows());
                assertTrue(assertThrows(IllegalStateException.class, () -> start(store, file)).getMessage()
                        .contains("captured already"));
            }
            store.update("INSERT DATA { <http://e/s> <http://e/p> 'after' }");
        }
        List<String> rows = rows(file);
        assertEquals(List.of("start",
                "TX", "PA ex http://e/ DEFAULT", "A " + ROW + "DEFAULT", "TC", "---",
                "TX", "A _:b <http://e/p> <http://e/o> <http://e/g>", "TC", "---",
                "TX"), rows.subList(0, 11));
        assertEquals(List.of("D <http://e/s> <http://e/p> \"before\" DEFAULT", "D " + ROW + "DEFAULT",
                "D _:b <http://e/p> <http://e/o> <http://e/g>"), rows.subList(11, 14).stream().sorted().toList());
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void abortedTransactionsAreRecordedWhenAskedFor(Backend backend) throws IOException {
        Path file = folder.resolve("log.jellyp");
        try (DatasetStore store = backend.open(folder);
                Capture capture = store.startCapture(file, EFFECTIVE.withRecordAborted(true))) {
            changeEveryWay(store);
            assertEquals(4, capture.patches());
        }
        assertEquals(List.of("TX", "PA no http://no/ DEFAULT", "A <http://no/s> <http://no/p> <http://no/o> DEFAULT",
                "TA", "---"), rows(file).subList(10, 15));
        try (DatasetStore replica = DatasetStore.open("mem:")) {
            assertEquals(1, TestPatches.apply(replica, file).aborted());
            assertEquals(TestPatches.set("@ex: http://e/"), content(replica));
        }
    }

    @Test
    void anAbortedCaptureLeavesNoFile() throws IOException {
        Path file = folder.resolve("log.jellyp");
        try (DatasetStore store = DatasetStore.open("mem:")) {
            Capture capture = start(store, file);
            store.update("INSERT DATA { <http://e/s> <http://e/p> 1 }");
            assertFalse(capture.ended());
            capture.abort();
            assertEquals(List.of(), filesOf(folder));
            assertTrue(capture.ended());
            capture.abort();
            capture.close();
            store.update("INSERT DATA { <http://e/s> <http://e/p> 2 }");
            assertEquals(2, store.size());
        }
        assertEquals(List.of(), filesOf(folder));
    }

    @ParameterizedTest
    @ValueSource(strings = {"old", ""})
    void aFileThatExistsIsNotReplacedAndTheNextCaptureMayStart(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("log.jellyp"), content);
        try (DatasetStore store = DatasetStore.open("mem:")) {
            String said = assertThrows(FileAlreadyExistsException.class, () -> start(store, file)).getMessage();
            assertTrue(said.startsWith(file + ": it exists already, and a capture replaces no file; give a new name"), said);
            assertEquals(List.of(file), filesOf(folder));
            start(store, folder.resolve("new.jellyp")).close();
        }
        assertEquals(content, Files.readString(file));
    }

    @Test
    void aFileThatAppearsDuringTheCaptureStaysAndTheErrorNamesThatOfThePatches() throws IOException {
        Path file = folder.resolve("log.jellyp");
        Path of;
        try (DatasetStore store = DatasetStore.open("mem:"); DatasetStore other = DatasetStore.open("mem:")) {
            Capture late = start(store, file);
            store.update("INSERT DATA { <http://e/s> <http://e/p> <http://e/o> }");
            start(other, file).close();
            String said = assertThrows(FileAlreadyExistsException.class, late::close).getMessage();
            assertTrue(said.startsWith(file + ": another program created it during the capture"), said);
            of = Path.of(said.substring(said.lastIndexOf(' ') + 1));
            late.close();
        }
        assertEquals(Set.of(file, of), Set.copyOf(filesOf(folder)));
        assertEquals(List.of("start", "finish"), events(file));
        assertEquals(List.of("start", "TX", "A " + ROW + "DEFAULT", "TC", "---", "finish"), rows(of));
    }

    /** A dataset that can't store a position fails after the log was opened. */
    @ParameterizedTest
    @ValueSource(strings = {"log", "log.jellyp", "there"})
    void aFailedStartLeavesNoTrace(String name) throws IOException {
        Path there = Files.createDirectory(folder.resolve("there"));
        Path log = folder.resolve(name);
        DatasetGraph noAbort = DatasetGraphFactory.createGeneral();
        String said = assertThrows(IllegalArgumentException.class, () -> Capture.start(noAbort, log)).getMessage();
        assertTrue(said.startsWith("a dataset without transactions that can abort (") && said.endsWith("createTxnMem()"), said);
        DatasetGraph base = DatasetGraphFactory.createTxnMem();
        base.begin(TxnType.READ);
        assertThrows(IllegalStateException.class, () -> Capture.start(base, log));
        base.end();
        if (!name.endsWith(".jellyp")) {
            DatasetGraph readOnly = new DatasetGraphWrapper(base) {
                @Override
                public void begin(TxnType type) {
                    if (type == TxnType.WRITE) {
                        throw new UnsupportedOperationException("read only");
                    }
                    super.begin(type);
                }
            };
            assertEquals("read only", assertThrows(UnsupportedOperationException.class,
                    () -> Capture.start(readOnly, log)).getMessage());
        }
        assertFalse(Files.exists(log) && !log.equals(there));
        try (Capture capture = Capture.start(base, log)) {
            capture.dataset().add(Quad.defaultGraphIRI, S, P, O);
            assertEquals(1, capture.patches());
        }
        assertTrue(Files.exists(log));
    }

    /** A log that was there before the start, and folders with files of others, stay. */
    @Test
    void aFailedStartKeepsALogThatWasThere() throws IOException {
        Path log = folder.resolve("log");
        DatasetGraph base = DatasetGraphFactory.createTxnMem();
        try (Capture capture = Capture.start(base, log)) {
            capture.dataset().add(Quad.defaultGraphIRI, S, P, O);
        }
        List<Path> before = filesOf(log);
        assertThrows(IllegalStateException.class, () -> Capture.start(DatasetGraphFactory.createTxnMem(), log));
        assertEquals(Set.copyOf(before), Set.copyOf(filesOf(log)));
        Capture.start(base, log).close();
    }

    /** A state that can't be recorded is found after the new log was opened. */
    @ParameterizedTest
    @EnumSource(value = CaptureOptions.Start.class, names = {"WHOLE", "RESET"})
    void aFailedStartIntoANewLogKeepsThePositionInTheOldOne(CaptureOptions.Start start) throws IOException {
        Path log = folder.resolve("log");
        DatasetGraph base = DatasetGraphFactory.createTxnMem();
        try (Capture capture = Capture.start(base, log)) {
            capture.dataset().add(Quad.defaultGraphIRI, S, P, O);
            capture.dataset().add(G, S, P, O);
        }
        base.executeWrite(() -> base.add(Quad.defaultGraphIRI, S, P, iri("relative")));
        assertThrows(IllegalTermException.class,
                () -> Capture.start(base, folder.resolve("new"), CaptureOptions.DEFAULT.withStart(start)));
        Capture.start(base, log).close();
    }

    /** The log has the whole state then, and the dataset is at its start. */
    @ParameterizedTest
    @EnumSource(value = CaptureOptions.Start.class, names = {"WHOLE", "RESET"})
    void aFirstStartThatIsCutOffBehindItsPatchIsRepeated(CaptureOptions.Start start) throws IOException {
        int[] commits = {0};
        DatasetGraph base = new DatasetGraphWrapper(DatasetGraphFactory.createTxnMem()) {
            @Override
            public void commit() {
                commits[0]++;
                if (commits[0] == 3) {
                    throw new IllegalStateException("no commit");
                }
                super.commit();
            }
        };
        base.executeWrite(() -> base.add(G, S, P, O)); // the second is that of the start
        Path log = folder.resolve("log");
        CaptureOptions options = CaptureOptions.DEFAULT.withStart(start);
        assertThrows(IllegalStateException.class, () -> Capture.start(base, log, options));
        Capture.start(base, log, options).close();
        assertTrue(content(base).contains("<http://e/s> <http://e/p> <http://e/o> <http://e/g>"), content(base)::toString);
    }

    /** Other programs store prefixes that no patch can hold. */
    @Test
    void aPrefixWithoutALegalNamespaceCanBeReplacedAndIsNotInTheFirstState() throws IOException {
        DatasetGraph base = DatasetGraphFactory.createTxnMem();
        base.executeWrite(() -> base.prefixes().add("a", "rel#"));
        Path log = folder.resolve("log.jellyp");
        try (Capture capture = Capture.start(base, log, CaptureOptions.DEFAULT.withStart(CaptureOptions.Start.WHOLE))) {
            capture.dataset().executeWrite(() -> capture.dataset().prefixes().add("a", "http://new/"));
            capture.dataset().executeWrite(() -> capture.dataset().prefixes().delete("a"));
        }
        assertEquals(List.of("PA a http://new/ DEFAULT", "PD a DEFAULT"), rows(log).stream().filter(row -> row.startsWith("P")).toList());
    }

    @Test
    void aResetOfAPrunedLogBeginsWithItsCheckpoint() throws IOException {
        Path log = folder.resolve("log");
        DatasetGraph base = DatasetGraphFactory.createTxnMem();
        try (Capture capture = Capture.start(base, log)) {
            DatasetGraph captured = capture.dataset();
            captured.executeWrite(() -> captured.prefixes().add("e", "http://e/"));
            captured.executeWrite(() -> captured.add(G, S, P, O));
        }
        try (Capture capture = Capture.start(base, log)) {
            capture.dataset().executeWrite(() -> capture.dataset().add(Quad.defaultGraphIRI, S, P, O));
        }
        try (StoreLog stored = StoreLog.open(log)) {
            CheckpointFiles.make(stored, 2, ProgressListener.NONE);
            assertEquals(3, Pruning.before(stored, 3).first());
        }
        base.executeWrite(() -> base.deleteAny(G, S, P, O)); // not captured
        Capture.start(base, log, CaptureOptions.DEFAULT.withStart(CaptureOptions.Start.RESET)).close();
        try (StoreLog stored = StoreLog.open(log)) {
            assertEquals(4, stored.head().version());
            assertEquals(List.of("D <http://e/s> <http://e/p> <http://e/o> <http://e/g>"), rows(stored.storedSlice(4).file()).stream()
                    .filter(row -> row.matches("(A|D|PA|PD) .*")).toList());
        }
    }

    private static List<Path> filesOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofWhatTheDatasetCouldNotCommitThereIsNoFileAndAFolderGivesItToTheNextCapture(boolean isFile) throws IOException {
        boolean[] fails = new boolean[1];
        DatasetGraph base = new DatasetGraphWrapper(DatasetGraphFactory.createTxnMem()) {
            @Override
            public void commit() {
                if (fails[0]) {
                    throw new IllegalStateException("no commit");
                }
                super.commit();
            }
        };
        Path log = folder.resolve(isFile ? "log.jellyp" : "log");
        Capture capture = Capture.start(base, log, EFFECTIVE);
        fails[0] = true;
        assertThrows(IllegalStateException.class, () -> capture.dataset().add(Quad.defaultGraphIRI, S, P, O));
        assertEquals("the dataset failed to commit what its change log has: no commit; " + (isFile
                ? "make a new copy of the dataset, and a new capture"
                : "open the dataset and capture into " + log + " again, which makes the two one"),
                assertThrows(IllegalStateException.class, capture::close).getMessage());
        assertTrue(capture.ended());
        fails[0] = false;
        if (isFile) {
            assertEquals(List.of(), filesOf(folder));
        } else {
            Capture.start(base, log, EFFECTIVE).close();
            assertTrue(content(base).contains(ROW.trim()));
        }
    }

    /** More than is kept in memory. */
    @Test
    void aLargeTransactionIsAPatchOfTheFileThatTheCaptureNames() throws IOException {
        Path file = folder.resolve("log.jellyp");
        try (DatasetStore store = DatasetStore.open("mem:"); Capture capture = start(store, file)) {
            assertNull(capture.head());
            capture.dataset().executeWrite(() -> {
                for (int i = 0; i < 3; i++) {
                    capture.dataset().add(G, S, P, text(i + "x".repeat(500_000)));
                }
            });
            String head = capture.head();
            capture.close();
            assertEquals("H id " + head, events(file).get(1));
            assertEquals(3, rows(file).stream().filter(row -> row.startsWith("A ")).count());
        }
    }

    @Test
    void aCaptureOfNoChangeIsAFileWithoutPatches() throws IOException {
        Path file = folder.resolve("log.jellyp");
        try (DatasetStore store = DatasetStore.open("mem:")) {
            start(store, file).close();
        }
        assertEquals(List.of("start", "finish"), events(file));
        assertTrue(Files.size(file) > 0);
    }

    /** An interrupt closes the file that is written. */
    @Test
    void aTransactionThatCannotBeWrittenToTheFileIsNotInItAndTheOthersAre() throws IOException {
        Path file = folder.resolve("log.jellyp");
        try (DatasetStore store = DatasetStore.open("mem:")) {
            Capture capture = start(store, file);
            DatasetGraph dataset = capture.dataset();
            dataset.add(G, S, P, text("kept"));
            Thread.currentThread().interrupt();
            for (int i = 0; i < 2; i++) {
                String refused = assertThrows(UncheckedIOException.class, () -> dataset.add(G, S, P, text("x".repeat(200_000)))).getMessage();
                assertTrue(refused.startsWith("the change log can't be written: "), refused);
            }
            assertTrue(Thread.interrupted());
            dataset.add(G, S, P, text("next"));
            Thread.currentThread().interrupt();
            assertThrows(UncheckedIOException.class, () -> dataset.add(G, S, P, text("y")));
            capture.close();
            assertTrue(Thread.interrupted(), "it still is");
            assertEquals(2, store.size());
        }
        assertEquals(List.of(file), filesOf(folder));
        assertEquals(List.of("A <http://e/s> <http://e/p> \"kept\" <http://e/g>", "A <http://e/s> <http://e/p> \"next\" <http://e/g>"),
                events(file).stream().filter(row -> row.startsWith("A ")).toList());
    }

    /** The server of the log may be away, and let a commit wait for long. */
    @Test
    void theStateOfACaptureIsShownWhileACommitWaitsForTheLog() throws IOException {
        MemoryStore store = new MemoryStore();
        List<String> states = new ArrayList<>();
        try (Capture capture = new Capture(DatasetGraphFactory.createTxnMem(), store, CaptureOptions.DEFAULT, () -> { })) {
            store.before("00000000000000000001.jellyp", () -> states.add(CompletableFuture.supplyAsync(() -> state(capture))
                    .orTimeout(1, TimeUnit.SECONDS).join()));
            capture.dataset().add(Quad.create(G, S, P, O));
            states.add(state(capture));
        }
        assertEquals(List.of("0 0 false null", "1 1 false null"), states);
    }

    private static String state(Capture capture) {
        return capture.version() + " " + capture.patches() + " " + capture.isStopped() + " " + capture.error();
    }

    @Test
    void closingTheDatasetCompletesTheCapture() throws IOException {
        Path file = folder.resolve("log.jellyp");
        DatasetStore store = DatasetStore.open("mem:");
        start(store, file);
        store.update("INSERT DATA { <http://e/s> <http://e/p> <http://e/o> }");
        store.close();
        assertEquals(List.of("start", "TX", "A " + ROW + "DEFAULT", "TC", "---", "finish"), rows(file));
    }

    @Test
    void optionsThatNotEveryChangeFitsIntoAreRefused() throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            assertThrows(IllegalArgumentException.class, () -> CaptureOptions.DEFAULT.withWriteOptions(new WriteOptions(10, false, 1000)));
            assertThrows(IllegalArgumentException.class, () -> new CaptureWriter.Rotation(0, 1, 1));
            assertThrows(IllegalArgumentException.class, () -> new CaptureWriter.Rotation(1, 1, 0));
            assertThrows(IOException.class, () -> start(store, folder.resolve("no/folder/x.jellyp")));
            start(store, folder.resolve("x.jellyp")).close();
        }
    }
}
