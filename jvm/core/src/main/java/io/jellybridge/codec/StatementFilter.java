package io.jellybridge.codec;

/**
 * Says which statements are wanted, before terms are made of them.
 *
 * @param <T> what a term is
 */
public interface StatementFilter<T> {

    /** Whether a statement with this op may be wanted, whatever its terms. */
    boolean accepts(Op op);

    /** Whether {@link #accepts(Op, Object, Object)} looks at the terms. */
    boolean needsTerms();

    /**
     * Whether a statement is wanted.
     *
     * @param predicate null when no terms are needed
     * @param graph     likewise; for the default graph what {@link TermFactory#defaultGraph()} made of it, and null in a
     *                  TRIPLES stream
     */
    boolean accepts(Op op, T predicate, T graph);
}
