package io.jellybridge.jena.data;

import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.IllegalTermException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.DatasetGraphWrapperView;
import org.apache.jena.sparql.core.GraphView;
import org.apache.jena.sparql.core.Quad;

/**
 * The user's data of a dataset, which all code reads and changes:
 *
 * <ul>
 * <li>It hides the graph of {@link StoredPosition}s, which belongs to this dataset only. No search finds that graph, by name or
 * by wildcard. A change that names it is an error, and a change of everything leaves it alone.
 * <li>In TDB2, its terms are those that TDB2 returns, see {@link TdbTerms}, so that a quad that was found can be deleted. Terms
 * that TDB2 can't store are errors, and a term that it would confuse with another is not found.
 * </ul>
 *
 * <p>For a repair, a view can show the graph of positions like any other.
 */
public final class UserDataView extends NodeWiseDataset implements DatasetGraphWrapperView {
    private static final String GRAPH_PROBLEM =
            "the graph <" + StoredPosition.GRAPH + ">, in which each dataset keeps its own positions";

    private final boolean isTdb2;
    private final boolean hasPositions;

    private UserDataView(DatasetGraph dataset, boolean hasPositions) {
        super(dataset);
        this.isTdb2 = TdbTerms.isTdb2(dataset);
        this.hasPositions = hasPositions;
    }

    /** Returns the data of a dataset, or the dataset itself if it is such a view already. */
    public static DatasetGraph of(DatasetGraph dataset) {
        return findView(dataset) == null ? new UserDataView(dataset, false) : dataset;
    }

    /** Returns the data of a dataset together with its positions. */
    public static DatasetGraph withPositions(DatasetGraph dataset) {
        return new UserDataView(dataset, true);
    }

    /** Returns the whole dataset beneath a view or a wrapper of a view; or the dataset itself. */
    static DatasetGraph wholeDataset(DatasetGraph dataset) {
        UserDataView view = findView(dataset);
        return view == null ? dataset : view.getWrapped();
    }

    /** Returns the graph that a view, or a wrapper of a view, hides; null for none. */
    static Node hiddenGraph(DatasetGraph dataset) {
        UserDataView view = findView(dataset);
        return view == null || view.hasPositions ? null : StoredPosition.GRAPH_NODE;
    }

    private static UserDataView findView(DatasetGraph dataset) {
        DatasetGraph inner = dataset;
        while (inner instanceof DatasetGraphWrapper wrapper && !(inner instanceof UserDataView)) {
            inner = wrapper.getWrapped();
        }
        return inner instanceof UserDataView view ? view : null;
    }

    /**
     * Returns the reason why a dataset can't store a statement, as a clause without a full stop; null if it can.
     *
     * @param terms  the terms that every dataset can store
     * @param isTdb2 true for a TDB2 dataset
     * @param graph  null or one of Jena's two default graph nodes for the default graph
     */
    public static String findProblem(DatasetTerms terms, boolean isTdb2, Node graph, Node subject, Node predicate, Node object) {
        String problem = terms.findProblem(graph, subject, predicate, object);
        if (problem != null) {
            return problem;
        }
        return StoredPosition.isGraph(graph) ? GRAPH_PROBLEM : isTdb2 ? findTermProblem(subject, object) : null;
    }

    private static String findTermProblem(Node subject, Node object) {
        String problem = TdbTerms.findProblem(subject);
        return problem == null ? TdbTerms.findProblem(object) : problem;
    }

    private boolean isHidden(Node graph) {
        return !hasPositions && StoredPosition.isGraph(graph);
    }

    private Node asStored(Node term) {
        return isTdb2 && term != null && term.isConcrete() ? TdbTerms.asStored(term) : term;
    }

    /** Checks whether TDB2 would confuse this term with another term that it has. */
    private boolean isTakenForAnother(Node object) {
        return isTdb2 && TdbTerms.keptInstead(get(), object) != null;
    }

