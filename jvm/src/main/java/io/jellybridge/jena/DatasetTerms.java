package io.jellybridge.jena;

import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.system.Prefixes;
import org.apache.jena.sparql.core.Quad;

/**
 * What a dataset may hold. Jena's stores take nearly anything: literals as subjects, relative IRIs, IRIs with spaces;
 * what is let in can then not be written as N-Quads or named in a query. So it is refused before it is in.
 *
 * <p>Triple terms may be subjects too, as RDF-star has it and Jena's stores take it.
 */
final class DatasetTerms {

    private DatasetTerms() {
    }

    /**
     * What is wrong with a statement, as a clause without a full stop; null when nothing is.
     *
     * @param graph null or one of Jena's two default graph nodes for the default graph
     */
    static String problem(Node graph, Node subject, Node predicate, Node object) {
        if (graph != null && graph != Quad.defaultGraphIRI && graph != Quad.defaultGraphNodeGenerated) {
            String problem = graphProblem(graph);
            if (problem != null) {
                return problem;
            }
        }
        return tripleProblem(subject, predicate, object);
    }

    private static String tripleProblem(Node subject, Node predicate, Node object) {
        if (subject.isLiteral()) {
            return "the literal " + subject + " as subject";
        }
        if (!predicate.isURI()) {
            return predicate + " as predicate, which is not an IRI";
        }
        String problem = termProblem("subject", subject);
        if (problem == null) {
            problem = iriProblem("predicate", predicate.getURI());
        }
        return problem == null ? termProblem("object", object) : problem;
    }

    private static String termProblem(String position, Node term) {
        if (term.isURI()) {
            return iriProblem(position, term.getURI());
        }
        if (term.isLiteral()) {
            return iriProblem("datatype", term.getLiteralDatatypeURI());
        }
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return tripleProblem(triple.getSubject(), triple.getPredicate(), triple.getObject());
        }
        return term.isBlank() ? null : term + " as " + position + ", which is not data";
    }

    private static String graphProblem(Node graph) {
        if (Quad.isUnionGraph(graph) || Quad.isDefaultGraph(graph)) {
            return "the graph <" + graph.getURI() + ">, which Jena keeps for itself";
        }
        if (graph.isURI()) {
            return iriProblem("graph", graph.getURI());
        }
        return graph.isBlank() ? null : graph + " as graph, which is neither an IRI nor a blank node";
    }

    private static String iriProblem(String position, String iri) {
        if (!hasScheme(iri)) {
            return "the relative IRI <" + iri + "> as " + position;
        }
        for (int i = 0; i < iri.length(); i++) {
            char c = iri.charAt(i);
            if (c <= ' ' || c == '<' || c == '>') {
                return "<" + iri + "> as " + position
                        + ", which holds U+%04X, a character no IRI has".formatted((int) c);
            }
        }
        return null;
    }

    private static boolean hasScheme(String iri) {
        for (int i = 0; i < iri.length(); i++) {
            char c = iri.charAt(i);
            if (c == ':') {
                return i > 0;
            }
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            boolean inner = c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.';
            if (!letter && !(inner && i > 0)) {
                return false;
            }
        }
        return false;
    }

    /** What is wrong with a prefix, without its colon; null when nothing is. Jena itself would notice late or never. */
    static String prefixProblem(String prefix) {
        boolean legal = prefix.isEmpty() || prefix.indexOf(':') < 0 && Prefixes.isLegalPrefix(prefix);
        return legal ? null : "the prefix '" + prefix + "', which Turtle and Jena do not take";
    }
}
