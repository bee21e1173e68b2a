package io.jellybridge.jena.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.store.TableBase;
import org.apache.jena.tdb2.store.tupletable.TupleIndex;
import org.apache.jena.tdb2.sys.TDBInternal;
import org.junit.jupiter.api.Test;

/** What is changed beneath Jena is what Jena's methods would change. */
class TdbChangesTest {
    private static final Node P = NodeFactory.createURI("urn:p");
    private static final List<Node> GRAPHS = List.of(Quad.defaultGraphIRI, Quad.defaultGraphNodeGenerated,
            NodeFactory.createURI("urn:g"), NodeFactory.createBlankNode("g"));
    /** Some of these are kept by TDB2 in another form. */
    private static final List<Node> OBJECTS = List.of(NodeFactory.createURI("urn:o"), NodeFactory.createBlankNode("o"),
            NodeFactory.createLiteralString("text"), NodeFactory.createLiteralString("long text ".repeat(100)),
            NodeFactory.createLiteralLang("text", "en"), NodeFactory.createLiteralDirLang("directed", "en", "ltr"),
            typed("42", XSDDatatype.XSDinteger), typed("042", XSDDatatype.XSDinteger), typed("1.5", XSDDatatype.XSDdecimal),
            typed("1.50", XSDDatatype.XSDdecimal), typed("2026-11-28T00:00:00Z", XSDDatatype.XSDdateTime),
            typed("2026-11-28T00:00:00.000Z", XSDDatatype.XSDdateTime), typed("no number", XSDDatatype.XSDinteger),
            typed("123456789012345678", XSDDatatype.XSDlong),
            NodeFactory.createTripleTerm(P, P, typed("7", XSDDatatype.XSDint)), NodeFactory.createTripleTerm(P, P, P));

    private final DatasetGraph beneath = UserDataView.of(DatabaseMgr.createDatasetGraph());
    /** The same, where Jena's methods are used, since a wrapper may do more than what it wraps. */
    private final DatasetGraph byJena = UserDataView.of(new DatasetGraphWrapper(DatabaseMgr.createDatasetGraph()));

    private static Node typed(String text, XSDDatatype type) {
        return NodeFactory.createLiteralDT(text, type);
    }

    private record Row(boolean isAddition, Node graph, Node subject, Node object) {

        static Row random(Random random, int subjects) {
            return new Row(random.nextInt(3) > 0, GRAPHS.get(random.nextInt(GRAPHS.size())),
                    NodeFactory.createURI("urn:s" + random.nextInt(subjects)), OBJECTS.get(random.nextInt(OBJECTS.size())));
        }

        void change(QuadChanges changes) {
            changes.change(isAddition, graph, subject, P, object);
        }
    }

    private static long change(DatasetGraph dataset, List<Row> rows, boolean isCommitted) {
        dataset.begin(TxnType.WRITE);
        try {
            QuadChanges changes = QuadChanges.of(dataset);
            rows.forEach(row -> row.change(changes));
            long changed = changes.finish();
            if (isCommitted) {
                dataset.commit();
            } else {
                dataset.abort();
            }
            return changed;
        } finally {
            dataset.end();
        }
    }

    /** Returns the rows of each index: all must have the same. */
    private static List<TreeSet<String>> rowsOfIndexes(DatasetGraph dataset) {
        DatasetGraph whole = UserDataView.wholeDataset(dataset);
        DatasetGraphTDB database = TDBInternal.getDatasetGraphTDB(
                whole instanceof DatasetGraphWrapper wrapper && TDBInternal.getDatasetGraphTDB(whole) == null ? wrapper.getWrapped() : whole);
        return Txn.calculateRead(dataset, () -> {
            List<TreeSet<String>> all = new ArrayList<>();
            for (TableBase table : List.of(database.getTripleTable(), database.getQuadTable())) {
                for (TupleIndex index : table.getNodeTupleTable().getTupleTable().getIndexes()) {
                    TreeSet<String> rows = new TreeSet<>();
                    Iter.iter(index.all()).forEach(row -> rows.add(row.asList().stream().map(
                            id -> "" + table.getNodeTupleTable().getNodeTable().getNodeForNodeId(id)).toList().toString()));
                    assertEquals(index.size(), rows.size());
                    all.add(rows);
                }
            }
            assertEquals(3 + 6, all.size());
            assertEquals(2, Stream.of(all.subList(0, 3), all.subList(3, 9)).mapToLong(same -> same.stream().distinct().count()).sum());
            return all;
        });
    }

    private void assertEqual() {
        assertEquals(rowsOfIndexes(byJena), rowsOfIndexes(beneath));
    }

    @Test
    void rowsInAnyOrderChangeAndCountWhatJenaDoes() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            List<Row> rows = Stream.generate(() -> Row.random(random, 1 + random.nextInt(20))).limit(random.nextInt(300)).toList();
            boolean isCommitted = random.nextInt(4) > 0;
            assertEquals(change(byJena, rows, isCommitted), change(beneath, rows, isCommitted), "seed " + seed);
            assertEqual();
        }
    }

    @Test
    void moreRowsThanWaitAreChanged() {
        Random random = new Random(1);
        List<Row> rows = Stream.generate(() -> Row.random(random, 2_000)).filter(row -> row.object.isURI() || row.object.isBlank())
                .limit(70_000).toList();
        assertEquals(change(byJena, rows, true), change(beneath, rows, true));
        assertEqual();
    }

    @Test
    void aQuadThatIsDeletedAndAddedAgainIsThere() {
        for (Node graph : GRAPHS) {
            for (Node object : OBJECTS) {
                Row add = new Row(true, graph, P, object);
                Row delete = new Row(false, graph, P, object);
                for (List<Row> rows : List.of(List.of(add, delete), List.of(delete, add), List.of(add, delete, add), List.of(add, add),
                        List.of(delete, delete))) {
                    assertEquals(change(byJena, rows, true), change(beneath, rows, true), rows::toString);
                    assertEqual();
                }
            }
        }
    }

    @Test
    void theFirstDatabaseIsChangedBeneathJenaAndTheOtherIsNot() {
        Txn.executeWrite(beneath, () -> assertInstanceOf(TdbChanges.class, QuadChanges.of(beneath)));
        Txn.executeWrite(byJena, () -> assertFalse(QuadChanges.of(byJena) instanceof TdbChanges));
    }

    @Test
    void theGraphOfPositionsIsRefusedAndOtherRowsAreThere() {
        beneath.begin(TxnType.WRITE);
        QuadChanges changes = QuadChanges.of(beneath);
        changes.change(true, Quad.defaultGraphIRI, P, P, P);
        for (boolean isAddition : new boolean[] {true, false}) {
            assertThrows(IllegalArgumentException.class, () -> changes.change(isAddition, StoredPosition.GRAPH_NODE, P, P, P));
        }
        assertEquals(1, changes.finish());
        assertEquals(1, Iter.count(beneath.find()));
        beneath.abort();
        beneath.end();
        assertEquals(0, Txn.calculateRead(beneath, () -> Iter.count(beneath.find())));
    }
}
