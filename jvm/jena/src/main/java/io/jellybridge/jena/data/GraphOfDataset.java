package io.jellybridge.jena.data;

import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.GraphView;

/** A graph of a dataset that is a view of another: what is read and changed in the graph goes by the methods of the dataset. */
public final class GraphOfDataset extends GraphView {
    private final Node name;

    /** @param name not null: the default graph has a name of Jena's */
    public GraphOfDataset(DatasetGraph dataset, Node name) {
        super(dataset, name);
        this.name = name;
    }

    /** Jena's own calls the default graph null here, which {@code deleteAny} takes for every graph. */
    @Override
    public void remove(Node subject, Node predicate, Node object) {
        getDataset().deleteAny(name, subject, predicate, object);
    }
}
