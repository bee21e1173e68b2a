package io.jellybridge.log;

import java.io.IOException;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * When the versions of a log came to be, by the headers {@code time} of its patches. Time does not go back along a log:
 * where a patch says an earlier time than one before it, or none, it has the time of that one.
 */
public final class LogTimes {
    private final String log;
    private final long first;
    /** Each time, and the last version that came by then. */
    private final NavigableMap<Instant, Long> versions = new TreeMap<>();
    /** Versions with times, as they grow. */
    private final NavigableMap<Long, Instant> times = new TreeMap<>();

    private LogTimes(String log, long first) {
        this.log = log;
        this.first = first;
    }

    /** Of all versions that there are. */
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

    /** When a version came to be; null: neither it nor one before it says so. */
    public Instant of(long version) {
        NavigableMap.Entry<Long, Instant> found = times.floorEntry(version);
        return found == null ? null : found.getValue();
    }

    /**
     * The last version that was there at a time.
     *
     * @throws IllegalArgumentException there was none yet, or no patch says a time
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

    /** The last version that was there before a time, or by then; one less than the first version where there was none. */
    public long before(Instant time, boolean inclusive) {
        NavigableMap.Entry<Instant, Long> found = inclusive ? versions.floorEntry(time) : versions.lowerEntry(time);
        return found == null ? first - 1 : found.getValue();
    }

    /**
     * Returns the first version that came after a time, or at it. Where nothing is known of a time that early, that is version
     * 1, be it there or not.
     */
    public long after(Instant time, boolean inclusive) {
        NavigableMap.Entry<Instant, Long> found = inclusive ? versions.lowerEntry(time) : versions.floorEntry(time);
        return found == null ? 1 : found.getValue() + 1;
    }

    /** The time that a patch says; null: none, or the patch can't be read. */
    private static Instant time(LogEntry entry) throws IOException {
        try {
            return entry.header().time();
        } catch (RuntimeException e) {
            return null; // who reads the patch itself is told
        }
    }
}
