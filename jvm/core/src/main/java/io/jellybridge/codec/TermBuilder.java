package io.jellybridge.codec;

/**
 * Makes terms of one kind from terms of another. For one thread.
 *
 * @param <A> what a term is that comes in
 * @param <B> what a term is that goes out
 */
public final class TermBuilder<A, B> {
    private final TermSource<A> from;
    private final TermAssembler<B> to;

    public TermBuilder(TermSource<A> from, TermFactory<B> to) {
        this.from = from;
        this.to = new TermAssembler<>(to);
    }

    /** The same term; null stays null. */
    public B translate(A term) {
        if (term == null) {
            return null;
        }
        to.clear();
        from.visit(term, to);
        return to.term();
    }

    /** The same graph; null for the default graph, whatever names it. */
    public B translateGraph(A graph) {
        return from.isDefaultGraph(graph) ? null : translate(graph);
    }
}
