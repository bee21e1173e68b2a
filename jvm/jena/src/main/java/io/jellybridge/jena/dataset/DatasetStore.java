package io.jellybridge.jena.dataset;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Patches;
import io.jellybridge.http.Redaction;
import io.jellybridge.jena.apply.Advance;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.DataView;
import io.jellybridge.jena.data.DiskFullException;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadRows;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.SparqlLimits;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.WriteTransaction;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.jena.tdb.TdbDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Node;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sys.JenaSystem;
import org.apache.jena.tdb2.store.DatasetGraphTDB;
import org.apache.jena.tdb2.sys.TDBInternal;
import org.apache.jena.update.UpdateRequest;

/**
 * An RDF dataset, in memory or in a TDB2 folder, behind methods that take and give plain values. Every method that
 * changes the dataset is one write transaction (of patches without a step: one a patch), and an error leaves the dataset
 * as it was, prefixes too, with no transaction open.
 *
 * <p>Any number of threads may read at a time, and one may write; others wait.
 */
public final class DatasetStore implements OpenDataset {
    private static final String MEMORY = "mem:";
    private static final String TDB2 = "tdb2:";
    /** For fewer change rows, the beginning and the end of a bulk load cost as much as it saves. */
    static final long LEAST_ROWS_TO_LOAD = 100_000;

    static {
        JenaSystem.init();
    }

    private final DatasetGraph base;
    /** What is read, and changed while there is no capture. */
    private final DatasetGraph shown;
    /** Where it is; null: in memory. */
    private final TdbDirectory directory;
    /** Held by whoever writes, so that a capture begins and ends between transactions. */
    private final Object writing = new Object();
    private Capture capture;
    private volatile boolean closed;

    private DatasetStore(DatasetGraph base, TdbDirectory directory, boolean positions) {
        this.base = base;
        this.shown = positions ? base : DataView.of(base);
        this.directory = directory;
    }

    /** Opens a dataset without its positions, see {@link #open(String, boolean)}. */
    public static DatasetStore open(String location) throws IOException {
        return open(location, false);
    }

    /**
     * Opens a dataset: {@code mem:} is a new one in memory, {@code tdb2:DIR} the TDB2 database in that folder, made
     * when the folder is empty or not there.
     *
     * @param positions whether the graph of {@link StoredPosition}s is read and changed like any other, for who repairs it;
     *                  else there is none, see {@link DataView}
     * @throws IllegalArgumentException another location, or a folder that holds something else
     * @throws IllegalStateException    the database is open already, in this process or in another
     * @throws IOException              the folder can't be made or read
     */
    public static DatasetStore open(String location, boolean positions) throws IOException {
        if (location.equals(MEMORY)) {
            return new DatasetStore(DatasetGraphFactory.createTxnMem(), null, positions);
        }
        if (location.startsWith(TDB2) && location.length() > TDB2.length()) {
            TdbDirectory directory = TdbDirectory.open(Path.of(location.substring(TDB2.length())));
            return new DatasetStore(directory.dataset(), directory, positions);
        }
        throw new IllegalArgumentException("'" + Redaction.address(location)
                + "' is no dataset location; use mem: for a new dataset in memory, tdb2:DIR for the TDB2 database in the "
                + "folder DIR, or http://HOST:PORT/NAME for a dataset of a Fuseki");
    }

    /**
     * Opens a TDB2 database that is there to read it, without its positions, see {@link #open(String, boolean)}. One that
     * is open in this process is shared with who has it open, who can't close it until this is closed.
     *
     * @throws FileNotFoundException there is none; nothing was made
     */
    public static DatasetStore openThere(String location) throws IOException {
        Path folder = Path.of(location.substring(TDB2.length()));
        if (!TdbDirectory.isThere(folder)) {
            throw new FileNotFoundException("there is no TDB2 database in " + folder + " on this machine");
        }
        TdbDirectory directory = TdbDirectory.openToRead(folder);
        return new DatasetStore(directory.dataset(), directory, false);
    }

