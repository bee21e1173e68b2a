package io.jellybridge.codec;

/** Numbers the events of a stream: which patch, which transaction, which row. Counts whatever comes, balanced or not. */
public final class ChangeCounter {
    private long patches;
    private long patch;
    private long transactions;
    private long tx = -1;
    private long row = -1;
    private boolean open;
    private boolean patchHasRows;
    private boolean patchEndedTransaction;
    private boolean lastRowEndsTransaction;

    /** Which patch of the stream the last event belongs to, from 0. */
    public long patch() {
        return patch;
    }

    /** Which transaction of the stream the last event belongs to, from 0; -1 outside of one. TX, TC, TA belong to theirs. */
    public long tx() {
        return tx;
    }

    /**
     * The last event's position among the change rows of the stream, from 0; the end of a patch has that of its last row.
     */
    public long row() {
        return row;
    }

    /** How many patches have ended. */
    public long patches() {
        return patches;
    }

    /** Whether a transaction is open after the last event. */
    public boolean transactionOpen() {
        return open;
    }

    /** The number of the transaction that began last. */
    public long lastTransaction() {
        return transactions - 1;
    }

    /** Whether the patch that is not ended yet has rows. */
    public boolean patchHasRows() {
        return patchHasRows;
    }

    /** Whether a transaction of the patch that is not ended yet has ended, and none is open. */
    boolean isBehindTransaction() {
        return patchEndedTransaction && !open;
    }

    /** Whether the last row was a TC or TA. */
    public boolean lastRowEndsTransaction() {
        return lastRowEndsTransaction;
    }

    /** Goes on from a restart point, whose numbers count from the beginning of the stream. */
    void startAt(Restart restart) {
        patches = restart.patch();
        patch = patches;
        transactions = restart.transaction();
        open = restart.transactionOpen();
        tx = open ? lastTransaction() : -1;
        row = restart.row() - 1;
        patchHasRows = restart.patchOpen();
    }

    /** The restart point that these numbers make, for what comes next. */
    Restart restart(byte[] mark, long offset, long frame) {
        return new Restart(mark, offset, frame, row + 1, patches, transactions, open, patchHasRows);
    }

    /** Counts a row of A or D: as {@link #count}, which all other rows need. */
    void countStatement() {
        patch = patches;
        tx = open ? transactions - 1 : -1;
        row++;
        patchHasRows = true;
        lastRowEndsTransaction = false;
    }

    /** Counts a row. */
    public void count(Op op) {
        if (op == Op.TX) {
            transactions++;
            open = true;
        }
        patch = patches;
        tx = open ? lastTransaction() : -1;
        row++;
        patchHasRows = true;
        lastRowEndsTransaction = op == Op.TC || op == Op.TA;
        if (lastRowEndsTransaction) {
            open = false;
            patchEndedTransaction = true;
        }
    }

    /** Counts the end of a patch. */
    public void countPatchEnd() {
        patch = patches++;
        tx = open ? lastTransaction() : -1;
        patchHasRows = false;
        patchEndedTransaction = false;
    }
}
