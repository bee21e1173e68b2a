package io.jellybridge.sync;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;
import java.nio.file.Path;

/** One patch of a source, as a follower sees it. It can be read any number of times. */
public interface SyncPatch {

    /** What messages and quarantine call it; of a patch without an id, also its position in the source. */
    String name();

    /** Its header {@code id}, a term in canonical N-Triples; null when it has none, or can't be read. */
    String id();

    /** Its header {@code prev}, likewise. */
    String prev();

    /** How many change rows it has. */
    long rows();

    /** About how many bytes it takes where it is stored. */
    long bytes();

    /** Why it can't be read; null when it can. */
    RuntimeException fault();

    /**
     * Opens it, alone; the caller closes the source.
     *
     * @throws IOException it can't be read
     */
    <T> PatchSource<T> open(TermFactory<T> terms) throws IOException;

    /** The file that it is stored in, readable or not; null: it is elsewhere. */
    Path file();

    /** Where a dataset is that has applied it: its id, or else its name as a string literal. */
    default String position() {
        return id() != null ? id() : '"' + name().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
