package io.jellybridge.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;

/**
 * Deletes the oldest files of a {@link FolderLog}. It deletes the oldest first, so a crash leaves a log that was pruned less
 * far. Others can read and append meanwhile. The caller must make sure that a checkpoint covers the deleted patches.
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
    public static long oldest(FolderLog log) throws IOException {
        NavigableMap<Long, Long> files = log.patches().layout().files();
        return files.size() < 2 ? 0 : files.firstEntry().getValue();
    }

    /**
     * Deletes files whose last version is not above the given one. The file of the head stays.
     *
     * @throws IllegalStateException another process deletes or joins files
     * @throws IOException           a file can't be deleted; the files before it are deleted
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
                    break; // also if later files end earlier, which an interrupted compaction can leave
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
