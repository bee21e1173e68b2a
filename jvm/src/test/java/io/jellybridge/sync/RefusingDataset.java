package io.jellybridge.sync;

import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.shared.AddDeniedException;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphWrapper;

/** A dataset in memory that fails where a quad has the object {@code "refused"}. */
final class RefusingDataset extends DatasetGraphWrapper {
    private static final Node REFUSED = NodeFactory.createLiteralString("refused");

    private RefusingDataset(DatasetGraph dataset) {
        super(dataset);
    }

    static DatasetGraph create() {
        return new RefusingDataset(DatasetGraphFactory.createTxnMem());
    }

    @Override
    public void add(Node graph, Node subject, Node predicate, Node object) {
        if (object.equals(REFUSED)) {
            throw new AddDeniedException("refused by the test");
        }
        super.add(graph, subject, predicate, object);
    }
}
