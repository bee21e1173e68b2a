package io.jellybridge.codec;

/**
 * Does nothing with any event: for handlers that look at some of them.
 *
 * @param <T> what a term is
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
