package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.convert.PatchFiles;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.PatchLog;
import io.jellybridge.sync.SyncState.Applied;
import io.jellybridge.sync.Synchronizer.SyncReport;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Makes a dataset follow a source: a folder or a file of patches, a patch log, or the patches of a DataFrame. It finds the
 * patches that the dataset has not applied, and a {@link Synchronizer} applies them in their order.
 */
public final class Follower {
    /** The largest number of names in a message. */
    private static final int MAX_NAMES = 5;

    private final OpenDataset dataset;
    private final SyncOptions options;
    private final String until;
    private final String untilId;
    private final Path quarantine;

    /**
     * The result, or the expected result of a dry run.
     *
     * @param skipped         the number of patches that were applied before
     * @param quarantined     the names of the patches that were set aside
     * @param positionBefore  the position before; null if there was none
     * @param checkpoint      the version of the checkpoint that was loaded; null if none was
     * @param checkpointQuads the number of its quads
     * @param passedOver      the files and folders of the source that are not patches
     * @param unfinished      a message that the last file ends within a transaction; null if it does not
     * @param version         the version of the log that the dataset is at; null if unknown, or the source is no log
     * @param head            the newest version of the log; null like the version
     */
    public record Report(long patches, long transactions, long added, long deleted, Long changed, long aborted, String position,
            long skipped, List<String> quarantined, String positionBefore, Long checkpoint, Long checkpointQuads,
            List<String> passedOver, String unfinished, boolean dryRun, Long version, Long head) {
    }

    /**
     * A source.
     *
     * @param listed     all its patches, or those after the position
     * @param pending    the patches to apply, in order
     * @param skipped    the number of patches that were applied before
     * @param before     the position of the dataset before; null if it had none
     * @param passedOver see {@link Report}
     * @param unfinished see {@link Report}
     * @param loaded     the checkpoint that the dataset begins with; null if none
     * @param version    the version of the log that the dataset is at before; null if unknown, or the source is no log
     */
    private record Source(List<SyncPatch> listed, List<SyncPatch> pending, long skipped, SyncState state, String before,
            List<String> passedOver, String unfinished, Checkpoint loaded, Long version) {

        /** Returns the version of the log that a dataset with that position is at. */
        long versionAt(String position) {
            return listed.stream().filter(patch -> patch.position().equals(position)).findFirst().map(SyncPatch::version)
                    .orElse(version);
        }

        long head() {
            return listed.isEmpty() ? version : listed.get(listed.size() - 1).version();
        }
    }

    /** Creates a follower with {@link SyncOptions#DEFAULT}, which stops at a patch that can't be applied. */
    public Follower(OpenDataset dataset) {
        this(dataset, SyncOptions.DEFAULT);
    }

    /** Creates a follower without a limit, which stops at a patch that can't be applied. */
    public Follower(OpenDataset dataset, SyncOptions options) {
        this(dataset, options, null, null, null);
    }

    /**
     * Creates a follower.
     *
     * @param until      the name of the last patch to apply, its id, or its version in a log; null for no limit
     * @param untilId    that id as a term; null if it is none
     * @param quarantine the folder for patches that can't be applied; null to stop at one
     */
    public Follower(OpenDataset dataset, SyncOptions options, String until, String untilId, Path quarantine) {
        this.dataset = dataset;
        this.options = options;
        this.until = until;
        this.untilId = untilId;
        this.quarantine = quarantine;
    }

    // --- sources

    /**
     * Follows the files of a folder, or a file.
     *
     * @param allowEmpty true to allow a folder without patches
     * @throws IllegalStateException the patches have no order, or applied ones have changed, see {@link PendingFiles}
     * @throws RuntimeException      a patch can't be applied, and there is no quarantine (the error of its format)
     */
    public Report followFiles(Path path, boolean allowEmpty, ProgressListener progress) throws IOException {
        PatchFolder folder = PatchFolder.of(path);
        if (folder.names.isEmpty() && !allowEmpty && (!folder.others.isEmpty() || dataset.readPosition(options.key()) == null)) {
            throw folder.noPatchesError();
        }
        try (FilePatches.Cursor cursor = new FilePatches.Cursor()) {
            while (true) {
                Position at = dataset.storedPosition(options.key());
                List<String> notes = dataset.readNotes(options.key());
                FilePatches.Listing listing = FilePatches.listPatches(folder.files(), progress);
                PatchFolder now = PatchFolder.of(path);
                if (FileNames.findRotated(now.names).keySet().equals(FileNames.findRotated(folder.names).keySet())) {
                    List<SyncPatch> listed = listing.patches();
                    PendingFiles.Pending pending = new PendingFiles(listed, at, notes, cursor).find(quarantine != null);
                    SyncState state = (pending.byNames() ? SyncState.ofNames(at, listed, notes) : SyncState.ofPatches(at))
                            .with(pending.histories());
                    return followSource(new Source(listed, pending.patches(), listed.size() - pending.patches().size(), state,
                            Position.idOf(at), folder.others, listing.unfinished(), null, null), cursor, progress);
                }
                folder = now; // a log has rotated its files meanwhile
            }
        }
    }

