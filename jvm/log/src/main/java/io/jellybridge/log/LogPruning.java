package io.jellybridge.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;

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
        NavigableMap<Long, Long> files = log.patches().layout().files();
        return files.size() < 2 ? 0 : files.firstEntry().getValue();
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
            LogLayout layout = log.patches().layoutAnew();
            if (layout.isEmpty()) {
                return new Report(1, 0, 0, 0);
            }
            long head = layout.last();
            long before = layout.first();
            long first = before;
            int removed = 0;
            long bytes = 0;
            for (Map.Entry<Long, Long> next : layout.files().entrySet()) {
                if (next.getValue() > last || next.getValue() == head) {
                    break; // also where those behind it have less, as a compaction leaves them that died
                }
                Path file = files.file(next.getKey());
                bytes += Files.size(file);
                Files.delete(file);
                removed++;
                first = layout.files().higherKey(next.getKey());
            }
            files.force();
            return new Report(first, first - before, removed, bytes);
        }
    }
}
