package io.jellybridge.spark.sink;

import io.jellybridge.jena.ApplyReport;
import io.jellybridge.jena.DatasetStore;
import io.jellybridge.jena.ProgressListener;
import io.jellybridge.sync.Advance;
import io.jellybridge.sync.DatasetTarget;
import io.jellybridge.sync.PatchBatch;
import io.jellybridge.sync.SyncTarget;
import java.io.IOException;

/**
 * Where a dataset is.
 *
 * @param location {@code tdb2:DIR}
 */
record TargetLocation(String location) {
    private static final String TDB2 = "tdb2:";

    /** @throws IllegalArgumentException it is no place that a sink can write to */
    TargetLocation {
        if (!location.startsWith(TDB2)) {
            throw new IllegalArgumentException("the target '" + location
                    + "' is none that a sink writes to; set it to tdb2:DIR, a TDB2 database on the driver's disk");
        }
    }

    /** Opens the dataset; closing the target closes it. */
    SyncTarget open() throws IOException {
        return new OwnStore(DatasetStore.open(location));
    }

    /** A target whose dataset is open for it alone. */
    private static final class OwnStore implements SyncTarget {
        private final DatasetStore store;
        private final SyncTarget target;

        OwnStore(DatasetStore store) {
            this.store = store;
            this.target = new DatasetTarget(store);
        }

        @Override
        public String position(String key) throws IOException {
            return target.position(key);
        }

        @Override
        public ApplyReport apply(PatchBatch patches, Advance advance, ProgressListener progress) throws IOException {
            return target.apply(patches, advance, progress);
        }

        @Override
        public void close() throws IOException {
            store.close();
        }
    }
}
