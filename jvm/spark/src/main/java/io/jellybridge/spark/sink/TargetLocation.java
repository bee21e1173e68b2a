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
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Where a dataset is, and how to reach it. */
final class TargetLocation {
    private static final String TDB2 = "tdb2:";
    /** Whose turn it is, of each folder that a sink of this process writes to. */
    private static final ConcurrentMap<Path, ReentrantLock> TURNS = new ConcurrentHashMap<>();

    private final String directory;
    private FusekiOptions fuseki;

    /**
     * @param location {@code tdb2:DIR}, or the URL of a Fuseki's dataset
     * @param settings how to speak to a Fuseki, see {@link FusekiOptions#of(String, Map)}
     * @throws IllegalArgumentException it is no place that a sink can write to, or a setting is wrong
     */
    TargetLocation(String location, Map<String, String> settings) {
        boolean isUrl = HttpOptions.isUrl(location);
        if (!isUrl && !(location.startsWith(TDB2) && location.length() > TDB2.length())) {
            throw new IllegalArgumentException("the target '" + Redaction.address(location)
                    + "' is none that a sink writes to; set it to "
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

    /**
     * Opens the dataset; closing the target, in the same thread, closes it. A TDB2 database can be open once at a time, so
     * this waits for another sink of this process that has it.
     *
     * @throws InterruptedIOException while it waited
     */
    SyncTarget open() throws IOException {
        if (fuseki == null) {
            return openStore();
        }
        SyncTarget target = new FusekiTarget(fuseki);
        fuseki = fuseki.withBreakLease(false); // that of the batches after this one is our own
        return target;
    }

    private SyncTarget openStore() throws IOException {
        Path folder = Path.of(directory.substring(TDB2.length()));
        if (!Files.exists(folder)) {
            Files.createDirectories(folder);
        }
        ReentrantLock turn = TURNS.computeIfAbsent(folder.toRealPath(), path -> new ReentrantLock(true));
        try {
            turn.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while another query wrote to " + directory);
        }
        boolean opened = false;
        try {
            SyncTarget target = new OwnStore(DatasetStore.open(directory), turn);
            opened = true;
            return target;
        } finally {
            if (!opened) {
                turn.unlock();
            }
        }
    }

    /** Where the dataset is, without credentials. */
    @Override
    public String toString() {
        return fuseki == null ? directory : fuseki.dataset().toString();
    }

    /** A target whose dataset is open for it alone. */
    private static final class OwnStore implements SyncTarget {
        private final DatasetStore store;
        private final SyncTarget target;
        private final Lock turn;

        OwnStore(DatasetStore store, Lock turn) {
            this.store = store;
            this.target = new DatasetTarget(store);
            this.turn = turn;
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
            try {
                store.close();
            } finally {
                turn.unlock();
            }
        }
    }
}
