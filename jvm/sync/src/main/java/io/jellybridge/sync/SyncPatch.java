package io.jellybridge.sync;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.log.Chain;
import io.jellybridge.log.ContentHash;
import java.io.IOException;
import java.nio.file.Path;

/** A patch of a source, from the view of a follower. {@link FilePatches.Cursor} reads the patches of a source in their order. */
public interface SyncPatch extends Patches {

    /** Returns the name in messages and quarantines. It is also the position in the source if the patch has no id. */
    String name();

    /** Returns its header {@code id}, a term in canonical N-Triples; null if it has none, or can't be read. */
    String id();

    /** Returns its header {@code prev} in the same form. */
    String prev();

    /** Returns the number of rows to apply. */
    long rows();

    /** Returns the number of rows, including headers, that were applied before the patch grew. */
    default long applied() {
        return 0;
    }

    /** Returns the approximate size in bytes as stored. */
    long bytes();

    /** Returns the reason why it can't be read; null if it can. */
    RuntimeException fault();

    /**
     * Opens only this patch, without the rows that were applied before. The caller must close the source.
     *
     * @throws IOException it can't be read
     */
    @Override
    <T> PatchSource<T> open(TermFactory<T> terms) throws IOException;

    /** Returns its file, readable or not; null if it is not in a file. */
    Path file();

    /** Returns the SHA-256 of that file, in hexadecimal digits; null if unknown, or the file was not read to its end. */
    default String fileHash() {
        return null;
    }

    /** Returns its version in its log; null if it is in none. */
    default Long version() {
        return null;
    }

    /** Returns its place in the history of that log; null if it is in none, or can't be read. */
    default Chain chain() {
        return null;
    }

    /**
     * The content of a patch.
     *
     * @param rows the number of rows, including headers
     * @param hash the hash of the rows, see {@link ContentHash}
     */
    record Content(long rows, String hash) {
    }

    /** Returns the content; null if it is not known before the patch is read. */
    default Content known() {
        return null;
    }

    /** The change of a patch since rows of it were applied. */
    enum Since {
        SAME,
        /** The applied rows are its first ones, and more follow. */
        LONGER,
        OTHER,
        /** The patch can't be read. */
        BROKEN
    }

    /** Returns the position of a dataset that has applied it: its id, or else its name as a string literal. */
    default String position() {
        return id() != null ? id() : '"' + name().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
