package io.jellybridge.codec;

/**
 * A handler that ignores all events. Subclasses override the methods that they need.
 *
 * @param <T> the type of a term
 */
public class PatchAdapter<T> implements PatchHandler<T> {

    @Override
    public void header(byte[] key, T value) {
        // for a subclass
    }

    @Override
    public void transaction(Op op) {
        // for a subclass
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        // for a subclass
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        // for a subclass
    }

    @Override
    public void endPatch() {
        // for a subclass
    }
}
