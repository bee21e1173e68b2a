package io.jellybridge.jena;

import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.TermVisitor;
import io.jellybridge.codec.Utf8Terms;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.Quad;

/**
 * Writes nodes as canonical N-Triples, the text of a term in a change row. For one thread at a time.
 */
public final class CanonicalNodes {
    private static final byte[] NOTHING = new byte[0];

    private final NodeTerms nodes = new NodeTerms();
    private final Builder builder = new Builder(new Utf8Terms());

    /**
     * The canonical bytes; null for the default graph, by any of its names, and for null.
     *
     * @throws IllegalArgumentException see {@link NodeTerms#visit}
     */
    public byte[] bytes(Node node) {
        if (node == null) {
            return null;
        }
        builder.done.clear();
        nodes.visit(node, builder);
        return builder.done.isEmpty() ? null : builder.done.pop();
    }

    /** The canonical bytes of a quad's subject, predicate, object and graph. */
    public byte[][] bytes(Quad quad) {
        return new byte[][] {
            bytes(quad.getSubject()), bytes(quad.getPredicate()), bytes(quad.getObject()), bytes(quad.getGraph())
        };
    }

    /** Makes terms of what it is shown; a triple term takes the last three. The default graph leaves nothing. */
    private static final class Builder implements TermVisitor {
        private final TermFactory<byte[]> terms;
        private final Deque<byte[]> done = new ArrayDeque<>();

        Builder(TermFactory<byte[]> terms) {
            this.terms = terms;
        }

        private static byte[] copy(byte[] bytes, int offset, int length) {
            return Arrays.copyOfRange(bytes, offset, offset + length);
        }

        @Override
        public void iri(byte[] bytes, int offset, int length) {
            done.push(terms.iri(NOTHING, copy(bytes, offset, length)));
        }

        @Override
        public void blankNode(byte[] bytes, int offset, int length) {
            done.push(terms.blankNode(bytes, offset, length));
        }

        @Override
        public void literal(byte[] bytes, int offset, int length) {
            done.push(terms.literal(bytes, offset, length));
        }

        @Override
        public void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength) {
            byte[] both = new byte[length + langLength];
            System.arraycopy(bytes, offset, both, 0, length);
            System.arraycopy(lang, langOffset, both, length, langLength);
            done.push(terms.langLiteral(both, 0, length, length, langLength));
        }

        @Override
        public void typedLiteral(byte[] bytes, int offset, int length, byte[] datatype, int datatypeOffset,
                int datatypeLength) {
            byte[] iri = terms.iri(NOTHING, copy(datatype, datatypeOffset, datatypeLength));
            done.push(terms.typedLiteral(bytes, offset, length, iri));
        }

        @Override
        public void startTriple() {
            // the three terms that follow say it all
        }

        @Override
        public void endTriple() {
            byte[] object = done.pop();
            byte[] predicate = done.pop();
            byte[] subject = done.pop();
            done.push(terms.tripleTerm(subject, predicate, object));
        }

        @Override
        public void defaultGraph() {
            // the default graph has no term
        }
    }
}
