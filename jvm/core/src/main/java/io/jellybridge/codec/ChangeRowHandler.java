package io.jellybridge.codec;

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
