package io.jellybridge.jena.data;

import io.jellybridge.jena.nodes.CanonicalNodes;
import java.util.Iterator;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.atlas.lib.tuple.Tuple;
import org.apache.jena.dboe.base.file.BinaryDataFile;
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
 * the terms are read in large blocks and cached as text. It serves one thread, in a transaction.
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
        nodes = base instanceof NodeTableTRDF table
                ? new NodeTableTRDF(table.getIndex(), new BufferedDataFile(table.getData())) : base;
        this.hidden = hidden == null ? null : quads.getNodeTable().getNodeIdForNode(hidden);
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
        byte[] term = texts.toBytes(id.isInline() ? NodeId.extract(id) : nodes.getNodeForNodeId(id));
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

    /**
     * A buffered view of a database file at one moment. A decoder reads one byte at a time, and an unbuffered file would ask the
     * operating system for each. It serves one thread, in a transaction.
     */
    private static final class BufferedDataFile implements BinaryDataFile {
        private static final int BLOCK_BITS = 15;
        private static final int BLOCK_BYTES = 1 << BLOCK_BITS;
        /** The number of buffered blocks: eight megabytes. */
        private static final int BLOCKS = 1 << 8;

        private final BinaryDataFile file;
        private final byte[][] blocks = new byte[BLOCKS][];
        /** The number of the file's block in each buffer, and the number of its valid bytes. */
        private final long[] numbers = new long[BLOCKS];
        private final int[] lengths = new int[BLOCKS];

        BufferedDataFile(BinaryDataFile file) {
            this.file = file;
        }

        @Override
        public int read(long position, byte[] into, int offset, int length) {
            long number = position >>> BLOCK_BITS;
            int slot = (int) number & BLOCKS - 1;
            int start = (int) position & BLOCK_BYTES - 1;
            if (blocks[slot] == null || numbers[slot] != number || start >= lengths[slot]) {
                load(number, slot);
            }
            int count = Math.min(length, lengths[slot] - start);
            if (count <= 0) {
                return -1;
            }
            System.arraycopy(blocks[slot], start, into, offset, count);
            return count;
        }

        private void load(long number, int slot) {
            if (blocks[slot] == null) {
                blocks[slot] = new byte[BLOCK_BYTES];
            }
            numbers[slot] = number;
            lengths[slot] = 0;
            long start = number << BLOCK_BITS;
            int wanted = (int) Math.min(BLOCK_BYTES, file.length() - start);
            while (lengths[slot] < wanted) {
                int count = file.read(start + lengths[slot], blocks[slot], lengths[slot], wanted - lengths[slot]);
                if (count <= 0) {
                    return;
                }
                lengths[slot] += count;
            }
        }

        @Override
        public long length() {
            return file.length();
        }

        @Override
        public boolean isOpen() {
            return file.isOpen();
        }

        @Override
        public void open() {
            throw readOnly();
        }

        @Override
        public long write(byte[] bytes, int offset, int length) {
            throw readOnly();
        }

        @Override
        public void truncate(long length) {
            throw readOnly();
        }

        private static UnsupportedOperationException readOnly() {
            return new UnsupportedOperationException("this is to read a file that another has open");
        }

        @Override
        public void sync() {
            // read-only
        }

        @Override
        public void close() {
            // the database owns the file
        }
    }
}