    /**
     * All of the dataset, its positions too, for Jena's own methods. Changes that are made to it directly are not
     * captured.
     */
    public DatasetGraph dataset() {
        checkOpen();
        return base;
    }

    // --- changes

    /** {@inheritDoc} See {@link PatchApplier}. */
    @Override
    public ApplyReport apply(String name, Patches patches, ProgressListener listener) throws IOException {
        synchronized (writing) {
            return new PatchApplier(target(), listener).apply(name, () -> patches.open(new NodeTerms()));
        }
    }

    /**
     * {@inheritDoc} See {@link PatchApplier#applyTogether}; {@value #LEAST_ROWS_TO_LOAD} statements or more go by a bulk
     * loader, which is much faster, where that is possible: into a TDB2 database that is empty, that no capture records and
     * no Fuseki server in this process serves. Until all of it is done, the database stays empty, whatever happens.
     */
    @Override
    public ApplyReport apply(Patches patches, Advance advance, ProgressListener listener) throws IOException {
        // Asked first, so that all patches need not be checked to find out that they are not wanted.
        advance.check(stand(advance.key()));
        PatchApplier.Patches nodes = () -> patches.open(new NodeTerms());
        synchronized (writing) {
            Optional<ApplyReport> loaded = load(nodes, advance, LEAST_ROWS_TO_LOAD, listener);
            return loaded.isPresent() ? loaded.get() : applyTogether(nodes, advance, listener);
        }
    }

    public ApplyReport applyTogether(PatchApplier.Patches patches, PatchApplier.Step step, ProgressListener listener)
            throws IOException {
        synchronized (writing) {
            return new PatchApplier(target(), listener).applyTogether(patches, step);
        }
    }

    /** @return empty, and nothing was done, where a bulk loader can't be used, or there are fewer statements */
    public Optional<ApplyReport> load(PatchApplier.Patches patches, PatchApplier.Step step, long leastRows,
            ProgressListener listener) throws IOException {
        synchronized (writing) {
            return mayLoad() ? directory.load(patches, step, leastRows, listener) : Optional.empty();
        }
    }

    @Override
    public boolean loads(long rows) {
        synchronized (writing) {
            WriteTransaction.refuseNested(base);
            return rows >= LEAST_ROWS_TO_LOAD && mayLoad() && directory.isLoadable();
        }
    }

    private boolean mayLoad() {
        checkOpen();
        return directory != null && capture == null;
    }

    @Override
    public void update(String sparql, SparqlLimits limits) throws IOException {
        UpdateRequest request = limits.update(sparql);
        write(dataset -> limits.update(dataset, request));
    }

    /**
     * Adds what an RDF file holds, {@code .gz} after its suffix or not. Labels of blank nodes are kept in
     * N-Triples, N-Quads and Jelly; in other syntaxes the nodes are fresh. Positions that another dataset wrote into the file are
     * left out.
     *
     * @return how many statements were left out
     * @throws IllegalArgumentException its syntax is none
     * @throws FormatException          its content is wrong; the message says where
     * @throws IOException              it can't be read
     */
    @Override
    public long load(RdfFile source) throws IOException {
        long[] positions = new long[1];
        write(dataset -> positions[0] = DatasetFiles.load(dataset, source));
        return positions[0];
    }

    @Override
    public <R> R alone(Work<R> work) throws IOException {
        synchronized (writing) {
            return work.run();
        }
    }

