package io.jellybridge.jena.apply;

import io.jellybridge.codec.AbortedBlocks;
import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.util.function.Function;

/**
 * The second of two passes over patches. It counts the statements and prefixes outside of transactions that end with {@code
 * TA}, and passes them to a subclass. It drops headers, which describe the patch and not the dataset.
 *
 * <p>It can also be the only pass. Then the rows of an aborted transaction are passed on, and subtracted from the counts at its
 * end. The subclass undoes them in {@link #applyTransaction}.
 * @param <T> the type of a term
 */
public class AppliedRows<T> extends PatchAdapter<T> {
    /** The result of the first pass; null if there was none. */
    private final AbortedBlocks<?> blocks;
    /** Counts only the rows that begin and end transactions. */
    private final ChangeCounter numbers = new ChangeCounter();
    private boolean isUndone;
    private long patches;
    private long transactions;
    private long added;
    private long deleted;
    private long aborted;
    private Long changed;
    /** The count at the start of the last transaction. */
    private long addedBefore;
    private long deletedBefore;

    /** Creates a handler for a single pass, in which no aborted transaction is known before its end. */
    public AppliedRows() {
        this(null);
    }

    /**
     * Creates a handler.
     *
     * @param blocks the result of the first pass, in which each transaction must end as in this one; its terms may be of another
     *               type
     */
    public AppliedRows(AbortedBlocks<?> blocks) {
        this.blocks = blocks;
    }

    /**
     * Checks patches, and then reads what would be applied of them.
     *
     * @param rows creates the handler of the second pass
     * @return the report that applying the patches would give
     * @throws RuntimeException the patches are invalid, or have a row that no dataset can apply, see {@link ApplyCheck}
     */
    public static ApplyReport read(Patches patches, Function<ApplyCheck, AppliedRows<byte[]>> rows) throws IOException {
        AppliedRows<byte[]> applied = rows.apply(ApplyCheck.of(patches));
        try (PatchSource<byte[]> source = patches.open(new Utf8Terms())) {
            source.readAll(applied);
        }
        return applied.report();
    }

    /** Receives the start or the end of a transaction, which is already counted. */
    protected void applyTransaction(Op op) {
        // for a subclass that keeps the transactions of the patches
    }

    /** Receives a prefix. It has no graph, since a dataset has one prefix map. A {@code PD} may have no namespace. */
    protected void applyPrefix(Op op, byte[] name, T namespace) {
        // for a subclass that needs prefixes
    }

    /** Receives a statement, which is already counted. */
    protected void applyStatement(Op op, T subject, T predicate, T object, T graph) {
        // for a subclass that needs more than the counts
    }

    /** Counts rows that changed the dataset. If it is never called, that number is unknown. */
    protected final void countChanged(long rows) {
        changed = changed == null ? rows : changed + rows;
    }

    /** Returns the number of patches that have ended. */
    public final long patches() {
        return patches;
    }

    /** Returns the number of statements that were passed on. */
    public final long rows() {
        return added + deleted;
    }

    /** Returns the counts so far. */
    public ApplyReport report() {
        return new ApplyReport(patches, transactions, added, deleted, aborted, changed);
    }

    @Override
    public final void transaction(Op op) {
        numbers.count(op);
        if (blocks != null && op != Op.TX) {
            blocks.requireEnd(op, numbers.tx());
        }
        isUndone = blocks != null && numbers.transactionOpen() && blocks.contains(numbers.tx());
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
