package io.jellybridge.codec;

/**
 * Takes the change rows of a patch stream, the reverse of {@link ChangeRowSink}: one method with all columns, null where the
 * op has none. {@link ChangeRows} makes them of events.
 *
 * @param <T> what a term is
 */
@FunctionalInterface
public interface ChangeRowHandler<T> {

    /**
     * A row.
     *
     * @param patch which patch of the stream, from 0
     * @param tx    which transaction of the stream, from 0; -1 outside of one
     * @param row   which row of the stream, from 0
     * @param name  the header's key, or the prefix
     * @param value the header's value, or the namespace
     */
    void row(long patch, long tx, long row, Op op, T subject, T predicate, T object, T graph, byte[] name, T value);

    /** A patch is complete: no row, it shows in the patch number of the next one. */
    default void endPatch() {
        // for who asks
    }
}
