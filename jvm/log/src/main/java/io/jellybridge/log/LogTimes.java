package io.jellybridge.log;

import java.io.IOException;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The times of the versions of a log, from the headers {@code time} of its patches. Time never goes back along a log: a patch
 * with an earlier time, or without one, has the time of the patch before it.
 */
public final class LogTimes {
    private final String log;
    private final long first;
    /** The last version at each time. */
    private final NavigableMap<Instant, Long> versions = new TreeMap<>();
    /** The time of each version, from the first version with a time on. */
    private final NavigableMap<Long, Instant> times = new TreeMap<>();

    private LogTimes(String log, long first) {
        this.log = log;
        this.first = first;
    }

    /** Reads the times of all versions in the log. */
    public static LogTimes of(PatchLog log) throws IOException {
        LogTimes times = new LogTimes(log.name(), log.first());
        Checkpoint base = log.checkpoint(times.first - 1);
        if (base != null) {
            times.add(base.version(), base.time());
        }
        try (LogEntries entries = log.fetch(times.first, log.head().version())) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                times.add(entry.version(), time(entry));
            }
        }
        return times;
    }

    private void add(long version, Instant said) {
        Instant last = times.isEmpty() ? null : times.lastEntry().getValue();
        Instant time = said == null || last != null && said.isBefore(last) ? last : said;
        if (time != null) {
            times.put(version, time);
            versions.put(time, version);
        }
    }

    /** Returns the time of a version; null if neither it nor an earlier version has one. */
    public Instant of(long version) {
        NavigableMap.Entry<Long, Instant> found = times.floorEntry(version);
        return found == null ? null : found.getValue();
    }

    /**
     * Returns the newest version at a time.
     *
     * @throws IllegalArgumentException there was none yet, or no patch has a time
     */
    public long at(Instant time) {
        if (versions.isEmpty()) {
            throw new IllegalArgumentException(
                    "no patch of " + log + " has a header time, so nothing says when it was; ask for a version");
        }
        long version = before(time, true);
        if (version < first && versions.firstKey().isAfter(time)) {
            throw new IllegalArgumentException("nothing is known of " + log + " at " + time + ": its first time is "
                    + versions.firstKey() + "; ask for that time or later, or for a version");
        }
        return version;
    }

    /**
     * Returns the last version before a time, or also at it if inclusive. Returns the first version minus 1 if there is none.
     */
    public long before(Instant time, boolean inclusive) {
        NavigableMap.Entry<Instant, Long> found = inclusive ? versions.floorEntry(time) : versions.lowerEntry(time);
        return found == null ? first - 1 : found.getValue();
    }

    /**
     * Returns the first version after a time, or also at it if inclusive. If the log's times begin later, that is version 1,
     * even if it is not in the log.
     */
    public long after(Instant time, boolean inclusive) {
        NavigableMap.Entry<Instant, Long> found = inclusive ? versions.lowerEntry(time) : versions.floorEntry(time);
        return found == null ? 1 : found.getValue() + 1;
    }

    /** Returns the time in a patch; null if it has none, or can't be read. */
    private static Instant time(LogEntry entry) throws IOException {
        try {
            return entry.header().time();
        } catch (RuntimeException e) {
            return null; // a reader of the patch itself gets the error
        }
    }
}
