package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.jena.nodes.CanonicalNodes;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.jena.graph.Node;

/**
 * The statements of one request, from which {@link SparqlDelivery} makes an update. Only the last operation of each statement
 * is kept, so the deleted and the inserted statements do not overlap. The request can be split anywhere.
 */
final class SparqlChanges {
    private final CanonicalNodes terms;
    private final SkolemTerms skolem;
    private final String defaultGraph;
    private final Map<Statement, Op> rows = new LinkedHashMap<>();
    private long bytes;

    /**
     * A statement in SPARQL syntax.
     *
     * @param graph null for the default graph
     */
    private record Statement(String graph, String triple) {

        int length() {
            return triple.length() + (graph == null ? 0 : graph.length());
        }
    }

    /**
     * Creates an empty request.
     *
     * @param defaultGraph the name of the default graph in deletions; null if it has none
     */
    SparqlChanges(SkolemTerms skolem, String defaultGraph) {
        this(skolem, defaultGraph, new CanonicalNodes());
    }

    private SparqlChanges(SkolemTerms skolem, String defaultGraph, CanonicalNodes terms) {
        this.skolem = skolem;
        this.defaultGraph = defaultGraph;
        this.terms = terms;
    }

    void addStatement(Op op, Node subject, Node predicate, Node object, Node graph) {
        Statement statement = new Statement(graphText(graph), toText(subject) + " " + toText(predicate) + " " + toText(object));
        if (rows.remove(statement) == null) {
            bytes += statement.length();
        }
        rows.put(statement, op);
    }

    private String toText(Node term) {
        return new String(terms.toBytes(skolem.toStored(term)), UTF_8);
    }

    private String graphText(Node graph) {
        byte[] text = terms.graphBytes(skolem.toStored(graph));
        return text == null ? null : new String(text, UTF_8);
    }

    int size() {
        return rows.size();
    }

    /** Returns the length of all statements in characters. */
    long bytes() {
        return bytes;
    }

    /** Removes the first half and returns it. It has at least one statement. */
    SparqlChanges half() {
        SparqlChanges half = new SparqlChanges(skolem, defaultGraph, terms);
        Iterator<Map.Entry<Statement, Op>> all = rows.entrySet().iterator();
        for (int left = Math.max(1, rows.size() / 2); left > 0 && all.hasNext(); left--) {
            Map.Entry<Statement, Op> row = all.next();
            half.rows.put(row.getKey(), row.getValue());
            half.bytes += row.getKey().length();
            all.remove();
        }
        bytes -= half.bytes;
        return half;
    }

    /**
     * Returns the graph to name; null for none. An insertion without a graph never names one, whatever the store calls its
     * default graph.
     */
    private String toGraph(Op op, Statement statement) {
        boolean named = statement.graph() == null && defaultGraph != null && op == Op.D;
        return named ? "<" + defaultGraph + ">" : statement.graph();
    }

    /** Returns the statements with an operation, as the body of a template. */
    String toTemplate(Op op) {
        StringBuilder text = new StringBuilder();
        String open = null;
        for (Map.Entry<Statement, Op> row : rows.entrySet()) {
            if (row.getValue() != op) {
                continue;
            }
            String graph = toGraph(op, row.getKey());
            if (open != null && !open.equals(graph)) {
                text.append("}\n");
                open = null;
            }
            if (graph != null && open == null) {
                text.append("GRAPH ").append(graph).append(" {\n");
                open = graph;
            }
            text.append(row.getKey().triple()).append(" .\n");
        }
        return open == null ? text.toString() : text.append("}\n").toString();
    }
}