    /** Checks whether a quad with these terms may be stored in another form, by a program that bypassed this view. */
    private boolean isChanged(Node subject, Node object) {
        return isTdb2 && subject != null && object != null
                && !(asStored(subject).equals(subject) && asStored(object).equals(object));
    }

    // --- reading

    @Override
    public Iterator<Quad> find(Quad quad) {
        return find(quad.getGraph(), quad.getSubject(), quad.getPredicate(), quad.getObject());
    }

    @Override
    public Iterator<Quad> find() {
        return find(Node.ANY, Node.ANY, Node.ANY, Node.ANY);
    }

    @Override
    public Iterator<Quad> find(Node graph, Node subject, Node predicate, Node object) {
        if (isHidden(graph) || isTakenForAnother(object)) {
            return Iter.nullIterator();
        }
        return Quad.isUnionGraph(graph)
                ? findInUnion(graph, asStored(subject), predicate, asStored(object))
                : withoutSystemGraph(graph, get().find(graph, asStored(subject), predicate, asStored(object)));
    }

    @Override
    public Iterator<Quad> findNG(Node graph, Node subject, Node predicate, Node object) {
        return Quad.isUnionGraph(graph) || isHidden(graph) || isTakenForAnother(object)
                ? find(graph, subject, predicate, object)
                : withoutSystemGraph(graph, get().findNG(graph, asStored(subject), predicate, asStored(object)));
    }

    /** Finds triples of the union of named graphs, except those that occur only among the positions, which are few. */
    private Iterator<Quad> findInUnion(Node union, Node subject, Node predicate, Node object) {
        Set<Triple> positions = hasPositions ? Set.of() : Iter.toSet(Iter.map(
                get().find(StoredPosition.GRAPH_NODE, subject, predicate, object), Quad::asTriple));
        Iterator<Quad> quads = get().find(union, subject, predicate, object);
        return positions.isEmpty() ? quads : Iter.filter(quads,
                quad -> !positions.contains(quad.asTriple()) || isInOneGraph(quad));
    }

    private boolean isInOneGraph(Quad quad) {
        Iterator<Quad> found = findNG(Node.ANY, quad.getSubject(), quad.getPredicate(), quad.getObject());
        try {
            return found.hasNext();
        } finally {
            Iter.close(found);
        }
    }

    private Iterator<Quad> withoutSystemGraph(Node graph, Iterator<Quad> quads) {
        return hasPositions || isOne(graph) ? quads : Iter.filter(quads, quad -> !StoredPosition.isGraph(quad.getGraph()));
    }

    /** Returns false for a wildcard. */
    private static boolean isOne(Node graph) {
        return graph != null && graph.isConcrete();
    }

    @Override
    public boolean contains(Quad quad) {
        return contains(quad.getGraph(), quad.getSubject(), quad.getPredicate(), quad.getObject());
    }

    @Override
    public boolean contains(Node graph, Node subject, Node predicate, Node object) {
        if (isOne(graph) && !Quad.isUnionGraph(graph)) {
            return !isHidden(graph) && !isTakenForAnother(object)
                    && (get().contains(graph, asStored(subject), predicate, asStored(object))
                    || isChanged(subject, object) && get().contains(graph, subject, predicate, object));
        }
        Iterator<Quad> found = find(graph, subject, predicate, object);
        try {
            return found.hasNext();
        } finally {
            Iter.close(found);
        }
    }

    @Override
    public boolean isEmpty() {
        return !contains(Node.ANY, Node.ANY, Node.ANY, Node.ANY);
    }

    @Override
    public Iterator<Node> listGraphNodes() {
        return Iter.filter(get().listGraphNodes(), graph -> !isHidden(graph));
    }

    @Override
    public boolean containsGraph(Node graph) {
        return !isHidden(graph) && get().containsGraph(graph);
    }

    /** Returns the number of named graphs, as in other datasets. */
    @Override
    public long size() {
        return Iter.count(listGraphNodes());
    }

