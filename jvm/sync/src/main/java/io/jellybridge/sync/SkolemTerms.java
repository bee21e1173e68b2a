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
    Node toStored(Node term) {
        if (term == null) {
            return null;
        }
        if (term.isBlank()) {
            return NodeFactory.createURI(base + segmentOf(term.getBlankNodeLabel()));
        }
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return NodeFactory.createTripleTerm(
                    toStored(triple.getSubject()), toStored(triple.getPredicate()), toStored(triple.getObject()));
        }
        return term;
    }

    /** Returns the term that a term of the store replaces; the inverse of {@link #toStored}. */
    Node toDisplay(Node term) {
        if (term.isURI()) {
            String label = labelOf(term.getURI());
            return label == null ? term : NodeFactory.createBlankNode(label);
        }
        if (term.isBlank()) {
            return NodeFactory.createBlankNode(STORED + term.getBlankNodeLabel());
        }
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return NodeFactory.createTripleTerm(
                    toDisplay(triple.getSubject()), toDisplay(triple.getPredicate()), toDisplay(triple.getObject()));
        }
        return term;
    }

    /**
     * Describes the fault of a statement for such a store, as a clause without a full stop; null if there is none.
     *
     * @param graph null for the default graph
     */
    String findProblem(Node subject, Node predicate, Node object, Node graph) {
        String problem = findProblem(subject);
        problem = problem == null ? findProblem(predicate) : problem;
        problem = problem == null ? findProblem(object) : problem;
        return problem == null ? findProblem(graph) : problem;
    }

    /** Describes the fault of a term for such a store, as a clause without a full stop; null if there is none. */
    String findProblem(Node term) {
        if (term == null) {
            return null;
        }
        if (term.isLiteral()) {
            return pathProblem(term.getLiteralDatatypeURI());
        }
        if (term.isBlank()) {
            String label = term.getBlankNodeLabel();
            return label.startsWith(STORED) ? "the blank node _:" + label + ", which is one of a store's own that SPARQL has no name for"
                    : pathProblem(base + segmentOf(label));
        }
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return findProblem(triple.getSubject(), triple.getPredicate(), triple.getObject(), null);
        }
        return labelOf(term.getURI()) == null ? pathProblem(term.getURI())
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

    private static String segmentOf(String label) {
        return URLEncoder.encode(label, UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    /** Returns the label that an IRI replaces; null if it is an ordinary IRI. */
    private String labelOf(String iri) {
        if (!iri.startsWith(base) || iri.length() == base.length()) {
            return null;
        }
        try {
            String label = URLDecoder.decode(iri.substring(base.length()), UTF_8);
            return iri.equals(base + segmentOf(label)) ? label : null;
        } catch (IllegalArgumentException e) {
            return null; // a % without two digits
        }
    }
}
