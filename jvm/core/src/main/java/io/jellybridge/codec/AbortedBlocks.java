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

    /** {@inheritDoc} A {@code TA} outside of a transaction aborts nothing. */
    @Override
    public final void transaction(Op op) {
        numbers.count(op);
        if (op == Op.TA && numbers.tx() >= 0) {
            aborted.set(Math.toIntExact(numbers.tx()));
        }
    }
}
