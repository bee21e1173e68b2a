package io.jellybridge.checkpoint;

import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.LogPruning;
import io.jellybridge.log.LogTimes;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.time.Instant;

/**
 * Deletes the oldest patches of a log that a checkpoint covers. Afterwards the log begins later. It deletes the oldest first,
 * so a process that is killed leaves a log that was pruned less far.
 */
public final class Pruning {

    private Pruning() {
    }

    /**
     * The result of a pruning.
     *
     * @param first       the first version that still has a patch
     * @param versions    the number of deleted patches
     * @param files       the number of deleted files
     * @param bytes       the number of deleted bytes
     * @param checkpoints the number of deleted checkpoints
     */
    public record Report(long first, long versions, int files, long bytes, int checkpoints) {
    }

    /**
     * Deletes the patches before a version. A file of several patches is deleted if all of them may be; the file of the head
     * never is. The newest checkpoint up to that version stays, and so do the patches after it. So all states from that
     * version on are still available.
     *
     * @throws IllegalStateException no checkpoint covers the oldest patches before that version, or another process is using
     *                               files of the log
     * @throws IOException           the checkpoint is damaged, or a file can't be deleted
     */
    public static Report before(StoreLog log, long version) throws IOException {
        Checkpoints checkpoints = new Checkpoints(log);
        log.store().removeUnfinished();
        long oldest = LogPruning.findOldest(log);
        if (oldest == 0 || oldest >= version) {
            return new Report(log.first(), 0, 0, 0, checkpoints.removeBefore(log.first() - 1));
        }
        Checkpoint covering = findCovering(log, version, oldest);
        CheckpointFiles.check(covering, ProgressListener.NONE);
        LogPruning.Report done = LogPruning.run(log, Math.min(version - 1, covering.version()), covering.version());
        // No later state can be computed from a checkpoint that is followed by missing patches.
        return new Report(done.first(), done.versions(), done.files(), done.bytes(), checkpoints.removeBefore(done.first() - 1));
    }

    /** Deletes the patches that are older than a time by {@link LogTimes}, as {@link #before} does. */
    public static Report olderThan(StoreLog log, Instant moment) throws IOException {
        return before(log, LogTimes.of(log).firstToKeep(moment));
    }

    /**
     * Returns the checkpoint that covers the deleted patches. It is the newest one up to the version, so the states from there
     * on stay available.
     */
    private static Checkpoint findCovering(StoreLog log, long version, long oldest) throws IOException {
        Checkpoint newest = log.findCheckpoint(version);
        if (newest == null || newest.version() < oldest) {
            throw new IllegalStateException(log.name() + " has no checkpoint from version " + oldest + " to " + version
                    + ", which would have what the patches before version " + version
                    + " come to; make one first: jellybridge log checkpoint " + log.name() + " --version "
                    + Math.min(version - 1, log.headVersion()));
        }
        return newest;
    }
}
