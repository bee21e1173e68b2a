package io.jellybridge.jena.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.jena.dboe.base.record.Record;
import org.apache.jena.dboe.index.RangeIndex;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.store.NodeId;
import org.apache.jena.tdb2.store.NodeIdFactory;
import org.apache.jena.tdb2.store.TableBase;
import org.apache.jena.tdb2.store.nodetable.NodeTable;
import org.apache.jena.tdb2.store.nodetupletable.NodeTupleTable;
import org.apache.jena.tdb2.store.tupletable.TupleIndex;
import org.apache.jena.tdb2.store.tupletable.TupleIndexRecord;

/**
 * Changes the indexes of a TDB2 database in the order of their keys. Jena looks each term of a row up for the search and again for
 * the change, and then goes through every index before the next row. Here each term is looked up once. The ids of many rows wait,
 * and each index is changed from its first key to its last, so that rows of one block come together. The first index says whether
 * a row changed the database; the others take only such rows.
 */
final class TdbChanges extends QuadChanges {
    /** The number of rows that wait, 10 MB with what sorts them. */
    private static final int MOST_ROWS = 1 << 16;
    /** The limits of the terms whose ids are known: their number, and the length of each. */
    private static final int MOST_KNOWN = 1 << 15;
    private static final int MAX_KNOWN_CHARS = 1 << 8;

    private final QuadChanges others;
    private final NodeTable nodes;
    private final Table triples;
    private final Table quads;
    private final Map<Node, NodeId> known = new HashMap<>();

    private TdbChanges(DatasetGraphTDB database, QuadChanges others) {
        this.others = others;
        nodes = database.getQuadTable().getNodeTupleTable().getNodeTable();
        triples = new Table(database.getTripleTable().getNodeTupleTable());
        quads = new Table(database.getQuadTable().getNodeTupleTable());
    }

    /**
     * Creates the changes of a transaction that has begun; returns null if the database has indexes of another kind.
     *
     * @param others changes the quads that the database does not store as they are
     */
    static TdbChanges of(DatasetGraphTDB database, QuadChanges others) {
        boolean isKnown = Stream.of(database.getTripleTable(), database.getQuadTable()).map(TableBase::getNodeTupleTable)
                .allMatch(table -> indexesOf(table).allMatch(TupleIndexRecord.class::isInstance)
                        && TdbQuads.isInOrder((TupleIndexRecord) table.getTupleTable().getIndex(0)));
        return isKnown ? new TdbChanges(database, others) : null;
    }

    private static Stream<TupleIndex> indexesOf(NodeTupleTable table) {
        return Stream.of(table.getTupleTable().getIndexes());
    }

    @Override
    public void change(boolean isAddition, Node graph, Node subject, Node predicate, Node object) {
        if (StoredPosition.isGraph(graph) || Quad.isUnionGraph(graph) || !isStoredAsIs(subject) || !isStoredAsIs(object)) {
            makeChanges();
            others.change(isAddition, graph, subject, predicate, object);
        } else if (Quad.isDefaultGraph(graph)) {
            triples.change(isAddition, subject, predicate, object);
        } else {
            quads.change(isAddition, graph, subject, predicate, object);
        }
    }

    /** Returns true if TDB2 neither refuses a term nor stores it in another form than this one. */
    private static boolean isStoredAsIs(Node term) {
        return term.isURI() || term.isBlank() || !term.isTripleTerm() && !TdbTerms.hasDirection(term)
                && TdbTerms.findProblem(term) == null && TdbTerms.asStored(term).equals(term) && !TdbTerms.isAltered(term);
    }

    @Override
    public long finish() {
        makeChanges();
        return super.finish() + others.finish();
    }

    private void makeChanges() {
        triples.makeChanges();
        quads.makeChanges();
    }

    /** Returns the id of a term; null if the database does not have it. */
    private NodeId findId(Node term, boolean allocate) {
        NodeId id = known.get(term);
        if (id != null) {
            return id;
        }
        id = allocate ? nodes.getAllocateNodeId(term) : nodes.getNodeIdForNode(term);
        if (NodeId.isDoesNotExist(id)) {
            return null;
        }
        if (!term.isLiteral() || term.getLiteralLexicalForm().length() <= MAX_KNOWN_CHARS) {
            if (known.size() == MOST_KNOWN) {
                known.clear();
            }
            known.put(term, id);
        }
        return id;
    }

    /**
     * A row that waits.
     *
     * @param key the ids of the row, in the order of an index
     */
    private record Change(byte[] key, boolean isAddition) {
        static final Comparator<Change> BY_KEY = (one, other) -> Arrays.compareUnsigned(one.key, other.key);
    }

    /**
     * An index.
     *
     * @param columns the column of the table that is the first, the second and so on in the keys of this index
     */
    private record Index(RangeIndex rows, int[] columns) {

        static Index of(TupleIndexRecord index) {
            return new Index(index.getRangeIndex(), IntStream.range(0, index.getTupleLength()).map(index.getMapping()::mapIdx).toArray());
        }

        /** Makes changes, and returns those that changed the index. Changes of one row stay in their order. */
        List<Change> makeChanges(List<Change> changes) {
            List<Change> made = new ArrayList<>();
            for (Change change : changes.stream().map(this::reorder).sorted(Change.BY_KEY).toList()) {
                Record row = rows.getRecordFactory().create(change.key);
                if (change.isAddition ? rows.insert(row) : rows.delete(row)) {
                    made.add(change);
                }
            }
            return made;
        }

        private Change reorder(Change change) {
            byte[] key = new byte[change.key.length];
            for (int i = 0; i < columns.length; i++) {
                System.arraycopy(change.key, columns[i] * NodeId.SIZE, key, i * NodeId.SIZE, NodeId.SIZE);
            }
            return new Change(key, change.isAddition);
        }
    }

    /** The indexes of triples or of quads, and the rows that wait for them. */
    private final class Table {
        /** The first index has the columns in the order of the table. */
        private final List<Index> indexes;
        private final List<Change> waiting = new ArrayList<>();

        Table(NodeTupleTable table) {
            indexes = indexesOf(table).map(index -> Index.of((TupleIndexRecord) index)).toList();
        }

        void change(boolean isAddition, Node... terms) {
            byte[] key = new byte[terms.length * NodeId.SIZE];
            for (int i = 0; i < terms.length; i++) {
                NodeId id = findId(terms[i], isAddition);
                if (id == null) {
                    return;
                }
                NodeIdFactory.set(id, key, i * NodeId.SIZE);
            }
            waiting.add(new Change(key, isAddition));
            if (waiting.size() == MOST_ROWS) {
                makeChanges();
            }
        }

        void makeChanges() {
            List<Change> made = indexes.get(0).makeChanges(waiting);
            waiting.clear();
            count(made.size());
            indexes.stream().skip(1).forEach(index -> index.makeChanges(made));
        }
    }
}
