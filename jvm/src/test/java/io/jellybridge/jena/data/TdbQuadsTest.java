package io.jellybridge.jena.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.jena.nodes.CanonicalNodes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.apache.jena.datatypes.TypeMapper;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.apache.jena.tdb2.store.NodeId;
import org.apache.jena.tdb2.store.nodetable.NodeTableTRDF;
import org.apache.jena.tdb2.sys.TDBInternal;
import org.apache.jena.vocabulary.RDF;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read beneath Jena is what Jena reads. */
class TdbQuadsTest {

    @TempDir
    Path folder;

    private DatasetGraph base;
    private DatasetGraph data;

    @BeforeEach
    void open() {
        base = DatabaseMgr.connectDatasetGraph(folder.toString());
        data = UserDataView.of(base);
    }

    @AfterEach
    void close() {
        TDBInternal.expel(base);
    }

    private static TreeSet<String> rows(DatasetGraph dataset) {
        TreeSet<String> rows = new TreeSet<>();
        try (QuadRows quads = new QuadRows(dataset)) {
            while (quads.hasNext()) {
                assertTrue(rows.add(line(quads.next())), "a quad is shown twice");
            }
        }
        return rows;
    }

    private static TreeSet<String> byJena(DatasetGraph dataset) {
        CanonicalNodes texts = new CanonicalNodes();
        return Txn.calculateRead(dataset, () -> {
            TreeSet<String> rows = new TreeSet<>();
            for (Iterator<Quad> quads = dataset.find(); quads.hasNext(); ) {
                rows.add(line(texts.toBytes(quads.next())));
            }
            return rows;
        });
    }

    private static String line(byte[][] row) {
        List<String> terms = new ArrayList<>();
        for (byte[] term : row) {
            terms.add(term == null ? "" : new String(term, UTF_8));
        }
        return String.join(" ", terms);
    }

    private static Node term(Random random) {
        int number = random.nextInt(3_000);
        return switch (random.nextInt(9)) {
            case 0 -> NodeFactory.createURI("http://example.org/" + "long/".repeat(random.nextInt(20)) + number);
            case 1 -> NodeFactory.createBlankNode("b" + number);
            case 2 -> NodeFactory.createLiteralString("text \u00e9\ud83d\ude00 ".repeat(random.nextInt(8)) + number);
            case 3 -> NodeFactory.createLiteralLang("text " + number, "en-GB");
            // Of which the value is also the place of a term in the file.
            case 4, 5 -> NodeFactory.createLiteralDT("" + random.nextInt(200_000), XSDDatatype.XSDinteger);
            case 6 -> NodeFactory.createLiteralDT(number + ".25", XSDDatatype.XSDdecimal);
            case 7 -> NodeFactory.createLiteralDT("2026-11-23T00:00:0" + number % 10 + "Z", XSDDatatype.XSDdateTime);
            default -> NodeFactory.createTripleTerm(NodeFactory.createURI("urn:s" + number), NodeFactory.createURI("urn:p"),
                    NodeFactory.createLiteralString("" + number));
        };
    }

    private void add(Random random, int count) {
        Txn.executeWrite(base, () -> {
            for (int i = 0; i < count; i++) {
                data.add(random.nextBoolean() ? Quad.defaultGraphIRI : NodeFactory.createURI("urn:g" + random.nextInt(5)),
                        NodeFactory.createURI("urn:s" + random.nextInt(2_000)), NodeFactory.createURI("urn:p"), term(random));
            }
        });
    }

    @Test
    void allKindsOfTermsAreRead() {
        add(new Random(7), 40_000);
        Txn.executeWrite(base, () -> {
            // Longer than what is read at a time, and than all that is kept.
            data.add(Quad.defaultGraphIRI, NodeFactory.createURI("urn:large"), NodeFactory.createURI("urn:p"),
                    NodeFactory.createLiteralString("0123456789".repeat(1_000_000)));
            new StoredPosition("urn:key").set(base, "<urn:id>");
        });
        assertEquals(byJena(data), rows(data));
        assertEquals(byJena(base), rows(base));
        assertTrue(rows(base).size() > rows(data).size(), "positions are shown to who asks for them");
    }

