package io.jellybridge.sync;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.PatchHeader;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A patch of a log in a folder. It stays where it is; where the log's index knows it, it is not read before it is
 * applied.
 */
record StoredPatch(String name, LogEntry entry, PatchHeader header, long rows, long bytes, RuntimeException fault)
        implements SyncPatch {
    private static final PatchHeader NOT_KNOWN = new PatchHeader(null, null);

    static StoredPatch of(FolderLog log, LogEntry entry) throws IOException {
        String name = log.folder().getFileName() + "#" + entry.version();
        long bytes = log.length(entry.version());
        try {
            return new StoredPatch(name, entry, entry.header(), entry.rows(), bytes, null);
        } catch (RuntimeException e) {
            return new StoredPatch(name, entry, NOT_KNOWN, 0, bytes, e);
        }
    }

    @Override
    public String id() {
        return header.idTerm();
    }

    @Override
    public String prev() {
        return header.prevTerm();
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
