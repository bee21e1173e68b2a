package io.jellybridge.codec;

/**
 * Shows a term to a {@link TermVisitor}.
 *
 * @param <T> what a term is, see {@link TermFactory}
 */
@FunctionalInterface
public interface TermSource<T> {

    /**
     * Shows {@code term} to {@code visitor}.
     *
     * @throws IllegalArgumentException the term is none that RDF has (a variable, text that is not N-Triples); the message
     *                                  says what it is, and the visitor is to forget what it saw
     */
    void visit(T term, TermVisitor visitor);

    /**
     * Whether a graph is the default graph: null, or a term that names it where the model has one. Such a term names it in
     * the position of a graph alone; {@link #visit} shows it as the IRI that it is.
     */
    default boolean isDefaultGraph(T graph) {
        return graph == null;
    }

    /** Whether two terms are the same, if that can be said without a visit; false says nothing. */
    default boolean isSame(T a, T b) {
        return a == b;
    }
}
