package io.jellybridge.codec;

/**
 * Converts the events of a source to change rows with their numbers.
 *
 * @param <T> the type of a term
 */
public final class ChangeRows<T> implements PatchHandler<T> {
    private final ChangeCounter numbers;
    private final ChangeRowHandler<? super T> rows;

    /**
     * Creates a converter.
     *
     * @param source the source of the events, which provides the numbers
     */
    public ChangeRows(PatchSource<T> source, ChangeRowHandler<? super T> rows) {
        this.numbers = source.numbers();
        this.rows = rows;
    }

    private void row(Op op, T subject, T predicate, T object, T graph, byte[] name, T value) {
        rows.row(numbers.patch(), numbers.tx(), numbers.row(), op, subject, predicate, object, graph, name, value);
    }

    @Override
    public void header(byte[] key, T value) {
        row(Op.H, null, null, null, null, key, value);
    }

    @Override
    public void transaction(Op op) {
        row(op, null, null, null, null, null, null);
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        row(op, null, null, null, graph, name, namespace);
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        row(op, subject, predicate, object, graph, null, null);
    }

    @Override
    public void endPatch() {
        rows.endPatch();
    }

    /**
     * Receives the change rows of a patch stream, the reverse of {@link ChangeRowSink}. One method has all columns, and null for
     * those that the op does not have. {@link ChangeRows} creates the rows from events.
     *
     * @param <T> the type of a term
     */
    @FunctionalInterface
    public interface ChangeRowHandler<T> {

        /**
         * Receives a row.
         *
         * @param patch the number of the patch in the stream, from 0
         * @param tx    the number of the transaction in the stream, from 0; -1 outside of one
         * @param row   the number of the row in the stream, from 0
         * @param name  the header's key, or the prefix
         * @param value the header's value, or the namespace
         */
        void row(long patch, long tx, long row, Op op, T subject, T predicate, T object, T graph, byte[] name, T value);

        /** Ends a patch. It is not a row, and shows only in the patch number of the next row. */
        default void endPatch() {
            // optional
        }
    }
}