    private void write(Change change) throws IOException {
        synchronized (writing) {
            DatasetGraph dataset = target();
            DiskFullException.watch(dataset, () -> {
                try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
                    change.make(dataset);
                    transaction.commit();
                }
            });
        }
    }

    /** What {@link #write} does within the transaction. */
    @FunctionalInterface
    private interface Change {
        void make(DatasetGraph dataset) throws IOException;
    }

    private DatasetGraph target() {
        checkOpen();
        return capture == null ? shown : capture.dataset();
    }

    // --- capture

    /**
     * Records all changes that are made through this store, until the capture is closed, see {@link Capture}.
     *
     * @param log a file whose name ends with {@code .jellyp}, or a folder
     * @throws IllegalStateException    a capture is running, of this dataset or into this folder; or the folder holds the
     *                                  log of another dataset
     * @throws IllegalArgumentException the folder holds something else
     * @throws IOException              the log can't be written
     */
    @Override
    public Capture startCapture(Path log, CaptureOptions options) throws IOException {
        synchronized (writing) {
            checkOpen();
            WriteTransaction.refuseNested(base);
            if (capture != null) {
                throw new IllegalStateException(
                        "the changes of this dataset are captured already; close that capture first");
            }
            capture = new Capture(base, log, options, writing, () -> capture = null);
            return capture;
        }
    }

    // --- reading

    /**
     * Runs a SPARQL query and gives its result as JSON text with terms in canonical N-Triples:
     * {@code {"vars":[…],"rows":[[term or null,…],…]}}, {@code {"boolean":…}}, {@code {"triples":[[s,p,o],…]}} or
     * {@code {"quads":[[s,p,o,g or null],…]}}.
     *
     * @throws org.apache.jena.query.QueryParseException the query is not SPARQL; the message says where
     * @throws IllegalArgumentException                  it has what it may not have
     * @throws IOException                               it took too long
     */
    @Override
    public String query(String sparql, SparqlLimits limits) throws IOException {
        return read(() -> limits.query(shown, sparql));
    }

    /**
     * Writes the dataset into a file, {@code .gz} after its suffix or not. The file appears whole or not at all.
     * {@code .nq}, {@code .nt} and {@code .jelly} keep the labels of blank nodes; {@code .jelly}, a flat
     * stream of quads, keeps prefixes too.
     *
     * @throws IllegalArgumentException the syntax is none, or can't say what the dataset holds
     * @throws IOException              the file can't be written
     */
    @Override
    public void dump(RdfFile target) throws IOException {
        read(() -> {
            DatasetFiles.dump(shown, target);
            return null;
        });
    }

    @Override
    public Position stand(String key) throws IOException {
        StoredPosition position = new StoredPosition(key);
        return read(() -> position.find(base));
    }

    @Override
    public List<String> notes(String key) throws IOException {
        StoredPosition position = new StoredPosition(key);
        return read(() -> position.notes(base));
    }

    /** How many quads the dataset holds, those of the default graph too. */
    @Override
    public long size() throws IOException {
        return read(() -> {
            DatasetGraphTDB tdb = TDBInternal.getDatasetGraphTDB(base);
            if (tdb == null) {
                return Iter.count(shown.find());
            }
            long all = TdbDirectory.size(tdb);
            return shown == base
                    ? all : all - Iter.count(base.find(StoredPosition.GRAPH_NODE, Node.ANY, Node.ANY, Node.ANY));
        });
    }

    /** {@inheritDoc} In a transaction of this thread that must be closed, see {@link QuadRows}. */
    @Override
    public QuadCursor rows(QuadSelection selection) {
        checkOpen();
        return QuadRows.of(shown, selection);
    }

    /** Reads in a transaction, or in that of this thread when it has one. */
    private <R> R read(Reading<R> work) throws IOException {
        checkOpen();
        if (base.isInTransaction()) {
            return work.read();
        }
        base.begin(TxnType.READ);
        try {
            return work.read();
        } finally {
            base.end();
        }
    }

    /** What {@link #read} does within the transaction. */
    @FunctionalInterface
    private interface Reading<R> {
        R read() throws IOException;
    }

    // --- end

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the dataset was closed; open it again");
        }
    }

    /**
     * Closes the dataset, and before that a capture that is running, whose file is complete then. A TDB2 folder can be
     * opened again, by any process. A second call does nothing.
     *
     * @throws IllegalStateException a transaction is running (rows that were not closed); the dataset is still open
     * @throws IOException           the capture's file can't be written; the dataset is closed
     */
    @Override
    public void close() throws IOException {
        synchronized (writing) {
            if (closed) {
                return;
            }
            WriteTransaction.refuseNested(base);
            try {
                if (capture != null) {
                    capture.close();
                }
            } finally {
                if (directory == null) {
                    base.close();
                } else {
                    directory.close();
                }
                closed = true;
            }
        }
    }
}