    /**
     * Follows the patches of a DataFrame, in a file. The next file may have the same patches in another form, so the dataset
     * keeps their ids, and no content.
     *
     * @param behind the position that the patches of the file come after; null if the file has all patches
     */
    public Report followChanges(Path file, String behind, ProgressListener progress) throws IOException {
        Position at = dataset.storedPosition(options.key());
        List<SyncPatch> listed = FilePatches.list(List.of(file), progress);
        if (listed.stream().anyMatch(patch -> patch.id() == null && patch.fault() == null)) {
            throw new IllegalStateException("a patch has no id, by which it would be known to be applied: give each a header row "
                    + "(op H, name id, value <urn:uuid:...>) and, from the second on, prev; or use apply");
        }
        PendingFiles.requirePositions(listed);
        PatchOrder order = new PatchOrder(PendingFiles.describeAll(listed, false));
        // Without prev, only the caller knows what the first patch follows.
        boolean isRest = behind != null && behind.equals(Position.idOf(at)) && !order.isChained();
        List<Integer> found = order.findPending(isRest ? null : Position.idOf(at), quarantine != null);
        List<SyncPatch> pending = found.stream().map(listed::get).toList();
        SyncState state = SyncState.ofIds(at).with(order.histories(Position.idOf(at), SyncState.Applied.historyAt(at), found));
        try (FilePatches.Cursor cursor = new FilePatches.Cursor()) {
            return followSource(new Source(listed, pending, listed.size() - pending.size(), state, Position.idOf(at), List.of(),
                    null, null, null), cursor, progress);
        }
    }

    /**
     * Brings the dataset to the end of a log. It applies each patch once, however often you call it and wherever the last call
     * stopped. An empty dataset begins with the newest checkpoint of the log, if there is one.
     *
     * @param log the log, which the caller opens and closes
     * @throws IllegalStateException the dataset does not belong to this log, or applied patches have changed; nothing was
     *                               applied
     * @throws RuntimeException      a patch can't be applied (the error of its format); those before it are applied
     * @throws io.jellybridge.jena.apply.ApplyException the dataset failed; patches applied before stay
     * @throws IOException           the log or the dataset can't be reached; patches applied before stay
     */
    public Report followLog(PatchLog log) throws IOException {
        return followLog(log, true, ProgressListener.NONE);
    }

    /**
     * Follows a patch log, as {@link #followLog(PatchLog)} does.
     *
     * @param hasCheckpoints true if the log may have checkpoints, of which an empty dataset loads one
     */
    public Report followLog(PatchLog log, boolean hasCheckpoints, ProgressListener progress) throws IOException {
        String expected = dataset.readPosition(options.key());
        String before = InitialLoad.isLoading(Position.of(expected)) ? null : expected;
        InitialLoad initialLoad = new InitialLoad(log);
        Checkpoint loaded = hasCheckpoints ? initialLoad.find(dataset, options.key(), untilId == null ? until : untilId) : null;
        if (loaded != null && !options.dryRun()) {
            initialLoad.load(loaded, dataset, options.key(), expected, progress);
        }
        boolean isAhead = loaded != null && options.dryRun();
        Position at = isAhead ? new LogPositions(log).positionOf(loaded) : dataset.storedPosition(options.key());
        List<String> notes = isAhead ? List.of() : dataset.readNotes(options.key());
        try (FollowedLog followed = FollowedLog.open(log, at, notes); FilePatches.Cursor cursor = new FilePatches.Cursor()) {
            if (!followed.changes().isEmpty()) {
                throw new IllegalStateException(followed.changes().get(0));
            }
            new PatchOrder(PendingFiles.describeAll(followed.patches(), false)).requireBehind(FollowedLog.idOf(at));
            return followSource(new Source(followed.patches(), followed.patches(), followed.applied(), SyncState.ofLog(at, log.id()),
                    loaded == null ? Position.idOf(at) : before, List.of(), null, loaded, versionOf(at)), cursor, progress);
        }
    }

    /** Returns the version of the log that the dataset is at, by its position; 0 if it has none, or one without a version. */
    public long version() throws IOException {
        Long version = versionOf(dataset.storedPosition(options.key()));
        return version == null ? 0 : version;
    }

    /** Returns the version of a position; 0 if there is no position, null if it has no version. */
    private static Long versionOf(Position at) {
        Applied applied = Applied.at(at);
        return at == null ? Long.valueOf(0) : applied == null ? null : applied.version();
    }

    /**
     * The entries of a folder.
     *
     * @param names  the files of patches, in their order
     * @param others other entries
     */
    private record PatchFolder(Path path, List<String> names, List<String> others) {

