package io.jellybridge.jena.nodes;

import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.Utf8Terms;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.Quad;

/** Nodes as canonical N-Triples, the text of a term in a change row. For one thread at a time. */
public final class CanonicalNodes {
    private final TermBuilder<Node, byte[]> terms = new TermBuilder<>(new NodeTerms(), new Utf8Terms());

    /**
     * The canonical bytes; null for null.
     *
     * @throws IllegalArgumentException see {@link NodeTerms#visit}
     */
    public byte[] bytes(Node node) {
        return terms.translate(node);
    }

    /** The canonical bytes of a graph; null for the default graph, by any of its names. */
    public byte[] graphBytes(Node graph) {
        return terms.translateGraph(graph);
    }

    /** The canonical bytes of a quad's subject, predicate, object and graph. */
    public byte[][] bytes(Quad quad) {
        return new byte[][] {
            bytes(quad.getSubject()), bytes(quad.getPredicate()), bytes(quad.getObject()), graphBytes(quad.getGraph())
        };
    }
}
