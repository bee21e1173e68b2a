package io.jellybridge.codec;

import java.util.BitSet;

/**
 * Finds the transactions that end with {@code TA}, in a first of two passes over patches. A transaction is known as aborted
 * only at its end. It needs one bit of memory a transaction.
 *
 * @param <T> the type of a term
 */
public class AbortedBlocks<T> extends PatchAdapter<T> {
    /** Counts only the rows that begin or end transactions. */
    private final ChangeCounter numbers = new ChangeCounter();
    private final BitSet aborted = new BitSet();

    /**
     * Checks whether a transaction, given by its number in the source, is aborted. Returns false for -1, which means outside of
     * a transaction.
     */
    public final boolean contains(long tx) {
        return tx >= 0 && aborted.get((int) tx);
    }

    /**
     * Checks the end of a transaction in the second pass.
     *
     * @param tx its number in the source; -1 outside of a transaction
     * @throws IllegalStateException the first pass had another end, since the source has changed
     */
    public final void requireEnd(Op end, long tx) {
        if (tx > numbers.lastTransaction() || tx >= 0 && contains(tx) != (end == Op.TA)) {
            throw changedError();
        }
    }

    /** Creates the error for a source that has changed between the passes. */
    protected static IllegalStateException changedError() {
        return new IllegalStateException("the patches have changed since they were checked; try again when nothing writes them");
    }

    /** {@inheritDoc} A {@code TA} outside of a transaction aborts nothing. */
    @Override
    public final void transaction(Op op) {
        numbers.count(op);
        if (op == Op.TA && numbers.tx() >= 0) {
            aborted.set(Math.toIntExact(numbers.tx()));
        }
    }
}
