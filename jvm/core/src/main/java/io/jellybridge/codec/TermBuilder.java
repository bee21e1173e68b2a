package io.jellybridge.codec;

/**
 * Converts terms of one type to terms of another. Not thread-safe.
 *
 * @param <A> the type of the given terms
 * @param <B> the type of the created terms
 */
public final class TermBuilder<A, B> {
    private final TermSource<A> from;
    private final TermAssembler<B> to;

    public TermBuilder(TermSource<A> from, TermFactory<B> to) {
        this.from = from;
        this.to = new TermAssembler<>(to);
    }

    /** Converts a term. Null stays null. */
    public B translate(A term) {
        if (term == null) {
            return null;
        }
        to.clear();
        from.visit(term, to);
        return to.term();
    }

    /** Converts a graph. Every name of the default graph becomes null. */
    public B translateGraph(A graph) {
        return from.isDefaultGraph(graph) ? null : translate(graph);
    }
}
