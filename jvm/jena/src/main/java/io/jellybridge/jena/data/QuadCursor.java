package io.jellybridge.jena.data;

import java.util.Iterator;

/**
 * A cursor over quads of a dataset. Each quad is a row of canonical terms: subject, predicate, object, graph. A null graph is
 * the default graph. Not thread-safe.
 */
public interface QuadCursor extends Iterator<byte[][]>, AutoCloseable {

    /** Returns the version of the dataset that is read, which each change replaces; null if the dataset does not tell. */
    default String version() {
        return null;
    }

    /** Ends the reading. The remaining quads can't be read any more. */
    @Override
    void close();
}
