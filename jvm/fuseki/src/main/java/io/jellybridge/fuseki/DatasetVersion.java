package io.jellybridge.fuseki;

import java.util.Collections;
import java.util.Map;
import java.util.UUID;
import java.util.WeakHashMap;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.sys.TDBInternal;

/**
 * The versions of datasets, as text. Each commit gives a dataset another version. So do a compaction and a start of the server, which
 * open another store.
 */
final class DatasetVersion {
    /** The ids of open stores. */
    private static final Map<DatasetGraphTDB, String> STORES = Collections.synchronizedMap(new WeakHashMap<>());

    private DatasetVersion() {
    }

    /** Returns the version of a dataset, within a transaction; null if it is not in TDB2. */
    static String of(DatasetGraph data) {
        DatasetGraphTDB store = TDBInternal.getDatasetGraphTDB(data);
        return store == null ? null : STORES.computeIfAbsent(store, open -> UUID.randomUUID().toString()) + "-"
                + store.getTxnSystem().getTransactionInfo().getDataVersion();
    }
}
