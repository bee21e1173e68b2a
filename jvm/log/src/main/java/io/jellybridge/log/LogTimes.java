package io.jellybridge.log;

import io.jellybridge.http.HttpException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The times of the versions of a log, from the headers {@code time} of its patches. Time never goes back along a log.
 *
 * <p>The clock of a writer may have been wrong. A time more than a day ahead of this machine's clock counts as none. Of the
 * others, those of the longest sequence that does not go back are right. A version with another time, or without one, has the
 * time of the last right version before it.
 */
public final class LogTimes {
    private static final Duration AHEAD = Duration.ofDays(1);
    /** The usual difference of two clocks, which is no reason for a warning. */
    private static final Duration SKEW = Duration.ofSeconds(1);

    private final String log;
    private final long first;
    private final long head;
    /** The time in each patch. */
    private final NavigableMap<Long, Instant> said;
    /** The times that are right, by version. */
    private final NavigableMap<Long, Instant> times;
    /** The last of these versions at each time. */
    private final NavigableMap<Instant, Long> versions = new TreeMap<>();

    /** The latest time that a right clock can have said. */
    private final Instant limit = Instant.now().plus(AHEAD);

    /** Creates the times of a log from those in its patches. */
    LogTimes(String log, long first, long head, NavigableMap<Long, Instant> said) {
        this.log = log;
        this.first = first;
        this.head = head;
        this.said = said;
        times = longestAscending(said.entrySet().stream().filter(time -> !time.getValue().isAfter(limit)).toList());
        times.forEach((version, time) -> versions.put(time, version));
    }

    /** Reads the times of all versions in the log. */
    public static LogTimes of(PatchLog log) throws IOException {
        long first = log.first();
        long head = log.head().version();
        NavigableMap<Long, Instant> said = new TreeMap<>();
        Checkpoint base = findBase(log, first);
        if (base != null && base.time() != null) {
            said.put(base.version(), base.time());
        }
        log.forEach(first, head, entry -> {
            Instant time = timeOf(entry);
            if (time != null) {
                said.put(entry.version(), time);
            }
        });
        return new LogTimes(log.name(), first, head, said);
    }

    /** Returns the newest checkpoint before the first patch; null if there is none, or it is damaged. */
    private static Checkpoint findBase(PatchLog log, long first) throws IOException {
        try {
            return log.findCheckpoint(first - 1);
        } catch (HttpException e) {
            throw e; // no damage: its server is in trouble, or refuses
        } catch (IOException e) {
            return null; // a reader of its state gets the error
        }
    }

    /** Returns the longest sequence of times that does not go back; of several, the one that begins latest. */
    private static NavigableMap<Long, Instant> longestAscending(List<Map.Entry<Long, Instant>> all) {
        // From the end: of the sequences of each length the one that begins latest, and for each time the place after it.
        List<Integer> begins = new ArrayList<>();
        int[] after = new int[all.size()];
        for (int place = after.length - 1; place >= 0; place--) {
            Instant time = all.get(place).getValue();
            int length = 0;
            for (int to = begins.size(); length < to;) {
                int middle = (length + to) >>> 1;
                if (all.get(begins.get(middle)).getValue().isBefore(time)) {
                    to = middle;
                } else {
                    length = middle + 1;
                }
            }
            after[place] = length == 0 ? -1 : begins.get(length - 1);
            if (length == begins.size()) {
                begins.add(place);
            } else {
                begins.set(length, place);
            }
        }
        NavigableMap<Long, Instant> right = new TreeMap<>();
        for (int place = begins.isEmpty() ? -1 : begins.get(begins.size() - 1); place >= 0; place = after[place]) {
            right.put(all.get(place).getKey(), all.get(place).getValue());
        }
        return right;
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
        requireTimes();
        long version = before(time, true);
        if (version < first && versions.firstKey().isAfter(time)) {
            throw new IllegalArgumentException("nothing is known of " + log + " at " + time + ": its first time is "
                    + versions.firstKey() + "; ask for that time or later, or for a version");
        }
        return version;
    }

    /**
     * Returns the newest version at a time. Returns the first version minus 1 if there was none yet, or if the log has no patch.
     *
     * @throws IllegalArgumentException no patch has a time
     */
    public long atOrBeforeFirst(Instant time) {
        if (first <= head) {
            requireTimes();
        }
        return before(time, true);
    }

    private void requireTimes() {
        if (versions.isEmpty()) {
            throw new IllegalArgumentException("no patch of " + log + " has a header time" + (said.isEmpty() ? ""
                    : " up to this machine's clock") + ", so nothing says when it was; ask for a version");
        }
    }

    /**
     * Returns the last version before a time, or also at it if inclusive. Returns the first version minus 1 if there is none.
     */
    public long before(Instant time, boolean inclusive) {
        NavigableMap.Entry<Instant, Long> found = inclusive ? versions.floorEntry(time) : versions.lowerEntry(time);
        return found == null ? first - 1 : lastAt(found.getValue());
    }

    /**
     * Returns the first version after a time, or also at it if inclusive. If the log's times begin later, that is version 1,
     * even if it is not in the log.
     */
    public long after(Instant time, boolean inclusive) {
        NavigableMap.Entry<Instant, Long> found = inclusive ? versions.lowerEntry(time) : versions.floorEntry(time);
        return found == null ? 1 : lastAt(found.getValue()) + 1;
    }

    private long lastAt(long version) {
        Long next = times.higherKey(version);
        return next == null ? head : next - 1;
    }

    /**
     * Returns the first version that a pruning up to a time must keep. It keeps a patch that says a later time itself, even if
     * that time seems wrong, unless it is far ahead.
     */
    public long firstToKeep(Instant time) {
        long kept = before(time, false) + 1;
        return said.headMap(kept, false).entrySet().stream()
                .filter(patch -> !patch.getValue().isBefore(time) && !patch.getValue().isAfter(limit))
                .mapToLong(Map.Entry::getKey).findFirst().orElse(kept);
    }

    /** Returns a sentence about the patches whose clock was wrong by over a second; null if there are none. */
    public String wrongClocks() {
        List<Map.Entry<Long, Instant>> wrong = said.entrySet().stream().filter(this::isWrong).toList();
        if (wrong.isEmpty()) {
            return null;
        }
        long version = wrong.get(0).getKey();
        Instant time = wrong.get(0).getValue();
        return log + ": the clock of " + wrong.size() + (wrong.size() == 1 ? " patch" : " patches") + " was wrong, first of version "
                + version + ": its time is " + PatchTimes.MILLISECONDS.format(time) + ", "
                + (time.isAfter(limit) ? "ahead of this machine's clock" : "and the times around it say otherwise")
                + "; such a version counts as of the time of the one before it";
    }

    private boolean isWrong(Map.Entry<Long, Instant> patch) {
        Instant counted = of(patch.getKey());
        return counted == null || Duration.between(counted, patch.getValue()).abs().compareTo(SKEW) > 0;
    }

    /** Returns the time in a patch; null if it has none, or can't be read. */
    private static Instant timeOf(LogEntry entry) throws IOException {
        try {
            return entry.header().time();
        } catch (RuntimeException e) {
            return null; // a reader of the patch itself gets the error
        }
    }
}
