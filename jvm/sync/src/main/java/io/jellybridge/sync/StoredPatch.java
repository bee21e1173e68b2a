package io.jellybridge.sync;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogReader;
import io.jellybridge.log.PatchHeader;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A patch of a log in a folder. It stays where it is; where the log's index knows it, it is not read before it is
 * applied.
 */
record StoredPatch(String name, LogEntry entry, PatchHeader header, long rows, long bytes, RuntimeException fault)
        implements SyncPatch {
    /** The most rows that a stand-in for a lost patch has: id, prev, time, and why it was lost. */
    private static final long ROWS_OF_STAND_IN = 4;
    private static final PatchHeader NOT_KNOWN = new PatchHeader(null, null);

    static StoredPatch of(FolderLog log, LogEntry entry) throws IOException {
        String name = log.folder().getFileName() + "#" + entry.version();
        long bytes = log.length(entry.version());
        try {
            long rows = entry.rows();
            // The index knows a stand-in as it knows any patch.
            RuntimeException fault = rows <= ROWS_OF_STAND_IN ? LogReader.fault(entry) : null;
            return new StoredPatch(name, entry, fault == null ? entry.header() : NOT_KNOWN, rows, bytes, fault);
        } catch (RuntimeException e) {
            return new StoredPatch(name, entry, NOT_KNOWN, 0, bytes, e);
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

    /** The id of a patch of a log as headers, and positions, have it; null for null. */
    static String term(String uuid) {
        return uuid == null ? null : "<urn:uuid:" + uuid + ">";
    }

    @Override
    public Long version() {
        return entry.version();
    }

    @Override
    public Content content() throws IOException {
        return new Content(entry.rows(), entry.hash());
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