    /** Terms that the file has in its own way, and terms that are told by what is escaped. */
    @Test
    void theTextOfATermIsThatOfItsNode() throws Exception {
        List<Node> terms = new ArrayList<>();
        for (String text : new String[] {"", "a", "\"\\\n\r\t\u0001\u007f", "\u00e9\ud83d\ude00", "^^<urn:no>", "@en", "x".repeat(127),
                "x".repeat(128), "x".repeat(40_000)}) {
            terms.add(NodeFactory.createLiteralString(text));
            terms.add(NodeFactory.createLiteralLang(text, "en-GB"));
            terms.add(NodeFactory.createLiteralLang(text, "EN"));
            terms.add(NodeFactory.createLiteralDirLang(text + "directed", "en", "rtl"));
            terms.add(NodeFactory.createLiteralDT(text, TypeMapper.getInstance().getSafeTypeByName("urn:type")));
            terms.add(NodeFactory.createLiteralDT(text, RDF.dtXMLLiteral));
            terms.add(NodeFactory.createURI("urn:\u00e9:" + text.replaceAll("\\p{Cntrl}", "")));
            terms.add(NodeFactory.createBlankNode("b" + text));
        }
        terms.add(NodeFactory.createURI("relative"));
        terms.add(NodeFactory.createLiteralDT("no number", XSDDatatype.XSDinteger));
        Txn.executeWrite(base, () -> terms.forEach(term -> base.add(Quad.defaultGraphIRI, NodeFactory.createURI("urn:s"),
                NodeFactory.createURI("urn:p"), term)));
        assertEquals(byJena(base), rows(base));

        NodeTableTRDF table = (NodeTableTRDF) TDBInternal.getDatasetGraphTDB(base).getTripleTable().getNodeTupleTable().getNodeTable()
                .baseNodeTable();
        Path path = TdbQuads.pathOf(TDBInternal.getDatasetGraphTDB(base));
        List<Node> asNodes = terms.stream().filter(term -> term.isLiteral() && term.getLiteralBaseDirection() != null).toList();
        assertEquals(asNodes, readAll(table, new TdbTermFile(table.getData(), path), terms));
        List<Node> cut = readAll(table, new TdbTermFile(table.getData(), path, 9), terms);
        assertTrue(cut.size() > asNodes.size() + 8 && cut.size() < terms.size() * 3 / 4, cut.size() + " terms are cut by segments of 512 bytes");
        assertEquals(terms.stream().filter(term -> !TDBInternal.getNodeId(base, term).isInline()).toList(),
                readAll(table, new TdbTermFile(table.getData(), null), terms));
    }

    /** Reads terms, each directly or as a node, and returns those of the second kind. */
    private List<Node> readAll(NodeTableTRDF table, TdbTermFile file, List<Node> terms) {
        CanonicalNodes texts = new CanonicalNodes();
        NodeTableTRDF nodes = new NodeTableTRDF(table.getIndex(), file);
        return Txn.calculateRead(base, () -> {
            List<Node> asNodes = new ArrayList<>();
            for (Node term : terms) {
                NodeId id = TDBInternal.getNodeId(base, term);
                byte[] text = id.isInline() ? texts.toBytes(NodeId.extract(id)) : file.readTerm(id.getPtrLocation());
                if (text == null) {
                    asNodes.add(term);
                    text = texts.toBytes(nodes.getNodeForNodeId(id));
                }
                assertEquals(new String(texts.toBytes(term), UTF_8), new String(text, UTF_8));
            }
            return asNodes;
        });
    }

