package io.jellybridge.codec;

/**
 * The events of a source that makes them row by row, on their way to its handler: keeps them to the {@link
 * TransactionGrammar} and numbers them.
 *
 * <p>In a format whose patches need no mark, a header {@code id} or {@code prev} behind a transaction begins the next patch.
 * It waits then, since an event is handed over in each call.
 *
 * @param <T> what a term is
 */
public final class NumberedEvents<T> implements PatchHandler<T> {
    private final ChangeCounter numbers = new ChangeCounter();
    private final TransactionGrammar transactions;
    private final boolean splits;
    private PatchHandler<T> handler;
    /** The header that began a patch, and has yet to be handed over. */
    private byte[] waitingKey;
    private T waitingValue;
    /** Whether a header began the patch, and no other rows came yet. */
    private boolean onlyHeaders;

    /** The parameters are those of {@link TransactionGrammar#ofReader}. */
    public NumberedEvents(String stream, TransactionGrammar.Refusal refusal) {
        this(false, stream, refusal);
    }

    private NumberedEvents(boolean splits, String stream, TransactionGrammar.Refusal refusal) {
        this.splits = splits;
        this.transactions = TransactionGrammar.ofReader(numbers, stream, refusal);
    }

    /** As the constructor, of a format whose patches need no mark at their end. */
    public static <T> NumberedEvents<T> ofUnmarked(String stream, TransactionGrammar.Refusal refusal) {
        return new NumberedEvents<>(true, stream, refusal);
    }

    /** The numbers of the last event. */
    public ChangeCounter numbers() {
        return numbers;
    }

    /** Sets where events go from here; returns this. */
    public NumberedEvents<T> to(PatchHandler<T> next) {
        handler = next;
        return this;
    }

    @Override
    public void header(byte[] key, T value) {
        if (splits && transactions.beginsPatch(key)) {
            endPatch();
            waitingKey = key;
            waitingValue = value;
            return;
        }
        numbers.count(Op.H);
        handler.header(key, value);
    }

    /** Hands over the header that waits. Whether there is one. */
    public boolean handWaiting() {
        if (waitingKey == null) {
            return false;
        }
        byte[] key = waitingKey;
        waitingKey = null;
        onlyHeaders = true;
        header(key, waitingValue);
        return true;
    }

    @Override
    public void transaction(Op op) {
        transactions.check(op);
        onlyHeaders = false;
        numbers.count(op);
        handler.transaction(op);
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        numbers.count(op);
        onlyHeaders = false;
        handler.prefix(op, name, namespace, graph);
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        numbers.countStatement();
        onlyHeaders = false;
        handler.statement(op, subject, predicate, object, graph);
    }

    @Override
    public void endPatch() {
        transactions.checkPatchEnd();
        onlyHeaders = false;
        numbers.countPatchEnd();
        handler.endPatch();
    }

    /** The stream is over: ends the patch whose rows were not ended yet. Whether there is one. */
    public boolean endStream() {
        transactions.checkStreamEnd();
        if (onlyHeaders) {
            transactions.checkHeadersFollowed();
        }
        boolean patchEnds = numbers.patchHasRows();
        if (patchEnds) {
            endPatch();
        }
        return patchEnds;
    }
}
