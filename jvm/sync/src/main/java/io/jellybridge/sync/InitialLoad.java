package io.jellybridge.sync;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.CheckpointPatches;
import io.jellybridge.codec.JoinedPatches;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.apply.WatchedPatches;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The first load of an empty dataset that follows a log: the newest checkpoint, in place of the patches up to it. */
public record InitialLoad(PatchLog log) {
    /** The position of a dataset during a load that is not atomic: the version of the checkpoint, and the hash of its quads. */
    private static final Pattern LOADING = Pattern.compile("<urn:jellybridge:loading:([0-9]{1,18}):([0-9a-f]{64})>");

    /** Returns the position of a dataset that may have a part of a checkpoint. */
    private static Position loadingOf(Checkpoint checkpoint) {
        return Position.of("<urn:jellybridge:loading:" + checkpoint.version() + ":" + checkpoint.hash() + ">");
    }

    /** Returns true if a dataset with this position may have a part of a checkpoint. The position can be null. */
    static boolean isLoading(Position position) {
        return position != null && LOADING.matcher(position.id()).matches();
    }

    /**
     * Returns the checkpoint to load into an empty dataset: the newest one up to a patch. It replaces patches that the log
     * does not have any more, or that would have to be applied. Returns null if the dataset is not empty, or continues from
     * its position. If a load was cut off and the dataset has a part, it returns the same checkpoint again.
     *
     * @param until the id of that patch, a term in canonical N-Triples, or its version; null for the newest of all
     * @throws IllegalStateException the dataset has a part of a checkpoint behind that patch
     */
    public Checkpoint find(OpenDataset dataset, String key, String until) throws IOException {
        Position position = dataset.storedPosition(key);
        // A store that is empty can begin with any: it may have refused the checkpoint of its mark.
        Checkpoint begun = isLoading(position) && !isEmpty(dataset) ? findBegun(position) : null;
        if (begun == null && position != null && new LogPositions(log).isKnown(position)) {
            return null;
        }
        long last = versionOf(until);
        if (begun != null && last >= 0 && begun.version() > last) {
            throw new IllegalStateException("until=" + until + " is before version " + begun.version()
                    + ", whose checkpoint the dataset has a part of; sync without until first, which loads the rest");
        }
        if (begun != null) {
            return begun;
        }
        Checkpoint newest = log.findCheckpoint(last);
        boolean mayBegin = newest != null && (position == null || isLoading(position) || log.first() > 1);
        return mayBegin && isEmpty(dataset) ? newest : null;
    }

    /** Returns true if a dataset has no quad. Asks for one, since some servers count for longer than they allow. */
    private static boolean isEmpty(OpenDataset dataset) throws IOException {
        return dataset.count(QuadSelection.ALL.withLimit(1)) == 0;
    }

    /** Returns the version of a patch; -1 if the log has no such version or id. */
    private long versionOf(String until) throws IOException {
        long last = until == null ? Long.MAX_VALUE : LogVersions.parseVersion(until);
        long found = last >= 0 ? last : LogVersions.withTerm(log, until);
        return last < 0 && found == 0 ? -1 : found;
    }

    /** Returns the checkpoint of a load that was cut off; null if the log does not have it any more. */
    private Checkpoint findBegun(Position position) throws IOException {
        Matcher begun = LOADING.matcher(position.id());
        Checkpoint found = begun.matches() ? log.findCheckpoint(Long.parseLong(begun.group(1))) : null;
        return found != null && loadingOf(found).equals(position) ? found : null;
    }

    /**
     * Loads a checkpoint into an empty dataset and sets its position, in one transaction. A large checkpoint is bulk-loaded
     * into an empty TDB2 database. Files on a server are first downloaded to a temporary folder. A store without large
     * transactions is first marked, so that only the same checkpoint is loaded if this is cut off.
     *
     * @param expected the position of the dataset when it was found to be empty; null if it had none
     * @throws PositionConflictException another sync moved the dataset meanwhile; the dataset is unchanged
     * @throws IOException the checkpoint is damaged, or the dataset or the log can't be reached; the dataset is unchanged, or
     *                     has the mark and maybe a part
     */
    public void load(Checkpoint checkpoint, OpenDataset dataset, String key, String expected, ProgressListener progress)
            throws IOException {
        Path fetched = Files.createTempDirectory("jellybridge-");
        try {
            loadFrom(log.fetchFiles(checkpoint, fetched), dataset, key, expected, progress);
        } finally {
            AtomicFolder.delete(fetched);
        }
    }

    private void loadFrom(Checkpoint checkpoint, OpenDataset dataset, String key, String expected, ProgressListener progress)
            throws IOException {
        CheckpointFiles.check(checkpoint, progress);
        Position before = Position.of(expected);
        Position loading = loadingOf(checkpoint);
        if (!dataset.hasAtomicBatches() && !loading.equals(before)) {
            dataset.apply(JoinedPatches.of(List.of()), new PositionUpdate(key, before, loading, List.of()), progress);
            before = loading;
        }
        PositionUpdate advance = new PositionUpdate(key, before, new LogPositions(log).positionOf(checkpoint), List.of());
        dataset.apply(new WatchedPatches(new CheckpointPatches(checkpoint, false), progress), advance, progress);
    }
}
