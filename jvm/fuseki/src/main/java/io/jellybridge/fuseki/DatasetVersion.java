package io.jellybridge.fuseki;

import java.util.Collections;
import java.util.Map;
import java.util.UUID;
import java.util.WeakHashMap;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.sys.TDBInternal;

/**
 * A version of the data of a TDB2 database, which each commit replaces.
 *
 * @param store  the id of the open database; a compaction and a start of the server give another
 * @param number the number of commits since then
 */
record DatasetVersion(String store, long number) {
    private static final Map<DatasetGraphTDB, String> STORES = Collections.synchronizedMap(new WeakHashMap<>());

    /** Returns the version of a dataset, within a transaction; null if it is not in TDB2. */
    static DatasetVersion of(DatasetGraph data) {
        DatasetGraphTDB store = TDBInternal.getDatasetGraphTDB(data);
        return store == null ? null : new DatasetVersion(STORES.computeIfAbsent(store, open -> UUID.randomUUID().toString()),
                store.getTxnSystem().getTransactionInfo().getDataVersion());
    }

    @Override
    public String toString() {
        return store + "-" + number;
    }
}
