package io.jellybridge.jena.capture;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.jena.graph.Node;

/** Where captured patches go. One thread at a time. */
interface CaptureLog {

    /** The id of the last patch; null when there is none. */
    Node head();

    /** A folder in which files may be made. */
    Path folder();

    /**
     * Makes sure that the log takes a patch.
     *
     * @throws IOException it can't be written
     */
    void prepare() throws IOException;

    /**
     * Ends a patch that follows the {@link #head()}, and appends it: its id is the head from now on.
     *
     * @throws IOException its bytes can't be written. Nothing of it is in the log, and the log goes on; when even that can't
     *                     be had, nothing more is taken
     */
    void append(OpenPatch patch) throws IOException;

    /** Makes what was appended so far visible to others. */
    void rotate() throws IOException;

    /** Ends the log, complete. */
    void close() throws IOException;

    /** Ends the log, and leaves none where that is possible still. */
    void abort() throws IOException;
}
