package io.jellybridge.sync;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.jena.query.ReadWrite;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphWrapper;

/** A dataset in memory in which a test does something before a transaction that writes begins, or before it commits. */
final class HookedDataset extends DatasetGraphWrapper {
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicReference<Hook> beforeBegin = new AtomicReference<>();
    private final AtomicReference<Hook> beforeCommit = new AtomicReference<>();

    /** What a test does at one of the transactions that write, from 1. */
    private record Hook(int write, Runnable action) {
    }

    HookedDataset() {
        super(DatasetGraphFactory.createTxnMem());
    }

    /** The dataset itself, whose transactions are not counted. */
    DatasetGraph base() {
        return getWrapped();
    }

    /** Before the write of that number, counted from the next one, begins. */
    void beforeBegin(int write, Runnable action) {
        beforeBegin.set(new Hook(writes.get() + write, action));
    }

    /** Before it commits. */
    void beforeCommit(int write, Runnable action) {
        beforeCommit.set(new Hook(writes.get() + write, action));
    }

    private static void run(AtomicReference<Hook> hooks, int write) {
        Hook hook = hooks.get();
        if (hook != null && hook.write() == write && hooks.compareAndSet(hook, null)) {
            hook.action().run();
        }
    }

    private void begins(boolean isWrite) {
        if (isWrite) {
            run(beforeBegin, writes.incrementAndGet());
        }
    }

    @Override
    public void begin(TxnType type) {
        begins(type == TxnType.WRITE);
        super.begin(type);
    }

    @Override
    public void begin(ReadWrite mode) {
        begins(mode == ReadWrite.WRITE);
        super.begin(mode);
    }

    @Override
    public void commit() {
        if (transactionMode() == ReadWrite.WRITE) {
            run(beforeCommit, writes.get());
        }
        super.commit();
    }
}
