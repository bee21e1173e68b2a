package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.StatementSource;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Threads;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.system.StreamRDFBase;
import org.apache.jena.sparql.core.Quad;

/**
 * A cursor over the statements of a document that {@link RiotReader} reads. RIOT pushes statements, so its parser has a thread
 * of its own, which is at most a few hundred kilobytes ahead of the reader. All statements before an error are returned before
 * the error is thrown.
 *
 * <p>A blank node is local to its document. Its label is made from the document's location and from its label there, or its
 * number among the unlabelled nodes. A second reading of a file therefore gives the same labels, and two files never share one.
 * <p>One thread may call at a time.
 */
public final class RiotStatements implements StatementSource<byte[]> {
    private static final int BATCH_STATEMENTS = 512;
    private static final int BATCH_BYTES = 1 << 16;
    private static final int BATCHES = 4;
    private static final long MILLIS_TO_END = 1000;
    private static final int TERMS = 4;
    /** The index of the graph among the terms: the last. */
    private static final int GRAPH = 3;

    private final InputStream content;
    private final RdfFile file;
    private final String place;
    private final TermFactory<byte[]> terms;
    private final BlockingQueue<Batch> queue = new ArrayBlockingQueue<>(BATCHES);
    private Consumer<FormatException> warnings = warning -> { };
    private Thread parser;
    private volatile boolean isClosed;
    private Batch batch = new Batch();
    private int next;

    /** A batch of statements and namespaces. The last batch of a document also says how the document ended. */
    private static final class Batch {
        /** Each event has four terms, or the name and the IRI of a namespace. */
        private final List<byte[][]> events = new ArrayList<>();
        /** RIOT's warnings before or between the events. */
        private final List<FormatException> warnings = new ArrayList<>();
        private int bytes;
        private boolean isLast;
        /** The error that ended the document early, or null. */
        private Throwable fault;
    }

