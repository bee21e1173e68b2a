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
}
