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

/**
 * The entry points that Python calls for {@code Dataset.sync}. They list the patches of a source, and apply those that Python
 * selects.
 */
public final class SyncBridge {
    private static final Gson JSON = new Gson();

    private SyncBridge() {
    }

    /** Creates the options of a run, see {@link SyncOptions}. */
    public static SyncOptions options(String key, boolean dryRun, long batchRows, long batchBytes, double batchSeconds,
            boolean netEffect) {
        return new SyncOptions(key, dryRun, batchRows, batchBytes, batchSeconds, netEffect);
    }

    /** Filters a JSON array of file names to those of patch files, by suffix. */
    public static String patchFiles(String names) {
        return JSON.toJson(Arrays.stream(JSON.fromJson(names, String[].class)).filter(PatchFiles::isPatchFile).toList());
    }

    /** Returns whether a folder is a patch log. */
    public static boolean isLog(String folder) {
        return FolderLog.isLog(Path.of(folder));
    }

    /**
     * The checkpoint that an empty dataset loads from a log: its version, its size, its position, and the text that the dataset stores
     * with the position.
     */
    private record Begun(long version, long quads, String position, String applied) {

        static Begun of(Checkpoint checkpoint, Position position) {
            return new Begun(checkpoint.version(), checkpoint.quads(), position.id(), position.applied());
        }

        Position at() {
            return new Position(position, applied);
        }
    }

    /**
     * Loads a checkpoint of a log into an empty dataset, see {@link Bootstrap}.
     *
     * @param namesAndValues options of the log, names and values alternating
     * @param until          the last patch to apply; null for no limit
     * @param load           false to only report the checkpoint
     * @return a {@link Begun} in JSON; null if the dataset continues from its position
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

    /**
     * Opens patch files as a source.
     *
     * @param paths a JSON array
     */
    public static Source files(String paths, OpenDataset dataset, String key, Bridge.Progress progress) throws IOException {
        Kept kept = Kept.of(dataset, key);
        List<Path> files = Arrays.stream(JSON.fromJson(paths, String[].class)).map(Path::of).toList();
        FilePatches.Listing listing = FilePatches.listing(files, progress);
        return new Source(kept, listing.patches(), listing.unfinished(), 0, List.of(), () -> { });
    }

    /** The state that a dataset stores under a key. */
    private record Kept(Position at, List<String> notes) {

        static Kept of(OpenDataset dataset, String key) throws IOException {
            return new Kept(dataset.stand(key), dataset.notes(key));
        }
    }

    /**
     * Opens a log as a source, from the position of the dataset on. See {@link PatchLogs#open}.
     *
     * @param namesAndValues options of the log, names and values alternating
     * @param begins         the result of {@link #begin} in a dry run, which replaces the position of the dataset; null for
     *     that position
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

    /** A list of patches, of which a dataset may apply some. Close it after use. */
    public static final class Source implements Closeable {
        private final Kept kept;
        private final List<SyncPatch> patches;
        private final String unfinished;
        private final long applied;
        private final List<String> changes;
        private final Closeable files;
        private final FilePatches.Cursor cursor = new FilePatches.Cursor();
        private Ledger ledger;
        /** The new rows of patches that grew after they were applied, by index. */
        private final Map<Integer, SyncPatch> rests = new HashMap<>();
        /** The number of change rows applied by earlier runs. */
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

        /** The state as JSON, without null values. */
        private record KeptTexts(String position, String applied, List<String> notes) {
        }

        /**
         * Returns the state that the dataset had stored when this source was opened, as a JSON object. The fields are {@code
         * position} (an id) and {@code applied} (the text stored with it), both missing if there is no position, and {@code
         * notes} (a list). New patches are applied from that position on.
         */
        public String kept() {
            Position at = kept.at();
            return JSON.toJson(new KeptTexts(Position.id(at), at == null ? null : at.applied(), kept.notes()));
        }

        /** Returns a message about an incomplete end of the last file, which is not applied yet; null if it is complete. */
        public String unfinished() {
            return unfinished;
        }

        /** Returns the number of applied patches before the listed ones. */
        public long applied() {
            return applied;
        }

        /** Returns the changes that were found in applied patches of the source, as a JSON array of sentences. */
        public String changes() {
            return JSON.toJson(changes);
        }

        /** A patch as Python gets it. {@code refusal} is the reason that no dataset can store its position. */
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

        /** Returns the patches as a JSON array of objects without null values. */
        public String listed() {
            return JSON.toJson(patches.stream().map(Listed::of).toList());
        }

        /** Returns the file of a patch; null if the patch is not in a local file. */
        public String file(int index) {
            Path file = patches.get(index).file();
            return file == null ? null : file.toString();
        }

        /**
         * Compares a patch with its applied rows. Returns {@code same}, {@code longer}, {@code other} or {@code broken}
         * (unreadable).
         *
         * @param rowsBefore the number of its applied rows
         * @param hash       the hash of those rows
         */
        public String since(int index, long rowsBefore, String hash) throws IOException {
            return cursor.since(patches.get(index), rowsBefore, hash).name().toLowerCase(Locale.ROOT);
        }

        /** Applies only the rows of a patch after those applied before. */
        public void goOn(int index, long rowsBefore) {
            rests.put(index, FilePatches.rest(patches.get(index), rowsBefore));
        }

        /** Makes the dataset store ids only, since the source may have the patches in another form the next time. */
        public void keepIds() {
            ledger = Ledger.ofIds(kept.at());
        }

        /** Makes the dataset store the files before its position, since their names are the order. */
        public void keepNames() {
            ledger = Ledger.ofNames(kept.at(), patches, kept.notes());
        }

        /**
         * Records that a patch was set aside.
         *
         * @param id the {@code prev} of the patch after it; null if unknown
         */
        public void setAside(int index, String id) throws IOException {
            ledger.setAside(patches.get(index), id, cursor);
        }

        /**
         * Applies patches in the given order, see {@link Synchronizer#run}.
         *
         * @param indices a JSON array of indices into the list
         */
        public SyncReport apply(OpenDataset dataset, String indices, SyncOptions options, Bridge.Progress progress)
                throws IOException {
            List<SyncPatch> pending = Arrays.stream(JSON.fromJson(indices, int[].class))
                    .mapToObj(index -> rests.getOrDefault(index, patches.get(index))).toList();
            long before = rows;
            SyncReport report = Synchronizer.run(pending, dataset, options, ledger, cursor, new ProgressListener() {
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
            cursor.close();
            files.close();
        }
    }

    /** Throws the fault that a run stopped at. */
    public static void throwFault(SyncReport report) {
        throw report.fault();
    }
}
