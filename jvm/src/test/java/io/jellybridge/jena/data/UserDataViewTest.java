package io.jellybridge.jena.data;

import static io.jellybridge.jena.TestPatches.apply;
import static io.jellybridge.jena.TestPatches.content;
import static io.jellybridge.jena.TestPatches.file;
import static io.jellybridge.jena.TestPatches.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.files.BadStatements;
import io.jellybridge.jena.Backend;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.options.ShareLimit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.graph.GraphFactory;
import org.apache.jena.sparql.util.NodeFactoryExtra;
import org.apache.jena.system.Txn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is data of a dataset, and what is not. */
class UserDataViewTest {
    private static final StoredPosition POSITION = new StoredPosition("urn:jellybridge:log");
    private static final String TRIPLE = "<urn:jellybridge:log> <urn:jellybridge:position> <urn:id:1>";
    private static final Node POSITION_KEY = NodeFactory.createURI("urn:jellybridge:log");
    private static final Node SYNC = NodeFactory.createURI("urn:jellybridge:sync");

    @TempDir
    Path folder;

    /** A dataset with a position, a quad that is like it in another graph, and one in the default graph. */
    private DatasetStore open(Backend backend) throws IOException {
        DatasetStore store = backend.open(folder);
        store.update("INSERT DATA { <urn:s> <urn:p> <urn:o> . GRAPH <urn:g> { <urn:s> <urn:p> <urn:o> } }");
        Txn.executeWrite(store.dataset(), () -> POSITION.set(store.dataset(), "<urn:id:1>"));
        return store;
    }

    private static List<String> queries() {
        return List.of("{ GRAPH ?g { ?s ?p ?o } FILTER (?g != <urn:g>) }", "{ GRAPH <urn:jellybridge:sync> { ?s ?p ?o } }",
                "{ GRAPH ?g {} FILTER (?g != <urn:g>) }", "{ GRAPH <urn:x-arq:UnionGraph> { ?s ?p <urn:id:1> } }",
                "{ GRAPH <urn:x-arq:UnionGraph> { ?s <urn:jellybridge:position>+ ?o } }",
                "{ GRAPH ?g { ?s <urn:jellybridge:position>|<urn:x> ?o } }", "{ GRAPH ?g { ?s (<urn:jellybridge:position>)* <urn:id:1> "
                        + "FILTER EXISTS { ?s <urn:jellybridge:position> ?x } } }",
                "FROM <urn:jellybridge:sync> { ?s ?p ?o }", "FROM NAMED <urn:jellybridge:sync> { GRAPH ?g { ?s ?p ?o } }",
                "FROM <urn:x-arq:UnionGraph> { ?s <urn:jellybridge:position> ?o }",
                "{ BIND(<urn:jellybridge:sync> AS ?g) GRAPH ?g { ?s ?p ?o } }");
    }

