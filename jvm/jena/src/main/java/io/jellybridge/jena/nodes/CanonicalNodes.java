package io.jellybridge.jena.nodes;

import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.Utf8Terms;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.Quad;

/** Converts nodes to canonical N-Triples, the text of a term in a change row. One thread may use it at a time. */
public final class CanonicalNodes {
    private final TermBuilder<Node, byte[]> terms = new TermBuilder<>(new NodeTerms(), new Utf8Terms());

    /**
     * Returns the canonical bytes of a node. Null becomes null.
     *
     * @throws IllegalArgumentException see {@link NodeTerms#visit}
     */
    public byte[] toBytes(Node node) {
        return terms.translate(node);
    }

    /** Returns the canonical bytes of a graph. Every name of the default graph becomes null. */
    public byte[] graphBytes(Node graph) {
        return terms.translateGraph(graph);
    }

    /** Returns the canonical bytes of a quad's subject, predicate, object and graph. */
    public byte[][] toBytes(Quad quad) {
        return new byte[][] {
            toBytes(quad.getSubject()), toBytes(quad.getPredicate()), toBytes(quad.getObject()), graphBytes(quad.getGraph())
        };
    }
}
