package io.jellybridge.sync;

import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.jena.data.TdbTerms;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.nodes.CanonicalNodes;
import io.jellybridge.jena.nodes.NodeTerms;
import java.util.Arrays;
import org.apache.jena.graph.Node;

/**
 * Quads as a dataset may keep them. TDB2 keeps numbers, dates and the like in a form of its own, see {@link TdbTerms}; and
 * what a server is of, nobody tells. For one thread.
 */
final class KeptTerms {
    private final TermBuilder<byte[], Node> nodes = new TermBuilder<>(new Utf8Terms(), new NodeTerms());
    private final CanonicalNodes texts = new CanonicalNodes();

    /** Whether a dataset is known to keep each term as it is given. */
    static boolean areAsGiven(OpenDataset dataset) {
        return dataset instanceof DatasetStore store && !TdbTerms.isTdb2(store.dataset());
    }

    /** A quad as TDB2 keeps it; itself where that is the same. */
    CanonicalQuad inTdb(CanonicalQuad quad) {
        byte[] subject = inTdb(quad.subject());
        byte[] object = inTdb(quad.object());
        return subject == quad.subject() && object == quad.object() ? quad
                : new CanonicalQuad(subject, quad.predicate(), object, quad.graph());
    }

    /** A term as TDB2 keeps it; itself where that is the same. */
    byte[] inTdb(byte[] term) {
        // Literals with a datatype, and triple terms, which may have one in them.
        boolean mayDiffer = term[term.length - 1] == '>' && (term[0] == '"' || term[0] == '<' && term[1] == '<');
        if (!mayDiffer) {
            return term;
        }
        Node node = nodes.translate(term);
        Node stored = TdbTerms.stored(node);
        byte[] kept = stored == node ? term : texts.bytes(stored);
        return Arrays.equals(kept, term) ? term : kept;
    }
}
