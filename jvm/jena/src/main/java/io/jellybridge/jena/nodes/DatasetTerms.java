package io.jellybridge.jena.nodes;

import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.Utf8Terms;
import java.util.Arrays;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.system.Prefixes;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.vocabulary.RDF;

/**
 * Checks that a dataset may store a term: it must be a term of RDF 1.2, see {@link RdfTerms}. Jena's stores accept nearly
 * anything, such as literals as subjects, relative IRIs, and IRIs with spaces. Such terms can't be written as N-Quads or named
 * in a query, so they are rejected before they are stored.
 *
 * <p>Triple terms may be subjects, as in RDF-star and in Jena's stores.
 * <p>Not thread-safe.
 */
public final class DatasetTerms {

    private static final int KNOWN = 1 << 8;

    /** A direct-mapped cache of valid IRIs, since most IRIs repeat. */
    private final String[] known = new String[KNOWN];
    /** The last valid graph. */
    private byte[] knownGraph;

    /**
     * Returns the fault of a statement, as a clause without a full stop; null if it is valid.
     *
     * @param graph null or one of Jena's two default graph nodes for the default graph
     */
    public String findProblem(Node graph, Node subject, Node predicate, Node object) {
        if (!isDefaultGraph(graph)) {
            String problem = graphProblem(graph);
            if (problem != null) {
                return problem;
            }
        }
        return tripleProblem(subject, predicate, object);
    }

    /** Checks whether a graph is null or one of Jena's two default graph nodes. An equal IRI in the data is not. */
    public static boolean isDefaultGraph(Node graph) {
        return graph == null || graph == Quad.defaultGraphIRI || graph == Quad.defaultGraphNodeGenerated;
    }

    private String tripleProblem(Node subject, Node predicate, Node object) {
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

    private String termProblem(String position, Node term) {
        if (term.isURI()) {
            return iriProblem(position, term.getURI());
        }
        if (term.isLiteral()) {
            return literalProblem(position, term);
        }
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return tripleProblem(triple.getSubject(), triple.getPredicate(), triple.getObject());
        }
        return term.isBlank() ? null : term + " as " + position + ", which is not data";
    }

    private String literalProblem(String position, Node literal) {
        String language = literal.getLiteralLanguage();
        if (!language.isEmpty()) {
            byte[] tag = NodeTerms.utf8(language, "language tag");
            return findProblem(position, RdfTerms.languageTagFault(tag, 0, tag.length));
        }
        String datatype = literal.getLiteralDatatypeURI();
        String problem = iriProblem("datatype", datatype);
        if (problem == null && datatype.startsWith(RDF.getURI())) {
            byte[] iri = NodeTerms.utf8(datatype, "IRI");
            problem = findProblem(position, RdfTerms.datatypeFault(iri, 0, iri.length));
        }
        return problem;
    }

    /**
     * Returns the fault of a graph whose name is a valid term, as a clause without a full stop; null if it is valid.
     *
     * @param graph the name as canonical N-Triples; null for the default graph
     */
    public String graphProblem(byte[] graph) {
        if (graph == null || graph.length == 0 || graph[0] != '<' || Arrays.equals(graph, knownGraph)) {
            return null;
        }
        Node name = NodeFactory.createURI(Utf8Terms.toIri(graph));
        String problem = Quad.isUnionGraph(name) || Quad.isDefaultGraph(name) ? graphProblem(name) : null;
        knownGraph = problem == null ? graph : knownGraph;
        return problem;
    }

    private String graphProblem(Node graph) {
        if (Quad.isUnionGraph(graph) || Quad.isDefaultGraph(graph)) {
            return "the graph <" + graph.getURI() + ">, which Jena keeps for itself";
        }
        if (graph.isURI()) {
            return iriProblem("graph", graph.getURI());
        }
        return graph.isBlank() ? null : graph + " as graph, which is neither an IRI nor a blank node";
    }

    private String iriProblem(String position, String text) {
        int hash = text.hashCode();
        int slot = (hash ^ hash >>> 16) & KNOWN - 1;
        if (text.equals(known[slot])) {
            return null;
        }
        byte[] iri = NodeTerms.utf8(text, "IRI");
        RdfTerms.Fault fault = RdfTerms.iriFault(iri, 0, iri.length);
        if (fault == null) {
            known[slot] = text;
        }
        return findProblem(position, fault);
    }

    private static String findProblem(String position, RdfTerms.Fault fault) {
        return fault == null ? null : "as " + position + ", " + fault.found();
    }

    /**
     * Returns the fault of a prefix, without its colon, and its namespace; null if they are valid. Jena itself would find it
     * late or never.
     *
     * @param namespace the namespace; null for none
     */
    public String prefixProblem(String prefix, Node namespace) {
        if (!isLegalPrefix(prefix)) {
            return "the prefix '" + prefix + "', which Turtle and Jena do not take";
        }
        return namespace == null || !namespace.isURI() ? null : iriProblem("namespace", namespace.getURI());
    }

    /**
     * Returns true if a prefix, without its colon, and its namespace are valid. Datasets may have others from other programs; a
     * prefix is no data, so what writes them leaves these out.
     */
    public boolean isValidPrefix(String prefix, String namespace) {
        return prefixProblem(prefix, NodeFactory.createURI(namespace)) == null;
    }

    private static boolean isLegalPrefix(String prefix) {
        // Jena accepts a dot at the end, and then can't read what it wrote.
        return prefix.isEmpty() || prefix.indexOf(':') < 0 && !prefix.endsWith(".") && Prefixes.isLegalPrefix(prefix);
    }

    /**
     * Checks whether a document in Turtle or TriG can declare a prefix, without its colon. Datasets may have others: XML, and so
     * Jena, accepts {@code _3}.
     */
    public static boolean isTurtlePrefix(String prefix) {
        return isLegalPrefix(prefix) && !prefix.startsWith("_");
    }
}
