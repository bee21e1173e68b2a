package io.jellybridge.sync;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.CheckpointPatches;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.apply.WatchedPatches;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The first load of an empty dataset that follows a log: the newest checkpoint, in place of the patches up to it. */
public record InitialLoad(PatchLog log) {

    /**
     * Returns the checkpoint to load into an empty dataset: the newest one up to a patch. It replaces patches that the log
     * does not have any more, or that would have to be applied. Returns null if the dataset is not empty, or continues from
     * its position.
     *
     * @param until the id of that patch, a term in canonical N-Triples, or its version; null for the newest of all
     */
    public Checkpoint find(OpenDataset dataset, String key, String until) throws IOException {
        Position position = dataset.storedPosition(key);
        if (position != null && new LogPositions(log).isKnown(position)) {
            return null;
        }
        long last = until == null ? Long.MAX_VALUE : LogVersions.parseVersion(until);
        Checkpoint newest = log.findCheckpoint(last >= 0 ? last : LogVersions.withTerm(log, until));
        boolean mayBegin = newest != null && (position == null || log.first() > 1);
        return mayBegin && dataset.size() == 0 ? newest : null;
    }

    /**
     * Loads a checkpoint into an empty dataset and sets its position, in one transaction. A large checkpoint is bulk-loaded
     * into an empty TDB2 database. Files on a server are first downloaded to a temporary folder.
     *
     * @param expected the position of the dataset when it was found to be empty; null if it had none
     * @throws PositionConflictException another sync moved the dataset meanwhile; the dataset is unchanged
     * @throws IOException the checkpoint is damaged, or the dataset or the log can't be reached; the dataset is unchanged
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
        PositionUpdate advance = new PositionUpdate(key, Position.of(expected), new LogPositions(log).positionOf(checkpoint), List.of());
        dataset.apply(new WatchedPatches(new CheckpointPatches(checkpoint, false), progress), advance, progress);
    }
}
