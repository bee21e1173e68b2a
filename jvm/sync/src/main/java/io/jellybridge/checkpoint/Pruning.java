package io.jellybridge.checkpoint;

import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.LogPruning;
import io.jellybridge.log.LogTimes;
import java.io.IOException;
import java.time.Instant;
import java.util.SortedSet;

/**
 * Takes the oldest patches of a log away, where a checkpoint has what they come to. What is left begins later: killed at any
 * moment, the log is one that was pruned less far, since what is oldest goes first.
 */
public final class Pruning {

    private Pruning() {
    }

    /**
     * What was done.
     *
     * @param first       the first version that has a patch now
     * @param versions    how many patches were taken away
     * @param files       in how many files
     * @param bytes       how many bytes these had
     * @param checkpoints how many checkpoints were taken away
     */
    public record Report(long first, long versions, int files, long bytes, int checkpoints) {
    }

    /**
     * Takes away what is before a version. A file of several patches goes when all of them may; the one with the head never
     * does. The newest checkpoint up to that version stays, and all states from there on can be had as before; patches
     * behind it stay, too.
     *
     * @throws IllegalStateException no checkpoint covers the oldest patches before that version; or another process has
     *                               files of the log in hand
     * @throws IOException           that checkpoint is damaged, or a file can't be taken away
     */
    public static Report before(FolderLog log, long version) throws IOException {
        Checkpoints checkpoints = new Checkpoints(log);
        checkpoints.removeUnfinished();
        long oldest = LogPruning.oldest(log);
        if (oldest == 0 || oldest >= version) {
            return new Report(log.first(), 0, 0, 0, removeOld(checkpoints, log.first()));
        }
        Checkpoint covering = covering(log, checkpoints, version, oldest);
        CheckpointFiles.check(covering, ProgressListener.NONE);
        LogPruning.Report done = LogPruning.run(log, Math.min(version - 1, covering.version()));
        return new Report(done.first(), done.versions(), done.files(), done.bytes(), removeOld(checkpoints, done.first()));
    }

    /** Takes away, as {@link #before}, what is older than a moment, by {@link LogTimes}. */
    public static Report olderThan(FolderLog log, Instant moment) throws IOException {
        return before(log, LogTimes.of(log).before(moment, false) + 1);
    }

    /** The checkpoint that has what goes: the newest up to the version, so that the states from that on stay. */
    private static Checkpoint covering(FolderLog log, Checkpoints checkpoints, long version, long oldest) throws IOException {
        Checkpoint newest = checkpoints.newest(version);
        if (newest == null || newest.version() < oldest) {
            throw new IllegalStateException(log.name() + " has no checkpoint from version " + oldest + " to " + version
                    + ", which would have what the patches before version " + version
                    + " come to; make one first: jellybridge log checkpoint " + log.name() + " --version "
                    + Math.min(version - 1, log.headVersion()));
        }
        return newest;
    }

    /** Takes away the checkpoints behind which patches are missing, so that no state is made from them. */
    private static int removeOld(Checkpoints checkpoints, long first) throws IOException {
        SortedSet<Long> old = checkpoints.versions().headSet(first - 1);
        for (long version : old) {
            checkpoints.remove(version);
        }
        return old.size();
    }
}