    @ParameterizedTest
    @MethodSource("queries")
    void noQueryFindsThePosition(String query) throws IOException {
        for (Backend backend : Backend.values()) {
            try (DatasetStore store = open(backend)) {
                assertTrue(store.runQuery("SELECT * " + query).endsWith("\"rows\":[]}"), () -> backend + ": " + query);
                assertEquals("{\"triples\":[]}", store.runQuery("DESCRIBE <urn:jellybridge:log>"));
                assertEquals("<urn:id:1>", store.readPosition("urn:jellybridge:log"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aTripleThatIsAPositionElsewhereTooIsOfTheUnion(Backend backend) throws IOException {
        try (DatasetStore store = open(backend)) {
            String query = "ASK { GRAPH <urn:x-arq:UnionGraph> { " + TRIPLE + " } }";
            assertEquals("{\"boolean\":false}", store.runQuery(query));
            store.update("INSERT DATA { GRAPH <urn:h> { " + TRIPLE + " } }");
            assertEquals("{\"boolean\":true}", store.runQuery(query));
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void thePositionIsNeitherCountedNorDumpedNorAmongTheRows(Backend backend) throws IOException {
        try (DatasetStore store = open(backend)) {
            assertEquals(2, store.size());
            store.dump(folder.resolve("all.nq").toString());
            assertEquals(2, Files.readAllLines(folder.resolve("all.nq")).size());
            try (QuadCursor rows = store.rows()) {
                assertEquals(2, Iter.count(rows));
            }
            store.update("DROP GRAPH <urn:g>");
            store.dump(folder.resolve("default.nt").toString()); // which has no named graphs
            assertEquals(1, Files.readAllLines(folder.resolve("default.nt")).size());
        }
    }

    private static List<String> updatesOfAll() {
        return List.of("DROP ALL", "DROP NAMED", "CLEAR ALL", "CLEAR NAMED", "DELETE WHERE { GRAPH ?g { ?s ?p ?o } }",
                "DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }",
                "DELETE { GRAPH <urn:jellybridge:sync> { ?s ?p ?o } } WHERE { GRAPH <urn:jellybridge:sync> { ?s ?p ?o } }",
                "MOVE SILENT GRAPH <urn:jellybridge:sync> TO <urn:h>", "COPY SILENT GRAPH <urn:jellybridge:sync> TO DEFAULT",
                "DROP SILENT GRAPH <urn:jellybridge:sync>", "CLEAR SILENT GRAPH <urn:jellybridge:sync>");
    }

    @ParameterizedTest
    @MethodSource("updatesOfAll")
    void whatChangesAllGraphsLeavesThePosition(String update) throws IOException {
        for (Backend backend : Backend.values()) {
            try (DatasetStore store = open(backend)) {
                store.update(update);
                assertEquals("<urn:id:1>", store.readPosition("urn:jellybridge:log"));
                assertFalse(store.runQuery("SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }").contains("urn:id:1"));
            }
        }
    }

    private static List<String> updatesByName() {
        return List.of("INSERT DATA { GRAPH <urn:jellybridge:sync> { <urn:s> <urn:p> 1 } }",
                "DELETE DATA { GRAPH <urn:jellybridge:sync> { " + TRIPLE + " } }",
                "INSERT { GRAPH ?s { ?s ?p ?o } } WHERE { BIND(<urn:jellybridge:sync> AS ?s) ?x ?p ?o }",
                "COPY <urn:g> TO <urn:jellybridge:sync>", "MOVE <urn:g> TO <urn:jellybridge:sync>",
                "ADD <urn:g> TO <urn:jellybridge:sync>", "WITH <urn:jellybridge:sync> INSERT { <urn:s> <urn:p> 1 } USING <urn:g> WHERE { ?s ?p ?o }");
    }

    @ParameterizedTest
    @MethodSource("updatesByName")
    void anUpdateThatNamesTheGraphOfPositionsIsRefused(String update) throws IOException {
        for (Backend backend : Backend.values()) {
            try (DatasetStore store = open(backend)) {
                var before = content(store.dataset());
                String message = assertThrows(RuntimeException.class, () -> store.update(update)).getMessage();
                assertTrue(message.contains("<urn:jellybridge:sync>, in which each dataset keeps its own positions"), message);
                assertEquals(before, content(store.dataset()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whoAsksForPositionsReadsAndChangesThem(Backend backend) throws IOException {
        open(backend).close();
        String location = backend == Backend.MEMORY ? "mem:" : "tdb2:" + folder.resolve("database");
        try (DatasetStore store = DatasetStore.open(location, true)) {
            store.update("INSERT DATA { GRAPH <urn:jellybridge:sync> { " + TRIPLE + " } }");
            assertEquals(backend == Backend.MEMORY ? 1 : 3, store.size());
            assertEquals("{\"boolean\":true}", store.runQuery("ASK { GRAPH ?g { " + TRIPLE + " } }"));
            try (QuadCursor rows = store.rows()) {
                assertEquals(store.size(), Iter.count(rows));
            }
            store.update("DROP ALL");
            assertEquals(0, store.size());
            if (backend == Backend.TDB2) { // whose terms are those of any data
                store.update("INSERT DATA { <urn:s> <urn:p> 1.50 ; <urn:q> 'o'@ar--rtl }");
                store.update("DELETE DATA { <urn:s> <urn:p> 1.5 }");
                assertEquals(1, store.size());
                for (String term : List.of("99999999999999999999", "'o'@ar--ltr")) {
                    assertThrows(IllegalArgumentException.class, () -> store.update("INSERT DATA { <urn:s> <urn:p> " + term + " }"));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void everyWayOfReadingAgrees(Backend backend) throws IOException {
        try (DatasetStore store = open(backend)) {
            DatasetGraph data = UserDataView.of(store.dataset());
            data.begin(TxnType.WRITE);
            Node any = Node.ANY;
            for (Node graph : new Node[] {null, any}) {
                assertEquals(2, Iter.count(data.find(graph, null, null, null)));
                assertEquals(1, Iter.count(data.findNG(graph, any, any, any)));
                assertFalse(data.contains(graph, POSITION_KEY, any, any));
            }
            assertEquals(2, Iter.count(data.find()) + Iter.count(data.find(SYNC, any, any, any)));
            assertEquals(2, data.stream().count());
            assertEquals(1, Iter.count(data.find(Quad.unionGraph, any, any, any)));
            assertEquals(1, Iter.count(data.findNG(Quad.unionGraph, any, any, any)));
            assertEquals(1, data.getUnionGraph().size());
            assertEquals(1, Iter.count(data.listGraphNodes()));
            assertEquals(1, data.size());
            assertFalse(data.containsGraph(SYNC) || data.contains(SYNC, any, any, any) || data.isEmpty());
            assertTrue(data.getGraph(SYNC).isEmpty());
            assertTrue(data.contains(new Quad(Quad.defaultGraphIRI, data.getDefaultGraph().find().next())));
            Graph positions = data.getGraph(SYNC);
            assertThrows(IllegalArgumentException.class, () -> positions.add(data.getDefaultGraph().find().next()));
            assertThrows(IllegalArgumentException.class, positions::clear);
            assertThrows(IllegalArgumentException.class, () -> data.removeGraph(SYNC));
            assertThrows(IllegalArgumentException.class, () -> data.addGraph(SYNC, data.getDefaultGraph()));
            assertThrows(IllegalArgumentException.class, () -> data.deleteAny(SYNC, any, any, any));
            data.getDefaultGraph().clear();
            assertEquals(1, Iter.count(data.find()));
            data.clear();
            assertTrue(data.isEmpty());
            assertEquals("<urn:id:1>", POSITION.get(data));
            data.commit();
            data.end();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aWildcardDeletesInEachGraphButThatOfPositions(Backend backend) throws IOException {
        for (Node wildcard : new Node[] {null, Node.ANY}) {
            try (DatasetStore store = backend.open(folder.resolve("by " + wildcard))) {
                store.update("INSERT DATA { <urn:s> <urn:p> <urn:o> . GRAPH <urn:g> { <urn:s> <urn:p> <urn:o>, <urn:x> } }");
                DatasetGraph data = UserDataView.of(store.dataset());
                Txn.executeWrite(data, () -> {
                    POSITION.set(data, "<urn:o>");
                    data.deleteAny(wildcard, null, null, NodeFactory.createURI("urn:o"));
                    assertEquals("<urn:o>", POSITION.get(data));
                });
                assertEquals(set("<urn:s> <urn:p> <urn:x> <urn:g>"), content(data));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aGraphIsAddedTripleByTriple(Backend backend) throws IOException {
        try (DatasetStore store = open(backend)) {
            DatasetGraph data = UserDataView.of(store.dataset());
            Graph triples = GraphFactory.createDefaultGraph();
            triples.add(POSITION_KEY, SYNC, NodeFactory.createURI("urn:o"));
            Txn.executeWrite(data, () -> {
                data.addGraph(NodeFactory.createURI("urn:g"), triples);
                data.addGraph(NodeFactory.createURI("urn:h"), triples);
            });
            String added = "<urn:jellybridge:log> <urn:jellybridge:sync> <urn:o> ";
            assertEquals(set("<urn:s> <urn:p> <urn:o>",
                    "<urn:s> <urn:p> <urn:o> <urn:g>", added + "<urn:g>", added + "<urn:h>"),
                    content(data));
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aQuadIsFoundAndAskedForAsItsTermsAre(Backend backend) throws IOException {
        try (DatasetStore store = open(backend)) {
            DatasetGraph data = UserDataView.of(store.dataset());
            Node[] terms = {NodeFactory.createURI("urn:g"), NodeFactory.createURI("urn:s"), NodeFactory.createURI("urn:p"),
                NodeFactory.createURI("urn:o")};
            Quad there = Quad.create(terms[0], terms[1], terms[2], terms[3]);
            Txn.executeRead(data, () -> {
                assertEquals(List.of(there), Iter.toList(data.find(there)));
                assertTrue(data.contains(there));
                for (int i = 0; i < terms.length; i++) {
                    Node[] other = terms.clone();
                    other[i] = SYNC;
                    Quad none = Quad.create(other[0], other[1], other[2], other[3]);
                    assertEquals(List.of(), Iter.toList(data.find(none)));
                    assertFalse(data.contains(none));
                    other[i] = null;
                    assertTrue(data.contains(other[0], other[1], other[2], other[3]));
                }
                assertTrue(data.contains(Quad.unionGraph, terms[1], terms[2], terms[3]));
                assertFalse(data.contains(Quad.unionGraph, terms[1], terms[2], SYNC));
            });
        }
    }

    // --- what comes in from outside

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aPatchThatTouchesThePositionsIsRefusedBeforeAnythingIsDone(Backend backend) throws IOException {
        try (DatasetStore store = open(backend)) {
            var before = content(store.dataset());
            for (Op op : new Op[] {Op.A, Op.D}) {
                Path patch = patch(op, "<urn:jellybridge:sync>", TRIPLE);
                FormatException refused = assertThrows(FormatException.class,
                        () -> apply(store, patch));
                assertTrue(refused.getMessage().contains("each dataset keeps its own positions"), refused.getMessage());
            }
            assertEquals(before, content(store.dataset()));
        }
    }

    private Path patch(Op op, String graph, String triple) throws IOException {
        Node[] terms = Stream.of(triple.split(" ")).map(NodeFactoryExtra::parseNode).toArray(Node[]::new);
        Node name = graph == null ? null : NodeFactoryExtra.parseNode(graph);
        return file(folder, changes -> {
            if (op == Op.A) {
                changes.add(name, terms[0], terms[1], terms[2]);
            } else {
                changes.delete(name, terms[0], terms[1], terms[2]);
            }
        });
    }

    // --- what TDB2 makes of numbers

    @Test
    void whatIsShownByTdb2CanBeDeleted() throws IOException {
        String decimal = "\"1.50\"^^<http://www.w3.org/2001/XMLSchema#decimal>";
        Path file = folder.resolve("numbers.nq");
        Files.writeString(file, "<urn:s> <urn:p> " + decimal + " .\n<urn:s> <urn:p> " + decimal + " <urn:g> .\n");
        for (String way : new String[] {"load", "apply", "update"}) {
            for (String update : new String[] {"DELETE WHERE { ?s ?p ?o } ; DELETE WHERE { GRAPH ?g { ?s ?p ?o } }", "DROP ALL",
                "DELETE DATA { <urn:s> <urn:p> 1.50 . GRAPH <urn:g> { <urn:s> <urn:p> 1.5 } }"}) {
                try (DatasetStore store = DatasetStore.open("tdb2:" + folder.resolve(way))) {
                    switch (way) {
                        case "load" -> store.load(file.toString());
                        case "apply" -> {
                            apply(store, patch(Op.A, null, "<urn:s> <urn:p> " + decimal));
                            apply(store, patch(Op.A, "<urn:g>", "<urn:s> <urn:p> " + decimal));
                        }
                        default -> store.update("INSERT DATA { <urn:s> <urn:p> 1.50, 1.500 . "
                                + "GRAPH <urn:g> { <urn:s> <urn:p> 1.50 } }");
                    }
                    assertEquals(2, store.size(), way);
                    store.update(update);
                    assertEquals(0, store.size(), way + ", " + update);
                }
            }
        }
    }

    /** As a database has it that another program filled. */
    @Test
    void whatWasWrittenPastUsIsThereAsItWasWrittenAndCanBeDeleted() throws IOException {
        Node name = NodeFactory.createURI("urn:n");
        Node written = NodeFactoryExtra.parseNode("\"1.50\"^^<http://www.w3.org/2001/XMLSchema#decimal>");
        Node shown = NodeFactoryExtra.parseNode("\"1.5\"^^<http://www.w3.org/2001/XMLSchema#decimal>");
        try (DatasetStore store = DatasetStore.open("tdb2:" + folder.resolve("db"))) {
            DatasetGraph base = store.dataset();
            DatasetGraph data = UserDataView.of(base);
            Txn.executeWrite(base, () -> {
                base.add(name, name, name, written);
                base.add(name, name, name, shown);
                assertTrue(data.contains(name, name, name, written));
                assertFalse(data.contains(SYNC, name, name, written));
                assertTrue(data.contains(name, null, name, null) && data.contains(name, name, name, null));
                data.delete(name, name, Node.ANY, shown);
                assertFalse(base.isEmpty());
                data.delete(name, name, name, shown);
                assertFalse(data.contains(name, name, name, written), "both are shown so");
                assertTrue(base.isEmpty());
                base.add(name, name, name, written);
                data.delete(name, name, name, written);
                assertTrue(base.isEmpty());
            });
        }
    }

    @Test
    void anIntegerThatTdb2WouldAlterIsRefusedByName() throws IOException {
        String large = "\"99999999999999999999\"^^<http://www.w3.org/2001/XMLSchema#integer>";
        Path file = folder.resolve("large.nt");
        Files.writeString(file, "<urn:s> <urn:p> <<( <urn:s> <urn:p> " + large + " )>> .\n");
        try (DatasetStore store = DatasetStore.open("tdb2:" + folder.resolve("db"));
                DatasetStore memory = DatasetStore.open("mem:")) {
            Path patch = patch(Op.A, null, "<urn:s> <urn:p> " + large);
            for (String message : List.of(
                    assertThrows(FormatException.class, () -> apply(store, patch)).getMessage(),
                    assertThrows(FormatException.class, () -> store.load(file.toString())).getMessage(),
                    assertThrows(IllegalArgumentException.class,
                            () -> store.update("INSERT DATA { <urn:s> <urn:p> 99999999999999999999 }")).getMessage())) {
                assertTrue(message.contains("99999999999999999999"), message);
                assertTrue(message.contains("an integer of more than 64 bits, which TDB2 would give back as another number"),
                        message);
            }
            assertEquals(0, store.size());
            apply(memory, patch);
            memory.load(file.toString());
            assertEquals(2, memory.size());
        }
    }

    @Test
    void literalsThatDifferInBaseDirectionAloneAreNotTakenForEachOther() throws IOException {
        Node name = NodeFactory.createURI("urn:n");
        Node right = NodeFactory.createLiteralDirLang("o", "ar", "rtl");
        Node left = NodeFactory.createLiteralDirLang("o", "ar", "ltr");
        Path both = Files.writeString(folder.resolve("both.nt"),
                "<urn:a> <urn:p> \"o\"@ar--rtl .\n<urn:b> <urn:p> \"o\"@ar--ltr .\n");
        try (DatasetStore store = DatasetStore.open("tdb2:" + folder.resolve("db"))) {
            apply(store, file(folder, changes -> changes.add(null, name, name, right)));
            for (Executable work : List.<Executable>of(
                    () -> apply(store, file(folder, changes -> changes.add(null, name, name, left))),
                    () -> store.load(both.toString()),
                    () -> store.update("INSERT DATA { <urn:n> <urn:n> 'o'@ar--ltr }"))) {
                String message = assertThrows(Exception.class, work).getMessage();
                assertTrue(message.contains("\"o\"@ar--ltr, which TDB2 does not tell from \"o\"@ar--rtl"), message);
                assertEquals(set("<urn:n> <urn:n> \"o\"@ar--rtl"), content(store));
            }
            // What is not there is not found, by whatever question, and not deleted.
            DatasetGraph data = UserDataView.of(store.dataset());
            Txn.executeRead(data, () -> {
                for (Node graph : new Node[] {Quad.defaultGraphIRI, Node.ANY}) {
                    assertFalse(data.contains(graph, name, name, left));
                    assertTrue(data.contains(graph, name, name, right));
                    assertFalse(data.find(graph, Node.ANY, Node.ANY, left).hasNext());
                }
                assertFalse(data.findNG(Node.ANY, Node.ANY, Node.ANY, left).hasNext());
                assertFalse(data.find(Quad.unionGraph, Node.ANY, Node.ANY, left).hasNext());
            });
            apply(store, file(folder, changes -> changes.delete(null, name, name, left)));
            store.update("DELETE DATA { <urn:n> <urn:n> 'o'@ar--ltr } ; DELETE WHERE { ?s ?p 'o'@ar--ltr }");
            Txn.executeWrite(data, () -> data.deleteAny(Node.ANY, Node.ANY, Node.ANY, left));
            assertEquals(set("<urn:n> <urn:n> \"o\"@ar--rtl"), content(store));
            store.update("INSERT DATA { <urn:s> <urn:p> 'o'@ar--rtl, 'o'@ar, 'other'@ar--ltr }");
            assertEquals(4, store.size());
        }
        Path turtle = Files.copy(both, folder.resolve("both.ttl"));
        ByteArrayOutputStream aside = new ByteArrayOutputStream();
        try (DatasetStore empty = DatasetStore.open("tdb2:" + folder.resolve("empty"));
                DatasetStore memory = DatasetStore.open("mem:")) {
            Path patch = file(folder, changes -> {
                changes.add(null, name, name, right);
                changes.add(null, name, name, left);
            });
            assertThrows(ApplyException.class, () -> apply(empty, patch));
            for (Path document : List.of(both, turtle)) {
                String message = assertThrows(FormatException.class, () -> empty.load(document.toString())).getMessage();
                assertTrue(message.contains(document + ", line 2"), message);
                assertEquals(0, empty.size());
            }
            BadStatements bad = new BadStatements("bad.nt", ShareLimit.NONE, () -> aside);
            for (Path document : List.of(both, turtle)) {
                empty.load(new RdfFile(document.toString(), document.toString(), null, null, false, bad));
            }
            assertEquals(List.of(1L, 2L), List.of(empty.size(), bad.count()), aside.toString());
            apply(memory, patch);
            memory.load(both.toString());
            assertEquals(4, memory.size());
        }
    }
}
