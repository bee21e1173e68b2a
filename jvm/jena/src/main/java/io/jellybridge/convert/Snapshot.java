package io.jellybridge.convert;

import io.jellybridge.codec.RdfHandler;
import java.io.IOException;

/** The content of a dataset at one time: a set of statements, in any order, possibly with duplicates. Not thread-safe. */
public interface Snapshot {

    /** Returns the name for errors and reports. */
    String name();

    /** Returns true if it can only hold the triples of one graph, as a file of Turtle, so that it says nothing of others. */
    default boolean isOfOneGraph() {
        return false;
    }

    /** Returns true if it sends its prefixes, all of them, so that it has none but these. */
    default boolean tellsPrefixes() throws IOException {
        return false;
    }

    /**
     * Returns a statement in the form in which the dataset stores it. It differs from the given one in a store that changes
     * some terms, such as TDB2. It is called after {@link #read}.
     */
    default CanonicalQuad asStored(CanonicalQuad quad) throws IOException {
        return quad;
    }

    /**
     * Sends the statements to a handler, whose terms are canonical N-Triples in UTF-8. The arrays must not be changed. It can
     * be called once.
     *
     * @throws RuntimeException the snapshot breaks its format (the error of that format)
     * @throws IOException it can't be read
     */
    void read(RdfHandler<byte[]> handler) throws IOException;
}
