package io.jellybridge.jena.data;

import io.jellybridge.jena.nodes.CanonicalNodes;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Node;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.sys.TDBInternal;

/**
 * A cursor over quads of a dataset, as rows of canonical terms: subject, predicate, object, graph. A null graph is the default
 * graph. It holds a read transaction until all rows are read or it is closed, so the rows are those of one moment. Jena's
 * transactions belong to a thread, so only the thread that created the cursor may use it.
 */
public final class QuadRows implements QuadCursor {
    private final DatasetGraph dataset;
    private final Thread owner = Thread.currentThread();
    private final Iterator<byte[][]> quads;
    private boolean ended;

    /**
     * Creates a cursor.
     *
     * @param selection selects the quads, which the dataset's indexes find; others may be found too
     */
    private QuadRows(DatasetGraph dataset, QuadSelection selection) {
        WriteTransaction.refuseNested(dataset);
        this.dataset = dataset;
        dataset.begin(TxnType.READ);
        try {
            quads = findQuads(dataset, selection);
        } catch (RuntimeException | Error e) {
            dataset.end();
            throw e;
        }
    }

    /** Finds quads by one pattern after the other, on demand. */
    private static Iterator<byte[][]> findQuads(DatasetGraph dataset, QuadSelection selection) {
        return Iter.flatMap(selection.patterns().iterator(), makeFinder(dataset));
    }

    /** Returns all quads as such rows, within a transaction of the caller. */
    public static Iterator<byte[][]> within(DatasetGraph dataset) {
        return findQuads(dataset, QuadSelection.ALL);
    }

    private static Function<Quad, Iterator<byte[][]>> makeFinder(DatasetGraph dataset) {
        DatasetGraphTDB database = TDBInternal.getDatasetGraphTDB(UserDataView.wholeDataset(dataset));
        if (database != null) {
            return new TdbQuads(database, UserDataView.hiddenGraph(dataset))::findQuads;
        }
        CanonicalNodes terms = new CanonicalNodes();
        return pattern -> Iter.map(pattern.getGraph() == null
                ? dataset.findNG(Node.ANY, pattern.getSubject(), pattern.getPredicate(), pattern.getObject())
                : dataset.find(pattern), terms::toBytes);
    }

    /** Creates a cursor over all quads. */
    public QuadRows(DatasetGraph dataset) {
        this(dataset, QuadSelection.ALL);
    }

    /** Creates a cursor over the selected quads. */
    public static QuadCursor of(DatasetGraph dataset, QuadSelection selection) {
        return selection.of(new QuadRows(dataset, selection));
    }

    @Override
    public boolean hasNext() {
        checkThread();
        boolean found = false;
        try {
            found = !ended && quads.hasNext();
        } finally {
            if (!found) {
                close(); // nothing is left, or the search failed
            }
        }
        return found;
    }

    @Override
    public byte[][] next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return quads.next();
    }

    /** Ends the transaction. */
    @Override
    public void close() {
        if (ended) {
            return;
        }
        checkThread();
        ended = true;
        try {
            Iter.close(quads);
        } finally {
            dataset.end();
        }
    }

    private void checkThread() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("rows of a dataset belong to the thread that asked for them ("
                    + owner.getName()
                    + "), not to " + Thread.currentThread().getName());
        }
    }
}
