package io.jellybridge.sync;

import io.jellybridge.codec.FormatException;
import io.jellybridge.jena.data.Position;
import io.jellybridge.log.Chain;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.EntryCheck;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogReader;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.PatchLog;
import io.jellybridge.sync.Ledger.Applied;
import io.jellybridge.sync.Ledger.SetAside;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The place of a dataset in a log, and applied patches that have changed in the log. It compares the hash of the last applied
 * patch, which the index of a folder has, and reads the patches that were set aside.
 *
 * @param version the version up to which the dataset has applied the log; 0 for nothing; or {@link #NOT_KNOWN}
 * @param changes the changes in the log since then, one sentence each
 */
record LogStand(long version, List<String> changes) {
    /** The version of a position that was stored without one, and whose id the log does not find. */
    static final long NOT_KNOWN = -1;
    /** The advice for a dataset that is at no version of a log. */
    static final String ADOPT = "with a dump of this dataset as its state, jellybridge log adopt LOG --dataset DATASET puts the "
            + "dataset there";

    /**
     * Finds the place of a dataset.
     *
     * @param at    the position of the dataset; null if it has none
     * @param notes the notes of the dataset
     * @throws IllegalStateException the position is not a patch of the log
     * @throws IOException           the log can't be read
     */
    static LogStand of(PatchLog log, Position at, List<String> notes) throws IOException {
        if (at == null) {
            return new LogStand(new Bootstrap(log).versionOf(null), List.of());
        }
        Applied applied = Applied.at(at);
        long version = version(log, at, applied);
        List<String> changes = new ArrayList<>();
        if (version != NOT_KNOWN && applied != null && applied.rows() > 0 && version >= log.first()) {
            addRewritten(log, version, applied, changes);
        }
        for (String note : notes) {
            SetAside aside = SetAside.parse(note);
            if (aside != null && aside.version() != null && aside.version() <= version) {
                addMended(log, aside, notes, changes);
            }
        }
        return new LogStand(version, changes);
    }

    private static long version(PatchLog log, Position at, Applied applied) throws IOException {
        if (applied == null || applied.version() == null) {
            return log.isInPlace() ? new Bootstrap(log).versionOf(at.id()) : NOT_KNOWN;
        }
        long stored = applied.version();
        long first = log.first();
        long head = log.headVersion();
        if (stored > head) {
            throw gone(log, at, ": it was version " + stored + ", and the log ends with version " + head);
        }
        if (stored < first - 1) {
            throw new Bootstrap(log).isBehind(at.id());
        }
        requireSame(log, at, applied, stored < first ? before(log, first, stored) : header(log, stored));
        return stored;
    }

    /** Checks that the log has the patch of a position, and the history up to it. */
    private static void requireSame(PatchLog log, Position at, Applied applied, PatchHeader there) {
        String id = there == null ? "not there" : there.idTerm();
        String was = ": it was version " + applied.version();
        if (!at.id().equalsIgnoreCase(id)) {
            throw gone(log, at, was + ", which is " + id + " now");
        }
        if (applied.chain() != null && there.hash() != null && !there.hash().equals(applied.chain())) {
            throw gone(log, at, was + " of the hash " + applied.chain() + ", which has the hash " + there.hash()
                    + " now, as other patches are before it than those that the dataset has applied");
        }
    }

    private static PatchHeader header(PatchLog log, long version) throws IOException {
        try (LogEntries entries = log.fetch(version, version)) {
            LogEntry entry = entries.next();
            return entry == null ? null : entry.header();
        }
    }

    /** Returns what the oldest patch says of the one before it, or the log's beginning without any patch. */
    private static PatchHeader before(PatchLog log, long first, long version) throws IOException {
        PatchHeader after = LogVersions.headerOf(log, first);
        if (after != null && after.id() != null) {
            String hash = after.chain() == null ? null : after.chain().before();
            return new PatchHeader(after.prev(), null, null, hash == null ? null : new Chain(Chain.START, hash));
        }
        Checkpoint beginning = log.checkpoint(version);
        return beginning == null || beginning.version() != version ? null : beginning.header();
    }

    /** Returns the error that a position is not in the log. {@code why} begins with a colon, if it is known. */
    static IllegalStateException gone(PatchLog log, Position at, String why) {
        return new IllegalStateException("the dataset is at " + at.id() + ", which is no patch of the log " + log.name() + why
                + "; check that this is the log that the dataset follows, and its files, by jellybridge log check; where the "
                + "log was made anew " + ADOPT + ", and else have an empty dataset follow it");
    }

    private static void addRewritten(PatchLog log, long version, Applied applied, List<String> changes) throws IOException {
        try (LogEntries entries = log.fetch(version, version)) {
            LogEntry entry = entries.next();
            if (entry != null && isOther(entry, applied.hash())) {
                changes.add(entry.name() + ", the last patch that the dataset has applied, says something else now than its "
                        + applied.rows() + " rows did then: it was rewritten; put back what was applied, or have an empty "
                        + "dataset follow the log");
            }
        }
    }

    private static void addMended(PatchLog log, SetAside aside, List<String> notes, List<String> changes) throws IOException {
        try (LogEntries entries = log.fetch(aside.version(), aside.version())) {
            LogEntry entry = entries.next();
            if (entry != null && LogReader.fault(entry) == null && !isNoted(aside.aside(), entry.hash(), notes)) {
                changes.add(entry.name() + " was set aside, the dataset went on behind it, and now it can be read: its "
                        + "changes are not in the dataset; apply it by itself where they still fit, and delete the note of it, "
                        + "as the guide on syncs says, or have an empty dataset follow the log");
            }
        }
    }

    /** Returns true if a patch with this content was set aside or accepted. */
    private static boolean isNoted(String name, String hash, List<String> notes) {
        return notes.stream().map(SetAside::parse)
                .anyMatch(aside -> aside != null && aside.aside().equals(name) && hash.equals(aside.hash()));
    }

    /**
     * Returns true if a patch can be read and does not have the given hash. A patch that can't be read does not count, like a
     * deleted one.
     */
    private static boolean isOther(LogEntry entry, String hash) throws IOException {
        try {
            return !entry.hash().equals(hash) && LogReader.fault(entry) == null;
        } catch (FormatException e) {
            return e.rule().equals(EntryCheck.CHAIN);
        }
    }
}
