package io.jellybridge.codec;

/**
 * Shows the parts of a term to a {@link TermVisitor}.
 *
 * @param <T> the type of a term, see {@link TermFactory}
 */
@FunctionalInterface
public interface TermSource<T> {

    /**
     * Shows {@code term} to {@code visitor}.
     *
     * @throws IllegalArgumentException the term is not a term of RDF (a variable, text that is not N-Triples); the message
     *                                  describes it, and the visitor must discard what it was shown
     */
    void visit(T term, TermVisitor visitor);

    /**
     * Checks whether a graph is the default graph: null, or a term that names it if the model has one. Such a term names the
     * default graph only in the position of a graph; {@link #visit} shows it as the IRI that it is.
     */
    default boolean isDefaultGraph(T graph) {
        return graph == null;
    }

    /** Returns true if two terms are known to be the same without a visit. False means that it is unknown. */
    default boolean isSame(T a, T b) {
        return a == b;
    }
}
