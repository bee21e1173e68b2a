package io.jellybridge.codec;

/**
 * Which event may follow which, for readers and writers of every format: transactions do not nest (P-102), end only where
 * one began (P-101), and end in their patch (P-104; P-15 where a patch is a frame) and in their stream (P-105). Asked before
 * an event is counted.
 *
 * <p>What differs between the formats is said once, when this is made: what the stream is called, and what becomes of an
 * event that may not come. A reader says which transaction it was, for the numbers are those of the stream; to who writes,
 * they would say nothing.
 */
public final class TransactionGrammar {

    /** What becomes of an event that may not come. */
    @FunctionalInterface
    public interface Refusal {

        /**
         * @param rule   the id of the rule that it breaks
         * @param found  what it is, a clause without a full stop
         * @param advice what to do, a clause without a full stop
         * @return the error to throw; null where the event may come all the same
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
     * Of a reader.
     *
     * @param numbers of the events so far; who asks counts them
     * @param stream  what is read: a "stream", a "text"
     */
    public static TransactionGrammar ofReader(ChangeCounter numbers, String stream, Refusal refusal) {
        return new TransactionGrammar(numbers, true, stream, refusal);
    }

    /** Of a writer; the parameters are those of {@link #ofReader}. */
    public static TransactionGrammar ofWriter(ChangeCounter numbers, String stream, Refusal refusal) {
        return new TransactionGrammar(numbers, false, stream, refusal);
    }

    /** A {@code TX}, {@code TC} or {@code TA} comes next. */
    public void check(Op op) {
        if (op == Op.TX && numbers.transactionOpen()) {
            refuse(Rule.TRANSACTION_NOT_NESTED, "TX" + within(), "end it with TC or TA first; transactions do not nest");
        } else if (op != Op.TX && !numbers.transactionOpen()) {
            refuse(Rule.TRANSACTION_BEGUN, op + " outside of a transaction", "begin one with TX");
        }
    }

    /**
     * Whether a header begins a patch, in a format whose patches need no mark at their end: one of the {@link ChainHeaders},
     * behind a transaction. Jena's file logs are written so.
     */
    boolean beginsPatch(byte[] key) {
        return numbers.isBehindTransaction() && ChainHeaders.name(key) != null;
    }

    /** A header comes next, which a writer of such a format refuses where readers would take it for that of another patch. */
    public void checkHeader(byte[] key) {
        if (beginsPatch(key)) {
            refuse("header", "the header " + ChainHeaders.name(key) + " behind a transaction of its patch",
                    "write it before; behind a transaction, readers of this format take it for the beginning of the next patch");
        }
    }

    /** The end of the stream comes next, right behind headers that began a patch. */
    void checkHeadersFollowed() {
        refuse(Rule.STREAM_ENDS_TRANSACTION,
                "the end of the " + stream + " behind the headers of a transaction that is not there", Advice.DAMAGED);
    }

    /** The end of a patch comes next. */
    public void checkPatchEnd() {
        checkPatchEnd(Rule.PATCH_ENDS_TRANSACTION);
    }

    /** The end of a patch comes next, in a Jelly-Patch stream of this type. */
    void checkPatchEnd(StreamType type) {
        checkPatchEnd(type == StreamType.FRAME ? Rule.FRAME_ENDS_TRANSACTION : Rule.PATCH_ENDS_TRANSACTION);
    }

    private void checkPatchEnd(Rule rule) {
        if (numbers.transactionOpen()) {
            refuse(rule, "the end of " + (reads ? "patch " + numbers.patches() : "a patch") + within(),
                    "end the transaction with TC or TA first");
        }
    }

    /** The end of the stream comes next. */
    public void checkStreamEnd() {
        if (numbers.transactionOpen()) {
            refuse(Rule.STREAM_ENDS_TRANSACTION, "the end of the " + stream + within(),
                    reads ? Advice.DAMAGED : "end the transaction with TC or TA first");
        }
    }

    private String within() {
        return " within " + (reads ? "transaction " + numbers.lastTransaction() : "a transaction");
    }

    private void refuse(Rule rule, String found, String advice) {
        refuse(rule.inPatch(), found, advice);
    }

    private void refuse(String rule, String found, String advice) {
        RuntimeException error = refusal.of(rule, found, advice);
        if (error != null) {
            throw error;
        }
    }
}
