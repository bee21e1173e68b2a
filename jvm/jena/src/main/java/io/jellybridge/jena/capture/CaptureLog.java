package io.jellybridge.jena.capture;

import io.jellybridge.log.ChainPlace;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.jena.graph.Node;

/** The log of a capture. One thread may call at a time, except where a method says otherwise. */
interface CaptureLog {
    /** The beginning of the IRIs of patches, which their UUIDs follow. */
    String ID_SCHEME = "urn:uuid:";

    /** Returns the log, for reading the patches that are visible; null if it is one file. */
    default StoreLog log() {
        return null;
    }

    /** Returns true if the log was created here. */
    default boolean isNew() {
        return true;
    }

    /** Returns true if others may record into the log, too. A reset then takes over from them. */
    default boolean isShared() {
        return false;
    }

    /** Returns the version of the last patch, from any thread; 0 if there is none, or the log is one file. */
    default long version() {
        return 0;
    }

    /** Returns the id of the last patch, or null if there is none. */
    Node head();

    /** Returns the place of the next patch in the log, or null if its patches have no header {@code chain}. */
    ChainPlace next() throws IOException;

    /** Returns a folder for temporary files. */
    Path folder();

    /**
     * Checks that the log can accept a patch.
     *
     * @throws IOException it can't be written
     */
    void prepare() throws IOException;

    /**
     * Ends a patch that follows the {@link #head()}, and appends it. Its id becomes the head.
     *
     * @throws IOException its bytes can't be written. Nothing of it is in the log, and the log can be continued; if even that
     *                     fails, the log accepts no more patches
     */
    void append(OpenPatch patch) throws IOException;

    /** Returns true, from any thread, if the log accepts no more patches from this capture, see {@link #append}. */
    default boolean isStopped() {
        return false;
    }

    /** Makes all patches so far visible to others. */
    void rotate() throws IOException;

    /** Closes the log, which is then complete. */
    void close() throws IOException;

    /** Aborts the log, which keeps the committed patches. One that did not appear yet never does. */
    default void abort() throws IOException {
        close();
    }

    /** Closes the log after a failed start of the capture. Removes it if the start created it, and no other program may use it. */
    default void discard() throws IOException {
        abort();
    }
}
