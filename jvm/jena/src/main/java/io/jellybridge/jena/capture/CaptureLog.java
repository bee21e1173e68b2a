package io.jellybridge.jena.capture;

import io.jellybridge.codec.PatchHandler;
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
     * Begins a patch after the {@link #head()}. Nothing of it is in the log before it is appended.
     *
     * @throws IOException the log can't be written
     */
    void begin(Node id) throws IOException;

    /** Takes the rows of the patch that was begun. */
    PatchHandler<Node> rows();

    /**
     * Ends the patch that was begun, and appends it: its id is the head from now on.
     *
     * @return how many rows it has, headers too
     * @throws IOException its bytes can't be written. Nothing of it is in the log, and the log goes on; when even that can't
     *                     be had, nothing more is taken
     */
    long append() throws IOException;

    /** Drops the patch that was begun, if there is one still. */
    void drop();

    /** Makes what was appended so far visible to others; a patch that was begun goes on. */
    void rotate() throws IOException;

    /** Ends the log, complete. */
    void close() throws IOException;

    /** Ends the log, and leaves none where that is possible still. */
    void abort() throws IOException;
}
