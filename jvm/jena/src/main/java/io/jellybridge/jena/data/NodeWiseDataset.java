package io.jellybridge.jena.data;

import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.GraphView;
import org.apache.jena.sparql.core.Quad;

/**
 * A wrapper of a dataset whose changes of quads, and whose graphs, go through its methods of four nodes. So a subclass has one
 * method for each kind of change.
 */
public abstract class NodeWiseDataset extends DatasetGraphWrapper {

    protected NodeWiseDataset(DatasetGraph dataset) {
        super(dataset);
    }

    @Override
    public void add(Quad quad) {
        add(toGraph(quad), quad.getSubject(), quad.getPredicate(), quad.getObject());
    }

    @Override
    public void delete(Quad quad) {
        delete(toGraph(quad), quad.getSubject(), quad.getPredicate(), quad.getObject());
    }

    private static Node toGraph(Quad quad) {
        return quad.isTriple() ? null : quad.getGraph();
    }

    @Override
    public final Graph getDefaultGraph() {
        return new View(this, Quad.defaultGraphNodeGenerated);
    }

    @Override
    public final Graph getGraph(Node graph) {
        return new View(this, graph == null ? Quad.defaultGraphNodeGenerated : graph);
    }

    @Override
    public Graph getUnionGraph() {
        return new View(this, Quad.unionGraph);
    }

    private static final class View extends GraphView {
        private final Node name;

        View(DatasetGraph dataset, Node name) {
            super(dataset, name);
            this.name = name;
        }

        /**
         * Removes triples. Jena's own method passes null for the default graph, which {@code deleteAny} takes for every graph.
         */
        @Override
        public void remove(Node subject, Node predicate, Node object) {
            getDataset().deleteAny(name, subject, predicate, object);
        }
    }
}
