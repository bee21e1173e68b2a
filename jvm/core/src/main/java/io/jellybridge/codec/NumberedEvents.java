package io.jellybridge.codec;

/**
 * The events of a source that makes them row by row, on their way to its handler: keeps them to the {@link
 * TransactionGrammar} and numbers them.
 *
 * @param <T> what a term is
 */
public final class NumberedEvents<T> implements PatchHandler<T> {
    private final ChangeCounter numbers = new ChangeCounter();
    private final TransactionGrammar transactions;
    private PatchHandler<T> handler;

    /** The parameters are those of {@link TransactionGrammar#ofReader}. */
    public NumberedEvents(String stream, TransactionGrammar.Refusal refusal) {
        this.transactions = TransactionGrammar.ofReader(numbers, stream, refusal);
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
        numbers.count(Op.H);
        handler.header(key, value);
    }

    @Override
    public void transaction(Op op) {
        transactions.check(op);
        numbers.count(op);
        handler.transaction(op);
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        numbers.count(op);
        handler.prefix(op, name, namespace, graph);
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        numbers.countStatement();
        handler.statement(op, subject, predicate, object, graph);
    }

    @Override
    public void endPatch() {
        transactions.checkPatchEnd();
        numbers.countPatchEnd();
        handler.endPatch();
    }

    /** The stream is over: ends the patch whose rows were not ended yet. Whether there is one. */
    public boolean endStream() {
        transactions.checkStreamEnd();
        boolean patchEnds = numbers.patchHasRows();
        if (patchEnds) {
            endPatch();
        }
        return patchEnds;
    }
}
