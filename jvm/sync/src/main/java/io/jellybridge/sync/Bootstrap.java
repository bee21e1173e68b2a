package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.CheckpointPatches;
import io.jellybridge.codec.FormatException;
import io.jellybridge.jena.apply.Advance;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.apply.WatchedPatches;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import java.io.IOException;
import java.util.List;

/** Where a dataset begins in a log that has checkpoints: one that is empty gets the newest, and goes on behind it. */
public final class Bootstrap {
    private final FolderLog log;
    private final Checkpoints checkpoints;

    public Bootstrap(FolderLog log) {
        this.log = log;
        this.checkpoints = new Checkpoints(log);
    }

    /**
     * The version that a dataset is at; 0: it has applied no patch.
     *
     * @param position where it says that it is; null: nowhere
     * @throws IllegalStateException it is at none of the log's, or before the oldest that is left
     */
    public long versionOf(String position) throws IOException {
        long version = position == null ? 0 : checkpoints.versionWith(position);
        if (version > 0 || position == null && log.first() == 1) {
            return version;
        }
        throw log.first() > 1 ? isBehind(position) : new IllegalStateException("the dataset is at " + position
                + ", which is no patch of the log " + log.name() + "; check that this is the log that the dataset follows, "
                + "and its files, by jellybridge log check");
    }

    private IllegalStateException isBehind(String position) throws IOException {
        Checkpoint newest = checkpoints.newest(Long.MAX_VALUE);
        return new IllegalStateException("the dataset is " + (position == null ? "at no patch" : "at " + position
                + ", which is no patch that the log " + log.name() + " has") + ": " + (position == null ? "the log "
                + log.name() : "it") + " begins with version " + log.first() + ", what was before it was pruned; "
                + (newest == null ? "and there is no checkpoint to begin from: get the patches that are missing"
                        : "sync an empty dataset, which begins from the checkpoint of version " + newest.version()
                                + ", and put it in the place of this one"));
    }

    /**
     * The checkpoint that a dataset is to begin from: the newest up to a patch, where the dataset holds nothing and the log
     * has not, or need not have, what it would have to apply otherwise; null where it goes on from where it is.
     *
     * @param until the id of that patch, a term in canonical N-Triples; null: any
     */
    public Checkpoint find(OpenDataset dataset, String key, String until) throws IOException {
        String position = dataset.position(key);
        if (position != null && checkpoints.versionWith(position) > 0) {
            return null;
        }
        long upTo = until == null ? Long.MAX_VALUE : log.versionWith(until.getBytes(UTF_8));
        Checkpoint newest = checkpoints.newest(upTo);
        boolean mayBegin = newest != null && (position == null || log.first() > 1);
        return mayBegin && dataset.size() == 0 ? newest : null;
    }

    /**
     * Fills an empty dataset, in one go, and says where it is then, in one transaction. An empty TDB2 database is loaded in
     * bulk where the checkpoint is large.
     *
     * @throws IOException the checkpoint is damaged, or the dataset can't be reached; the dataset is as it was
     */
    public void load(Checkpoint checkpoint, OpenDataset dataset, String key, ProgressListener progress) throws IOException {
        CheckpointFiles.check(checkpoint, progress);
        Advance advance = new Advance(key, Position.of(dataset.position(key)), position(checkpoint), List.of());
        dataset.apply(new WatchedPatches(new CheckpointPatches(checkpoint), progress), advance, progress);
    }

    /**
     * The position of a dataset that has what a checkpoint has, with what is known of the patch, where the log still
     * has it.
     */
    private Position position(Checkpoint checkpoint) throws IOException {
        try (LogEntries entries = log.fetch(checkpoint.version(), checkpoint.version())) {
            LogEntry entry = entries.next();
            return entry == null || entry.version() != checkpoint.version() ? Position.of(checkpoint.position())
                    : new Applied(checkpoint.position(), entry.name(), entry.version(), entry.rows(), entry.hash(), null)
                            .position();
        } catch (FormatException e) {
            return Position.of(checkpoint.position()); // it can't be read any more
        }
    }
}
