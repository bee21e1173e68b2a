package io.jellybridge.codec;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Objects;

/**
 * Writes statements, each with its graph, as a Jelly-RDF stream of any physical type. In a GRAPHS stream graphs start
 * and end where the statements' graph changes, so what is sorted by graph comes out shortest. Otherwise as {@link
 * RdfWriter}, but for one thing: where a GRAPHS stream refuses a statement, its graph may have begun, and stays
 * empty.
 *
 * @param <T> what a term is
 */
public final class StatementWriter<T> implements Closeable {
    private final RdfWriter<T> writer;
    private final boolean graphs;
    private boolean graphOpen;
    private T graph;

    /** As {@link RdfWriter#RdfWriter}. */
    public StatementWriter(OutputStream out, String file, TermSource<T> terms, RdfOptions options, WriteOptions cut) {
        this.writer = new RdfWriter<>(out, file, terms, options, cut);
        this.graphs = options.physicalType() == PhysicalType.GRAPHS;
    }

    /**
     * Writes a triple or quad.
     *
     * @param in the graph; null for the default graph, and in a TRIPLES stream
     * @throws FormatException the stream can't hold it
     */
    public void statement(T subject, T predicate, T object, T in) {
        if (graphs && !(graphOpen && Objects.deepEquals(graph, in))) {
            endGraph();
            writer.startGraph(in);
            graphOpen = true;
            graph = in;
        }
        writer.statement(subject, predicate, object, in);
    }

    /** Writes a namespace declaration, see {@link RdfHandler#namespace}. */
    public void namespace(byte[] name, T namespace) {
        writer.namespace(name, namespace);
    }

    /** Ends the frame, and the graph that is open: in a grouped stream, an element is whole. */
    public void endFrame() {
        endGraph();
        writer.endFrame(Map.of());
    }

    private void endGraph() {
        if (graphOpen) {
            writer.endGraph();
            graphOpen = false;
        }
    }

    /** Ends the graph and the frame that are open, and closes the stream on every path. */
    @Override
    public void close() throws IOException {
        try (writer) {
            endGraph();
        }
    }
}
