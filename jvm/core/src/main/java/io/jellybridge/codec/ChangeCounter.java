package io.jellybridge.codec;

/** Numbers the patches, transactions and rows of a stream. It counts all events, even if transactions do not balance. */
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

    /** Returns the number of the last event's patch in the stream, from 0. */
    public long patch() {
        return patch;
    }

    /**
     * Returns the number of the last event's transaction in the stream, from 0, or -1 outside of one. TX, TC and TA belong to
     * their transaction.
     */
    public long tx() {
        return tx;
    }

    /**
     * Returns the last event's number among the change rows of the stream, from 0. The end of a patch has the number of its
     * last row.
     */
    public long row() {
        return row;
    }

    /** Returns the number of patches that have ended. */
    public long patches() {
        return patches;
    }

    /** Returns true if a transaction is open after the last event. */
    public boolean transactionOpen() {
        return open;
    }

    /** Returns the number of the latest transaction. */
    public long lastTransaction() {
        return transactions - 1;
    }

    /** Returns true if the current patch has rows. */
    public boolean patchHasRows() {
        return patchHasRows;
    }

    /** Returns true if a transaction of the current patch has ended, and none is open. */
    boolean isBehindTransaction() {
        return patchEndedTransaction && !open;
    }

    /** Returns true if the last row was a TC or TA. */
    public boolean lastRowEndsTransaction() {
        return lastRowEndsTransaction;
    }

    /** Starts at a restart point, whose numbers count from the beginning of the stream. */
    void startAt(Restart restart) {
        patches = restart.patch();
        patch = patches;
        transactions = restart.transaction();
        open = restart.transactionOpen();
        tx = open ? lastTransaction() : -1;
        row = restart.row() - 1;
        patchHasRows = restart.patchOpen();
    }

    /** Creates the restart point for the next event. */
    Restart restart(byte[] mark, long offset, long frame) {
        return new Restart(mark, offset, frame, row + 1, patches, transactions, open, patchHasRows);
    }

    /** Counts a row of A or D. It is a fast form of {@link #count}, which all other rows need. */
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
