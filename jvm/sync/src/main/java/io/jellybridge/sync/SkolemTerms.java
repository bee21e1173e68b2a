package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.regex.Pattern;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;

/**
 * Terms in a store that can be spoken to by SPARQL alone, which has no name for a blank node that is stored: an IRI stands
 * for it, as RDF 1.1 has it (section 3.5, "Replacing Blank Nodes with IRIs").
 *
 * <p>The IRI is a base that is set aside, and the label as a segment of a path: its bytes in UTF-8, all but letters, digits
 * and {@code -._~} as {@code %XX} in capitals. So each label has one IRI, and such an IRI one label. Any other IRI, also one
 * with another base, is itself.
 *
 * <p>A blank node that the store itself has, since somebody else put it there, has a label that begins with
 * {@value #STORED}: it is good for one answer, and nothing can be said about that node to the store.
 */
final class SkolemTerms {
    /** What the labels of the store's own blank nodes begin with. */
    static final String STORED = "jellybridge.stored.";
    private static final String HEX = "0123456789ABCDEF";
    /** A segment of one or two dots, in the path of an IRI. */
    private static final Pattern DOT_SEGMENTS = Pattern.compile("^[^:]*:(?://[^/?#]*+)?+[^?#]*/\\.\\.?(?:[/?#]|$)");

    private final String base;

    SkolemTerms(String base) {
        this.base = base;
    }

    /** What stands for a term in the store; null for null. */
    Node stored(Node term) {
        if (term == null) {
            return null;
        }
        if (term.isBlank()) {
            return NodeFactory.createURI(base + segment(term.getBlankNodeLabel()));
        }
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return NodeFactory.createTripleTerm(
                    stored(triple.getSubject()), stored(triple.getPredicate()), stored(triple.getObject()));
        }
        return term;
    }

    /** The term that a term of the store stands for; the inverse of {@link #stored}. */
    Node shown(Node term) {
        if (term.isURI()) {
            String label = label(term.getURI());
            return label == null ? term : NodeFactory.createBlankNode(label);
        }
        if (term.isBlank()) {
            return NodeFactory.createBlankNode(STORED + term.getBlankNodeLabel());
        }
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return NodeFactory.createTripleTerm(
                    shown(triple.getSubject()), shown(triple.getPredicate()), shown(triple.getObject()));
        }
        return term;
    }

    /** What is wrong with a term for such a store, as a clause without a full stop; null when nothing is. */
    String problem(Node term) {
        if (term == null) {
            return null;
        }
        if (term.isLiteral()) {
            return pathProblem(term.getLiteralDatatypeURI());
        }
        if (term.isBlank()) {
            return term.getBlankNodeLabel().startsWith(STORED) ? "the blank node _:" + term.getBlankNodeLabel()
                    + ", which is one of a store's own that SPARQL has no name for" : null;
        }
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            String problem = problem(triple.getSubject());
            problem = problem == null ? problem(triple.getPredicate()) : problem;
            return problem == null ? problem(triple.getObject()) : problem;
        }
        return label(term.getURI()) == null ? pathProblem(term.getURI())
                : "the IRI <" + term.getURI() + ">, which stands for a blank node there (option skolemBase)";
    }

    /** SPARQL resolves each IRI of a request (section 4.1.1), which takes the segments out of a path that are dots. */
    private static String pathProblem(String iri) {
        return DOT_SEGMENTS.matcher(iri).find() ? "the IRI <" + iri + ">, of which SPARQL would make another, without the "
                + "segments . and .. of its path" : null;
    }

    private static String segment(String label) {
        StringBuilder segment = new StringBuilder();
        for (byte unit : label.getBytes(UTF_8)) {
            if (isPlain(unit)) {
                segment.append((char) unit);
            } else {
                segment.append('%').append(HEX.charAt(unit >> 4 & 15)).append(HEX.charAt(unit & 15));
            }
        }
        return segment.toString();
    }

    private static boolean isPlain(byte unit) {
        return unit >= 'a' && unit <= 'z' || unit >= 'A' && unit <= 'Z' || unit >= '0' && unit <= '9'
                || unit == '-' || unit == '.' || unit == '_' || unit == '~';
    }

    /** The label that an IRI stands for; null: it stands for itself. */
    private String label(String iri) {
        if (!iri.startsWith(base) || iri.length() == base.length()) {
            return null;
        }
        ByteArrayOutputStream label = new ByteArrayOutputStream();
        for (int i = base.length(); i < iri.length(); i++) {
            char next = iri.charAt(i);
            if (next == '%' && i + 2 < iri.length()) {
                label.write(HEX.indexOf(iri.charAt(i + 1)) << 4 | HEX.indexOf(iri.charAt(i + 2)));
                i += 2;
            } else if (next < 128) {
                label.write(next);
            } else {
                return null;
            }
        }
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(label.toByteArray())).toString();
            return iri.equals(base + segment(text)) ? text : null;
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
