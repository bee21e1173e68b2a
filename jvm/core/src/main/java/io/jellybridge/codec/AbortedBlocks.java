package io.jellybridge.codec;

import java.util.BitSet;

/**
 * The first of two passes over patches: finds the blocks that end with {@code TA}, which a block says at its end only.
 * Memory: one bit a transaction.
 *
 * @param <T> what a term is
 */
public class AbortedBlocks<T> extends PatchAdapter<T> {
    /** Of the rows that begin and end transactions, alone. */
    private final ChangeCounter numbers = new ChangeCounter();
    private final BitSet aborted = new BitSet();

    /** Whether a transaction, by its number in the source, is aborted; -1, outside of one, is not. */
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
