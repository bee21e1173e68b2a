package io.jellybridge.codec;

/**
 * Receives the events of a patch stream, in order. A {@link PatchReader} sends them and a {@link PatchWriter} is a handler, so
 * reading into a writer transcodes a stream.
 *
 * <p>Contract: one thread calls at a time. Terms are immutable, and a repeated term may be the same instance. The caller has
 * not checked that transactions balance or that statements are legal RDF, so a handler that needs this checks it. An exception
 * of a handler ends the reading; the handler's documentation says which state it is then in.
 * @param <T> the type of a term, see {@link TermFactory}
 */
public interface PatchHandler<T> {

    /**
     * Receives an {@code H} row.
     *
     * @param key   the key, UTF-8; may be empty, may occur again
     * @param value the value; never null
     */
    void header(byte[] key, T value);

    /** Receives a {@code TX}, {@code TC} or {@code TA} row. */
    void transaction(Op op);

    /**
     * Receives a {@code PA} or {@code PD} row.
     *
     * @param name      the prefix, without colon, UTF-8; may be empty
     * @param namespace the namespace's IRI; null only in {@code PD}, where it is optional
     * @param graph     null in a TRIPLES stream, else the graph; the default graph is the result of {@link
     *                  TermFactory#defaultGraph()}
     */
    void prefix(Op op, byte[] name, T namespace, T graph);

    /**
     * Receives a {@code PA} or {@code PD} row of a QUADS stream that has no graph and no earlier graph to repeat (P-90). By
     * default it calls {@link #prefix}, for handlers that treat it as the default graph.
     */
    default void prefixWithoutGraph(Op op, byte[] name, T namespace) {
        prefix(op, name, namespace, null);
    }

    /**
     * Receives an {@code A} or {@code D} row.
     *
     * @param graph null in a TRIPLES stream, else the graph; the default graph is the result of {@link
     *              TermFactory#defaultGraph()}
     */
    void statement(Op op, T subject, T predicate, T object, T graph);

    /** Ends a patch: at the end of a frame (FRAME), of the stream (FLAT), or at a punctuation mark (PUNCTUATED). */
    void endPatch();
}
