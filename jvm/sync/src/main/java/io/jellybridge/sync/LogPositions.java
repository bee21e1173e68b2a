package io.jellybridge.sync;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.JoinedPatches;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.EntryCheck;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogReader;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.SyncState.Applied;
import io.jellybridge.sync.SyncState.SetAside;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The positions of datasets in a log. Each is a version, and what has changed since of the patches that the dataset has applied.
 */
public record LogPositions(PatchLog log) {
    /** The advice for a dataset that is at no version of a log. */
    private static final String ADOPT = "with a dump of this dataset as its state, jellybridge log adopt LOG --dataset DATASET "
            + "puts the dataset there";

    /**
     * Returns the version of a dataset; 0 if it has applied no patch.
     *
     * @param position the position of the dataset; null if it has none
     * @throws IllegalStateException the position is not in the log, or is before the oldest patch that is left
     */
    public long versionOf(String position) throws IOException {
        requireLoaded(Position.of(position));
        long version = position == null ? 0 : versionWith(position);
        if (version > 0 || position == null && log.first() == 1) {
            return version;
        }
        throw log.first() > 1 ? behindError(position) : new IllegalStateException("the dataset is at " + position
                + ", which is no patch of the log " + log.name() + "; check that this is the log that the dataset follows, "
                + "and its files, by jellybridge log check; where the log was made anew " + ADOPT);
    }

    private void requireLoaded(Position position) {
        if (InitialLoad.isLoading(position)) {
            throw new IllegalStateException("the first load of the dataset was cut off, so that it has a part of a checkpoint of the "
                    + "log " + log.name() + "; sync it again, which loads the same checkpoint, and where the log does not have that "
                    + "any more, first delete everything in the dataset, its graph <" + StoredPosition.GRAPH + "> too");
        }
    }

    /**
     * Returns the version of a position. Returns 0 if the log does not have it, or is on a server; {@link LogPosition} then finds
     * it by the notes of the dataset.
     */
    private long versionWith(String position) throws IOException {
        return log instanceof StoreLog folder ? new Checkpoints(folder).versionWith(position) : 0;
    }

    /** Returns the error of a dataset at a patch before the oldest one. The position is null if it has none. */
    IllegalStateException behindError(String position) throws IOException {
        Checkpoint newest = log.findCheckpoint(Long.MAX_VALUE);
        String at = position == null ? "at no patch: the log " + log.name()
                : "at " + position + ", which is no patch that the log " + log.name() + " has: it";
        return new IllegalStateException("the dataset is " + at + " begins with version " + log.first()
                + ", what was before it is no patch any more; " + (newest == null
                        ? "and there is no checkpoint to begin from: get the patches that are missing"
                        : "sync an empty dataset, which begins from the checkpoint of version " + newest.version()
                                + ", and put it in the place of this one"));
    }

    /** Returns true if a dataset continues from its position, as far as is known without the patches. */
    boolean isKnown(Position position) throws IOException {
        if (InitialLoad.isLoading(position)) {
            return false;
        }
        try {
            return !(log instanceof StoreLog) || isStillAt(position) || versionWith(position.id()) > 0;
        } catch (FormatException e) {
            return true; // the patch exists but has changed; continuing from it throws the error
        }
    }

    /** Returns true if the version that is stored with a position has its patch, which is one patch to read instead of all. */
    private boolean isStillAt(Position position) throws IOException {
        Applied applied = Applied.at(position);
        if (applied == null || applied.version() == null) {
            return false;
        }
        PatchHeader there = headerAt(log.first(), applied.version());
        return there != null && position.id().equalsIgnoreCase(there.idTerm());
    }

    /**
     * Sets the position of a dataset that holds what the log says at a version, without a change of its quads. The position
     * that it had in another log is replaced.
     *
     * @param version the version; 0 for the head
     * @param shown   the number of differing quads of each kind to list
     * @return a comparison; if it found a difference, the position was not set
     * @throws IllegalStateException    the log has no version yet
     * @throws IllegalArgumentException the log does not have the version, or is on a server
     */
    public LogComparison.Report adopt(OpenDataset dataset, String key, long version, int shown, ProgressListener progress)
            throws IOException {
        StoreLog folder = log.stored();
        long wanted = version == 0 ? folder.headVersion() : version;
        if (wanted == 0) {
            throw new IllegalStateException("the log " + log.name() + " has no version that the dataset could be at; make one of a "
                    + "dump of the dataset: jellybridge log create LOG --state FILE");
        }
        Position position = positionOf(wanted);
        return dataset.exclusively(() -> {
            dataset.checkChangeable();
            Position before = dataset.storedPosition(key);
            LogComparison.Report report =
                    LogComparison.at(folder, wanted, position.id(), dataset, shown, progress);
            if (report.isEqual() && !position.equals(before)) {
                PositionUpdate step = new PositionUpdate(key, Position.of(Position.idOf(before)), position, List.of());
                dataset.apply(JoinedPatches.of(List.of()), step, progress);
            }
            return report;
        });
    }

