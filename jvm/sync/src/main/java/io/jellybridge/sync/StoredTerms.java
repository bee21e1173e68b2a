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
 * Converts quads to the form in which a dataset may store them. TDB2 stores numbers, dates and similar literals in its own
 * form, see {@link TdbTerms}. A server does not tell which store it has. Not thread-safe.
 */
final class StoredTerms {
    /** The longest term to cache. Dates and numbers repeat; longer terms are not cached. */
    private static final int MAX_KNOWN_BYTES = 96;
    private static final int KNOWN = 1 << 12;
    /** The start of a datatype of XML Schema. TDB2 changes no other literals. */
    private static final byte[] SCHEMA = "\"^^<http://www.w3.org/2001/XMLSchema#".getBytes(UTF_8);

    private final TermBuilder<byte[], Node> nodes = new TermBuilder<>(new Utf8Terms(), new NodeTerms());
    private final CanonicalNodes texts = new CanonicalNodes();
    /** A cache by hash: terms, and the form in which TDB2 stores them. */
    private final byte[][] known = new byte[KNOWN][];
    private final byte[][] knownKept = new byte[KNOWN][];

    /** Returns true if a dataset is known to store each term unchanged. */
    static boolean areAsGiven(OpenDataset dataset) {
        return dataset instanceof DatasetStore store && !TdbTerms.isTdb2(store.dataset());
    }

    /** Returns a quad as TDB2 stores it; the same object if nothing changes. */
    CanonicalQuad inTdb(CanonicalQuad quad) {
        byte[] subject = inTdb(quad.subject());
        byte[] object = inTdb(quad.object());
        return subject == quad.subject() && object == quad.object() ? quad
                : new CanonicalQuad(subject, quad.predicate(), object, quad.graph());
    }

    /** Returns true if TDB2 stores a term unchanged. */
    boolean isInTdb(byte[] term) {
        return inTdb(term) == term;
    }

    /** Returns a term as TDB2 stores it; the same object if nothing changes. */
    byte[] inTdb(byte[] term) {
        // literals with a datatype, and triple terms, which may contain one
        boolean mayDiffer = term[term.length - 1] == '>'
                && (term[0] == '"' ? isOfSchema(term) : term[0] == '<' && term[1] == '<');
        if (!mayDiffer) {
            return term;
        }
        if (term.length > MAX_KNOWN_BYTES) {
            return translateTerm(term);
        }
        int hash = Arrays.hashCode(term);
        int slot = (hash ^ hash >>> 16) & KNOWN - 1;
        if (!Arrays.equals(known[slot], term)) {
            knownKept[slot] = translateTerm(term);
            known[slot] = term;
        }
        return knownKept[slot] == known[slot] ? term : knownKept[slot];
    }

    private static boolean isOfSchema(byte[] term) {
        int start = term.length - 2;
        while (start > 0 && term[start] != '<') {
            start--;
        }
        start -= 3; // the quotation mark and the two characters before the IRI
        return start >= 0 && Arrays.equals(term, start, Math.min(start + SCHEMA.length, term.length), SCHEMA, 0, SCHEMA.length);
    }

    /** Computes the term that TDB2 stores; the same object if nothing changes. */
    private byte[] translateTerm(byte[] term) {
        Node node = nodes.translate(term);
        Node stored = TdbTerms.asStored(node);
        byte[] kept = stored == node ? term : texts.toBytes(stored);
        return Arrays.equals(kept, term) ? term : kept;
    }
}
