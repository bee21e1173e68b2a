package io.jellybridge.log;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;

/** A patch in a log. It can be read any number of times. */
public interface LogEntry {

    long version();

    /** Returns the id of the log that it is in; null: the patches of that have no header {@code chain}. */
    default String log() throws IOException {
        return null;
    }

    /**
     * The ids that the patch says.
     *
     * @throws IOException      the patch can't be had
     * @throws RuntimeException the patch can't be read as far as that: the error of its format
     */
    PatchHeader header() throws IOException;

    /**
     * What the patch says, whatever its ids are and the format that it is written in, see {@link ContentHash}.
     *
     * @throws IOException      the patch can't be had
     * @throws RuntimeException the patch can't be read: the error of its format
     */
    String hash() throws IOException;

    /** How many rows it has, headers too; the errors are those of {@link #hash()}. */
    long rows() throws IOException;

    /**
     * Opens the patch; the caller closes it.
     *
     * @throws IOException the patch can't be had
     */
    <T> PatchSource<T> open(TermFactory<T> terms) throws IOException;

    /** What messages call it. */
    String name();
}
