package io.jellybridge.jena.nodes;

import io.jellybridge.codec.RdfTerms;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.system.Prefixes;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.vocabulary.RDF;

/**
 * What a dataset may hold: terms of RDF 1.2, see {@link RdfTerms}. Jena's stores take nearly anything: literals as
 * subjects, relative IRIs, IRIs with spaces; what is let in can then not be written as N-Quads or named in a query. So it is
 * refused before it is in.
 *
 * <p>Triple terms may be subjects too, as RDF-star has it and Jena's stores take it.
 *
 * <p>For one thread.
 */
public final class DatasetTerms {

    private static final int KNOWN = 1 << 8;

    /** Direct-mapped: IRIs that were found right, for most come again. */
    private final String[] known = new String[KNOWN];
    /** The graph that was found right last. */
    private byte[] knownGraph;

    /**
     * What is wrong with a statement, as a clause without a full stop; null when nothing is.
     *
     * @param graph null or one of Jena's two default graph nodes for the default graph
     */
    public String problem(Node graph, Node subject, Node predicate, Node object) {
        if (!isDefaultGraph(graph)) {
            String problem = graphProblem(graph);
            if (problem != null) {
                return problem;
            }
        }
        return tripleProblem(subject, predicate, object);
    }

    /** Whether a graph is null or one of Jena's two default graph nodes: an IRI of data that is equal to these is not. */
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
            return problem(position, RdfTerms.languageTagFault(tag, 0, tag.length));
        }
        String datatype = literal.getLiteralDatatypeURI();
        String problem = iriProblem("datatype", datatype);
        if (problem == null && datatype.startsWith(RDF.getURI())) {
            byte[] iri = NodeTerms.utf8(datatype, "IRI");
            problem = problem(position, RdfTerms.datatypeFault(iri, 0, iri.length));
        }
        return problem;
    }

    /**
     * What is wrong with a graph whose name is a right term, as a clause without a full stop; null when nothing is.
     *
     * @param graph the name as canonical N-Triples; null: the default graph
     */
    public String graphProblem(byte[] graph) {
        if (graph == null || graph.length == 0 || graph[0] != '<' || Arrays.equals(graph, knownGraph)) {
            return null;
        }
        Node name = NodeFactory.createURI(new String(graph, 1, graph.length - 2, StandardCharsets.UTF_8));
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
        return problem(position, fault);
    }

    private static String problem(String position, RdfTerms.Fault fault) {
        return fault == null ? null : "as " + position + ", " + fault.found();
    }

    /**
     * What is wrong with a prefix, without its colon, and its namespace; null when nothing is. Jena itself would notice
     * late or never.
     *
     * @param namespace null: none
     */
    public String prefixProblem(String prefix, Node namespace) {
        // Jena lets a dot at the end pass, and then can't read what it wrote.
        boolean legal = prefix.isEmpty()
                || prefix.indexOf(':') < 0 && !prefix.endsWith(".") && Prefixes.isLegalPrefix(prefix);
        if (!legal) {
            return "the prefix '" + prefix + "', which Turtle and Jena do not take";
        }
        return namespace == null || !namespace.isURI() ? null : iriProblem("namespace", namespace.getURI());
    }
}
