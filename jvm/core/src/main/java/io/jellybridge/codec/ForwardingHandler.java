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

    @Override
    public void header(byte[] key, T value) {
        target.header(key, value);
    }

    @Override
    public void transaction(Op op) {
        target.transaction(op);
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        target.prefix(op, name, namespace, graph);
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        target.statement(op, subject, predicate, object, graph);
    }

    @Override
    public void endPatch() {
        target.endPatch();
    }
}
