package io.jellybridge.jena.data;

import java.util.Iterator;

/**
 * Quads of a dataset, one by one, as rows of canonical terms: subject, predicate, object, graph, where a null graph is the
 * default graph. For one thread.
 */
public interface QuadCursor extends Iterator<byte[][]>, AutoCloseable {

    /** Ends the reading; what is left can't be read any more. */
    @Override
    void close();
}
