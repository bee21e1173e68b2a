package io.jellybridge.codec;

/**
 * A handler that passes all events to another handler. Subclasses add behaviour to some events.
 *
 * @param <T> the type of a term
 */
public abstract class ForwardingHandler<T> implements PatchHandler<T> {
    private PatchHandler<T> target;

    /** Sets the handler that receives all further events. */
    protected final void setTarget(PatchHandler<T> next) {
        target = next;
    }

    /** Called after the target has accepted a row. */
    protected void afterRow(Op op) {
        // for a subclass
    }

    @Override
    public void header(byte[] key, T value) {
        target.header(key, value);
        afterRow(Op.H);
    }

    @Override
    public void transaction(Op op) {
        target.transaction(op);
        afterRow(op);
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        target.prefix(op, name, namespace, graph);
        afterRow(op);
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        target.statement(op, subject, predicate, object, graph);
        afterRow(op);
    }

    @Override
    public void endPatch() {
        target.endPatch();
    }
}
