package io.jellybridge.sync;

import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.sync.Synchronizer.SyncReport;
import java.io.IOException;
import java.util.List;

/** Runs of a {@link Synchronizer} up to the first faulty patch. */
public final class SyncRun {
    private SyncRun() {
    }

    /** Applies patches from the dataset's position. */
    public static SyncReport run(List<SyncPatch> pending, OpenDataset dataset, SyncOptions options, ProgressListener progress)
            throws IOException {
        return run(pending, dataset, options, SyncState.ofPatches(dataset.storedPosition(options.key())), progress);
    }

    public static SyncReport run(List<SyncPatch> pending, OpenDataset dataset, SyncOptions options, SyncState state,
            ProgressListener progress) throws IOException {
        try (FilePatches.Cursor cursor = new FilePatches.Cursor()) {
            return Synchronizer.run(pending, dataset, options, state, cursor, null, progress);
        }
    }
}
