package io.jellybridge.jena.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.jena.nodes.CanonicalNodes;
import io.jellybridge.jena.nodes.DatasetTerms;
import java.util.List;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.riot.RiotException;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.util.NodeFactoryExtra;

/**
 * A {@link Position} that a dataset keeps under a key, in quads of a graph set aside for it, which is no data: a
 * {@link DataView} has it not, but is taken here as well. Its methods are called within a transaction of the dataset.
 *
 * <ul>
 *   <li>{@code <key> <urn:jellybridge:position> term}: the id;
 *   <li>{@code <key> <urn:jellybridge:applied> "text"}, where there is one;
 *   <li>{@code <key> <urn:jellybridge:note> "text"}, any number: what else a follower is to know the next time. They are
 *       added in the transaction of a position, and stay.
 * </ul>
 */
public final class StoredPosition {

    /** The graph of all positions of a dataset. */
    public static final String GRAPH = "urn:jellybridge:sync";
    /** The predicate of the id. */
    public static final String PREDICATE = "urn:jellybridge:position";
    /** The predicate of {@link Position#applied}. */
    public static final String APPLIED = "urn:jellybridge:applied";
    /** The predicate of a note. */
    public static final String NOTE = "urn:jellybridge:note";

    public static final Node GRAPH_NODE = NodeFactory.createURI(GRAPH);
    private static final Node POSITION = NodeFactory.createURI(PREDICATE);
    private static final Node APPLIED_NODE = NodeFactory.createURI(APPLIED);
    private static final Node NOTE_NODE = NodeFactory.createURI(NOTE);

    private final Node key;

    /**
     * @param key an absolute IRI, without angle brackets
     * @throws IllegalArgumentException it is none
     */
    public StoredPosition(String key) {
        this.key = NodeFactory.createURI(key);
        String problem = new DatasetTerms().problem(null, this.key, POSITION, this.key);
        if (problem != null) {
            throw new IllegalArgumentException(problem + "; name the key of a position by an absolute IRI");
        }
    }

    /** Whether this is the graph of positions; null is none. */
    public static boolean isGraph(Node graph) {
        return GRAPH_NODE.equals(graph);
    }

    /** The key's IRI, escaped as N-Triples has it, without angle brackets. */
    public String key() {
        String term = canonical(key);
        return term.substring(1, term.length() - 1);
    }

    /**
     * The id alone, in canonical N-Triples; null when there is none.
     *
     * @throws SeveralException there are several
     */
    public String get(DatasetGraph dataset) {
        return Position.id(find(dataset));
    }

    /**
     * The position; null when there is none.
     *
     * @throws SeveralException there are several
     */
    public Position find(DatasetGraph dataset) {
        Node id = single(dataset, POSITION);
        if (id == null) {
            return null;
        }
        Node applied = single(dataset, APPLIED_NODE);
        return new Position(canonical(id), applied == null ? null : applied.getLiteralLexicalForm());
    }

    private Node single(DatasetGraph dataset, Node predicate) {
        List<Node> found = objects(dataset, predicate);
        if (found.size() > 1) {
            throw several(key.getURI());
        }
        return found.isEmpty() ? null : found.get(0);
    }

    private List<Node> objects(DatasetGraph dataset, Node predicate) {
        return Iter.toList(Iter.map(
                DataView.whole(dataset).find(GRAPH_NODE, key, predicate, Node.ANY), Quad::getObject));
    }

    /** The texts that were noted, in no order. */
    public List<String> notes(DatasetGraph dataset) {
        return objects(dataset, NOTE_NODE).stream().map(Node::getLiteralLexicalForm).toList();
    }

    /** A key has several positions. */
    public static final class SeveralException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        private SeveralException(String message) {
            super(message);
        }
    }

    /** The error of a key with several positions. */
    public static SeveralException several(String key) {
        return new SeveralException("<" + key + "> has several positions in the graph <" + GRAPH + ">: something "
                + "else than a sync wrote there; compare the dataset with its source, open it with positions=True, and "
                + "delete all positions but the right one");
    }

    /** Sets a position of which the id alone is known, in place of the one that is there. */
    public void set(DatasetGraph dataset, String id) {
        set(dataset, Position.of(id), List.of());
    }

    /** Sets the position, in place of the one that is there, and adds notes. */
    public void set(DatasetGraph dataset, Position position, List<String> notes) {
        Node id = parse(position.id());
        DatasetGraph whole = DataView.whole(dataset);
        whole.deleteAny(GRAPH_NODE, key, POSITION, Node.ANY);
        whole.deleteAny(GRAPH_NODE, key, APPLIED_NODE, Node.ANY);
        whole.add(GRAPH_NODE, key, POSITION, id);
        if (position.applied() != null) {
            whole.add(GRAPH_NODE, key, APPLIED_NODE, NodeFactory.createLiteralString(position.applied()));
        }
        notes.forEach(note -> whole.add(GRAPH_NODE, key, NOTE_NODE, NodeFactory.createLiteralString(note)));
    }

    /** A text as a term, as change rows have it. */
    public static String literal(String text) {
        return canonical(NodeFactory.createLiteralString(text));
    }

    /** The text of a {@link #literal}; null for null. */
    public static String text(String literal) {
        return literal == null ? null : parse(literal).getLiteralLexicalForm();
    }

    /** A term as change rows have it. */
    public static String canonical(Node term) {
        return new String(new CanonicalNodes().bytes(term), UTF_8);
    }

    /**
     * The node of a position.
     *
     * @throws IllegalArgumentException the text is neither an absolute IRI nor a literal in N-Triples, or is a number or
     *                                  the like that TDB2 gives back in another form
     */
    public static Node parse(String term) {
        Node node;
        try {
            node = NodeFactoryExtra.parseNode(term);
        } catch (RiotException e) {
            throw notAPosition(term);
        }
        if (!node.isURI() && !node.isLiteral() || new DatasetTerms().problem(null, POSITION, POSITION, node) != null) {
            throw notAPosition(term);
        }
        if (TdbTerms.problem(node) != null || TdbTerms.isAltered(node) || !TdbTerms.stored(node).equals(node)) {
            throw new IllegalArgumentException(term + " as a position, which TDB2 gives back in another form; take an IRI "
                    + "such as <urn:uuid:...>, or write the number as TDB2 does");
        }
        return node;
    }

    private static IllegalArgumentException notAPosition(String term) {
        return new IllegalArgumentException(term + " as a position, which is neither an absolute IRI nor a literal in "
                + "N-Triples; write for example <urn:uuid:...> or \"12\"^^<http://www.w3.org/2001/XMLSchema#long>");
    }
}
