package io.jellybridge.fuseki;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.fuseki.servlets.HttpAction;
import org.apache.jena.fuseki.servlets.PatchApply;
import org.apache.jena.sparql.core.DatasetGraph;

/** Fuseki's own patch operation, for datasets whose transactions can't abort. A patch can't be applied to them atomically. */
final class StockPatches {
    private final PatchApply operation = new PatchApply();
    private final Set<DatasetGraph> told = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** Returns whether a dataset keeps this operation. Logs that once for each dataset. */
    boolean isFor(String name, DatasetGraph dataset) {
        if (dataset.supportsTransactionAbort()) {
            return false;
        }
        if (told.add(dataset)) {
            Fuseki.serverLog.warn("jellybridge: the dataset {} has no transactions that can abort, so its patches stay with "
                    + "Fuseki's own patch operation, which takes no Jelly-Patch and may apply a part; for whole patches, "
                    + "serve a TDB2 database, or a transactional dataset in memory", name);
        }
        return true;
    }

    void process(HttpAction action) {
        operation.process(action);
    }
}
