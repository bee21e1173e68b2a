package io.jellybridge.jena.data;

import io.jellybridge.jena.data.QuadSelection.Wanted;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;

/** Finds quads by the indexes of a dataset. It finds all selected quads, and possibly others. */
final class QuadSearch {
    /** The limit of patterns. If there were more, one of the positions becomes a wildcard. */
    private static final int MOST_PATTERNS = 10_000;

    private QuadSearch() {
    }

    /** Returns the patterns to search for. A pattern without a graph stands for all named graphs. */
    static List<Quad> patterns(QuadSelection selection) {
        List<Node> subjects = nodes(selection.subject(), 1);
        List<Node> predicates = nodes(selection.predicate(), subjects.size());
        List<Node> objects = nodes(selection.object(), subjects.size() * predicates.size());
        List<Quad> patterns = new ArrayList<>();
        for (Node graph : graphs(selection.graph(), subjects.size() * predicates.size() * objects.size())) {
            for (Node subject : subjects) {
                for (Node predicate : predicates) {
                    objects.forEach(object -> patterns.add(new Quad(graph, subject, predicate, object)));
                }
            }
        }
        return patterns;
    }

    /** Finds the quads of a pattern. */
    static Iterator<Quad> find(DatasetGraph dataset, Quad pattern) {
        return pattern.getGraph() == null
                ? dataset.findNG(Node.ANY, pattern.getSubject(), pattern.getPredicate(), pattern.getObject())
                : dataset.find(pattern);
    }

    private static List<Node> graphs(Wanted wanted, int times) {
        List<Node> graphs = new ArrayList<>();
        if (wanted.orNull()) {
            graphs.add(Quad.defaultGraphIRI);
        }
        if (wanted.values() == null) {
            graphs.add(null);
        } else {
            graphs.addAll(nodes(wanted, times));
            graphs.replaceAll(graph -> graph == Node.ANY ? null : graph);
        }
        return graphs;
    }

    /**
     * Returns the nodes to search for in a position.
     *
     * @param times the number of patterns so far
     */
    private static List<Node> nodes(Wanted wanted, int times) {
        return wanted.isFindable() && (long) times * wanted.values().size() <= MOST_PATTERNS
                ? wanted.values().stream().map(QuadSearch::node).toList() : List.of(Node.ANY);
    }

    /** Converts a text without escapes to a node. */
    private static Node node(String text) {
        return switch (text.charAt(0)) {
            case '<' -> NodeFactory.createURI(text.substring(1, text.length() - 1));
            case '_' -> NodeFactory.createBlankNode(text.substring("_:".length()));
            default -> NodeFactory.createLiteralString(text.substring(1, text.length() - 1));
        };
    }
}
