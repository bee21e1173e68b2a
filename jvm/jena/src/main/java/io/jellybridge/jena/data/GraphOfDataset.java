package io.jellybridge.jena.data;

import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.GraphView;

/** A graph of a dataset that is a view of another. It reads and changes quads by the methods of the dataset. */
public final class GraphOfDataset extends GraphView {
    private final Node name;

    /**
     * Creates a graph.
     *
     * @param name the name, not null: Jena has a name for the default graph
     */
    public GraphOfDataset(DatasetGraph dataset, Node name) {
        super(dataset, name);
        this.name = name;
    }

    /** Removes triples. Jena's own method passes null for the default graph, which {@code deleteAny} takes for every graph. */
    @Override
    public void remove(Node subject, Node predicate, Node object) {
        getDataset().deleteAny(name, subject, predicate, object);
    }
}
