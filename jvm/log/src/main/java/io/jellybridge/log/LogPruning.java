package io.jellybridge.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.stream.Stream;

/**
 * Deletes the oldest objects of a log. It deletes the oldest first, so a crash leaves a log that was pruned less
 * far. Others can read and append meanwhile, and compact in a store without locks. The caller must make sure that a checkpoint
 * is complete that covers the deleted patches.
 */
public final class LogPruning {

    private LogPruning() {
    }

    /**
     * The result of a pruning.
     *
     * @param first    the first version that is left
     * @param versions the number of deleted patches
     * @param files    the number of deleted files
     * @param bytes    the number of deleted bytes
     */
    public record Report(long first, long versions, int files, long bytes) {
    }

    /**
     * Returns the last version of the oldest file, if that file may be deleted at all.
     *
     * @return 0 if it is the only file
     */
    public static long findOldest(StoreLog log) throws IOException {
        Collection<LogObject> objects = log.patches().layout().objects();
        return objects.size() < 2 ? 0 : objects.iterator().next().last();
    }

    /**
     * Deletes objects whose last version is not above the given one. The object of the head stays.
     *
     * @param covering the version of the checkpoint that covers the deleted patches; 0 to look for none
     * @throws LogBusyException      another process deletes or joins objects
     * @throws IllegalStateException there is no such checkpoint any more, or a repair took its patch away meanwhile
     * @throws IOException           the checkpoint is of another history now; or an object can't be deleted, and those before it
     *                               are deleted
     */
    public static Report run(StoreLog log, long last, long covering) throws IOException {
        LogStore store = log.store();
        try (Closeable lock = store.lockForCompaction()) {
            if (lock == null) {
                throw LogBusyException.ofCompaction(log.name());
            }
            VersionMap layout = log.patches().rereadLayout();
            if (covering > 0 && new Checkpoints(log).at(covering) == null) {
                throw new IllegalStateException(log.name() + ": version " + covering + " or its checkpoint is gone; prune once more");
            }
            if (layout.isEmpty()) {
                return new Report(1, 0, 0, 0);
            }
            long before = layout.first();
            long first = before;
            int removed = 0;
            long bytes = 0;
            for (LogObject object : layout.objects()) {
                first = Math.max(first, object.first());
                if (object.last() > last || object.last() == layout.last()) {
                    break;
                }
                for (LogObject copy : layout.covered()) {
                    if (object.has(copy.last())) {
                        store.delete(copy.name()); // else they would be the first ones
                    }
                }
                bytes += Math.max(0, store.lengthOf(object.name()));
                store.delete(object.name());
                removed++;
            }
            first = store.hasLocks() ? first : removeJoined(log, first);
            return new Report(first, first - before, removed, bytes);
        }
    }

    /** Deletes what a compaction has joined meanwhile of deleted objects. Returns the first version that is left. */
    private static long removeJoined(StoreLog log, long first) throws IOException {
        VersionMap layout = log.patches().readMap();
        long left = first;
        for (LogObject object : Stream.concat(layout.covered().stream(), layout.objects().stream()).toList()) {
            if (object.last() < first) {
                log.store().delete(object.name());
            } else {
                left = Math.min(left, object.first());
            }
        }
        return left;
    }
}
