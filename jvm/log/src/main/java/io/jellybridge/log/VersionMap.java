package io.jellybridge.log;

import io.jellybridge.codec.Io;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Maps each version of a log to its object. All code that reads a log, verifies it or deletes objects uses this rule: <b>a
 * version is in the object that covers it, and that no other object covers.</b> If two of these overlap, it is in the earlier
 * one. An interrupted compaction can leave the version in another object, too. Both then have the same patch; otherwise neither
 * is read, see {@link StoredPatches#layout}.
 */
final class VersionMap {
    /** The objects that no other one covers, by their first versions. Their last versions increase, too. */
    private final NavigableMap<Long, LogObject> objects = new TreeMap<>();
    private final List<LogObject> covered = new ArrayList<>();

    VersionMap(Collection<LogObject> found) {
        List<LogObject> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingLong(LogObject::first).thenComparing(LogObject::last, Comparator.reverseOrder()));
        for (LogObject object : sorted) {
            if (object.last() <= last()) {
                covered.add(object);
            } else {
                objects.put(object.first(), object);
            }
        }
    }

    /**
     * Returns the layout of the objects that have these names, among others. It counts the patches of the last two objects, and
     * of those that the next one does not follow at once. A name that does follow at once was created when the one before it
     * had one patch.
     */
    static VersionMap of(Collection<String> names, Io.Function<LogObject, Integer> counter) throws IOException {
        List<LogObject> found = new ArrayList<>(names.stream().map(LogObject::parseName).filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(LogObject::first)).toList());
        for (int i = 0; i < found.size(); i++) {
            LogObject object = found.get(i);
            if (object.isCounted() && (i + 2 >= found.size() || found.get(i + 1).first() != object.first() + 1)) {
                found.set(i, object.withCount(counter.apply(object)));
            }
        }
        return new VersionMap(found);
    }

    /** Returns the layout by the names alone, for an estimate: each object goes on up to the next one. */
    static VersionMap estimate(Collection<String> names) {
        VersionMap layout = new VersionMap(names.stream().map(LogObject::parseName).filter(Objects::nonNull).toList());
        long next = Long.MAX_VALUE;
        for (LogObject object : List.copyOf(layout.objects.descendingMap().values())) {
            if (object.isCounted()) {
                layout.objects.put(object.first(), new LogObject(object.first(), next - 1, object.name()));
            }
            next = object.first();
        }
        return layout;
    }

    boolean isEmpty() {
        return objects.isEmpty();
    }

    /** Returns the objects that no other one covers, from the oldest. */
    Collection<LogObject> objects() {
        return objects.values();
    }

    /** Returns the objects that another one covers, from the oldest. */
    List<LogObject> covered() {
        return covered;
    }

    /** Returns the oldest version. */
    long first() {
        return objects.firstKey();
    }

    /** Returns the newest version; 0 if there is none. */
    long last() {
        return objects.isEmpty() ? 0 : objects.lastEntry().getValue().last();
    }

    /** Returns the object that has a version; null if there is none. */
    LogObject objectWith(long version) {
        LogObject found = null;
        for (LogObject object : objects.headMap(version, true).descendingMap().values()) {
            if (!object.has(version)) {
                break;
            }
            found = object;
        }
        return found;
    }

    /** Returns the first version that is missing between others; 0 if none is missing. */
    long missing() {
        long last = first() - 1;
        for (LogObject object : objects.values()) {
            if (object.first() > last + 1) {
                return last + 1;
            }
            last = object.last();
        }
        return 0;
    }

    /** Receives two objects that have versions in common. */
    @FunctionalInterface
    interface Overlap {

        /**
         * Receives two objects.
         *
         * @param before the one that counts
         * @param object the other one
         */
        void onFound(LogObject before, LogObject object) throws IOException;
    }

    /** Finds objects with versions that another one has, too. */
    void findOverlaps(Overlap overlap) throws IOException {
        for (LogObject object : covered) {
            overlap.onFound(objects.floorEntry(object.first()).getValue(), object);
        }
        LogObject before = null;
        for (LogObject object : objects.values()) {
            if (before != null && object.first() <= before.last()) {
                overlap.onFound(before, object);
            }
            before = object;
        }
    }
}
