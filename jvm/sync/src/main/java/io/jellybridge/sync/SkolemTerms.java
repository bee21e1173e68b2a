package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
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
record SkolemTerms(String base) {
    /** The prefix for labels of the store's own blank nodes. */
    static final String STORED = "jellybridge.stored.";
    /** A segment of one or two dots in the path of an IRI. */
    private static final Pattern DOT_SEGMENTS = Pattern.compile("^[^:]*:(?://[^/?#]*+)?+[^?#]*/\\.\\.?(?:[/?#]|$)");

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
        return URLEncoder.encode(label, UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    /** Returns the label that an IRI replaces; null if it is an ordinary IRI. */
    private String label(String iri) {
        if (!iri.startsWith(base) || iri.length() == base.length()) {
            return null;
        }
        try {
            String label = URLDecoder.decode(iri.substring(base.length()), UTF_8);
            return iri.equals(base + segment(label)) ? label : null;
        } catch (IllegalArgumentException e) {
            return null; // a % without two digits
        }
    }
}
