package io.jellybridge.codec;

/**
 * Checks the order of events, for readers and writers of every format. Transactions do not nest (P-102), end only where one
 * began (P-101), and end in their patch (P-104; P-15 if a patch is a frame) and in their stream (P-105). Each check comes
 * before the event is counted.
 *
 * <p>The constructor receives the differences between formats: the name of the stream, and the handling of a violation. A
 * reader's error has the number of the transaction in the stream, which would not help the caller of a writer.
 */
public final class TransactionGrammar {

    /** Handles an event that violates the grammar. */
    @FunctionalInterface
    public interface Refusal {

        /**
         * Returns the error for the event.
         *
         * @param rule   the id of the broken rule
         * @param found  a clause without a full stop that describes the event
         * @param advice a clause without a full stop that says what to do
         * @return the error to throw; null to tolerate the event
         */
        RuntimeException of(String rule, String found, String advice);
    }

    private final ChangeCounter numbers;
    private final boolean reads;
    private final String stream;
    private final Refusal refusal;

    private TransactionGrammar(ChangeCounter numbers, boolean reads, String stream, Refusal refusal) {
        this.numbers = numbers;
        this.reads = reads;
        this.stream = stream;
        this.refusal = refusal;
    }

    /**
     * Creates the grammar for a reader.
     *
     * @param numbers the numbers of the events so far, which the caller counts
     * @param stream  the name for the source: a "stream", a "text"
     */
    public static TransactionGrammar ofReader(ChangeCounter numbers, String stream, Refusal refusal) {
        return new TransactionGrammar(numbers, true, stream, refusal);
    }

    /** Creates the grammar for a writer. The parameters are those of {@link #ofReader}. */
    public static TransactionGrammar ofWriter(ChangeCounter numbers, String stream, Refusal refusal) {
        return new TransactionGrammar(numbers, false, stream, refusal);
    }

    /** Checks that a {@code TX}, {@code TC} or {@code TA} may come next. */
    public void check(Op op) {
        if (op == Op.TX && numbers.transactionOpen()) {
            refuseRow(Rule.TRANSACTION_NOT_NESTED, "TX" + within(), "end it with TC or TA first; transactions do not nest");
        } else if (op != Op.TX && !numbers.transactionOpen()) {
            refuseRow(Rule.TRANSACTION_BEGUN, op + " outside of a transaction", "begin one with TX");
        }
    }

    /**
     * Checks whether a header begins a patch, in a format without marks between patches. It does if it is one of the {@link
     * IdHeaders} and follows a transaction, as in Jena's file logs.
     */
    boolean beginsPatch(byte[] key) {
        return numbers.isBehindTransaction() && IdHeaders.nameOf(key) != null;
    }

    /**
     * Checks that a header may come next. A writer of such a format rejects it if readers would take it for a header of the
     * next patch.
     */
    public void checkHeader(byte[] key) {
        if (beginsPatch(key)) {
            refuseRow("header", "the header " + IdHeaders.nameOf(key) + " behind a transaction of its patch",
                    "write it before; behind a transaction, readers of this format take it for the beginning of the next patch");
        }
    }

    /** Rejects the end of the stream directly after headers that began a patch. */
    void checkHeadersFollowed() {
        refuseRow(Rule.STREAM_ENDS_TRANSACTION,
                "the end of the " + stream + " behind the headers of a transaction that is not there", Advice.DAMAGED);
    }

    /** Checks that the end of a patch may come next. */
    public void checkPatchEnd() {
        checkPatchEnd(Rule.PATCH_ENDS_TRANSACTION);
    }

    /** Checks that the end of a patch may come next, in a Jelly-Patch stream of this type. */
    void checkPatchEnd(StreamType type) {
        checkPatchEnd(type == StreamType.FRAME ? Rule.FRAME_ENDS_TRANSACTION : Rule.PATCH_ENDS_TRANSACTION);
    }

    private void checkPatchEnd(Rule rule) {
        if (numbers.transactionOpen()) {
            refuseRow(rule, "the end of " + (reads ? "patch " + numbers.patches() : "a patch") + within(),
                    "end the transaction with TC or TA first");
        }
    }

    /** Checks that the end of the stream may come next. */
    public void checkStreamEnd() {
        if (numbers.transactionOpen()) {
            refuseRow(Rule.STREAM_ENDS_TRANSACTION, "the end of the " + stream + within(),
                    reads ? Advice.DAMAGED : "end the transaction with TC or TA first");
        }
    }

    private String within() {
        return " within " + (reads ? "transaction " + numbers.lastTransaction() : "a transaction");
    }

    private void refuseRow(Rule rule, String found, String advice) {
        refuseRow(rule.inPatch(), found, advice);
    }

    private void refuseRow(String rule, String found, String advice) {
        RuntimeException error = refusal.of(rule, found, advice);
        if (error != null) {
            throw error;
        }
    }
}