        static PatchFolder of(Path path) throws IOException {
            if (!Files.isDirectory(path)) {
                return new PatchFolder(path.toAbsolutePath().getParent(), List.of(path.getFileName().toString()), List.of());
            }
            List<String> names = new ArrayList<>();
            List<String> others = new ArrayList<>();
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                for (Path entry : entries) {
                    String name = entry.getFileName().toString();
                    if (name.startsWith(".") || name.startsWith("_")) {
                        continue; // unfinished
                    }
                    if (Files.isRegularFile(entry) && PatchFiles.isPatchFile(name)) {
                        names.add(name);
                    } else {
                        others.add(Files.isDirectory(entry) ? name + "/" : name);
                    }
                }
            }
            return new PatchFolder(path, FileNames.sortAll(names), FileNames.sortAll(others));
        }

        List<Path> files() {
            return names.stream().map(path::resolve).toList();
        }

        IllegalStateException noPatchesError() {
            String more = others.size() > MAX_NAMES ? " and " + (others.size() - MAX_NAMES) + " more" : "";
            String there = others.isEmpty() ? "it is empty" : "by their names, these are none: "
                    + String.join(", ", others.subList(0, Math.min(MAX_NAMES, others.size()))) + more;
            return new IllegalStateException(path + ": nothing in this folder is a patch; " + there + "; name the folder of the "
                    + "patches (.jellyp, .rdfp, .rdp or .trp), or say that it may be without any by allow_empty=True "
                    + "(--allow-empty)");
        }
    }

    // --- patches

    private Report followSource(Source source, FilePatches.Cursor cursor, ProgressListener progress) throws IOException {
        List<String> aside = new ArrayList<>();
        Synchronizer.Quarantine put = quarantine == null ? null : (patch, why, rest, position) -> {
            if (!options.dryRun()) {
                copyPatch(patch, why.getMessage());
            }
            aside.add(patch.name());
            source.state.setAside(patch, missingBefore(rest, source.listed, position), cursor);
        };
        List<SyncPatch> pending = upToUntil(source);
        SyncReport run = Synchronizer.run(pending, dataset, options, source.state, cursor, put, progress);
        if (run.fault() != null) {
            throw run.fault();
        }
        Checkpoint loaded = source.loaded;
        return new Report(run.patches(), run.transactions(), run.added(), run.deleted(), run.changed(), run.aborted(),
                run.position(), source.skipped, aside, source.before, loaded == null ? null : loaded.version(),
                loaded == null ? null : loaded.quads(), source.passedOver, source.unfinished, options.dryRun(),
                source.version == null ? null : source.versionAt(run.position()), source.version == null ? null : source.head());
    }

    private List<SyncPatch> upToUntil(Source source) {
        if (until == null) {
            return source.pending;
        }
        long version = LogVersions.parseVersion(until);
        for (int i = 0; i < source.pending.size(); i++) {
            SyncPatch patch = source.pending.get(i);
            if (patch.name().equals(until) || isUntil(patch.id()) || patch.version() != null && patch.version() == version) {
                return source.pending.subList(0, i + 1);
            }
        }
        String position = Position.idOf(source.state.at());
        boolean isApplied = source.version != null && version >= 0 && version <= source.version;
        if (isApplied || position != null && (position.equals(until) || isUntil(position))) {
            return List.of();
        }
        throw new IllegalStateException("until=" + until + " is neither the id nor the name of a patch that is to be applied"
                + (source.version == null ? "" : ", nor its version"));
    }

    /** Returns true if an id is that of the last patch, in whatever form other programs wrote it. */
    private boolean isUntil(String id) {
        return id != null && untilId != null && PatchHeader.normalizeTerm(id).equals(PatchHeader.normalizeTerm(untilId));
    }

    /** Copies the stored bytes of a patch into the quarantine, with a text that says the reason. It replaces an earlier copy. */
    private void copyPatch(SyncPatch patch, String reason) throws IOException {
        Files.createDirectories(quarantine);
        if (patch.file() != null) {
            Files.copy(patch.file(), quarantine.resolve(patch.file().getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        String text = "patch: " + patch.name() + "\nid: " + patch.id() + "\nprev: " + patch.prev() + "\ntime: "
                + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\nreason: " + reason + "\n";
        Files.writeString(quarantine.resolve(patch.name() + ".reason.txt"), text, UTF_8);
    }

    /** Returns the id of the patch that the next one follows, if no readable patch has it. */
    private static String missingBefore(List<SyncPatch> pending, List<SyncPatch> listed, String position) {
        String prev = pending.isEmpty() ? null : pending.get(0).prev();
        return Objects.equals(prev, position) || listed.stream().anyMatch(patch -> Objects.equals(patch.id(), prev)) ? null : prev;
    }
}
