package io.jellybridge.codec;

/**
 * Selects statements before their terms are created.
 *
 * @param <T> the type of a term
 */
public interface StatementFilter<T> {

    /** Returns true if a statement with this op may be selected, depending on its terms. */
    boolean accepts(Op op);

    /** Returns true if {@link #accepts(Op, Object, Object)} needs the terms. */
    boolean needsTerms();

    /**
     * Returns true if the statement is selected.
     *
     * @param predicate null if the filter needs no terms
     * @param graph     null if the filter needs no terms, or in a TRIPLES stream; the default graph is the result of {@link
     *                  TermFactory#defaultGraph()}
     */
    boolean accepts(Op op, T predicate, T graph);
}
