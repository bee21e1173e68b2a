package io.jellybridge.spark.sink;

import io.jellybridge.codec.Patches;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.jena.ApplyReport;
import io.jellybridge.jena.DatasetStore;
import io.jellybridge.jena.ProgressListener;
import io.jellybridge.sync.Advance;
import io.jellybridge.sync.DatasetTarget;
import io.jellybridge.sync.FusekiOptions;
import io.jellybridge.sync.FusekiTarget;
import io.jellybridge.sync.SyncTarget;
import java.io.IOException;
import java.util.Map;

/** Where a dataset is, and how to reach it. */
final class TargetLocation {
    private static final String TDB2 = "tdb2:";

    private final String directory;
    private FusekiOptions fuseki;

    /**
     * @param location {@code tdb2:DIR}, or the URL of a Fuseki's dataset
     * @param settings how to speak to a Fuseki, see {@link FusekiOptions#of(String, Map)}
     * @throws IllegalArgumentException it is no place that a sink can write to, or a setting is wrong
     */
    TargetLocation(String location, Map<String, String> settings) {
        boolean isUrl = HttpOptions.isUrl(location);
        if (!isUrl && !location.startsWith(TDB2)) {
            throw new IllegalArgumentException("the target '" + Redaction.address(location) + "' is none that a sink writes to; set it to "
                    + "tdb2:DIR, a TDB2 database on the driver's disk, or to the URL of a Fuseki's dataset");
        }
        if (!isUrl && !settings.isEmpty()) {
            throw new IllegalArgumentException("the target '" + location + "' is no Fuseki, and has no options "
                    + String.join(", ", settings.keySet()) + "; leave these out");
        }
        if (isUrl) {
            HttpOptions.checkWithoutUser(location, "target");
        }
        directory = isUrl ? null : location;
        fuseki = isUrl ? FusekiOptions.of(location, settings) : null;
    }

    /** Opens the dataset; closing the target closes it. */
    SyncTarget open() throws IOException {
        if (fuseki == null) {
            return new OwnStore(DatasetStore.open(directory));
        }
        SyncTarget target = new FusekiTarget(fuseki);
        fuseki = fuseki.withBreakLease(false); // that of the batches after this one is our own
        return target;
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
        public ApplyReport apply(Patches patches, Advance advance, ProgressListener progress) throws IOException {
            return target.apply(patches, advance, progress);
        }

        @Override
        public void close() throws IOException {
            store.close();
        }
    }
}
