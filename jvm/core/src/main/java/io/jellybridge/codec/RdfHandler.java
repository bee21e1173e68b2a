package io.jellybridge.codec;

import java.util.Map;

/**
 * Receives the events of a Jelly-RDF stream, in order. A {@link RdfReader} sends them and a {@link RdfWriter} is a handler. The
 * contract is that of {@link PatchHandler}. A statement event holds the complete data. The other events tell how the stream is
 * structured, and a handler may ignore them.
 *
 * @param <T> the type of a term, see {@link TermFactory}
 */
public interface RdfHandler<T> {

    /**
     * Receives a namespace declaration, which is cosmetic and never expands IRIs.
     *
     * @param name the prefix, without colon, UTF-8; may be empty
     */
    default void namespace(byte[] name, T namespace) {
    }

    /** Begins a graph in a GRAPHS stream. The same graph may begin more than once. */
    default void startGraph(T graph) {
    }

    /** Ends the current graph in a GRAPHS stream. */
    default void endGraph() {
    }

    /**
     * Receives a triple or quad.
     *
     * @param graph null in a TRIPLES stream, else the graph, in a GRAPHS stream the current one; the default graph is the
     *              result of {@link TermFactory#defaultGraph()}
     */
    void statement(T subject, T predicate, T object, T graph);

    /**
     * Ends a frame. In a grouped stream, a frame is an element.
     *
     * @param metadata the frame's metadata, which has no effect on the RDF
     */
    default void endFrame(Map<String, byte[]> metadata) {
    }
}
