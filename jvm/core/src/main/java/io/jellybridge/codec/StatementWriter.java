package io.jellybridge.codec;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Objects;

/**
 * Writes statements, each with its graph, as a Jelly-RDF stream of any physical type. In a GRAPHS stream it starts a graph
 * wherever the graph changes, so statements that are sorted by graph give the smallest file. In other streams it leaves out the
 * starts and ends of graphs. It behaves like {@link RdfWriter}, with one exception: when it rejects a statement of a GRAPHS
 * stream, the statement's graph may have begun and stays empty.
 *
 * @param <T> the type of a term
 */
public final class StatementWriter<T> implements RdfHandler<T>, Closeable {
    private final RdfWriter<T> writer;
    private final boolean graphs;
    private boolean graphOpen;
    private T graph;

    /** Creates a writer. The parameters are those of {@link RdfWriter#RdfWriter}. */
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
    @Override
    public void statement(T subject, T predicate, T object, T in) {
        if (graphs && !(graphOpen && Objects.deepEquals(graph, in))) {
            startGraph(in);
        }
        writer.statement(subject, predicate, object, in);
    }

    @Override
    public void namespace(byte[] name, T namespace) {
        writer.namespace(name, namespace);
    }

    /** Starts a graph, after the end of the open one. */
    @Override
    public void startGraph(T name) {
        if (graphs) {
            endGraph();
            writer.startGraph(name);
            graphOpen = true;
            graph = name;
        }
    }

    /** Ends the open graph, if there is one. */
    @Override
    public void endGraph() {
        if (graphOpen) {
            writer.endGraph();
            graphOpen = false;
        }
    }

    /** Ends the frame alone. An open graph goes on in the next one. */
    @Override
    public void endFrame(Map<String, byte[]> metadata) {
        writer.endFrame(metadata);
    }

    /** Ends the open graph and the frame, which is a complete element in a grouped stream. */
    public void endElement() {
        endGraph();
        endFrame(Map.of());
    }

    /** Ends the open graph and the frame, and closes the stream in any case. */
    @Override
    public void close() throws IOException {
        try (writer) {
            endGraph();
        }
    }
}
