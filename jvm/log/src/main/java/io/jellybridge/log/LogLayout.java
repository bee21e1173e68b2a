package io.jellybridge.log;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Says in which file of a log each version is. There is one rule, for all who read a log, check it, or take files away: <b>a
 * version is in the file with the largest name up to it that goes as far as it.</b> Where another file has the version too, as
 * a compaction leaves it that was cut off, both have the same patch; else nobody reads either, see {@link StoredPatches#layout}.
 */
final class LogLayout {
    /** With which version each file begins, and with which it ends. */
    private final NavigableMap<Long, Long> files;

    LogLayout(Map<Long, Long> files) {
        this.files = new TreeMap<>(files);
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    /** With which versions files begin, from the oldest, and with which they end. */
    NavigableMap<Long, Long> files() {
        return files;
    }

    /** The oldest version. */
    long first() {
        return files.firstKey();
    }

    /** The newest version. */
    long last() {
        return files.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** The version that the file begins with which has a version; 0: there is none. */
    long fileWith(long version) {
        for (Map.Entry<Long, Long> file : files.headMap(version, true).descendingMap().entrySet()) {
            if (file.getValue() >= version) {
                return file.getKey();
            }
        }
        return 0;
    }

    /** The first version that is missing between others; 0: none is. */
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

    /** Is told of two files that have the same versions. */
    @FunctionalInterface
    interface Overlap<E extends Exception> {

        /**
         * @param before that of the file which begins before
         * @param file   that of the other one
         * @param last   the last version that is in both; the first is the one that {@code file} begins with
         */
        void found(long before, long file, long last) throws E;
    }

    /** Finds files that have versions which are in one before them. */
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
