package io.jellybridge.sync;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.log.Chain;
import io.jellybridge.log.EntryCheck;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A patch of a log. It was read once, and is the appended patch.
 *
 * @param content the headers and the content
 * @param stored  opens the patch, where the log or {@link LogSpool} keeps it
 * @param fault   the reason why it can't be read; null if it can
 * @param file    its file of its own; null if it has none
 */
record StoredPatch(String name, Long version, EntryCheck.Content content, Patches stored, long bytes, RuntimeException fault,
        Path file) implements SyncPatch {
    private static final EntryCheck.Content NOT_KNOWN = new EntryCheck.Content(new PatchHeader(null, null), null, 0);

    /** Reads a patch of a log that is read in place, which stays there. */
    static StoredPatch of(StoreLog log, LogEntry entry) throws IOException {
        String place = log.store().address();
        String name = place.substring(place.lastIndexOf('/') + 1) + "#" + entry.version();
        long bytes = log.length(entry.version());
        Patches stored = new Patches() {
            @Override
            public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
                return entry.open(terms);
            }
        };
        try {
            return new StoredPatch(name, entry.version(), EntryCheck.read(entry), stored, bytes, null, null);
        } catch (RuntimeException e) {
            return unreadable(name, entry.version(), bytes, e);
        }
    }

    /** Creates a patch that can't be read. The log keeps it. */
    static StoredPatch unreadable(String name, long version, long bytes, RuntimeException fault) {
        return new StoredPatch(name, version, NOT_KNOWN, null, bytes, fault, null);
    }

    @Override
    public String id() {
        return content.header().idTerm();
    }

    @Override
    public String prev() {
        return content.header().prevTerm();
    }

    @Override
    public Chain chain() {
        return content.header().chain();
    }

    @Override
    public long rows() {
        return content.rows();
    }

    @Override
    public Content known() {
        return new Content(content.rows(), content.hash());
    }

    @Override
    public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
        if (fault != null) {
            throw fault;
        }
        return stored.open(terms);
    }
}
