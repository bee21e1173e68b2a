package io.jellybridge.sync;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;
import java.nio.file.Path;

/** A patch of a log, by its version there. */
record LogPatch(Long version, SyncPatch patch) implements SyncPatch {

    @Override
    public String name() {
        return patch.name();
    }

    @Override
    public String id() {
        return patch.id();
    }

    @Override
    public String prev() {
        return patch.prev();
    }

    @Override
    public long rows() {
        return patch.rows();
    }

    @Override
    public long bytes() {
        return patch.bytes();
    }

    @Override
    public RuntimeException fault() {
        return patch.fault();
    }

    @Override
    public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
        return patch.open(terms);
    }

    @Override
    public Path file() {
        return patch.file();
    }
}