    @Test
    void aReaderSeesTheStateThatItBeganWithWhileOthersWrite() {
        add(new Random(7), 5_000);
        TreeSet<String> before = byJena(data);
        TreeSet<String> rows = new TreeSet<>();
        try (QuadRows quads = new QuadRows(data)) {
            rows.add(line(quads.next()));
            Thread writer = new Thread(() -> {
                add(new Random(8), 5_000);
                base.begin(TxnType.WRITE);
                data.deleteAny(Node.ANY, Node.ANY, Node.ANY, Node.ANY);
                base.abort();
                base.end();
            });
            writer.start();
            assertTrue(joined(writer));
            quads.forEachRemaining(quad -> rows.add(line(quad)));
        }
        assertEquals(before, rows);
        assertEquals(byJena(data), rows(data));
    }

    private static boolean joined(Thread thread) {
        try {
            thread.join();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aDatabaseThatWasCompactedIsRead() {
        add(new Random(7), 5_000);
        TreeSet<String> before = rows(data);
        DatabaseMgr.compact(base, true);
        assertEquals(before, rows(data));
        add(new Random(8), 100);
        assertEquals(byJena(data), rows(data));
    }

    /** Terms of the transaction that reads, of which Jena has some not yet written, are behind what was mapped. */
    @Test
    void aWriterSeesWhatItHasWritten() {
        add(new Random(7), 1_000);
        Txn.executeWrite(base, () -> {
            TdbQuads quads = new TdbQuads(TDBInternal.getDatasetGraphTDB(base), null);
            for (int i = 0; i < 2_000; i++) {
                base.add(Quad.defaultGraphIRI, NodeFactory.createURI("urn:new" + i), NodeFactory.createURI("urn:p"),
                        NodeFactory.createLiteralString("new ".repeat(i % 50) + i));
            }
            CanonicalNodes texts = new CanonicalNodes();
            TreeSet<String> expected = new TreeSet<>();
            base.find(Quad.defaultGraphIRI, Node.ANY, Node.ANY, Node.ANY).forEachRemaining(quad -> expected.add(line(texts.toBytes(quad))));
            TreeSet<String> rows = new TreeSet<>();
            quads.findQuads(new Quad(Quad.defaultGraphIRI, Node.ANY, Node.ANY, Node.ANY)).forEachRemaining(row -> rows.add(line(row)));
            assertEquals(expected, rows);
        });
    }

    /** An aborted transaction cuts the file of terms below what a reader has mapped. */
    @Test
    void aReaderKeepsItsTermsWhenAWriterAborts() throws Exception {
        add(new Random(7), 5_000);
        TreeSet<String> before = byJena(data);
        TreeSet<String> rows = new TreeSet<>();
        CountDownLatch mapped = new CountDownLatch(1);
        CountDownLatch aborted = new CountDownLatch(1);
        base.begin(TxnType.WRITE);
        for (int i = 0; i < 20_000; i++) {
            base.add(Quad.defaultGraphIRI, NodeFactory.createURI("urn:new" + i), NodeFactory.createURI("urn:p"),
                    NodeFactory.createLiteralString("new ".repeat(20) + i));
        }
        Thread reader = new Thread(() -> {
            try (QuadRows quads = new QuadRows(data)) {
                rows.add(line(quads.next()));
                mapped.countDown();
                aborted.await();
                quads.forEachRemaining(quad -> rows.add(line(quad)));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        reader.start();
        mapped.await();
        base.abort();
        base.end();
        aborted.countDown();
        reader.join();
        assertEquals(before, rows);
    }

    @Test
    void aDatabaseInMemoryIsRead() {
        DatasetGraph memory = DatabaseMgr.createDatasetGraph();
        Txn.executeWrite(memory, () -> memory.add(Quad.defaultGraphIRI, NodeFactory.createURI("urn:s"), NodeFactory.createURI("urn:p"),
                NodeFactory.createLiteralString("long ".repeat(1_000))));
        assertEquals(byJena(memory), rows(memory));
        assertEquals(1, rows(memory).size());
    }

    @Test
    void anEmptyDatabaseHasNothing() {
        assertEquals(new TreeSet<>(), rows(data));
    }
}
