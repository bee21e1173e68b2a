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
import org.apache.jena.sys.JenaSystem;

/**
 * A {@link Position} that a dataset stores under a key, as quads of a reserved graph. A {@link UserDataView} hides that graph,
 * but its methods accept a view too. They must be called within a transaction of the dataset.
 *
 * <ul>
 * <li>{@code <key> <urn:jellybridge:position> term}: the id;
 * <li>{@code <key> <urn:jellybridge:applied> "text"}: the text, if there is one;
 * <li>{@code <key> <urn:jellybridge:note> "text"}, any number: further facts for the follower's next run. They are added in the
 * transaction of a position, and stay.
 * </ul>
 *
 * <p>The id of a TDB2 database whose changes are captured is in a {@link PositionFile}, to which the stored term refers.
 */
public final class StoredPosition {
    static {
        JenaSystem.init();
    }

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
     * Creates a position store for a key.
     *
     * @param key an absolute IRI, without angle brackets
     * @throws IllegalArgumentException it is no absolute IRI
     */
    public StoredPosition(String key) {
        this.key = NodeFactory.createURI(key);
        String problem = new DatasetTerms().findProblem(null, this.key, POSITION, this.key);
        if (problem != null) {
            throw new IllegalArgumentException(problem + "; name the key of a position by an absolute IRI");
        }
    }

    /** Checks whether this is the graph of positions; null is not. */
    public static boolean isGraph(Node graph) {
        return GRAPH_NODE.equals(graph);
    }

    /** Returns the key's IRI with the escapes of N-Triples, without angle brackets. */
    public String key() {
        String term = toCanonical(key);
        return term.substring(1, term.length() - 1);
    }

    /**
     * Returns the id of the position, in canonical N-Triples; null if there is none.
     *
     * @throws SeveralException there are several
     */
    public String get(DatasetGraph dataset) {
        return Position.idOf(find(dataset));
    }

    /**
     * Returns the position; null if there is none.
     *
     * @throws SeveralException      there are several
     * @throws IllegalStateException it is not certain
     */
    public Position find(DatasetGraph dataset) {
        Found found = read(dataset);
        if (found != null && !found.isCertain) {
            throw new IllegalStateException("a commit of this dataset was cut off, whose patch " + found.position.id()
                    + " the dataset may have or not; capture into its log once more, which completes the commit");
        }
        return found == null ? null : found.position;
    }

    /**
     * A position that was read.
     *
     * @param isCertain false if the dataset may still be one patch before it, since a crash cut off the commit
     */
    public record Found(Position position, boolean isCertain) {
    }

    /**
     * Reads the position, even if it is not certain; null if there is none.
     *
     * @throws SeveralException there are several
     */
    public Found read(DatasetGraph dataset) {
        Node id = findObject(dataset, POSITION);
        PositionFile.Line line = id == null ? null : PositionFile.read(dataset, id);
        if (line != null) {
            return new Found(Position.of(line.id()), line.isDone());
        }
        Node applied = id == null ? null : findObject(dataset, APPLIED_NODE);
        return id == null ? null
                : new Found(new Position(toCanonical(id), applied == null ? null : applied.getLiteralLexicalForm()), true);
    }

    /** Returns true if the stored term is this one, such as a reference to a {@link PositionFile}. */
    public boolean isAt(DatasetGraph dataset, Node term) {
        return UserDataView.wholeDataset(dataset).contains(GRAPH_NODE, key, POSITION, term);
    }

    private Node findObject(DatasetGraph dataset, Node predicate) {
        List<Node> found = findObjects(dataset, predicate);
        if (found.size() > 1) {
            throw severalPositionsError(key.getURI());
        }
        return found.isEmpty() ? null : found.get(0);
    }

    private List<Node> findObjects(DatasetGraph dataset, Node predicate) {
        return Iter.toList(Iter.map(
                UserDataView.wholeDataset(dataset).find(GRAPH_NODE, key, predicate, Node.ANY), Quad::getObject));
    }

