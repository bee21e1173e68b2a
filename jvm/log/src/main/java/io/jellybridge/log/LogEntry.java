package io.jellybridge.log;

import io.jellybridge.codec.Patches;
import java.io.IOException;

/** A patch in a log. It can be read any number of times. */
public interface LogEntry extends Patches {

    long version();

    /** Returns the id of its log; null if the patches of the log have no header {@code chain}. */
    default String log() throws IOException {
        return null;
    }

    /**
     * Returns the headers of the patch.
     *
     * @throws IOException      the patch is not available
     * @throws RuntimeException its headers can't be read (the error of its format)
     */
    PatchHeader header() throws IOException;

    /**
     * Returns the hash of the content, which does not depend on its ids or its format, see {@link ContentHash}.
     *
     * @throws IOException      the patch is not available
     * @throws RuntimeException the patch can't be read (the error of its format)
     */
    String hash() throws IOException;

    /** Returns the number of rows, including headers. It throws the errors of {@link #hash()}. */
    long rows() throws IOException;

    /** Returns the name in messages. */
    String name();
}
