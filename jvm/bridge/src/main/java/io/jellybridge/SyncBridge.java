package io.jellybridge;

import com.google.gson.Gson;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.sync.Bootstrap;
import io.jellybridge.sync.FilePatches;
import io.jellybridge.sync.FollowedLog;
import io.jellybridge.sync.Ledger;
import io.jellybridge.sync.RestOfPatch;
import io.jellybridge.sync.SyncOptions;
import io.jellybridge.sync.SyncPatch;
import io.jellybridge.sync.SyncReport;
import io.jellybridge.sync.Synchronizer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

    /** Whether a folder is a log, whose patches have an order by themselves. */
    public static boolean isLog(String folder) {
        return FolderLog.isLog(Path.of(folder));
    }

    /** Where a dataset begins in a log; null: it goes on from where it is. {@code applied} is what it keeps beside that. */
    private record Begun(long version, String position, String applied) {

        static Begun of(Checkpoint checkpoint, Position position) {
            return new Begun(checkpoint.version(), position.id(), position.applied());
        }

        Position at() {
            return new Position(position, applied);
        }
    }

    /**
     * Fills an empty dataset from a checkpoint of a log, see {@link Bootstrap}.
     *
     * @param namesAndValues options of the log, each a name and a value after it
     * @param until          the last patch that is to be applied; null: any
     * @param load           false: say only what would be done
     * @return a {@link Begun} in JSON
     */
    public static String begin(String address, List<String> namesAndValues, OpenDataset dataset, String key, String until,
            boolean load, Bridge.Progress progress) throws IOException {
        try (PatchLog log = PatchLogs.open(address, ConvertBridge.named(namesAndValues))) {
            Bootstrap bootstrap = new Bootstrap(log);
            Checkpoint checkpoint = bootstrap.find(dataset, key, until);
            if (checkpoint == null) {
                return null;
            }
            if (load) {
                bootstrap.load(checkpoint, dataset, key, progress);
            }
            return JSON.toJson(Begun.of(checkpoint, bootstrap.position(checkpoint)));
        }
    }

    /** The patches of files, which a dataset is to follow; {@code paths} is a list in JSON. */
    public static Source files(String paths, OpenDataset dataset, String key, Bridge.Progress progress) throws IOException {
        Kept kept = Kept.of(dataset, key);
        List<Path> files = Arrays.stream(JSON.fromJson(paths, String[].class)).map(Path::of).toList();
        FilePatches.Listing listing = FilePatches.listing(files, progress);
        return new Source(kept, listing.patches(), listing.unfinished(), 0, List.of(), () -> { });
    }

    /** What a dataset keeps under a key. */
    private record Kept(Position at, List<String> notes) {

        static Kept of(OpenDataset dataset, String key) throws IOException {
            return new Kept(dataset.stand(key), dataset.notes(key));
        }
    }

    /**
     * The patches of a log, see {@link PatchLogs#open}, from where the dataset is.
     *
     * @param namesAndValues options of the log, each a name and a value after it
     * @param begins         where the dataset would begin in a dry run, see {@link #begin}; null: it goes on from where it
     *                       is
     * @throws IllegalStateException the dataset is at none of the log's patches
     */
    public static Source log(String address, List<String> namesAndValues, OpenDataset dataset, String key, String begins)
            throws IOException {
        PatchLog log = PatchLogs.open(address, ConvertBridge.named(namesAndValues));
        try {
            Kept kept = begins == null ? Kept.of(dataset, key)
                    : new Kept(JSON.fromJson(begins, Begun.class).at(), List.of());
            FollowedLog followed = FollowedLog.open(log, kept.at(), kept.notes());
            return new Source(kept, followed.patches(), null, followed.applied(), followed.changes(), () -> {
                followed.close();
                log.close();
            });
        } catch (IOException | RuntimeException e) {
            log.close();
            throw e;
        }
    }

    /** Patches of which a dataset may apply some. */
    public static final class Source implements Closeable {
        private final Kept kept;
        private final List<SyncPatch> patches;
        private final String unfinished;
        private final long applied;
        private final List<String> changes;
        private final Closeable files;
        private Ledger ledger;
        /** Of patches that went on since they were applied, the rest, by the index. */
        private final Map<Integer, SyncPatch> rests = new HashMap<>();
        /** How many change rows the runs so far have applied. */
        private long rows;

        Source(Kept kept, List<SyncPatch> patches, String unfinished, long applied, List<String> changes, Closeable files) {
            this.kept = kept;
            this.patches = patches;
            this.unfinished = unfinished;
            this.applied = applied;
            this.changes = changes;
            this.files = files;
            this.ledger = Ledger.ofPatches(kept.at());
        }

        /** As JSON: without what is null. */
        private record KeptTexts(String position, String applied, List<String> notes) {
        }

        /**
         * What the dataset kept when this was opened, an object in JSON: {@code position}, the id; {@code applied}, the text
         * beside it; both not there where there is none; and {@code notes}, a list. What is applied begins at that position.
         */
        public String kept() {
            Position at = kept.at();
            return JSON.toJson(new KeptTexts(Position.id(at), at == null ? null : at.applied(), kept.notes()));
        }

        /** What is said of the end of the last file that is not applied yet; null where there is none. */
        public String unfinished() {
            return unfinished;
        }

        /** How many patches the dataset has applied before those that are listed. */
        public long applied() {
            return applied;
        }

        /** What is found to have changed in the source of what was applied, a list of sentences in JSON. */
        public String changes() {
            return JSON.toJson(changes);
        }

        /** What Python knows of a patch; {@code refusal} says why its position can't be one. */
        private record Listed(String name, String id, String prev, String position, long rows, String hash, String refusal,
                String fault) {

            static Listed of(SyncPatch patch) {
                String refusal = null;
                try {
                    StoredPosition.parse(patch.position());
                } catch (IllegalArgumentException e) {
                    refusal = e.getMessage();
                }
                return new Listed(patch.name(), patch.id(), patch.prev(), patch.position(), patch.rows(), patch.fileHash(),
                        refusal,
                        patch.fault() == null ? null : patch.fault().getMessage());
            }
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

        /**
         * What became of a patch of which these rows were applied: {@code same}, {@code longer}, {@code other} or {@code
         * broken}, where it can't be read.
         */
        public String since(int index, long rowsBefore, String hash) throws IOException {
            return patches.get(index).since(rowsBefore, hash).name().toLowerCase(Locale.ROOT);
        }

        /** Applies of a patch what is behind the rows that were applied before. */
        public void goOn(int index, long rowsBefore) {
            rests.put(index, new RestOfPatch(patches.get(index), rowsBefore));
        }

        /** The dataset is to keep the ids alone: the source has the patches in another form the next time. */
        public void keepIds() {
            ledger = Ledger.ofIds(kept.at());
        }

        /** The dataset is to keep which files are before its position: their names are the order. */
        public void keepNames() {
            ledger = Ledger.ofNames(kept.at(), patches, kept.notes());
        }

        /** One of them is set aside; {@code id} is what the patch behind it calls it, null where that says nothing. */
        public void setAside(int index, String id) throws IOException {
            ledger.setAside(patches.get(index), id);
        }

        /** Applies those with these indices, an array in JSON, in that order, see {@link Synchronizer#run}. */
        public SyncReport apply(OpenDataset dataset, String indices, SyncOptions options, Bridge.Progress progress)
                throws IOException {
            List<SyncPatch> pending = Arrays.stream(JSON.fromJson(indices, int[].class))
                    .mapToObj(index -> rests.getOrDefault(index, patches.get(index))).toList();
            long before = rows;
            SyncReport report = Synchronizer.run(pending, dataset, options, ledger, new ProgressListener() {
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
