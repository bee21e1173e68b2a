package io.jellybridge.codec;

/**
 * Takes the events of a patch stream as change rows, the reverse of {@link ChangeRowSink}: one method with all columns,
 * null where the op has none. The end of a patch is no row; it shows in the patch number of the next one.
 *
 * @param <T> what a term is
 */
public interface ChangeRowHandler<T> extends PatchHandler<T> {

    /**
     * A row.
     *
     * @param name  the header's key, or the prefix
     * @param value the header's value, or the namespace
     */
    void row(Op op, T subject, T predicate, T object, T graph, byte[] name, T value);

    @Override
    default void header(byte[] key, T value) {
        row(Op.H, null, null, null, null, key, value);
    }

    @Override
    default void transaction(Op op) {
        row(op, null, null, null, null, null, null);
    }

    @Override
    default void prefix(Op op, byte[] name, T namespace, T graph) {
        row(op, null, null, null, graph, name, namespace);
    }

    @Override
    default void statement(Op op, T subject, T predicate, T object, T graph) {
        row(op, subject, predicate, object, graph, null, null);
    }

    @Override
    default void endPatch() {
        // see above
    }
}