    /**
     * Returns the position of a dataset at a version.
     *
     * @throws IllegalArgumentException the log does not have the version
     */
    public Position positionOf(long version) throws IOException {
        Checkpoint checkpoint = log instanceof StoreLog folder ? new Checkpoints(folder).at(version) : null;
        if (checkpoint != null) {
            return positionOf(checkpoint);
        }
        return LogVersions.readPatch(log, version, entry -> {
            if (entry == null) {
                throw new IllegalArgumentException("the log " + log.name() + " has no version " + version + "; it goes from "
                        + log.first() + " to " + log.headVersion());
            }
            return new Applied(entry.header().idTerm(), entry.name(), version, entry.rows(), entry.hash(), null,
                    entry.header().hash()).position();
        });
    }

    /**
     * Returns the position of a dataset with the content of a checkpoint. If the log has the patch, it includes the content of
     * the patch, and otherwise the version and no rows.
     */
    public Position positionOf(Checkpoint checkpoint) throws IOException {
        try {
            return LogVersions.readPatch(log, checkpoint.version(), patch -> new Applied(checkpoint.position(),
                    patch == null ? checkpoint.name() : patch.name(), checkpoint.version(), patch == null ? 0 : patch.rows(),
                    patch == null ? checkpoint.hash() : patch.hash(), null, checkpoint.chain().own()).position());
        } catch (FormatException e) {
            return Position.of(checkpoint.position()); // it can't be read any more
        }
    }

    // --- the place in the log

    /**
     * The place of a dataset in a log, and applied patches that have changed in the log. It compares the hash of the last
     * applied patch, which the index of a folder has, and reads the patches that were set aside.
     *
     * @param version the version up to which the dataset has applied the log; 0 for nothing; or {@link #NOT_KNOWN}
     * @param changes the changes in the log since then, one sentence each
     */
    record LogPosition(long version, List<String> changes) {
        /** The version of a position that was stored without one, and whose id the log does not find. */
        static final long NOT_KNOWN = -1;
    }

    /**
     * Finds the place of a dataset.
     *
     * @param at    the position of the dataset; null if it has none
     * @param notes the notes of the dataset
     * @throws IllegalStateException the position is not a patch of the log
     * @throws IOException           the log can't be read
     */
    LogPosition locate(Position at, List<String> notes) throws IOException {
        if (at == null) {
            return new LogPosition(versionOf(null), List.of());
        }
        requireLoaded(at);
        Applied applied = Applied.at(at);
        long version = versionOf(at, applied);
        List<String> changes = new ArrayList<>();
        if (version != LogPosition.NOT_KNOWN && applied != null && applied.rows() > 0 && version >= log.first()
                && !isServedHead(applied)) {
            addRewritten(version, applied, changes);
        }
        for (String note : notes) {
            SetAside aside = SetAside.parse(note);
            if (aside != null && aside.version() != null && aside.version() <= version) {
                addMended(aside, notes, changes);
            }
        }
        return new LogPosition(version, changes);
    }

    private long versionOf(Position at, Applied applied) throws IOException {
        if (applied == null || applied.version() == null) {
            return log instanceof StoreLog ? versionByIds(at) : LogPosition.NOT_KNOWN;
        }
        long stored = applied.version();
        long first = log.first();
        long head = log.headVersion();
        if (stored > head) {
            throw goneError(at, ": it was version " + stored + ", and the log ends with version " + head);
        }
        if (stored < first - 1) {
            throw behindError(at.id());
        }
        if (!isServedHead(applied)) {
            requireSame(at, applied, headerAt(first, stored));
        }
        return stored;
    }

    /** Returns true if a server says that a patch is its newest still, by the hash of its content, so that it is not downloaded. */
    private boolean isServedHead(Applied applied) throws IOException {
        return !(log instanceof StoreLog) && log.head().version() == applied.version() && log.headHash().equals(applied.chain());
    }

