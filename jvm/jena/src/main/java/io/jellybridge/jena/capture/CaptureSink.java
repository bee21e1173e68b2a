package io.jellybridge.jena.capture;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.IllegalTermException;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.log.ChainPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.riot.out.NodeFmtLib;
import org.apache.jena.sparql.core.Quad;

/**
 * Converts each transaction to a patch and appends it to a {@link CaptureLog} at commit. The log never has a part of an
 * uncommitted transaction. If the log fails, the transaction can be aborted, and the next transaction tries again.
 */
final class CaptureSink implements RDFChanges {
    private final CaptureLog log;
    private final CaptureOptions options;
    private final DatasetTerms allowed = new DatasetTerms();

    /** The patch of the open transaction, or null. */
    private OpenPatch patch;
    private volatile long patches;
    private long rows;
    private boolean ended;
    /** The reason why the last patch could not be appended; null if it could. */
    private volatile String error;

    CaptureSink(CaptureLog log, CaptureOptions options) {
        this.log = log;
        this.options = options;
    }

    /**
     * Returns the id of the patch of the open transaction.
     *
     * @throws IllegalStateException none is open
     */
    synchronized Node id() {
        requireOpen();
        return patch.id();
    }

    /** Returns true if the patch of a transaction is open. */
    synchronized boolean isOpen() {
        return patch != null;
    }

    /** Returns the number of patches that were appended, also while one is. */
    long patches() {
        return patches;
    }

    /** Returns the number of their rows, including headers. */
    synchronized long rows() {
        return rows;
    }

    /** Returns the reason why the last patch could not be appended, also while one is; null if it could. */
    String error() {
        return error;
    }

    /** Accepts no more transactions. An open one fails at its commit. */
    synchronized void end() {
        ended = true;
        drop();
    }

    /** Begins a transaction whose patch takes over the recording, see {@link Capture#PRIMARY}. */
    synchronized void txnBeginToTakeOver() {
        begin(true);
    }

    @Override
    public synchronized void txnBegin() {
        begin(false);
    }

    private void begin(boolean takesOver) {
        if (ended) {
            throw new IllegalStateException("the capture has ended: change the dataset itself, or by a new capture");
        }
        ChainPlace place;
        try {
            log.prepare();
            place = log.next();
        } catch (IOException e) {
            throw unwritableError(e);
        }
        Node id = NodeFactory.createURI(CaptureLog.ID_SCHEME + UUID.randomUUID());
        OpenPatch begun = new OpenPatch(log.folder(), id, log.head(), place, options);
        try {
            options.headers().forEach((name, text) ->
                    begun.rows().header(NodeTerms.utf8(name, "header key"), NodeFactory.createLiteralString(text)));
            if (takesOver) {
                begun.rows().header(NodeTerms.utf8(Capture.PRIMARY, "header key"),
                        NodeFactory.createLiteralString(UUID.randomUUID().toString()));
            }
            begun.rows().transaction(Op.TX);
            patch = begun;
        } finally {
            if (patch == null) {
                begun.drop();
            }
        }
    }

    private UncheckedIOException unwritableError(IOException e) {
        error = "the change log can't be written: " + ExceptionMessages.toText(e);
        return new UncheckedIOException(error, e);
    }

    /** Returns the handler for the rows of the open transaction. */
    private PatchHandler<Node> open() {
        requireOpen();
        return patch.rows();
    }

    private void requireOpen() {
        if (patch == null) {
            throw new IllegalStateException(ended
                    ? "the capture ended within this transaction, which can only be aborted"
                    : "no transaction is open");
        }
    }

    @Override
    public synchronized void header(String field, Node value) {
        open().header(NodeTerms.utf8(field, "header key"), value);
    }

    @Override
    public synchronized void add(Node graph, Node subject, Node predicate, Node object) {
        statement(Op.A, graph, subject, predicate, object);
    }

    @Override
    public synchronized void delete(Node graph, Node subject, Node predicate, Node object) {
        statement(Op.D, graph, subject, predicate, object);
    }

    /**
     * Records a statement.
     *
     * @throws IllegalTermException no dataset can store it, and every replica would stop there
     */
    private void statement(Op op, Node graph, Node subject, Node predicate, Node object) {
        PatchHandler<Node> open = open();
        String problem = allowed.findProblem(graph, subject, predicate, object);
        if (problem != null) {
            Triple triple = Triple.create(subject, predicate, object);
            throw refusalError("the quad " + NodeFmtLib.str(triple) + (graph == null ? "" : " in the graph " + graph)
                    + (op == Op.A ? "" : ", to be deleted,"), problem);
        }
        open.statement(op, subject, predicate, object, toGraph(graph));
    }

    private static IllegalTermException refusalError(String what, String problem) {
        return new IllegalTermException(what + " can't be captured, since it has " + problem
                + "; nothing of the transaction is committed or in the log: correct it, or change it while nothing captures");
    }

    @Override
    public synchronized void addPrefix(Node graph, String prefix, String namespace) {
        prefix(Op.PA, graph, prefix, namespace);
    }

    @Override
    public synchronized void deletePrefix(Node graph, String prefix) {
        deletePrefix(graph, prefix, null);
    }

    /** Deletes a prefix that stands for {@code namespace}, without which the deletion can't be undone. */
    synchronized void deletePrefix(Node graph, String prefix, String namespace) {
        prefix(Op.PD, graph, prefix, namespace != null && allowed.isValidPrefix(prefix, namespace) ? namespace : null);
    }

    private void prefix(Op op, Node graph, String prefix, String namespace) {
        Node iri = namespace == null ? null : NodeFactory.createURI(namespace);
        String problem = allowed.prefixProblem(prefix, iri);
        if (problem != null) {
            throw refusalError("the prefix '" + prefix + "'", problem);
        }
        open().prefix(op, NodeTerms.utf8(prefix, "prefix"), iri, toGraph(graph));
    }

    private static Node toGraph(Node graph) {
        return graph == null ? Quad.defaultGraphIRI : graph;
    }

    @Override
    public synchronized void txnCommit() {
        appendRow(Op.TC);
    }

    @Override
    public synchronized void txnAbort() {
        if (patch != null && options.recordAborted()) {
            appendRow(Op.TA);
        }
        drop();
    }

    private void appendRow(Op end) {
        try {
            open().transaction(end);
            log.append(patch);
            rows += patch.rowCount();
            patches++;
            error = null;
        } catch (IOException e) {
            throw unwritableError(e);
        } finally {
            drop();
        }
    }

    private void drop() {
        if (patch != null) {
            patch.drop();
            patch = null;
        }
    }

    @Override
    public void segment() {
        // a transaction is a patch
    }

    @Override
    public void start() {
        // begins with the first transaction
    }

    @Override
    public void finish() {
        // ends with end()
    }
}
