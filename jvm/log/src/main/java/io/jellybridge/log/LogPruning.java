package io.jellybridge.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableSet;

/**
 * Takes the oldest files of a {@link FolderLog} away, the oldest first: whoever dies between leaves a log that begins less
 * late. Others read and append meanwhile. That something stands for what goes is for the caller to see to.
 */
public final class LogPruning {

    private LogPruning() {
    }

    /**
     * What was taken away.
     *
     * @param first    the first version that is there now
     * @param versions how many patches went
     * @param files    in how many files
     * @param bytes    how many bytes these had
     */
    public record Report(long first, long versions, int files, long bytes) {
    }

    /**
     * The last version that goes with the oldest file, where that may go at all.
     *
     * @return 0: it is the only one
     */
    public static long oldest(FolderLog log) throws IOException {
        NavigableSet<Long> firsts = log.files().firsts();
        return firsts.size() < 2 ? 0 : firsts.higher(firsts.first()) - 1;
    }

    /**
     * Takes files away whose patches are all of versions up to one. The file with the head stays.
     *
     * @throws IllegalStateException another process takes files away, or joins them
     * @throws IOException           a file can't be taken away; those before it are
     */
    public static Report run(FolderLog log, long last) throws IOException {
        LogFolder files = log.files();
        try (FolderLock lock = files.lockForCompaction()) {
            if (lock == null) {
                throw new IllegalStateException(log.name() + ": a compaction or pruning of this log is under way; let it end");
            }
            NavigableSet<Long> firsts = files.firsts();
            if (firsts.isEmpty()) {
                return new Report(1, 0, 0, 0);
            }
            long first = firsts.first();
            int removed = 0;
            long bytes = 0;
            // Of a version that is in two files, since a compaction died, the later one has it, too.
            for (Long next = firsts.higher(first); next != null && next - 1 <= last; next = firsts.higher(next)) {
                Path file = files.file(first);
                bytes += Files.size(file);
                Files.delete(file);
                removed++;
                first = next;
            }
            files.force();
            return new Report(first, first - firsts.first(), removed, bytes);
        }
    }
}
