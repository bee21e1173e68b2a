package io.jellybridge.jena.apply;

import io.jellybridge.codec.AbortedBlocks;
import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;

/**
 * The second of two passes over patches: hands on the statements and prefixes that are in no block which ends with {@code
 * TA}, and counts. Headers are about the patch, not about the dataset.
 *
 * <p>Also of use in a first pass, for who hands transactions on: the rows of such a block are handed on then, and are taken
 * out of the counts where the block ends.
 *
 * @param <T> what a term is
 */
public abstract class AppliedRows<T> extends PatchAdapter<T> {
    private final AbortedBlocks<?> blocks;
    /** Of the rows that begin and end transactions, alone. */
    private final ChangeCounter numbers = new ChangeCounter();
    private boolean isUndone;
    private long patches;
    private long transactions;
    private long added;
    private long deleted;
    private long aborted;
    private Long changed;
    /** The count where the last block began. */
    private long addedBefore;
    private long deletedBefore;

    /** @param blocks what the first pass found; its terms may be of another kind */
    protected AppliedRows(AbortedBlocks<?> blocks) {
        this.blocks = blocks;
    }

    /** Takes the beginning or the end of a transaction, which is counted already. */
    protected void applyTransaction(Op op) {
        // for those who do not make one transaction of all
    }

    /** Takes a prefix, without its graph: a dataset has one map of prefixes. A {@code PD} may have no namespace. */
    protected abstract void applyPrefix(Op op, byte[] name, T namespace);

    /** Takes a statement, which is counted already. */
    protected abstract void applyStatement(Op op, T subject, T predicate, T object, T graph);

    /** Counts rows that changed the dataset; who never calls this does not know. */
    protected final void changed(long rows) {
        changed = changed == null ? rows : changed + rows;
    }

    /** How many patches have ended. */
    public final long patches() {
        return patches;
    }

    /** How many statements were handed on. */
    public final long rows() {
        return added + deleted;
    }

    /** What there was so far. */
    public ApplyReport report() {
        return new ApplyReport(patches, transactions, added, deleted, aborted, changed);
    }

    @Override
    public final void transaction(Op op) {
        numbers.count(op);
        isUndone = numbers.transactionOpen() && blocks.contains(numbers.tx());
        if (op == Op.TX) {
            addedBefore = added;
            deletedBefore = deleted;
        } else if (op == Op.TC) {
            transactions++;
        } else {
            aborted++;
            added = addedBefore;
            deleted = deletedBefore;
        }
        applyTransaction(op);
    }

    @Override
    public final void prefix(Op op, byte[] name, T namespace, T graph) {
        if (!isUndone) {
            applyPrefix(op, name, namespace);
        }
    }

    @Override
    public final void statement(Op op, T subject, T predicate, T object, T graph) {
        if (isUndone) {
            return;
        }
        if (op == Op.A) {
            added++;
        } else {
            deleted++;
        }
        applyStatement(op, subject, predicate, object, graph);
    }

    @Override
    public void endPatch() {
        patches++;
    }
}
