package io.jellybridge.codec;

import java.util.Map;

/**
 * Takes the events of a Jelly-RDF stream, in the order of the stream. A {@link RdfReader} hands them over and a
 * {@link RdfWriter} is one. Contract as for {@link PatchHandler}. The statements are the data, with all that belongs to
 * them; the other events say how the stream holds them, and nothing is done with those that a handler does not take.
 *
 * @param <T> what a term is, see {@link TermFactory}
 */
public interface RdfHandler<T> {

    /**
     * A namespace declaration; cosmetic, never used to expand IRIs.
     *
     * @param name the prefix, without colon, UTF-8; may be empty
     */
    default void namespace(byte[] name, T namespace) {
    }

    /** In a GRAPHS stream, a graph begins. The same graph may begin more than once. */
    default void startGraph(T graph) {
    }

    /** In a GRAPHS stream, the graph that began last ends. */
    default void endGraph() {
    }

    /**
     * A triple or quad.
     *
     * @param graph null in a TRIPLES stream; else the graph, in a GRAPHS stream the one that began last, where the default
     *              graph is what {@link TermFactory#defaultGraph()} made of it
     */
    void statement(T subject, T predicate, T object, T graph);

    /**
     * A frame is over: in a grouped stream, an element of it.
     *
     * @param metadata the frame's metadata, which has no effect on the RDF
     */
    default void endFrame(Map<String, byte[]> metadata) {
    }
}
