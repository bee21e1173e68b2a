package io.jellybridge;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.Follower;
import io.jellybridge.sync.SyncOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The entry points that Python calls for {@code Dataset.sync}. Each returns a {@link Follower.Report} in JSON. */
public final class SyncBridge {
    private static final Gson JSON = new GsonBuilder().serializeNulls()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES).create();

    private SyncBridge() {
    }

    /** Returns whether a folder is a patch log. */
    public static boolean isLog(String folder) throws IOException {
        return StoreLog.isLog(new FolderStore(Path.of(folder)));
    }

    /** Creates the options of a run, see {@link SyncOptions}. */
    public static SyncOptions options(String key, boolean dryRun, long batchRows, long batchBytes, double batchSeconds,
            boolean netEffect) {
        return new SyncOptions(key, dryRun, batchRows, batchBytes, batchSeconds, netEffect);
    }

    /** Creates a follower, see {@link Follower}. */
    public static Follower follower(OpenDataset dataset, SyncOptions options, String until, String untilId, String quarantine) {
        return new Follower(dataset, options, until, untilId, quarantine == null ? null : Path.of(quarantine));
    }

    /** Follows a folder, which may be a log, or a file, see {@link Follower#followFiles}. */
    public static String path(Follower follower, String path, boolean allowEmpty, Bridge.Progress progress) throws IOException {
        return isLog(path) ? log(follower, path, List.of(), progress)
                : JSON.toJson(follower.followFiles(Path.of(path), allowEmpty, progress));
    }

    /**
     * Follows a log, see {@link Follower#followLog}.
     *
     * @param namesAndValues options of the log, names and values alternating
     */
    public static String log(Follower follower, String address, List<String> namesAndValues, Bridge.Progress progress)
            throws IOException {
        try (PatchLog log = PatchLogs.open(address, ConvertBridge.named(namesAndValues))) {
            boolean hasCheckpoints = !log.isInPlace() || !log.stored().store().list("checkpoints").isEmpty();
            return JSON.toJson(follower.followLog(log, hasCheckpoints, progress));
        }
    }

    /** Follows the patches of a DataFrame, see {@link Follower#followChanges}. */
    public static String changes(Follower follower, String file, Bridge.Progress progress) throws IOException {
        return JSON.toJson(follower.followChanges(Path.of(file), progress));
    }
}
