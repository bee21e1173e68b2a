package io.jellybridge.jena.data;

import io.jellybridge.jena.nodes.CanonicalNodes;
import java.nio.file.Path;
import java.util.Iterator;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.atlas.lib.tuple.Tuple;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.store.NodeId;
import org.apache.jena.tdb2.store.nodetable.NodeTable;
import org.apache.jena.tdb2.store.nodetable.NodeTableTRDF;
import org.apache.jena.tdb2.store.nodetupletable.NodeTupleTable;

/**
 * Finds quads of a TDB2 database as canonical terms, faster than Jena's API. Jena looks each term up in thread-safe caches and
 * then reads it byte by byte from the disk. That takes most of the time of reading a database. Here the indexes give ids, and
 * most of the terms are read {@linkplain TdbTermFile without a node}, and cached as text. It serves one
 * thread, in a transaction.
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
    private final NodeId[] ids = new NodeId[KNOWN];
    private final byte[][] terms = new byte[KNOWN][];
    /** The graph to hide; null to show all. */
    private final NodeId hidden;

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
        this.hidden = hidden == null ? null : quads.getNodeTable().getNodeIdForNode(hidden);
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
            return Iter.map(triples.findAsNodeIds(subject, predicate, object),
                    ids -> new byte[][] {readTerm(ids.get(0)), readTerm(ids.get(1)), readTerm(ids.get(2)), null});
        }
        Node graph = pattern.getGraph() == null ? Node.ANY : pattern.getGraph();
        Iterator<Tuple<NodeId>> found = quads.findAsNodeIds(graph, subject, predicate, object);
        return Iter.map(hidden == null ? found : Iter.filter(found, ids -> !hidden.equals(ids.get(0))),
                ids -> new byte[][] {readTerm(ids.get(1)), readTerm(ids.get(2)), readTerm(ids.get(3)), readTerm(ids.get(0))});
    }

    private byte[] readTerm(NodeId id) {
        int hash = id.hashCode();
        int slot = (hash ^ hash >>> 15) & KNOWN - 1;
        if (isSame(id, ids[slot])) {
            return terms[slot];
        }
        byte[] term = id.isInline() || file == null ? null : file.readTerm(id.getPtrLocation());
        if (term == null) {
            term = texts.toBytes(id.isInline() ? NodeId.extract(id) : nodes.getNodeForNodeId(id));
        }
        if (term.length <= MAX_KNOWN_BYTES) {
            ids[slot] = id;
            terms[slot] = term;
        }
        return term;
    }

    /**
     * Compares ids with their type. {@link NodeId} considers the inline number 5 and the term at offset 5 of the file equal.
     */
    private static boolean isSame(NodeId id, NodeId known) {
        return id.equals(known) && id.type() == known.type();
    }
}
