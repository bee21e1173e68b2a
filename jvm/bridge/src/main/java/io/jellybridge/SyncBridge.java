package io.jellybridge;

import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.sync.FolderPatches;
import io.jellybridge.sync.LogSpool;
import io.jellybridge.sync.SyncException;
import io.jellybridge.sync.SyncOptions;
import io.jellybridge.sync.SyncPatch;
import io.jellybridge.sync.SyncReport;
import io.jellybridge.sync.Synchronizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What {@code Dataset.sync} calls; plain types go in, and a report comes out whose methods Python calls. */
public final class SyncBridge {

    private SyncBridge() {
    }

    /** The options of a sync, see {@link SyncOptions}. */
    public static SyncOptions options(String key, String until, boolean dryRun, String quarantine, long batchRows,
            long batchBytes, double batchSeconds, boolean netEffect) {
        return new SyncOptions(key, until, dryRun, quarantine == null ? null : Path.of(quarantine), batchRows, batchBytes,
                batchSeconds, netEffect);
    }

    /** Follows the patches of a folder or a file. */
    public static SyncReport syncFolder(OpenDataset dataset, String folder, SyncOptions options,
            Bridge.Progress progress) throws IOException {
        return Synchronizer.run(FolderPatches.list(Path.of(folder), progress), dataset, options, progress);
    }

    /**
     * Follows the patches of a file that was made for this, so that its name says nothing.
     *
     * @throws SyncException a patch has no id
     */
    public static SyncReport syncRows(OpenDataset dataset, String file, SyncOptions options, Bridge.Progress progress)
            throws IOException {
        List<SyncPatch> patches = FolderPatches.list(Path.of(file), progress);
        for (SyncPatch patch : patches) {
            if (patch.fault() == null && patch.id() == null) {
                throw new SyncException("a patch has no id, by which it would be known to be applied: give each a header "
                        + "row (op H, name id, value <urn:uuid:...>) and, from the second on, prev; or use apply");
            }
        }
        return Synchronizer.run(patches, dataset, options, progress);
    }

    /**
     * Follows a log on a server, see {@link PatchLogs#open}.
     *
     * @param namesAndValues options of the log, each a name and a value after it
     */
    public static SyncReport syncLog(OpenDataset dataset, String address, List<String> namesAndValues, SyncOptions options,
            Bridge.Progress progress) throws IOException {
        try (PatchLog log = PatchLogs.open(address, Bridge.settings(namesAndValues));
                LogSpool spool = LogSpool.fetch(log, dataset.position(options.key()))) {
            return Synchronizer.run(spool.patches(), dataset, options, progress);
        }
    }
}