    /** Returns the version of a position that was reached by loose files, after comparing the patches before it. */
    private long versionByIds(Position at) throws IOException {
        long version = versionOf(at.id());
        PatchOrder.History history = Applied.historyAt(at);
        List<String> ids = new ArrayList<>();
        String before = at.id();
        for (long i = version; history != null && i >= log.first() && (i == version || !history.beginsAfter(before)); i--) {
            PatchHeader header = LogVersions.readHeader(log, i);
            if (header == null) {
                return version; // reading the log reports the error
            }
            ids.add(header.idTerm());
            before = header.prevTerm();
        }
        Collections.reverse(ids);
        if (history != null) {
            history.requireStill(log.name() + ", version " + version, before, ids);
        }
        return version;
    }

    /** Checks that the log has the patch of a position, and the history up to it. */
    private void requireSame(Position at, Applied applied, PatchHeader there) {
        String id = there == null ? "not there" : there.idTerm();
        String was = ": it was version " + applied.version();
        if (!at.id().equalsIgnoreCase(id)) {
            throw goneError(at, was + ", which is " + id + " now");
        }
        if (applied.chain() != null && there.hash() != null && !there.hash().equals(applied.chain())) {
            throw goneError(at, was + " of the hash " + applied.chain() + ", which has the hash " + there.hash()
                    + " now, as other patches are before it than those that the dataset has applied");
        }
    }

    /** Returns the headers of the patch of a version, or of the one before the first; null if there is none. */
    private PatchHeader headerAt(long first, long version) throws IOException {
        return version < first - 1 ? null : version < first ? headerBefore(first, version) : LogVersions.readHeader(log, version);
    }

    /**
     * Returns the hash of a version, see {@link PatchHeader#hash}. Returns null if the log has neither the patch of the version nor
     * what is before its first patch.
     *
     * @throws FormatException the patch can't be read
     */
    public String hashAt(long version) throws IOException {
        PatchHeader header = headerAt(log.first(), version);
        return header == null ? null : header.hash();
    }

    /** Returns what the oldest patch says of the one before it, or the log's beginning without any patch. */
    private PatchHeader headerBefore(long first, long version) throws IOException {
        PatchHeader before = LogVersions.headerBefore(log, first);
        if (before != null) {
            return before;
        }
        Checkpoint beginning = log.findCheckpoint(version);
        return beginning == null || beginning.version() != version ? null : beginning.header();
    }

    /** Returns the error that a position is not in the log. {@code why} begins with a colon, if it is known. */
    IllegalStateException goneError(Position at, String why) {
        return new IllegalStateException("the dataset is at " + at.id() + ", which is no patch of the log " + log.name() + why
                + "; check that this is the log that the dataset follows, and its files, by jellybridge log check; where the "
                + "log was made anew " + ADOPT + ", and else have an empty dataset follow it");
    }

    private void addRewritten(long version, Applied applied, List<String> changes) throws IOException {
        LogVersions.readPatch(log, version, entry -> {
            if (entry != null && isOther(entry, applied.hash())) {
                changes.add(entry.name() + ", the last patch that the dataset has applied, says something else now than its "
                        + applied.rows() + " rows did then: it was rewritten; put back what was applied, or have an empty "
                        + "dataset follow the log");
            }
            return null;
        });
    }

    private void addMended(SetAside aside, List<String> notes, List<String> changes) throws IOException {
        LogVersions.readPatch(log, aside.version(), entry -> {
            if (entry != null && LogReader.findFault(entry) == null && aside.mayBe(log.id(), entry.header().idTerm())
                    && !isNoted(aside.aside(), entry.hash(), notes)) {
                changes.add(entry.name() + " was set aside, the dataset went on behind it, and now it can be read: its "
                        + "changes are not in the dataset; apply it by itself where they still fit, and delete the note of it, "
                        + "as the guide on syncs says, or have an empty dataset follow the log");
            }
            return null;
        });
    }

    /** Returns true if a patch with this content was set aside or accepted. */
    private static boolean isNoted(String name, String hash, List<String> notes) {
        return notes.stream().map(SetAside::parse)
                .anyMatch(aside -> aside != null && aside.aside().equals(name) && hash.equals(aside.hash()));
    }

    /**
     * Returns true if a patch can be read and does not have the given hash. A patch that can't be read does not count, like
     * a deleted one.
     */
    private static boolean isOther(LogEntry entry, String hash) throws IOException {
        try {
            return !entry.hash().equals(hash) && LogReader.findFault(entry) == null;
        } catch (FormatException e) {
            return e.rule().equals(EntryCheck.CHAIN);
        }
    }
}
