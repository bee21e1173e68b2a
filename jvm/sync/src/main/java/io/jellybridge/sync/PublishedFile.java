package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import java.io.IOException;
import java.util.Arrays;

/**
 * A snapshot, or the content of one graph.
 *
 * @param graph      the graph that the snapshot is of, as a term; null: its statements say where they belong
 * @param mayBeEmpty whether it may have no statement where the dataset would lose some
 */
public record PublishedFile(Snapshot snapshot, byte[] graph, boolean mayBeEmpty) {

    /** A snapshot that must have a statement where the dataset would lose some. */
    public PublishedFile(Snapshot snapshot, byte[] graph) {
        this(snapshot, graph, false);
    }

    /**
     * The content of one graph.
     *
     * @throws IllegalArgumentException the IRI is none that a graph of data may have
     */
    public static PublishedFile ofGraph(Snapshot snapshot, String iri) {
        byte[] bytes = iri.getBytes(UTF_8);
        RdfTerms.Fault fault = RdfTerms.iriFault(bytes, 0, bytes.length);
        if (fault != null) {
            throw new IllegalArgumentException("the graph has as its name " + fault.found() + "; " + fault.advice());
        }
        if (iri.equals(StoredPosition.GRAPH)) {
            throw new IllegalArgumentException(
                    "the graph <" + iri + "> is where a dataset keeps its positions, and no data");
        }
        return new PublishedFile(snapshot, ("<" + iri + ">").getBytes(UTF_8));
    }

    /** The same, which may be empty or may not. */
    public PublishedFile mayBeEmpty(boolean allowed) {
        return new PublishedFile(snapshot, graph, allowed);
    }

    /** Hands over all statements. Those of the graph of positions stay in it, for they are of no snapshot. */
    void read(RdfHandler<byte[]> handler) throws IOException {
        snapshot.read((subject, predicate, object, named) -> {
            if (Position.isGraph(named)) {
                handler.statement(subject, predicate, object, named);
                return;
            }
            check(named);
            handler.statement(subject, predicate, object, graph == null ? named : graph);
        });
    }

    private void check(byte[] named) {
        if (graph != null && named != null && !Arrays.equals(named, graph)) {
            throw new IllegalStateException(snapshot.name() + " has a statement in the graph " + new String(named, UTF_8)
                    + ", and is to be published as the graph " + new String(graph, UTF_8)
                    + "; publish it without a graph, or take the others out");
        }
    }
}
