package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ForwardingRdfHandler;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import java.io.IOException;
import java.util.Arrays;

/**
 * A snapshot of a dataset or of one graph.
 *
 * @param graph      the graph of the snapshot, as a term; null if its statements name their graphs, see {@link #DEFAULT}
 * @param mayBeEmpty true if it may be empty although the dataset would lose statements
 */
public record PublishedFile(Snapshot snapshot, byte[] graph, boolean mayBeEmpty) {
    /** The name of the default graph in place of an IRI. No graph has it, since it is relative. */
    public static final String DEFAULT = "default";
    private static final byte[] DEFAULT_GRAPH = DEFAULT.getBytes(UTF_8);

    /** Creates a snapshot that must not be empty if the dataset would lose statements. */
    public PublishedFile(Snapshot snapshot, byte[] graph) {
        this(snapshot, graph, false);
    }

    /**
     * Returns the content of one graph, or of the default graph for {@link #DEFAULT}.
     *
     * @throws IllegalArgumentException the IRI can't be the name of a graph of data
     */
    public static PublishedFile ofGraph(Snapshot snapshot, String iri) {
        byte[] bytes = iri.getBytes(UTF_8);
        if (iri.equals(DEFAULT)) {
            return new PublishedFile(snapshot, DEFAULT_GRAPH);
        }
        RdfTerms.Fault fault = RdfTerms.iriFault(bytes, 0, bytes.length);
        if (fault != null) {
            throw new IllegalArgumentException("the graph has as its name " + fault.found() + "; " + fault.advice());
        }
        if (iri.equals(StoredPosition.GRAPH)) {
            throw new IllegalArgumentException(
                    "the graph <" + iri + "> is where a dataset keeps its positions, and no data");
        }
        return new PublishedFile(snapshot, Utf8Terms.toTerm(iri));
    }

    /** Returns the same file as the content of the default graph if it names no graph and can hold none but one. */
    PublishedFile ofItsGraph() {
        return graph == null && snapshot.isOfOneGraph() ? new PublishedFile(snapshot, DEFAULT_GRAPH, mayBeEmpty) : this;
    }

    static boolean isDefault(byte[] graph) {
        return Arrays.equals(graph, DEFAULT_GRAPH);
    }

    /** Returns true if a statement with this graph, null for the default graph, is of the published graph. */
    static boolean isOf(byte[] published, byte[] graph) {
        return graph == null ? isDefault(published) : Arrays.equals(published, graph);
    }

    /** Returns a published graph for messages. */
    static String toDisplay(byte[] graph) {
        return isDefault(graph) ? "default graph" : "graph " + new String(graph, UTF_8);
    }

    /** Returns the same snapshot, with or without permission to be empty. */
    public PublishedFile mayBeEmpty(boolean allowed) {
        return new PublishedFile(snapshot, graph, allowed);
    }

    /**
     * Passes all statements to a handler. Statements in the graph of positions keep their graph, since they are not part of a
     * snapshot.
     */
    void readStatements(RdfHandler<byte[]> handler) throws IOException {
        snapshot.read(ForwardingRdfHandler.ofStatements((subject, predicate, object, named) -> {
            if (Position.isGraph(named)) {
                handler.statement(subject, predicate, object, named);
                return;
            }
            checkGraph(named);
            handler.statement(subject, predicate, object, graph == null || isDefault(graph) ? named : graph);
        }, handler));
    }

    private void checkGraph(byte[] named) {
        if (graph != null && named != null && !isOf(graph, named)) {
            throw new IllegalStateException(snapshot.name() + " has a statement in the graph " + new String(named, UTF_8)
                    + ", and is to be published as the " + toDisplay(graph)
                    + "; publish it without a graph, or take the others out");
        }
    }
}
