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
}
