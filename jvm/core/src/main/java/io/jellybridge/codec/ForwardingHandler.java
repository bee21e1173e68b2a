package io.jellybridge.codec;

/**
 * Hands all events on to another handler; a subclass does more with some of them.
 *
 * @param <T> what a term is
 */
public abstract class ForwardingHandler<T> implements PatchHandler<T> {
    private PatchHandler<T> target;

    /** Sets where events go from here. */
    protected final void to(PatchHandler<T> next) {
        target = next;
    }

    /** A row was handed on, and taken. */
    protected void handed(Op op) {
        // for a subclass
    }

    @Override
    public void header(byte[] key, T value) {
        target.header(key, value);
        handed(Op.H);
    }

    @Override
    public void transaction(Op op) {
        target.transaction(op);
        handed(op);
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        target.prefix(op, name, namespace, graph);
        handed(op);
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        target.statement(op, subject, predicate, object, graph);
        handed(op);
    }

    @Override
    public void endPatch() {
        target.endPatch();
    }
}
