package io.jellybridge.codec;

import java.util.BitSet;

/**
 * The first of two passes over patches: finds the blocks that end with {@code TA}, which a block says at its end only.
 * Memory: one bit a transaction.
 *
 * @param <T> what a term is
 */
public class AbortedBlocks<T> extends PatchAdapter<T> {
    private final PatchSource<T> source;
    private final BitSet aborted = new BitSet();

    /** @param source whose events are handed to this */
    public AbortedBlocks(PatchSource<T> source) {
        this.source = source;
    }

    /** Whether a transaction, by its number in the source, is aborted; -1, outside of one, is not. */
    public final boolean contains(long tx) {
        return tx >= 0 && aborted.get((int) tx);
    }

    /** {@inheritDoc} A {@code TA} outside of a transaction aborts nothing. */
    @Override
    public void transaction(Op op) {
        long tx = source.numbers().tx();
        if (op == Op.TA && tx >= 0) {
            aborted.set(Math.toIntExact(tx));
        }
    }
}
