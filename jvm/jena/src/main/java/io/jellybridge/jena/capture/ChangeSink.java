package io.jellybridge.jena.capture;

import org.apache.jena.graph.Node;
import org.apache.jena.rdfpatch.RDFChanges;

/**
 * Receives changes with the namespace of a deleted prefix, which {@link RDFChanges} does not have. The deletion can't be undone
 * without it.
 */
interface ChangeSink extends RDFChanges {

    /** Deletes a prefix that stands for {@code namespace}. */
    void deletePrefix(Node graph, String prefix, String namespace);

    @Override
    default void deletePrefix(Node graph, String prefix) {
        deletePrefix(graph, prefix, null);
    }
}
