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
 * Converts terms for a store that only speaks SPARQL, which can't name a stored blank node. An IRI replaces each blank node,
 * as in RDF 1.1 (section 3.5, "Replacing Blank Nodes with IRIs").
 *
 * <p>The IRI is a reserved base, followed by the label as a path segment: its bytes in UTF-8, with {@code %XX} in capitals for
 * all but letters, digits and {@code -._~}. So each label has one IRI, and each such IRI one label. Other IRIs, including
 * those with another base, stay unchanged.
 *
 * <p>The store may have blank nodes of its own, from other writers. Their labels begin with {@value #STORED}. Such a label is
 * valid for one response, and no request can refer to the node.
 */
final class SkolemTerms {
    /** The prefix for labels of the store's own blank nodes. */
    static final String STORED = "jellybridge.stored.";
    private static final String HEX = "0123456789ABCDEF";
    /** A segment of one or two dots in the path of an IRI. */
    private static final Pattern DOT_SEGMENTS = Pattern.compile("^[^:]*:(?://[^/?#]*+)?+[^?#]*/\\.\\.?(?:[/?#]|$)");

    private final String base;

    SkolemTerms(String base) {
        this.base = base;
    }

    /** Returns the term that replaces a term in the store; null for null. */
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

    /** Returns the term that a term of the store replaces; the inverse of {@link #stored}. */
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

    /** Describes the fault of a term for such a store, as a clause without a full stop; null if there is none. */
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

    /**
     * Describes the fault of an IRI with dot segments. SPARQL resolves each IRI of a request (section 4.1.1), which removes
     * these segments.
     */
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

    /** Returns the label that an IRI replaces; null if it is an ordinary IRI. */
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
