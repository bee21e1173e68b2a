package io.jellybridge.log;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Maps each version of a log to its file. All code that reads a log, verifies it or deletes files uses this rule: <b>a version
 * is in the file with the largest name up to it that reaches it.</b> An interrupted compaction can leave the version in
 * another file, too. Both then have the same patch; otherwise neither is read, see {@link StoredPatches#layout}.
 */
final class LogLayout {
    /** The first version of each file, with its last version. */
    private final NavigableMap<Long, Long> files;

    LogLayout(Map<Long, Long> files) {
        this.files = new TreeMap<>(files);
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    /** Returns the first version of each file, from the oldest, with its last version. */
    NavigableMap<Long, Long> files() {
        return files;
    }

    /** Returns the oldest version. */
    long first() {
        return files.firstKey();
    }

    /** Returns the newest version. */
    long last() {
        return files.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Returns the first version of the file that has a version; 0 if there is none. */
    long fileWith(long version) {
        for (Map.Entry<Long, Long> file : files.headMap(version, true).descendingMap().entrySet()) {
            if (file.getValue() >= version) {
                return file.getKey();
            }
        }
        return 0;
    }

    /** Returns the first version that is missing between others; 0 if none is missing. */
    long missing() {
        long last = first() - 1;
        for (Map.Entry<Long, Long> file : files.entrySet()) {
            if (file.getKey() > last + 1) {
                return last + 1;
            }
            last = Math.max(last, file.getValue());
        }
        return 0;
    }

    /** Receives two files that have versions in common. */
    @FunctionalInterface
    interface Overlap<E extends Exception> {

        /**
         * Receives two files.
         *
         * @param before the first version of the earlier file
         * @param file   the first version of the other file, which is the first in both
         * @param last   the last version in both
         */
        void found(long before, long file, long last) throws E;
    }

    /** Finds files with versions that an earlier file has, too. */
    <E extends Exception> void overlaps(Overlap<E> overlap) throws E {
        long longest = 0;
        for (Map.Entry<Long, Long> file : files.entrySet()) {
            if (longest > 0 && file.getKey() <= files.get(longest)) {
                overlap.found(longest, file.getKey(), Math.min(file.getValue(), files.get(longest)));
            }
            if (longest == 0 || file.getValue() >= files.get(longest)) {
                longest = file.getKey();
            }
        }
    }
}