    /** Returns true if the dataset has this term as a position, under any key. */
    static boolean isStored(DatasetGraph dataset, Node term) {
        return UserDataView.wholeDataset(dataset).contains(GRAPH_NODE, Node.ANY, POSITION, term);
    }

    /** Returns the texts of all notes, in any order. */
    public List<String> readNotes(DatasetGraph dataset) {
        return findObjects(dataset, NOTE_NODE).stream().map(Node::getLiteralLexicalForm).toList();
    }

    /** Thrown when a key has several positions. */
    public static final class SeveralException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        private SeveralException(String message) {
            super(message);
        }
    }

    /** Creates the exception for a key with several positions. */
    public static SeveralException severalPositionsError(String key) {
        return new SeveralException("<" + key + "> has several positions in the graph <" + GRAPH + ">: something "
                + "else than a sync wrote there; compare the dataset with its source, open it with positions=True, and "
                + "delete all positions but the right one");
    }

    /** Sets a position with an id only, replacing the current one. */
    public void set(DatasetGraph dataset, String id) {
        set(dataset, Position.of(id), List.of());
    }

    /** Sets the position, replacing the current one, and adds notes. */
    public void set(DatasetGraph dataset, Position position, List<String> notes) {
        Node id = parse(position.id());
        DatasetGraph whole = UserDataView.wholeDataset(dataset);
        whole.deleteAny(GRAPH_NODE, key, POSITION, Node.ANY);
        whole.deleteAny(GRAPH_NODE, key, APPLIED_NODE, Node.ANY);
        whole.add(GRAPH_NODE, key, POSITION, id);
        if (position.applied() != null) {
            whole.add(GRAPH_NODE, key, APPLIED_NODE, NodeFactory.createLiteralString(position.applied()));
        }
        notes.forEach(note -> whole.add(GRAPH_NODE, key, NOTE_NODE, NodeFactory.createLiteralString(note)));
    }

    /** Returns a text as a literal in the form of change rows. */
    public static String toLiteral(String text) {
        return toCanonical(NodeFactory.createLiteralString(text));
    }

    /** Returns the text of a {@link #toLiteral}. Null becomes null. */
    public static String fromLiteral(String literal) {
        return literal == null ? null : parse(literal).getLiteralLexicalForm();
    }

    /** Returns a term in the form of change rows. */
    public static String toCanonical(Node term) {
        return new String(new CanonicalNodes().toBytes(term), UTF_8);
    }

    /** Returns the id of a position in the form of change rows. The errors are those of {@link #parse}. */
    public static String toCanonical(String id) {
        return toCanonical(parse(id));
    }

    /**
     * Parses the id of a position.
     *
     * @throws IllegalArgumentException the text is neither an absolute IRI nor a literal in N-Triples, or is a number or
     *                                  similar that TDB2 returns in another form
     */
    public static Node parse(String term) {
        Node node;
        try {
            node = NodeFactoryExtra.parseNode(term);
        } catch (RiotException e) {
            throw notAPositionError(term);
        }
        if (!node.isURI() && !node.isLiteral() || new DatasetTerms().findProblem(null, POSITION, POSITION, node) != null) {
            throw notAPositionError(term);
        }
        if (TdbTerms.findProblem(node) != null || TdbTerms.isAltered(node) || !TdbTerms.asStored(node).equals(node)) {
            throw new IllegalArgumentException(term + " as a position, which TDB2 gives back in another form; take an IRI "
                    + "such as <urn:uuid:...>, or write the number as TDB2 does");
        }
        return node;
    }

    private static IllegalArgumentException notAPositionError(String term) {
        return new IllegalArgumentException(term + " as a position, which is neither an absolute IRI nor a literal in "
                + "N-Triples; write for example <urn:uuid:...> or \"12\"^^<http://www.w3.org/2001/XMLSchema#long>");
    }
}
