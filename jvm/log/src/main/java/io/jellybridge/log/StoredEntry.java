package io.jellybridge.log;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;

/** A patch in a log. Its headers are read on first use. */
abstract class StoredEntry implements LogEntry {
    private final long version;
    /** The headers; null if not read yet. */
    private PatchHeader header;

    StoredEntry(long version) {
        this.version = version;
    }

    @Override
    public final long version() {
        return version;
    }

    @Override
    public PatchHeader header() throws IOException {
        if (header == null) {
            try (PatchSource<byte[]> patch = open(new Utf8Terms())) {
                header = HeaderReader.readHeader(patch);
            }
        }
        return header;
    }

    /**
     * Returns the headers of a patch that a log has appended.
     *
     * @throws IOException it has no id or no chain
     */
    final PatchHeader headerInLog() throws IOException {
        PatchHeader found = header();
        if (found.id() == null || found.chain() == null) {
            throw new IOException(name() + " has no header " + (found.id() == null ? "id" : "chain")
                    + ", so it is no patch of a log; check the log");
        }
        return found;
    }

    @Override
    public String hash() throws IOException {
        return EntryCheck.read(this).hash();
    }

    @Override
    public long rows() throws IOException {
        return EntryCheck.read(this).rows();
    }
}
