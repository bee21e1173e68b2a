package io.jellybridge.jena.data;

import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.sys.TDBInternal;

/** Adds and deletes quads of a dataset in one write transaction, and counts the rows that changed it. */
public abstract class QuadChanges {
    private long changed;

    /**
     * Creates the changes of a transaction that has begun.
     *
     * @param dataset a result of {@link UserDataView#of}
     */
    public static QuadChanges of(DatasetGraph dataset) {
        QuadChanges oneByOne = new OneByOne(dataset);
        DatasetGraphTDB database = TDBInternal.getDatasetGraphTDB(UserDataView.wholeDataset(dataset));
        QuadChanges inTdb = database == null ? null : TdbChanges.of(database, oneByOne);
        return inTdb == null ? oneByOne : inTdb;
    }

    /**
     * Adds or deletes a quad. The change may wait until {@link #finish} is called.
     *
     * @param graph the name of the graph, or Jena's name for the default graph
     * @throws IllegalArgumentException the dataset can't store the quad
     */
    public abstract void change(boolean isAddition, Node graph, Node subject, Node predicate, Node object);

    /** Makes the changes that wait, and returns the number of rows so far that changed the dataset. */
    public long finish() {
        return changed;
    }

    final void count(long rows) {
        changed += rows;
    }

    /** Changes by the methods of Jena's datasets. */
    private static final class OneByOne extends QuadChanges {
        private final DatasetGraph dataset;

        OneByOne(DatasetGraph dataset) {
            this.dataset = dataset;
        }

        @Override
        public void change(boolean isAddition, Node graph, Node subject, Node predicate, Node object) {
            boolean isThere = dataset.contains(graph, subject, predicate, object);
            if (isAddition) {
                dataset.add(graph, subject, predicate, object);
            } else {
                dataset.delete(graph, subject, predicate, object);
            }
            count(isThere == isAddition ? 0 : 1);
        }
    }
}
