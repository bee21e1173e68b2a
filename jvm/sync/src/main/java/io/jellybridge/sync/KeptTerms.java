package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

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
    /** Dates and numbers repeat. Longer terms are not kept in mind, ... */
    private static final int MAX_KNOWN_BYTES = 96;
    private static final int KNOWN = 1 << 12;
    /** ... and no others than those of the datatypes of XML Schema are altered. */
    private static final byte[] SCHEMA = "\"^^<http://www.w3.org/2001/XMLSchema#".getBytes(UTF_8);

    private final TermBuilder<byte[], Node> nodes = new TermBuilder<>(new Utf8Terms(), new NodeTerms());
    private final CanonicalNodes texts = new CanonicalNodes();
    /** By hash: a term, and what TDB2 keeps it as. */
    private final byte[][] known = new byte[KNOWN][];
    private final byte[][] knownKept = new byte[KNOWN][];

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

    /** Whether TDB2 keeps a term as it is. */
    boolean isInTdb(byte[] term) {
        return inTdb(term) == term;
    }

    /** A term as TDB2 keeps it; itself where that is the same. */
    byte[] inTdb(byte[] term) {
        // Literals with a datatype, and triple terms, which may have one in them.
        boolean mayDiffer = term[term.length - 1] == '>'
                && (term[0] == '"' ? isOfSchema(term) : term[0] == '<' && term[1] == '<');
        if (!mayDiffer) {
            return term;
        }
        if (term.length > MAX_KNOWN_BYTES) {
            return translated(term);
        }
        int hash = Arrays.hashCode(term);
        int slot = (hash ^ hash >>> 16) & KNOWN - 1;
        if (!Arrays.equals(known[slot], term)) {
            knownKept[slot] = translated(term);
            known[slot] = term;
        }
        return knownKept[slot] == known[slot] ? term : knownKept[slot];
    }

    private static boolean isOfSchema(byte[] term) {
        int start = term.length - 2;
        while (start > 0 && term[start] != '<') {
            start--;
        }
        start -= 3; // the quotation mark and the two before the IRI
        return start >= 0 && Arrays.equals(term, start, Math.min(start + SCHEMA.length, term.length), SCHEMA, 0, SCHEMA.length);
    }

    /** The term as TDB2 keeps it; itself where that is the same. */
    private byte[] translated(byte[] term) {
        Node node = nodes.translate(term);
        Node stored = TdbTerms.stored(node);
        byte[] kept = stored == node ? term : texts.bytes(stored);
        return Arrays.equals(kept, term) ? term : kept;
    }
}
