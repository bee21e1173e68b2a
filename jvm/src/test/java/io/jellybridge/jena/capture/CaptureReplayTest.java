package io.jellybridge.jena.capture;

import static io.jellybridge.jena.TestPatches.iri;
import static io.jellybridge.jena.TestPatches.string;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.Backend;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.log.CaptureWriter;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.GraphUtil;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.query.Dataset;
import org.apache.jena.query.DatasetFactory;
import org.apache.jena.query.ReadWrite;
import org.apache.jena.query.TxnType;
import org.apache.jena.rdf.model.Model;
import org.apache.jena.rdf.model.ModelFactory;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.system.ErrorHandlerFactory;
import org.apache.jena.riot.system.StreamRDFLib;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.exec.UpdateExec;
import org.apache.jena.sparql.graph.GraphFactory;
import org.apache.jena.system.Txn;
import org.apache.jena.update.UpdateAction;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random sequences of changes, through every door that Jena has to a dataset, in every kind of transaction that it has:
 * what is captured of them makes an equal dataset of the one before, and undone, when only what changes something was
 * captured, the one before again.
 */
class CaptureReplayTest {
    private static final List<Node> GRAPHS = List.of(Quad.defaultGraphIRI, Quad.defaultGraphNodeGenerated,
            iri("http://e/g1"), iri("http://e/g2"), NodeFactory.createBlankNode("g"));
    private static final List<String> NAMES = List.of("a", "b", "", "c:");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"MEMORY, false, 480", "MEMORY, true, 480", "TDB2, false, 20", "TDB2, true, 20"})
    void replayingACaptureGivesAnEqualDataset(Backend backend, boolean effectiveOnly, int sequences)
            throws IOException {
        Set<Door> used = new HashSet<>();
        try (DatasetStore store = backend.open(Files.createDirectory(folder.resolve("store")));
                DatasetStore replica = backend.open(Files.createDirectory(folder.resolve("replica")))) {
            for (int seed = 0; seed < sequences; seed++) {
                Random random = new Random(seed);
                Path log = folder.resolve("log" + seed);
                Set<Object> start = data(store);
                capture(store, log, random, effectiveOnly, used);
                Set<Object> end = data(store);
                for (Path file : files(log)) {
                    TestPatches.apply(replica, file);
                }
                assertEquals(end, data(replica), "seed " + seed);
                if (effectiveOnly) {
                    TestPatches.apply(replica, inverse(log));
                    assertEquals(start, data(replica), "undone, seed " + seed);
                    for (Path file : files(log)) {
                        TestPatches.apply(replica, file);
                    }
                }
            }
        }
        assertEquals(Set.of(Door.values()), used, "doors that were used");
    }

    private void capture(DatasetStore store, Path log, Random random, boolean effectiveOnly, Set<Door> used)
            throws IOException {
        CaptureOptions options = CaptureOptions.DEFAULT.withEffectiveOnly(effectiveOnly).withFsync(false)
                .withRecordAborted(random.nextBoolean())
                .withRotation(new CaptureWriter.Rotation(1 + random.nextInt(4000), 1 + random.nextInt(9), 1_000_000))
                .withWriteOptions(new WriteOptions(1 + random.nextInt(10), true, 1 << 20, 1 + random.nextInt(500)));
        try (Capture capture = store.startCapture(log, options)) {
            for (int i = 0; i < 6; i++) {
                transaction(random, capture.dataset(), used);
            }
        }
    }

    /** The patches of a log, the last one first, and in each the last row first, turned around. */
    private Path inverse(Path log) throws IOException {
        List<List<Row>> patches = new ArrayList<>();
        for (Path file : files(log)) {
            try (var reader = new PatchReader<>(Files.newInputStream(file), null, new NodeTerms(), ReadOptions.STRICT)) {
                reader.readAll(new Rows(patches));
            }
        }
        Path undo = folder.resolve("undo.jellyp");
        Collections.reverse(patches);
        try (var writer = new PatchWriter<>(Files.newOutputStream(undo), null, new NodeTerms(), TestPatches.QUADS,
                WriteOptions.DEFAULT)) {
            for (List<Row> rows : patches) {
                Collections.reverse(rows);
                for (Row row : rows) {
                    row.writeInverse(writer);
                }
                writer.endPatch();
            }
        }
        return undo;
    }

    private static List<Path> files(Path log) throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            return files.filter(file -> file.toString().endsWith(".jellyp")).sorted().toList();
        }
    }

    /** All that the dataset holds but its position, with its terms as they are. */
    private static Set<Object> data(DatasetStore store) {
        Set<Object> data = new HashSet<>();
        Txn.executeRead(store.dataset(), () -> {
            store.dataset().find().forEachRemaining(quad -> {
                if (!quad.getGraph().hasURI(StoredPosition.GRAPH)) {
                    data.add(quad);
                }
            });
            data.add(store.dataset().prefixes().getMappingCopy());
        });
        return data;
    }

    // --- transactions

    private static void transaction(Random random, DatasetGraph dataset, Set<Door> used) {
        Runnable work = () -> {
            for (int i = random.nextInt(5); i >= 0; i--) {
                Door door = Door.values()[random.nextInt(Door.values().length)];
                used.add(door);
                door.change(random, dataset);
            }
        };
        switch (random.nextInt(12)) {
            case 0 -> changeWithoutTransaction(random, dataset, used);
            case 1 -> inTransaction(dataset, TxnType.READ_PROMOTE, work, true);
            case 2 -> inTransaction(dataset, TxnType.READ_COMMITTED_PROMOTE, work, true);
            case 3 -> inTransaction(dataset, TxnType.READ_PROMOTE, work, false);
            case 4 -> inTransaction(dataset, TxnType.WRITE, work, false);
            case 5 -> {
                dataset.begin(TxnType.WRITE);
                work.run();
                assertThrows(RuntimeException.class, dataset::end); // not committed
            }
            case 6 -> {
                dataset.begin(ReadWrite.WRITE);
                work.run();
                dataset.commit();
                dataset.end();
            }
            case 7 -> Txn.executeWrite(dataset, work);
            case 8 -> assertThrows(IllegalStateException.class, () -> Txn.executeWrite(dataset, () -> {
                work.run();
                throw new IllegalStateException("the application fails");
            }));
            case 9 -> dataset.getDefaultGraph().getTransactionHandler().executeAlways(work);
            case 10 -> {
                dataset.begin();
                assertTrue(dataset.promote());
                work.run();
                dataset.commit();
                dataset.end();
            }
            default -> inTransaction(dataset, TxnType.WRITE, work, true);
        }
    }

    private static void inTransaction(DatasetGraph dataset, TxnType type, Runnable work, boolean commit) {
        dataset.begin(type);
        work.run();
        if (commit) {
            dataset.commit();
        } else {
            dataset.abort();
        }
        dataset.end();
    }

    /** Only doors that need none: others read before they write, which TDB2 refuses outside of a transaction. */
    private static void changeWithoutTransaction(Random random, DatasetGraph dataset, Set<Door> used) {
        Door[] doors = {Door.ADD_QUAD, Door.ADD, Door.DELETE_QUAD, Door.DELETE, Door.DELETE_ANY, Door.CLEAR,
            Door.REMOVE_GRAPH, Door.PREFIXES, Door.GRAPH_ADD, Door.GRAPH_DELETE};
        Door door = doors[random.nextInt(doors.length)];
        used.add(door);
        door.change(random, dataset);
    }

    // --- doors

    /** The ways to change a dataset. */
    private enum Door {
        ADD_QUAD {
            @Override
            void change(Random random, DatasetGraph dataset) {
                dataset.add(quad(random));
            }
        },
        ADD {
            @Override
            void change(Random random, DatasetGraph dataset) {
                Quad quad = quad(random);
                dataset.add(quad.getGraph(), quad.getSubject(), quad.getPredicate(), quad.getObject());
            }
        },
        ADD_ALL {
            @Override
            void change(Random random, DatasetGraph dataset) {
                DatasetGraph other = DatasetGraphFactory.create();
                other.add(quad(random));
                other.add(quad(random));
                dataset.addAll(other);
            }
        },
        DELETE_QUAD {
            @Override
            void change(Random random, DatasetGraph dataset) {
                dataset.delete(quad(random));
            }
        },
        DELETE {
            @Override
            void change(Random random, DatasetGraph dataset) {
                Quad quad = quad(random);
                dataset.delete(quad.getGraph(), quad.getSubject(), quad.getPredicate(), quad.getObject());
            }
        },
        DELETE_ANY {
            @Override
            void change(Random random, DatasetGraph dataset) {
                Quad quad = quad(random);
                dataset.deleteAny(or(random, Node.ANY, quad.getGraph()), or(random, null, quad.getSubject()),
                        or(random, Node.ANY, quad.getPredicate()), or(random, Node.ANY, quad.getObject()));
            }
        },
        CLEAR {
            @Override
            void change(Random random, DatasetGraph dataset) {
                if (random.nextInt(4) == 0) {
                    dataset.clear();
                }
            }
        },
        ADD_GRAPH {
            @Override
            void change(Random random, DatasetGraph dataset) {
                dataset.addGraph(graph(random), triples(random));
            }
        },
        REMOVE_GRAPH {
            @Override
            void change(Random random, DatasetGraph dataset) {
                dataset.removeGraph(graph(random));
            }
        },
        PREFIXES {
            @Override
            void change(Random random, DatasetGraph dataset) {
                String prefix = one(random, NAMES);
                switch (random.nextInt(8)) {
                    case 0 -> dataset.prefixes().delete(prefix);
                    case 1 -> dataset.prefixes().clear();
                    case 2 -> dataset.prefixes().putAll(Map.of("p", "http://p/", "q", "http://q/"));
                    default -> dataset.prefixes().add(prefix, "http://n/" + random.nextInt(3));
                }
            }
        },
        GRAPH_ADD {
            @Override
            void change(Random random, DatasetGraph dataset) {
                view(random, dataset).add(triple(random));
            }
        },
        GRAPH_DELETE {
            @Override
            void change(Random random, DatasetGraph dataset) {
                Graph graph = view(random, dataset);
                Triple triple = triple(random);
                switch (random.nextInt(6)) {
                    case 0 -> graph.clear();
                    case 1 -> graph.remove(triple.getSubject(), Node.ANY, Node.ANY);
                    default -> graph.delete(triple);
                }
            }
        },
        GRAPH_PREFIXES {
            @Override
            void change(Random random, DatasetGraph dataset) {
                var prefixes = view(random, dataset).getPrefixMapping();
                if (random.nextInt(3) == 0) {
                    prefixes.removeNsPrefix("a");
                } else {
                    prefixes.setNsPrefix("a", "http://n/" + random.nextInt(3));
                }
            }
        },
        GRAPH_UTIL {
            @Override
            void change(Random random, DatasetGraph dataset) {
                if (random.nextBoolean()) {
                    GraphUtil.addInto(view(random, dataset), triples(random));
                } else {
                    GraphUtil.deleteFrom(view(random, dataset), triples(random));
                }
            }
        },
        UNION_GRAPH {
            @Override
            void change(Random random, DatasetGraph dataset) {
                Triple triple = triple(random);
                assertThrows(RuntimeException.class, () -> dataset.getUnionGraph().add(triple));
                assertThrows(RuntimeException.class, () -> dataset.add(Quad.create(Quad.unionGraph, triple)));
            }
        },
        MODEL {
            @Override
            void change(Random random, DatasetGraph dataset) {
                Dataset api = DatasetFactory.wrap(dataset);
                Model model = random.nextBoolean() ? api.getDefaultModel() : api.getNamedModel("http://e/g1");
                var resource = model.createResource("http://e/s" + random.nextInt(3));
                var property = model.createProperty("http://e/p0");
                switch (random.nextInt(6)) {
                    case 0 -> resource.addProperty(property, model.createList(resource, property));
                    case 1 -> model.createBag("http://e/bag").add("one").add(2);
                    case 2 -> model.removeAll(resource, null, null);
                    case 3 -> model.setNsPrefix("m", "http://m/" + random.nextInt(2));
                    case 4 -> model.add(ModelFactory.createModelForGraph(triples(random)));
                    default -> resource.addProperty(property, "x" + random.nextInt(2), "en-GB");
                }
            }
        },
        DATASET {
            @Override
            void change(Random random, DatasetGraph dataset) {
                Dataset api = DatasetFactory.wrap(dataset);
                Model model = ModelFactory.createModelForGraph(triples(random));
                switch (random.nextInt(4)) {
                    case 0 -> api.replaceNamedModel("http://e/g2", model);
                    case 1 -> api.removeNamedModel("http://e/g1");
                    case 2 -> api.setDefaultModel(model);
                    default -> api.addNamedModel("http://e/g1", model);
                }
            }
        },
        UPDATE {
            @Override
            void change(Random random, DatasetGraph dataset) {
                UpdateExec.dataset(dataset).update(update(random)).execute();
            }
        },
        UPDATE_ACTION {
            @Override
            void change(Random random, DatasetGraph dataset) {
                UpdateAction.parseExecute(update(random), DatasetFactory.wrap(dataset));
            }
        },
        READ {
            @Override
            void change(Random random, DatasetGraph dataset) {
                String text = "PREFIX r: <http://e/" + random.nextInt(3) + "> " + data(random);
                switch (random.nextInt(3)) {
                    case 0 -> RDFParser.fromString(text, Lang.TRIG).parse(dataset);
                    case 1 -> RDFParser.fromString(text, Lang.TURTLE).parse(StreamRDFLib.graph(view(random, dataset)));
                    default -> RDFDataMgr.read(DatasetFactory.wrap(dataset).getDefaultModel(), new StringReader(text), null,
                            Lang.TURTLE);
                }
            }
        },
        READ_WHAT_IS_BROKEN {
            @Override
            void change(Random random, DatasetGraph dataset) {
                assertThrows(RuntimeException.class, () -> RDFParser.fromString("PREFIX bad: <http://bad/> " + data(random)
                        + " oops", Lang.TRIG).errorHandler(ErrorHandlerFactory.errorHandlerStrictNoLogging).parse(dataset));
            }
        };

        abstract void change(Random random, DatasetGraph dataset);
    }

    private static String update(Random random) {
        String data = data(random);
        return switch (random.nextInt(14)) {
            case 0 -> one(random, List.of("CLEAR ALL", "CLEAR DEFAULT", "CLEAR NAMED", "DROP ALL"));
            case 1 -> "DELETE { ?s ?p ?o } INSERT { GRAPH <http://e/moved> { ?s ?p ?o } } WHERE { ?s ?p ?o }";
            case 2 -> "DELETE WHERE { ?s ?p 1 }";
            case 3 -> "DELETE WHERE { GRAPH ?g { ?s ?p 1 } }";
            case 4 -> "COPY SILENT DEFAULT TO <http://e/g1>";
            case 5 -> "MOVE SILENT <http://e/g1> TO <http://e/g2>";
            case 6 -> "ADD SILENT <http://e/g2> TO DEFAULT";
            case 7 -> "DELETE DATA { " + data + " }";
            case 8 -> "INSERT DATA { GRAPH <http://e/g" + random.nextInt(3) + "> { " + data + " } }";
            case 9 -> "INSERT DATA { " + data + " } ; DELETE DATA { " + data + " } ; INSERT DATA { " + data(random) + " }";
            case 10 -> "INSERT { ?s ?p [] } WHERE { ?s ?p ?o } ; DROP SILENT GRAPH <http://e/moved>";
            default -> "INSERT DATA { " + data + " }";
        };
    }

    private static String data(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            Triple triple = triple(random);
            // A label in a syntax is a fresh node; in an update it may not be deleted at all.
            if (!triple.getSubject().isBlank() && !triple.getObject().isTripleTerm()) {
                text.append(string(triple.getSubject())).append(' ').append(string(triple.getPredicate())).append(' ')
                        .append(string(triple.getObject())).append(" . ");
            }
        }
        return text.toString();
    }

    private static final List<Node> OBJECTS = List.of(iri("http://e/o"), TestPatches.integer("1"),
            TestPatches.integer("042"), TestPatches.integer("42"), TestPatches.text("a \" \\ \n \u0001 b"),
            NodeFactory.createLiteralLang("x", "en-GB"), NodeFactory.createLiteralDirLang("x", "ar", "rtl"),
            typed("1.0e0", "double"), typed("true", "boolean"), typed("2020-01-01T00:00:00+00:00", "dateTime"),
            typed("not a date", "date"), typed("1.50", "decimal"),
            NodeFactory.createTripleTerm(iri("http://e/s0"), iri("http://e/p0"), TestPatches.integer("042")));

    private static Node typed(String lexical, String type) {
        return NodeFactory.createLiteralDT(lexical, NodeFactory.getType("http://www.w3.org/2001/XMLSchema#" + type));
    }

    private static Quad quad(Random random) {
        return Quad.create(graph(random), triple(random));
    }

    private static Triple triple(Random random) {
        Node subject = random.nextInt(5) == 0 ? NodeFactory.createBlankNode("b" + random.nextInt(2))
                : iri("http://e/s" + random.nextInt(3));
        return Triple.create(subject, iri("http://e/p" + random.nextInt(2)), one(random, OBJECTS));
    }

    private static Graph triples(Random random) {
        Graph graph = GraphFactory.createDefaultGraph();
        for (int i = random.nextInt(4); i >= 0; i--) {
            graph.add(triple(random));
        }
        return graph;
    }

    private static Node graph(Random random) {
        return one(random, GRAPHS);
    }

    private static Graph view(Random random, DatasetGraph dataset) {
        return random.nextBoolean() ? dataset.getDefaultGraph() : dataset.getGraph(graph(random));
    }

    private static <T> T one(Random random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static Node or(Random random, Node any, Node node) {
        return random.nextBoolean() ? any : node;
    }

    // --- rows that can be turned around

    private record Row(Op op, byte[] name, Node namespace, Node subject, Node predicate, Node object, Node graph) {

        void writeInverse(PatchHandler<Node> writer) {
            switch (op) {
                case TX -> writer.transaction(Op.TC);
                case TC, TA -> writer.transaction(Op.TX);
                case A -> writer.statement(Op.D, subject, predicate, object, graph);
                case D -> writer.statement(Op.A, subject, predicate, object, graph);
                case PA -> writer.prefix(Op.PD, name, namespace, graph);
                case PD -> writer.prefix(Op.PA, name, namespace, graph);
                default -> throw new IllegalStateException(op.toString());
            }
        }
    }

    /** Collects the patches that committed. */
    private static final class Rows extends PatchAdapter<Node> {
        private final List<List<Row>> patches;
        private List<Row> rows = new ArrayList<>();
        private boolean aborted;

        Rows(List<List<Row>> patches) {
            this.patches = patches;
        }

        @Override
        public void transaction(Op op) {
            rows.add(new Row(op, null, null, null, null, null, null));
            aborted = op == Op.TA;
        }

        @Override
        public void prefix(Op op, byte[] name, Node namespace, Node graph) {
            rows.add(new Row(op, name, namespace, null, null, null, graph));
        }

        @Override
        public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
            rows.add(new Row(op, null, null, subject, predicate, object, graph));
        }

        @Override
        public void endPatch() {
            if (!aborted) {
                patches.add(rows);
            }
            rows = new ArrayList<>();
        }
    }
}
