package io.jellybridge.codec;

/**
 * Takes the events of a patch stream, in the order of the stream. A {@link PatchReader} hands them over and a
 * {@link PatchWriter} is one, so that a reader copied into a writer is a transcoder.
 *
 * <p>Contract. One thread calls at a time. Terms are immutable, and the same instance may come again for a repeated
 * term. Whoever calls has checked neither that transactions balance nor that statements are legal RDF: a handler that
 * needs it checks it. A handler that throws ends the reading; it is then in the state that its own documentation says.
 *
 * @param <T> what a term is, see {@link TermFactory}
 */
public interface PatchHandler<T> {

    /**
     * An {@code H} row.
     *
     * @param key   the key, UTF-8; may be empty, may come again
     * @param value the value; never null
     */
    void header(byte[] key, T value);

    /** A {@code TX}, {@code TC} or {@code TA} row. */
    void transaction(Op op);

    /**
     * A {@code PA} or {@code PD} row.
     *
     * @param name      the prefix, without colon, UTF-8; may be empty
     * @param namespace the namespace's IRI; null only in {@code PD}, where it is optional
     * @param graph     null in a TRIPLES stream, else the graph, where the default graph is what {@link
     *                  TermFactory#defaultGraph()} made of it
     */
    void prefix(Op op, byte[] name, T namespace, T graph);

    /**
     * A {@code PA} or {@code PD} row of a QUADS stream that names no graph and has none to repeat (P-90). Who does not tell that
     * from the default graph has nothing to do; else as {@link #prefix}.
     */
    default void prefixWithoutGraph(Op op, byte[] name, T namespace) {
        prefix(op, name, namespace, null);
    }

    /**
     * An {@code A} or {@code D} row.
     *
     * @param graph null in a TRIPLES stream, else the graph, where the default graph is what
     *              {@link TermFactory#defaultGraph()} made of it
     */
    void statement(Op op, T subject, T predicate, T object, T graph);

    /** The patch is complete: the end of a frame (FRAME), of the stream (FLAT), or a punctuation mark (PUNCTUATED). */
    void endPatch();
}
