package io.jellybridge.jena.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ChainHeaders;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.SpillBuffer;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.IllegalTermException;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.UUID;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.out.NodeFmtLib;
import org.apache.jena.sparql.core.Quad;

/**
 * Keeps the rows of a transaction back until it commits, and then appends them to a {@link CaptureLog} as a patch with
 * the headers {@code id}, {@code prev} and {@code time}. So nothing of a transaction that did not commit is ever in the
 * log; and when the log fails, the transaction can be aborted and the next one is tried anew.
 *
 * <p>Small transactions are kept in memory, large ones in a file, both encoded.
 */
final class CaptureSink implements ChangeSink {
    private static final byte[] TIME = "time".getBytes(UTF_8);
    /** Always with milliseconds, be they 0, so that times sort as text does. */
    static final DateTimeFormatter MILLISECONDS = new DateTimeFormatterBuilder().appendInstant(3).toFormatter();
    private static final int BYTES_IN_MEMORY = 1 << 20;
    /** Small lookup tables: most transactions are small. */
    private static final PatchOptions BUFFER = PatchOptions.DEFAULT.withTableSizes(256, 32, 32).withRdfStar(true);
    /** What a restart point takes of a frame at the most: what fits into the buffer must fit into the log. */
    private static final int RESTART = 256;
    private static final int NO_LIMIT = Integer.MAX_VALUE;

    private final CaptureLog log;
    private final boolean recordAborted;
    private final WriteOptions bufferFrames;
    private final ReadOptions bufferLimits;
    /** For writing and reading the buffer, in turns. */
    private final NodeTerms terms = new NodeTerms();
    private final DatasetTerms allowed = new DatasetTerms();

    private Node id;
    private SpillBuffer buffer;
    /** Null when no transaction is open. */
    private PatchWriter<Node> transaction;
    private long patches;
    private long rows;
    private boolean ended;

    CaptureSink(CaptureLog log, CaptureOptions options) {
        this.log = log;
        this.recordAborted = options.recordAborted();
        WriteOptions frames = options.writeOptions();
        this.bufferFrames = new WriteOptions(frames.frameRows(), true, Math.max(1, frames.maxFrameBytes() - RESTART), 0);
        this.bufferLimits = new ReadOptions(false, options.writeOptions().maxFrameBytes(), BUFFER.maxNameTableSize(),
                BUFFER.maxPrefixTableSize(), BUFFER.maxDatatypeTableSize(), NO_LIMIT);
    }

    /**
     * The id that the open transaction is to have as a patch.
     *
     * @throws IllegalStateException none is open
     */
    synchronized Node id() {
        transaction();
        return id;
    }

    /** How many patches were appended. */
    synchronized long patches() {
        return patches;
    }

    /** How many rows they have, headers too. */
    synchronized long rows() {
        return rows;
    }

    /** Takes no more transactions; one that is open is refused when it commits. */
    synchronized void end() {
        ended = true;
        discard();
    }

    @Override
    public synchronized void txnBegin() {
        if (ended) {
            throw new IllegalStateException("the capture has ended: change the dataset itself, or by a new capture");
        }
        id = NodeFactory.createURI("urn:uuid:" + UUID.randomUUID());
        buffer = new SpillBuffer(log.folder(), BYTES_IN_MEMORY);
        transaction = new PatchWriter<>(buffer, null, terms, BUFFER, bufferFrames);
        transaction.transaction(Op.TX);
    }

    private PatchWriter<Node> transaction() {
        if (transaction == null) {
            throw new IllegalStateException(ended
                    ? "the capture ended within this transaction, which can only be aborted"
                    : "no transaction is open");
        }
        return transaction;
    }

    @Override
    public synchronized void header(String field, Node value) {
        transaction().header(NodeTerms.utf8(field, "header key"), value);
    }

    @Override
    public synchronized void add(Node graph, Node subject, Node predicate, Node object) {
        statement(Op.A, graph, subject, predicate, object);
    }

    @Override
    public synchronized void delete(Node graph, Node subject, Node predicate, Node object) {
        statement(Op.D, graph, subject, predicate, object);
    }

    /** @throws IllegalTermException no dataset may hold it, so that a replica would stop at it for good */
    private void statement(Op op, Node graph, Node subject, Node predicate, Node object) {
        PatchWriter<Node> open = transaction();
        String problem = allowed.problem(graph, subject, predicate, object);
        if (problem != null) {
            Triple triple = Triple.create(subject, predicate, object);
            throw refused("the quad " + NodeFmtLib.str(triple) + (graph == null ? "" : " in the graph " + graph)
                    + (op == Op.A ? "" : ", to be deleted,"), problem);
        }
        open.statement(op, subject, predicate, object, graph(graph));
    }

    private static IllegalTermException refused(String what, String problem) {
        return new IllegalTermException(what + " can't be captured, since it has " + problem
                + "; nothing of the transaction is committed or in the log: correct it, or change it while nothing captures");
    }

    @Override
    public synchronized void addPrefix(Node graph, String prefix, String namespace) {
        prefix(Op.PA, graph, prefix, namespace);
    }

    @Override
    public synchronized void deletePrefix(Node graph, String prefix, String namespace) {
        prefix(Op.PD, graph, prefix, namespace);
    }

    private void prefix(Op op, Node graph, String prefix, String namespace) {
        Node iri = namespace == null ? null : NodeFactory.createURI(namespace);
        String problem = allowed.prefixProblem(prefix, iri);
        if (problem != null) {
            throw refused("the prefix '" + prefix + "'", problem);
        }
        transaction().prefix(op, NodeTerms.utf8(prefix, "prefix"), iri, graph(graph));
    }

    private static Node graph(Node graph) {
        return graph == null ? Quad.defaultGraphIRI : graph;
    }

    @Override
    public synchronized void txnCommit() {
        append(Op.TC);
    }

    @Override
    public synchronized void txnAbort() {
        if (transaction != null && recordAborted) {
            append(Op.TA);
        }
        discard();
    }

    private void append(Op end) {
        try {
            PatchWriter<Node> all = transaction();
            all.transaction(end);
            all.endPatch();
            long headers = log.head() == null ? 2 : 3;
            log.append(id, this::copyTo);
            rows += headers + all.rows();
            patches++;
        } catch (IOException e) {
            throw new UncheckedIOException("the change log can't be written: " + e.getMessage(), e);
        } finally {
            discard();
        }
    }

    private void copyTo(PatchHandler<Node> target) throws IOException {
        ChainHeaders.write(target, id, log.head());
        target.header(TIME, NodeFactory.createLiteralDT(MILLISECONDS.format(Instant.now()), XSDDatatype.XSDdateTime));
        try (var reader = new PatchReader<>(buffer.read(), null, terms, bufferLimits)) {
            reader.readAll(target);
        }
    }

    private void discard() {
        SpillBuffer old = buffer;
        transaction = null;
        buffer = null;
        id = null;
        if (old != null) {
            old.discard();
        }
    }

    @Override
    public void segment() {
        // a transaction is a patch
    }

    @Override
    public void start() {
        // begins with its first transaction
    }

    @Override
    public void finish() {
        // ends with end()
    }
}
