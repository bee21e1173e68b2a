package io.jellybridge.sync;

import io.jellybridge.codec.Patches;
import io.jellybridge.jena.ApplyReport;
import io.jellybridge.jena.DatasetStore;
import io.jellybridge.jena.NodeTerms;
import io.jellybridge.jena.PatchApplier;
import io.jellybridge.jena.ProgressListener;
import io.jellybridge.jena.StoredPosition;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.apache.jena.sparql.core.DatasetGraph;

/** A target in this process: a dataset in memory, or a TDB2 database. */
public final class DatasetTarget implements SyncTarget {
    /** For fewer change rows, the beginning and the end of a bulk load cost as much as it saves. */
    static final long LEAST_ROWS_TO_LOAD = 100_000;

    private final DatasetStore store;

    /** @param store stays open when this is closed */
    public DatasetTarget(DatasetStore store) {
        this.store = store;
    }

    @Override
    public String position(String key) throws IOException {
        return store.position(new StoredPosition(key));
    }

    @Override
    public ApplyReport apply(Patches patches, Advance advance, ProgressListener progress) throws IOException {
        StoredPosition position = new StoredPosition(advance.key());
        // Asked first, so that all patches need not be checked to find out that they are not wanted.
        check(store.position(position), advance);
        return store.applyTogether(() -> patches.open(new NodeTerms()), step(position, advance), progress);
    }

    @Override
    public Optional<ApplyReport> load(Patches patches, long rows, Advance advance, ProgressListener progress)
            throws IOException {
        // A dataset that has a position is not empty.
        if (advance.expected() != null || rows < LEAST_ROWS_TO_LOAD) {
            return Optional.empty();
        }
        return store.load(() -> patches.open(new NodeTerms()),
                step(new StoredPosition(advance.key()), advance), progress);
    }

    /** What a step does within a transaction. */
    public static PatchApplier.Step step(StoredPosition position, Advance advance) {
        StoredPosition.parse(advance.next());
        return new PatchApplier.Step() {

            @Override
            public void before(DatasetGraph dataset) {
                check(position.get(dataset), advance);
            }

            @Override
            public void after(DatasetGraph dataset) {
                position.set(dataset, advance.next());
            }
        };
    }

    /** @throws PositionConflictException the dataset is elsewhere */
    private static void check(String found, Advance advance) {
        if (!Objects.equals(found, advance.expected())) {
            throw new PositionConflictException(advance, found);
        }
    }

    @Override
    public void close() {
        // the store is its owner's
    }
}
