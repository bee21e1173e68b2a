package io.jellybridge.jena.data;

import java.util.Map;
import org.apache.jena.query.TxnType;
import org.apache.jena.riot.system.PrefixMap;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;

/**
 * A write transaction that leaves no trace unless it is committed. It also rolls back prefixes, which Jena's in-memory dataset
 * does not.
 *
 * <pre>{@code
 * try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
 *     dataset.add(...);
 *     transaction.commit();
 * }
 * }</pre>
 */
public final class WriteTransaction implements AutoCloseable {
    private final DatasetGraph dataset;
    private final Map<String, String> prefixesBefore;
    private boolean ended;

    private WriteTransaction(DatasetGraph dataset, Map<String, String> prefixesBefore) {
        this.dataset = dataset;
        this.prefixesBefore = prefixesBefore;
    }

    /**
     * Begins a transaction, after waiting for other writers.
     *
     * @throws IllegalStateException this thread is in a transaction of the dataset already
     */
    public static WriteTransaction begin(DatasetGraph dataset) {
        refuseNested(dataset);
        // Always with a type: TDB2's begin() without one ends in an IllegalMonitorStateException.
        dataset.begin(TxnType.WRITE);
        try {
            return new WriteTransaction(dataset, Map.copyOf(dataset.prefixes().getMappingCopy()));
        } catch (RuntimeException | Error e) {
            dataset.abort();
            dataset.end();
            throw e;
        }
    }

    /**
     * Returns the dataset.
     *
     * @throws IllegalArgumentException its transactions can't abort
     */
    public static DatasetGraph requireAbort(DatasetGraph dataset) {
        if (!dataset.supportsTransactionAbort()) {
            throw new IllegalArgumentException("a dataset without transactions that can abort (" + dataset.getClass()
                    + "); use TDB2 or DatasetGraphFactory.createTxnMem()");
        }
        return dataset;
    }

    public static void refuseNested(DatasetGraph dataset) {
        if (dataset.isInTransaction()) {
            throw new IllegalStateException("this thread is in a transaction of the dataset already, and transactions "
                    + "do not nest; commit or end that one first (rows of the dataset that are being read hold one until "
                    + "they are closed)");
        }
    }

    /** Commits. After an exception the transaction is still open, and {@link #close()} rolls it back. */
    public void commit() {
        dataset.commit();
        ended = true;
        dataset.end();
    }

    /** Rolls back everything, including prefixes, unless it was committed. */
    @Override
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        try {
            if (dataset.isInTransaction()) {
                restorePrefixes(innermost(dataset).prefixes(), prefixesBefore);
            }
        } finally {
            abort();
        }
    }

    /** Returns the dataset beneath all wrappers. A wrapper that records changes would record those of a rollback. */
    private static DatasetGraph innermost(DatasetGraph dataset) {
        DatasetGraph inner = dataset;
        while (inner instanceof DatasetGraphWrapper wrapper) {
            inner = wrapper.getWrapped();
        }
        return inner;
    }

    private void abort() {
        try {
            if (dataset.isInTransaction()) {
                dataset.abort();
            }
        } finally {
            dataset.end();
        }
    }

    /** Restores the prefixes to an earlier state. */
    public static void restorePrefixes(PrefixMap prefixes, Map<String, String> before) {
        Map<String, String> now = prefixes.getMappingCopy();
        now.keySet().stream().filter(prefix -> !before.containsKey(prefix)).forEach(prefixes::delete);
        before.forEach((prefix, namespace) -> {
            if (!namespace.equals(now.get(prefix))) {
                prefixes.add(prefix, namespace);
            }
        });
    }
}
