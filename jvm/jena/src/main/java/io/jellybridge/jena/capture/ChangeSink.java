package io.jellybridge.jena.capture;

import org.apache.jena.graph.Node;
import org.apache.jena.rdfpatch.RDFChanges;

/**
 * Changes with what {@link RDFChanges} has no place for: the namespace of a prefix that is deleted, without which that
 * can't be undone.
 */
interface ChangeSink extends RDFChanges {

    /** A prefix is deleted that stands for {@code namespace}. */
    void deletePrefix(Node graph, String prefix, String namespace);

    @Override
    default void deletePrefix(Node graph, String prefix) {
        deletePrefix(graph, prefix, null);
    }
}
