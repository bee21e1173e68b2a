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
     * Appends a patch.
     *
     * @param id   its id, the {@link #head()} from now on
     * @param rows hands over its rows, and that it ends
     * @throws IOException its bytes can't be written. Nothing of it is in the log, and the log goes on; when even that can't
     *                     be had, nothing more is taken
     */
    void append(Node id, Rows rows) throws IOException;

    /** Makes what was appended so far visible to others. */
    void rotate() throws IOException;

    /** Ends the log, complete. */
    void close() throws IOException;

    /** Ends the log, and leaves none where that is possible still. */
    void abort() throws IOException;

    /** The rows of a patch. */
    @FunctionalInterface
    interface Rows {
        void copyTo(PatchHandler<Node> target) throws IOException;
    }
}
