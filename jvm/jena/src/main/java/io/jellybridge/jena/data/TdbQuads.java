package io.jellybridge.jena.data;

import io.jellybridge.jena.nodes.CanonicalNodes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.store.NodeId;
import org.apache.jena.tdb2.store.NodeIdFactory;
import org.apache.jena.tdb2.store.nodetable.NodeTable;
import org.apache.jena.tdb2.store.nodetable.NodeTableTRDF;
import org.apache.jena.tdb2.store.nodetupletable.NodeTupleTable;
import org.apache.jena.tdb2.store.tupletable.TupleIndexRecord;

/**
 * Finds quads of a TDB2 database as canonical terms, faster than Jena's API. Jena looks each term up in thread-safe caches and
 * then reads it byte by byte from the disk. That takes most of the time of reading a database. Here the indexes give ids as
 * numbers, as they are stored, and most of the terms are read {@linkplain TdbTermFile without a node}, and cached as text. It
 * serves one thread, in a transaction.
 */
final class TdbQuads {
    /** The size of the direct-mapped cache from ids to terms. */
    private static final int KNOWN = 1 << 15;
    /**
     * The length limit of a cached term, so that documents in a database do not fill the heap. The cache has at most eight
     * megabytes.
     */
    private static final int MAX_KNOWN_BYTES = 1 << 8;

    private final NodeTupleTable triples;
    private final NodeTupleTable quads;
    private final NodeTable nodes;
    /** The file of terms; null if the database has no such file. */
    private final TdbTermFile file;
    private final CanonicalNodes texts = new CanonicalNodes();
    private final long[] ids = new long[KNOWN];
    private final byte[][] terms = new byte[KNOWN][];
    /** An id as it is stored. */
    private final ByteBuffer stored = ByteBuffer.allocate(NodeId.SIZE);
    /** The id of the graph to hide; null to show all. */
    private final Long hidden;

    /**
     * Creates a search.
     *
     * @param hidden a graph to hide; null for none
     */
    TdbQuads(DatasetGraphTDB database, Node hidden) {
        triples = database.getTripleTable().getNodeTupleTable();
        quads = database.getQuadTable().getNodeTupleTable();
        NodeTable base = quads.getNodeTable().baseNodeTable();
        file = base instanceof NodeTableTRDF table ? new TdbTermFile(table.getData(), pathOf(database)) : null;
        nodes = base instanceof NodeTableTRDF table ? new NodeTableTRDF(table.getIndex(), file) : base;
        NodeId hiddenId = hidden == null ? NodeId.NodeDoesNotExist : quads.getNodeTable().getNodeIdForNode(hidden);
        this.hidden = NodeId.isDoesNotExist(hiddenId) ? null : (Long) toNumber(hiddenId);
    }

    /** Returns the file of terms of a database; null if it is in memory. */
    static Path pathOf(DatasetGraphTDB database) {
        return database.getLocation().isMem() ? null
                : Path.of(database.getLocation().getPath(database.getStoreParams().getNodeTableBaseName() + "-data", "obj"));
    }

    /** Finds quads: subject, predicate, object and graph of each. A pattern without a graph stands for all named graphs. */
    Iterator<byte[][]> findQuads(Quad pattern) {
        Node subject = pattern.getSubject();
        Node predicate = pattern.getPredicate();
        Node object = pattern.getObject();
        if (pattern.isDefaultGraph()) {
            return Iter.map(findIds(triples, subject, predicate, object),
                    ids -> new byte[][] {readTerm(ids[0]), readTerm(ids[1]), readTerm(ids[2]), null});
        }
        Node graph = pattern.getGraph() == null ? Node.ANY : pattern.getGraph();
        Iterator<long[]> found = findIds(quads, graph, subject, predicate, object);
        return Iter.map(hidden == null ? found : Iter.filter(found, ids -> ids[0] != hidden),
                ids -> new byte[][] {readTerm(ids[1]), readTerm(ids[2]), readTerm(ids[3]), readTerm(ids[0])});
    }

    /** Finds the ids of rows. To find all, it reads the index without an object for each id. */
    private Iterator<long[]> findIds(NodeTupleTable table, Node... pattern) {
        boolean isAll = Stream.of(pattern).allMatch(Node.ANY::equals);
        if (isAll && table.getTupleTable().getIndex(0) instanceof TupleIndexRecord index && isInOrder(index)) {
            return index.getRangeIndex().iterator(null, null, (page, row, key, records) ->
                    readIds(pattern.length, i -> page.getLong(row * records.recordLength() + i * NodeId.SIZE)));
        }
        return Iter.map(table.findAsNodeIds(pattern), tuple -> readIds(pattern.length, i -> toNumber(tuple.get(i))));
    }

    private static long[] readIds(int count, IntToLongFunction column) {
        long[] ids = new long[count];
        for (int i = 0; i < count; i++) {
            ids[i] = column.applyAsLong(i);
        }
        return ids;
    }

    /** Returns true if the columns of an index are in the order of its table. */
    private static boolean isInOrder(TupleIndexRecord index) {
        return IntStream.range(0, index.getTupleLength()).allMatch(i -> index.getMapping().mapIdx(i) == i);
    }

    private byte[] readTerm(long id) {
        int slot = (int) ((id ^ id >>> 15 ^ id >>> 32) & KNOWN - 1);
        if (ids[slot] == id && terms[slot] != null) {
            return terms[slot];
        }
        byte[] term = id < 0 || file == null ? null : file.readTerm(id);
        if (term == null) {
            NodeId full = NodeIdFactory.get(stored.putLong(0, id), 0);
            term = texts.toBytes(full.isInline() ? NodeId.extract(full) : nodes.getNodeForNodeId(full));
        }
        if (term.length <= MAX_KNOWN_BYTES) {
            ids[slot] = id;
            terms[slot] = term;
        }
        return term;
    }

    /** Returns an id as it is stored: the offset of a term in the file, or a negative number with a value. */
    private long toNumber(NodeId id) {
        NodeIdFactory.set(id, stored, 0);
        return stored.getLong(0);
    }
}
