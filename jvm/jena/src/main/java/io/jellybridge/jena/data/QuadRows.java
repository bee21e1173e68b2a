package io.jellybridge.jena.data;

import io.jellybridge.jena.nodes.CanonicalNodes;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.sys.TDBInternal;

/**
 * Quads of a dataset as rows of canonical terms: subject, predicate, object, graph, where a null graph is the
 * default graph. Holds a read transaction, so the rows are those of one moment, until they are all read or it is
 * closed. Jena's transactions belong to a thread: only the one that began may use this.
 */
public final class QuadRows implements QuadCursor {
    private final DatasetGraph dataset;
    private final Thread owner = Thread.currentThread();
    private final Iterator<byte[][]> quads;
    private boolean ended;

    /** @param selection which are wanted at least, and are looked for by the dataset's indexes */
    private QuadRows(DatasetGraph dataset, QuadSelection selection) {
        WriteTransaction.refuseNested(dataset);
        this.dataset = dataset;
        dataset.begin(TxnType.READ);
        try {
            quads = find(dataset, selection);
        } catch (RuntimeException | Error e) {
            dataset.end();
            throw e;
        }
    }

    /** One pattern after the other, when it is asked for. */
    private static Iterator<byte[][]> find(DatasetGraph dataset, QuadSelection selection) {
        return Iter.flatMap(QuadSearch.patterns(selection).iterator(), finder(dataset));
    }

    /** All quads as such rows, within a transaction of the caller's. */
    public static Iterator<byte[][]> within(DatasetGraph dataset) {
        return find(dataset, QuadSelection.ALL);
    }

    private static Function<Quad, Iterator<byte[][]>> finder(DatasetGraph dataset) {
        boolean isView = DataView.whole(dataset) != dataset;
        DatasetGraphTDB database = TDBInternal.getDatasetGraphTDB(DataView.whole(dataset));
        if (database != null) {
            return new TdbQuads(database, isView ? StoredPosition.GRAPH_NODE : null)::find;
        }
        CanonicalNodes terms = new CanonicalNodes();
        return pattern -> Iter.map(QuadSearch.find(dataset, pattern), terms::bytes);
    }

    /** All quads. */
    public QuadRows(DatasetGraph dataset) {
        this(dataset, QuadSelection.ALL);
    }

    /** Those that are wanted. */
    public static QuadCursor of(DatasetGraph dataset, QuadSelection selection) {
        return SelectedQuads.of(new QuadRows(dataset, selection), selection);
    }

    @Override
    public boolean hasNext() {
        checkThread();
        boolean found = false;
        try {
            found = !ended && quads.hasNext();
        } finally {
            if (!found) {
                close(); // nothing is left, or it can't be found
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
