package io.jellybridge.sync;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.PatchHeader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The patches of a log in a folder that a dataset has not applied. They stay where they are; of those that the log's index
 * knows none is read before it is applied.
 *
 * @param applied how many patches of the log are before them
 */
public record LogPatches(long applied, List<SyncPatch> patches) {

    /**
     * Looks up where a dataset is.
     *
     * @param position null: it has applied none
     * @throws IllegalStateException it is at none of the log's patches
     */
    public static LogPatches behind(FolderLog log, String position) throws IOException {
        long version = new Bootstrap(log).versionOf(position);
        List<SyncPatch> patches = new ArrayList<>();
        try (LogEntries entries = log.fetch(version + 1, Long.MAX_VALUE)) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                patches.add(Stored.of(log, entry));
            }
        }
        return new LogPatches(Math.max(0, version - log.first() + 1), patches);
    }

    /** A patch of the log. */
    private record Stored(String name, LogEntry entry, PatchHeader header, long rows, long bytes, RuntimeException fault)
            implements SyncPatch {

        static Stored of(FolderLog log, LogEntry entry) throws IOException {
            String name = log.folder().getFileName() + "#" + entry.version();
            long bytes = log.length(entry.version());
            try {
                return new Stored(name, entry, entry.header(), entry.rows(), bytes, null);
            } catch (RuntimeException e) {
                return new Stored(name, entry, new PatchHeader(null, null), 0, bytes, e);
            }
        }

        @Override
        public String id() {
            return term(header.id());
        }

        @Override
        public String prev() {
            return term(header.prev());
        }

        private static String term(String uuid) {
            return uuid == null ? null : "<urn:uuid:" + uuid + ">";
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return entry.open(terms);
        }

        @Override
        public Path file() {
            return null; // the log keeps it
        }
    }
}
