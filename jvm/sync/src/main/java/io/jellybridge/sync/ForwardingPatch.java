package io.jellybridge.sync;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.log.Chain;
import java.io.IOException;
import java.nio.file.Path;

/** A patch that delegates to another one, and overrides some of its methods. */
interface ForwardingPatch extends SyncPatch {

    /** Returns the other patch. */
    SyncPatch patch();

    @Override
    default String name() {
        return patch().name();
    }

    @Override
    default String id() {
        return patch().id();
    }

    @Override
    default String prev() {
        return patch().prev();
    }

    @Override
    default Long version() {
        return patch().version();
    }

    @Override
    default Chain chain() {
        return patch().chain();
    }

    @Override
    default long rows() {
        return patch().rows();
    }

    @Override
    default long bytes() {
        return patch().bytes();
    }

    @Override
    default RuntimeException fault() {
        return patch().fault();
    }

    @Override
    default Content content() throws IOException {
        return patch().content();
    }

    @Override
    default <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
        return patch().open(terms);
    }

    @Override
    default Path file() {
        return patch().file();
    }

    @Override
    default String fileHash() {
        return patch().fileHash();
    }
}
