package io.jellybridge.sync;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.log.Chain;
import io.jellybridge.log.EntryCheck;
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.PatchHeader;
import java.io.IOException;
import java.nio.file.Path;

/** A patch of a log in a folder. It stays there. It was read once, and is the appended patch. */
record StoredPatch(String name, LogEntry entry, EntryCheck.Content said, long bytes, RuntimeException fault)
        implements SyncPatch {
    private static final EntryCheck.Content NOT_KNOWN = new EntryCheck.Content(new PatchHeader(null, null), null, 0);

    static StoredPatch of(FolderLog log, LogEntry entry) throws IOException {
        String name = log.folder().getFileName() + "#" + entry.version();
        long bytes = log.length(entry.version());
        try {
            return new StoredPatch(name, entry, EntryCheck.read(entry), bytes, null);
        } catch (RuntimeException e) {
            return new StoredPatch(name, entry, NOT_KNOWN, bytes, e);
        }
    }

    @Override
    public String id() {
        return said.header().idTerm();
    }

    @Override
    public String prev() {
        return said.header().prevTerm();
    }

    @Override
    public Long version() {
        return entry.version();
    }

    @Override
    public Chain chain() {
        return said.header().chain();
    }

    @Override
    public long rows() {
        return said.rows();
    }

    @Override
    public Content content() {
        return new Content(said.rows(), said.hash());
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
