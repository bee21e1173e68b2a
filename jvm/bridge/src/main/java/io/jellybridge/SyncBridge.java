package io.jellybridge;

import com.google.gson.Gson;
import io.jellybridge.checkpoint.Checkpoint;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.sync.Bootstrap;
import io.jellybridge.sync.FilePatches;
import io.jellybridge.sync.LogPatches;
import io.jellybridge.sync.LogSpool;
import io.jellybridge.sync.SyncOptions;
import io.jellybridge.sync.SyncPatch;
import io.jellybridge.sync.SyncReport;
import io.jellybridge.sync.Synchronizer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** What {@code Dataset.sync} calls: which patches there are, and to apply those that Python chose, in its order. */
public final class SyncBridge {
    private static final Gson JSON = new Gson();

    private SyncBridge() {
    }

    /** The options of a run, see {@link SyncOptions}. */
    public static SyncOptions options(String key, boolean dryRun, long batchRows, long batchBytes, double batchSeconds,
            boolean netEffect) {
        return new SyncOptions(key, dryRun, batchRows, batchBytes, batchSeconds, netEffect);
    }

    /** The names among these, a list in JSON too, that are of patch files by their suffix. */
    public static String patchFiles(String names) {
        return JSON.toJson(Arrays.stream(JSON.fromJson(names, String[].class)).filter(PatchFiles::isPatchFile).toList());
    }

    /** Whether there is a patch log in a folder. */
    public static boolean isLog(String folder) {
        return FolderLog.isLog(Path.of(folder));
    }

    /**
     * The patches of a log in a folder that a dataset has not applied.
     *
     * @param begins where it would begin in a dry run, see {@link #begin}; null: it goes on from where it is
     * @throws IllegalStateException the dataset is at none of the log's patches
     */
    public static Source behind(String folder, OpenDataset dataset, String key, String begins) throws IOException {
        FolderLog log = FolderLog.open(Path.of(folder));
        LogPatches behind = LogPatches.behind(log, begins == null ? dataset.position(key) : begins);
        return new Source(behind.patches(), behind.applied(), log);
    }

    /** Where a dataset begins in a log; null: it goes on from where it is. */
    private record Begun(long version, String position) {
    }

    /**
     * Fills an empty dataset from a checkpoint of a log, see {@link Bootstrap}.
     *
     * @param until the last patch that is to be applied; null: any
     * @param load  false: say only what would be done
     * @return a {@link Begun} in JSON
     */
    public static String begin(String folder, OpenDataset dataset, String key, String until, boolean load,
            Bridge.Progress progress) throws IOException {
        try (FolderLog log = FolderLog.open(Path.of(folder))) {
            Checkpoint checkpoint = new Bootstrap(log).find(dataset, key, until);
            if (checkpoint == null) {
                return null;
            }
            if (load) {
                Bootstrap.load(checkpoint, dataset, key, progress);
            }
            return JSON.toJson(new Begun(checkpoint.version(), checkpoint.position()));
        }
    }

    /** The patches of files; {@code paths} is a list in JSON. */
    public static Source files(String paths, Bridge.Progress progress) throws IOException {
        List<Path> files = Arrays.stream(JSON.fromJson(paths, String[].class)).map(Path::of).toList();
        return new Source(FilePatches.list(files, progress), 0, () -> { });
    }

    /**
     * The patches of a log on a server, see {@link PatchLogs#open}, from where the dataset is.
     *
     * @param namesAndValues options of the log, each a name and a value after it
     */
    public static Source log(String address, List<String> namesAndValues, OpenDataset dataset, String key)
            throws IOException {
        try (PatchLog log = PatchLogs.open(address, ConvertBridge.named(namesAndValues))) {
            LogSpool spool = LogSpool.fetch(log, dataset.position(key));
            return new Source(spool.patches(), 0, spool);
        }
    }

    /** Patches of which a dataset may apply some. */
    public static final class Source implements Closeable {
        private final List<SyncPatch> patches;
        private final long applied;
        private final Closeable files;
        /** How many change rows the runs so far have applied. */
        private long rows;

        Source(List<SyncPatch> patches, long applied, Closeable files) {
            this.patches = patches;
            this.applied = applied;
            this.files = files;
        }

        /** What Python knows of a patch; {@code refusal} says why its position can't be one. */
        private record Listed(String name, String id, String prev, String position, String refusal, String fault) {

            static Listed of(SyncPatch patch) {
                String refusal = null;
                try {
                    StoredPosition.parse(patch.position());
                } catch (IllegalArgumentException e) {
                    refusal = e.getMessage();
                }
                return new Listed(patch.name(), patch.id(), patch.prev(), patch.position(), refusal,
                        patch.fault() == null ? null : patch.fault().getMessage());
            }
        }

        /** How many patches before these the source has; the dataset has applied them. */
        public long applied() {
            return applied;
        }

        /** The patches as they are listed: an array in JSON of objects, without what is null. */
        public String listed() {
            return JSON.toJson(patches.stream().map(Listed::of).toList());
        }

        /** The file that has one of them; null: it is elsewhere. */
        public String file(int index) {
            Path file = patches.get(index).file();
            return file == null ? null : file.toString();
        }

        /** Applies those with these indices, an array in JSON, in that order, see {@link Synchronizer#run}. */
        public SyncReport apply(OpenDataset dataset, String indices, SyncOptions options, Bridge.Progress progress)
                throws IOException {
            List<SyncPatch> pending = Arrays.stream(JSON.fromJson(indices, int[].class)).mapToObj(patches::get).toList();
            long before = rows;
            SyncReport report = Synchronizer.run(pending, dataset, options, new ProgressListener() {
                @Override
                public void progress(long done) {
                    progress.progress(before + done);
                }

                @Override
                public void reading(long read) {
                    progress.reading(read);
                }
            });
            rows += pending.subList(0, (int) report.patches()).stream().mapToLong(SyncPatch::rows).sum();
            return report;
        }

        @Override
        public void close() throws IOException {
            files.close();
        }
    }

    /** Throws what a run stopped at. */
    public static void throwFault(SyncReport report) {
        throw report.fault();
    }
}