    @Override
    public Graph getUnionGraph() {
        return GraphView.createUnionGraph(this);
    }

    // --- changes

    /**
     * Adds a quad.
     *
     * @throws IllegalArgumentException the graph is that of positions
     * @throws IllegalTermException this dataset can't store a term
     */
    @Override
    public void add(Node graph, Node subject, Node predicate, Node object) {
        refuseGraph(graph);
        if (isTdb2) {
            refuseTerm(findTermProblem(subject, object));
            refuseTerm(TdbTerms.findProblem(get(), object));
        }
        Node subjectStored = asStored(subject);
        Node objectStored = asStored(object);
        if (isTdb2) {
            TdbTerms.keep(get(), subjectStored);
            TdbTerms.keep(get(), objectStored);
        }
        get().add(graph, subjectStored, predicate, objectStored);
    }

    /**
     * Deletes a quad. In TDB2, this deletes all quads that it returns as this one, in whichever form a program stored them.
     *
     * @throws IllegalArgumentException the graph is that of positions
     */
    @Override
    public void delete(Node graph, Node subject, Node predicate, Node object) {
        refuseGraph(graph);
        if (isTakenForAnother(object)) {
            return;
        }
        Node objectStored = asStored(object);
        get().delete(graph, asStored(subject), predicate, objectStored);
        if (isChanged(subject, object)) {
            get().delete(graph, subject, predicate, object);
        }
        if (isTdb2 && TdbTerms.hasSeveralIds(objectStored) && (graph == null || graph.isConcrete()) && subject.isConcrete()
                && predicate.isConcrete()) {
            TdbTerms.deleteAllIds(get(), graph, asStored(subject), predicate, objectStored);
        }
    }

    /**
     * Deletes the quads that match.
     *
     * @throws IllegalArgumentException the graph is that of positions
     */
    @Override
    public void deleteAny(Node graph, Node subject, Node predicate, Node object) {
        if (isTakenForAnother(object)) {
            return;
        }
        Node objectStored = asStored(object);
        if (isTdb2 && objectStored != null && TdbTerms.hasSeveralIds(objectStored)) {
            if (isOne(graph)) {
                refuseGraph(graph);
            }
            TdbTerms.findAllIds(this, graph, asStored(subject), predicate, objectStored).forEach(this::delete);
        } else if (isOne(graph)) {
            refuseGraph(graph);
            get().deleteAny(graph, asStored(subject), predicate, objectStored);
        } else {
            keepPositions(() -> get().deleteAny(graph, asStored(subject), predicate, objectStored));
        }
    }

    /**
     * Removes a graph.
     *
     * @throws IllegalArgumentException the graph is that of positions
     */
    @Override
    public void removeGraph(Node graph) {
        refuseGraph(graph);
        get().removeGraph(graph);
    }

    /** Adds the triples of a graph and removes none, as Jena's in-memory and TDB2 datasets do. */
    @Override
    public void addGraph(Node graph, Graph triples) {
        triples.find().forEach(triple -> add(graph, triple.getSubject(), triple.getPredicate(), triple.getObject()));
    }

    @Override
    public void clear() {
        keepPositions(get()::clear);
    }

    /** Changes all graphs, and restores the positions, which are few. */
    private void keepPositions(Runnable change) {
        List<Quad> positions = hasPositions ? List.of()
                : Iter.toList(get().find(StoredPosition.GRAPH_NODE, Node.ANY, Node.ANY, Node.ANY));
        change.run();
        positions.forEach(get()::add);
    }

    private void refuseGraph(Node graph) {
        if (isHidden(graph)) {
            throw new IllegalArgumentException(GRAPH_PROBLEM + "; nothing was changed");
        }
    }

    private static void refuseTerm(String problem) {
        if (problem != null) {
            throw new IllegalTermException("a statement has " + problem);
        }
    }
}
