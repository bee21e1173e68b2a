package io.jellybridge.codec;

/**
 * A handler between a source that creates its events row by row and the handler of its caller. It checks the {@link
 * TransactionGrammar} and numbers the events.
 *
 * <p>In a format without marks between patches, a header {@code id} or {@code prev} after a transaction begins the next patch.
 * The header is then held back for the next call, since each call passes on one event.
 * @param <T> the type of a term
 */
public final class NumberedEvents<T> implements PatchHandler<T> {
    private final ChangeCounter numbers = new ChangeCounter();
    private final TransactionGrammar transactions;
    private final boolean splits;
    private PatchHandler<T> handler;
    /** The key of the held back header that began a patch; null if there is none. */
    private byte[] waitingKey;
    private T waitingValue;
    /** True if a header began the patch, and only headers followed so far. */
    private boolean onlyHeaders;

    /** Creates a handler. The parameters are those of {@link TransactionGrammar#ofReader}. */
    public NumberedEvents(String stream, TransactionGrammar.Refusal refusal) {
        this(false, stream, refusal);
    }

    private NumberedEvents(boolean splits, String stream, TransactionGrammar.Refusal refusal) {
        this.splits = splits;
        this.transactions = TransactionGrammar.ofReader(numbers, stream, refusal);
    }

    /** Creates a handler for a format without marks between patches. */
    public static <T> NumberedEvents<T> ofUnmarked(String stream, TransactionGrammar.Refusal refusal) {
        return new NumberedEvents<>(true, stream, refusal);
    }

    /** Returns the numbers of the last event. */
    public ChangeCounter numbers() {
        return numbers;
    }

    /** Sets the handler that receives the events. Returns this. */
    public NumberedEvents<T> setTarget(PatchHandler<T> next) {
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

    /** Passes on the held back header. Returns false if there is none. */
    public boolean passOnHeader() {
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

    /** Ends the stream, and the patch if it has rows but was not ended. Returns true if it ended a patch. */
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
