package io.jellybridge.sync;

import io.jellybridge.codec.FormatException;
import io.jellybridge.jena.data.Position;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogReader;
import io.jellybridge.log.PatchLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a dataset stands in a log, and what is there no more as it was applied. Of the patches that were applied, the last
 * is asked for its hash, which a folder's index has; and those that were set aside are read.
 *
 * @param version up to which the dataset has applied the log; 0: nothing; {@link #NOT_KNOWN}
 * @param changes what changed in the log since, a sentence each
 */
record LogStand(long version, List<String> changes) {
    /** The version of a position that was stored without one, and that the log does not find by its id. */
    static final long NOT_KNOWN = -1;

    /**
     * Finds out.
     *
     * @param at    where the dataset is; null: nowhere
     * @param notes what it noted
     * @throws IllegalStateException the position is no patch of the log
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
        Long stored = applied == null ? null : applied.version();
        if (log instanceof FolderLog folder) {
            boolean saysNoMore = stored == null || folder.first() > 1;
            if (saysNoMore || new Checkpoints(folder).versionWith(at.id()) > 0) {
                return new Bootstrap(folder).versionOf(at.id());
            }
        } else if (stored == null) {
            return NOT_KNOWN;
        }
        long first = log.first();
        long head = log.head().version();
        if (stored > head) {
            throw gone(log, at, ": it was version " + stored + ", and the log ends with version " + head);
        }
        if (stored < first - 1) {
            throw gone(log, at, ": it was version " + stored + ", and the log begins with version " + first);
        }
        String there = stored < first ? before(log, first, stored) : id(log, stored);
        if (!at.id().equalsIgnoreCase(there)) {
            throw gone(log, at, ": it was version " + stored + ", which is " + there + " now");
        }
        return stored;
    }

    private static String id(PatchLog log, long version) throws IOException {
        try (LogEntries entries = log.fetch(version, version)) {
            LogEntry entry = entries.next();
            return entry == null ? "not there" : entry.header().idTerm();
        }
    }

    /** The id before the oldest patch that is there; where there is none, that of the log's beginning. */
    private static String before(PatchLog log, long first, long version) throws IOException {
        try (LogEntries entries = log.fetch(first, first)) {
            LogEntry entry = entries.next();
            if (entry != null) {
                return entry.header().prevTerm();
            }
        }
        Checkpoint beginning = log.checkpoint(version);
        return beginning == null ? "not there" : beginning.position();
    }

    /** The error of a position that is none of the log; {@code why} begins with a colon, where it is known. */
    static IllegalStateException gone(PatchLog log, Position at, String why) {
        return new IllegalStateException("the dataset is at " + at.id() + ", which is no patch of the log " + log.name() + why
                + "; check that this is the log that the dataset follows, and its files, by jellybridge log check; where the "
                + "log was made anew, have an empty dataset follow it");
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

    /** Whether a patch was set aside, or taken as it is, with this content. */
    private static boolean isNoted(String name, String hash, List<String> notes) {
        return notes.stream().map(SetAside::parse)
                .anyMatch(aside -> aside != null && aside.aside().equals(name) && hash.equals(aside.hash()));
    }

    /**
     * Whether a patch that can be read is not the one with a hash. One that can't be read is of the past, as one that
     * is gone.
     */
    private static boolean isOther(LogEntry entry, String hash) throws IOException {
        try {
            return !entry.hash().equals(hash) && LogReader.fault(entry) == null;
        } catch (FormatException e) {
            return false;
        }
    }
}