    /** Thrown to stop the parser when nobody reads any more. */
    private static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Creates a cursor.
     *
     * @param content the document, decompressed; closed by {@link #close()}
     * @param place   the seed for the labels of blank nodes: an address that no other document has
     * @param terms   creates the terms, in the parser's thread; no other thread uses it
     */
    public RiotStatements(InputStream content, RdfFile file, String place, TermFactory<byte[]> terms) {
        this.content = content;
        this.file = file;
        this.place = place;
        this.terms = terms;
    }

    /** Sets a listener for RIOT's warnings, which is called in the reading thread. */
    public void onWarning(Consumer<FormatException> listener) {
        warnings = listener;
    }

    /**
     * Passes the next statement or namespace to a handler.
     *
     * @return false, with no event, at the end of the document
     * @throws FormatException the document breaks its syntax, or has an invalid term
     */
    @Override
    public boolean next(RdfHandler<byte[]> handler) throws IOException {
        while (next == batch.events.size()) {
            if (batch.isLast) {
                if (batch.fault != null) {
                    throw Threads.toFailure(batch.fault);
                }
                return false;
            }
            take();
        }
        byte[][] event = batch.events.set(next++, null);
        try {
            if (event.length == TERMS) {
                handler.statement(event[0], event[1], event[2], event[3]);
            } else {
                handler.namespace(event[0], event[1]);
            }
        } catch (OutOfMemoryError e) {
            // The parser fills the memory, but the thread that needs the next byte may be this one.
            throw newError(file.lang().getName(), RiotReader.NO_MEMORY, RiotReader.MORE_MEMORY);
        }
        return true;
    }

    /** Creates an error without a position, since the parser is ahead of the caller. */
    @Override
    public FormatException newError(String rule, String found, String advice) {
        return FormatException.inText(rule, file.name(), 0, 0, -1, found, advice);
    }

    private void take() throws IOException {
        if (parser == null) {
            parser = Threads.newDaemon(this::parse, "jellybridge parser of " + file.name());
            parser.start();
        }
        try {
            batch = queue.take();
            next = 0;
            batch.warnings.forEach(warnings);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    // --- in the parser's thread

    private void parse() {
        Batch end = new Batch();
        try {
            Sink sink = new Sink();
            try {
                LabelToNode labels = LabelToNode.createScopeByDocumentHash(UUID.nameUUIDFromBytes(place.getBytes(UTF_8)));
                RiotReader reader = new RiotReader(file, new DatasetTerms()::findProblem);
                reader.onWarning(sink::warn);
                reader.read(content, labels, sink);
            } finally {
                end = sink.made;
            }
        } catch (StoppedException e) {
            return;
        } catch (IOException | RuntimeException | Error e) {
            end.fault = e;
        }
        end.isLast = true;
        try {
            passOn(end);
        } catch (InterruptedException e) {
            // nobody reads any more
        }
    }

    /** Waits until there is room for a batch. It fails once nobody reads, even if a parser or a stream has taken the interrupt. */
    private void passOn(Batch full) throws InterruptedException {
        if (isClosed) {
            throw new InterruptedException("closed");
        }
        queue.put(full);
    }

    private final class Sink extends StreamRDFBase {
        private final TermBuilder<Node, byte[]> builder = new TermBuilder<>(new NodeTerms(), terms);
        private final DatasetTerms rules = new DatasetTerms();
        /** The last term of each position, since consecutive statements often have the same terms. */
        private final Node[] lastNodes = new Node[GRAPH];
        private final byte[][] lastTerms = new byte[GRAPH][];
        private Node lastGraph;
        private byte[] lastGraphTerm;
        private Batch made = new Batch();

        @Override
        public void triple(Triple triple) {
            statement(triple.getSubject(), triple.getPredicate(), triple.getObject(), null);
        }

        @Override
        public void quad(Quad quad) {
            statement(quad.getSubject(), quad.getPredicate(), quad.getObject(), quad.getGraph());
        }

        @Override
        public void prefix(String prefix, String iri) {
            Node namespace = NodeFactory.createURI(iri);
            // JSON-LD and XML allow prefixes that other syntaxes do not. The statements have the expanded IRIs.
            if (DatasetTerms.isTurtlePrefix(prefix) && rules.prefixProblem(prefix, namespace) == null) {
                addEvent(new byte[][] {prefix.getBytes(UTF_8), builder.translate(namespace)}, iri.length());
            }
        }

        private void statement(Node subject, Node predicate, Node object, Node graph) {
            byte[][] event = {toTerm(0, subject), toTerm(1, predicate), toTerm(2, object), toGraph(graph)};
            addEvent(event, event[0].length + event[1].length + event[2].length);
        }

        private byte[] toTerm(int position, Node node) {
            if (node != lastNodes[position]) {
                lastNodes[position] = node;
                lastTerms[position] = builder.translate(node);
            }
            return lastTerms[position];
        }

        private byte[] toGraph(Node graph) {
            if (graph != lastGraph) {
                lastGraph = graph;
                lastGraphTerm = builder.translateGraph(graph);
            }
            return lastGraphTerm;
        }

        private void addEvent(byte[][] event, int bytes) {
            made.events.add(event);
            made.bytes += bytes;
            passOnBatch();
        }

        void warn(FormatException warning) {
            made.warnings.add(warning);
            passOnBatch();
        }

        /** Passes on the batch if it is full. */
        private void passOnBatch() {
            if (made.events.size() + made.warnings.size() == BATCH_STATEMENTS || made.bytes >= BATCH_BYTES) {
                try {
                    passOn(made);
                } catch (InterruptedException e) {
                    throw new StoppedException();
                }
                made = new Batch();
            }
        }
    }

    /** Stops the parser, and closes the document. */
    @Override
    public void close() throws IOException {
        isClosed = true;
        if (parser != null) {
            parser.interrupt();
            // Waiting for a pipe can't be interrupted: it ends when the pipe does.
            try {
                parser.join(MILLIS_TO_END);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        content.close();
    }
}
