package io.jellybridge.jena.dataset;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.DiskFullException;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadRows;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.SparqlLimits;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.UserDataView;
import io.jellybridge.jena.data.WriteTransaction;
import io.jellybridge.jena.dataset.OpenDataset.LoadReport;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.jena.tdb.TdbDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
 * An RDF dataset, in memory or in a TDB2 folder, with methods on plain values. Every method that changes the dataset is one
 * write transaction (without a step: one for each patch). An error leaves the dataset as it was, including prefixes, and no
 * transaction open.
 *
 * <p>Many threads may read at the same time. One thread may write; others wait.
 */
public final class DatasetStore implements OpenDataset {
    private static final String MEMORY = "mem:";
    private static final String TDB2 = "tdb2:";
    /**
     * The smallest number of change rows for a bulk load, a property of the JVM. Below 100,000, the start and end of the load cost
     * as much as it saves.
     */
    static final long LEAST_ROWS_TO_LOAD = Long.getLong("jellybridge.bulk-load-rows", 100_000);

    static {
        JenaSystem.init();
    }

    private final DatasetGraph base;
    /** The dataset that is read, and also changed unless a capture runs. */
    private final DatasetGraph shown;
    private final boolean hasPositions;
    /** The database folder; null for a dataset in memory. */
    private final TdbDirectory directory;
    /** The lock of all writers, so that a capture begins and ends between transactions. */
    private final Object writing = new Object();
    private Capture capture;
    private volatile boolean closed;

    private DatasetStore(DatasetGraph base, TdbDirectory directory, boolean positions) {
        this.base = base;
        this.shown = positions ? UserDataView.withPositions(base) : UserDataView.of(base);
        this.hasPositions = positions;
        this.directory = directory;
    }

    /** Opens a dataset without its positions, see {@link #open(String, boolean)}. */
    public static DatasetStore open(String location) throws IOException {
        return open(location, false);
    }

    /**
     * Opens a dataset: {@code mem:} creates one in memory, {@code tdb2:DIR} opens the TDB2 database in that folder. It creates
     * the database if the folder is empty or missing.
     *
     * @param positions true to read and change the graph of {@link StoredPosition}s like any other, for a repair; false to hide
     *                  it, see {@link UserDataView}
     * @throws IllegalArgumentException the location is of another kind, or the folder contains something else
     * @throws IllegalStateException the database is open already, in this process or in another
     * @throws IOException the folder can't be created or read
     */
    public static DatasetStore open(String location, boolean positions) throws IOException {
        if (location.equals(MEMORY)) {
            return new DatasetStore(DatasetGraphFactory.createTxnMem(), null, positions);
        }
        if (location.startsWith(TDB2) && location.length() > TDB2.length()) {
            TdbDirectory directory = TdbDirectory.open(Path.of(location.substring(TDB2.length())));
            return new DatasetStore(directory.dataset(), directory, positions);
        }
        if (HttpOptions.isUrl(location)) {
            throw new IllegalArgumentException(Redaction.redactAddress(location) + " is on a server, and this class opens datasets of "
                    + "this machine, mem: and tdb2:DIR; use FusekiDataset of the artifact jellybridge-sync");
        }
        throw new IllegalArgumentException("'" + Redaction.redactAddress(location)
                + "' is no dataset location; use mem: for a new dataset in memory, tdb2:DIR for the TDB2 database in the "
                + "folder DIR, or http://HOST:PORT/NAME for a dataset of a Fuseki" + hintFor(location));
    }

    /** Creates a store over a dataset of Jena, whose owner closes it. */
    public static DatasetStore over(DatasetGraph dataset) {
        return new DatasetStore(WriteTransaction.requireAbort(dataset), null, false);
    }

    private static String hintFor(String location) {
        try {
            Path path = Path.of(location);
            return TdbDirectory.isThere(path) ? "; did you mean " + TDB2 + location + "?"
                    : Files.isRegularFile(path) ? "; this is a file: load it into one first (jellybridge load)" : "";
        } catch (IllegalArgumentException | IOException e) {
            return ""; // no path, or a folder of other files
        }
    }

    /**
     * Opens an existing TDB2 database for reading, without its positions, see {@link #open(String, boolean)}. A database that
     * is open in this process is shared with its owner, who can't close it until this one is closed.
     *
     * @throws FileNotFoundException there is none; nothing was created
     */
    public static DatasetStore openThere(String location) throws IOException {
        Path folder = Path.of(location.substring(TDB2.length()));
        if (!TdbDirectory.isThere(folder)) {
            throw new FileNotFoundException("there is no TDB2 database in " + folder + " on this machine");
        }
        TdbDirectory directory = TdbDirectory.openToRead(folder);
        return new DatasetStore(directory.dataset(), directory, false);
    }

    /** Returns the whole dataset, with its positions, for Jena's own methods. Changes made directly to it are not captured. */
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
     * {@inheritDoc} See {@link PatchApplier#applyTogether}. From {@link #LEAST_ROWS_TO_LOAD} statements on it uses a bulk
     * loader if possible, which is much faster: into an empty TDB2 database that no capture records and no Fuseki server in
     * this process serves. The database stays empty until the load is complete, whatever happens.
     */
    @Override
    public ApplyReport apply(Patches patches, PositionUpdate advance, ProgressListener listener) throws IOException {
        // Checked first, since checking all patches takes long.
        advance.check(storedPosition(advance.key()));
        Io.Supplier<PatchSource<Node>> nodes = () -> patches.open(new NodeTerms());
        synchronized (writing) {
            Optional<ApplyReport> loaded = load(nodes, advance, LEAST_ROWS_TO_LOAD, listener);
            return loaded.isPresent() ? loaded.get() : applyTogether(nodes, advance, listener);
        }
    }

    public ApplyReport applyTogether(Io.Supplier<PatchSource<Node>> patches, PatchApplier.Step step, ProgressListener listener)
            throws IOException {
        synchronized (writing) {
            return new PatchApplier(target(), listener).applyTogether(patches, step);
        }
    }

    /**
     * Loads patches by a bulk loader.
     *
     * @return empty, if a bulk loader can't be used or there are fewer statements; nothing was done then
     */
    public Optional<ApplyReport> load(Io.Supplier<PatchSource<Node>> patches, PatchApplier.Step step, long leastRows,
            ProgressListener listener) throws IOException {
        synchronized (writing) {
            return mayLoad() ? directory.load(patches, step, leastRows, listener) : Optional.empty();
        }
    }

    @Override
    public boolean usesBulkLoader(long rows) {
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
     * Adds the content of an RDF file, which may be compressed. The labels of blank nodes are kept in N-Triples, N-Quads and
     * Jelly; in other syntaxes the nodes are fresh. Positions that another dataset wrote into the file are left out.
     *
     * @return the number of statements that were left out
     * @throws IllegalArgumentException its syntax is unknown
     * @throws FormatException its content is invalid; the message gives the position
     * @throws IOException it can't be read
     */
    @Override
    public LoadReport load(RdfFile source) throws IOException {
        LoadReport[] report = new LoadReport[1];
        write(dataset -> report[0] = DatasetFiles.loadFile(dataset, source));
        return report[0];
    }

    @Override
    public <R> R exclusively(Io.Supplier<R> work) throws IOException {
        synchronized (writing) {
            return work.get();
        }
    }

    /** {@inheritDoc} A capture may run meanwhile. See {@link TdbDirectory#compact}. */
    @Override
    public long[] compact() throws IOException {
        synchronized (writing) {
            checkOpen();
            return directory == null ? OpenDataset.super.compact() : directory.compact();
        }
    }

    private void write(Io.Consumer<DatasetGraph> change) throws IOException {
        synchronized (writing) {
            DatasetGraph dataset = target();
            DiskFullException.watch(dataset, () -> {
                try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
                    change.accept(dataset);
                    transaction.commit();
                }
            });
        }
    }

    private DatasetGraph target() {
        checkOpen();
        return capture == null ? shown : capture.dataset();
    }

    // --- capture

    /**
     * Records all changes that are made through this store, until the capture is closed, see {@link Capture}.
     *
     * @param log a new file whose name ends with {@code .jellyp}, or a folder
     * @throws IllegalStateException a capture is running, of this dataset or into this folder; or the folder has the log of
     *                               another dataset
     * @throws IllegalArgumentException the folder contains something else
     * @throws java.nio.file.FileAlreadyExistsException the file exists
     * @throws IOException the log can't be written
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
     * Runs a SPARQL query and returns its result as JSON text with terms in canonical N-Triples: {@code
     * {"vars":[…],"rows":[[term or null,…],…]}}, {@code {"boolean":…}}, {@code {"triples":[[s,p,o],…]}} or {@code
     * {"quads":[[s,p,o,g or null],…]}}.
     *
     * @throws org.apache.jena.query.QueryParseException the query is not SPARQL; the message gives the position
     * @throws IllegalArgumentException it has a part that is not allowed
     * @throws IOException it exceeded the time limit
     */
    @Override
    public String runQuery(String sparql, SparqlLimits limits) throws IOException {
        return read(() -> limits.runQuery(shown, sparql));
    }

    /**
     * Writes the dataset to a file, which may be compressed. The file appears whole or not at all. {@code .nq}, {@code .nt} and
     * {@code .jelly} keep the labels of blank nodes. {@code .jelly}, a flat stream of quads, also keeps prefixes.
     *
     * @return the number of statements
     * @throws IllegalArgumentException the syntax is unknown, or can't express the content of the dataset
     * @throws IOException the file can't be written
     */
    @Override
    public long dump(RdfFile target) throws IOException {
        return target.graph() != null ? OpenDataset.super.dump(target)
                : read(() -> DatasetFiles.dump(QuadRows.within(shown), shown.prefixes().getMapping(), target));
    }

    @Override
    public Position storedPosition(String key) throws IOException {
        StoredPosition position = new StoredPosition(key);
        return read(() -> position.find(base));
    }

    @Override
    public List<String> readNotes(String key) throws IOException {
        StoredPosition position = new StoredPosition(key);
        return read(() -> position.readNotes(base));
    }

    /** Returns the number of quads, including those of the default graph. */
    @Override
    public long size() throws IOException {
        return read(() -> {
            DatasetGraphTDB tdb = TDBInternal.getDatasetGraphTDB(base);
            if (tdb == null) {
                return Iter.count(shown.find());
            }
            long all = TdbDirectory.sizeOf(tdb);
            return hasPositions
                    ? all : all - Iter.count(base.find(StoredPosition.GRAPH_NODE, Node.ANY, Node.ANY, Node.ANY));
        });
    }

    @Override
    public Optional<Map<String, String>> prefixes() throws IOException {
        return Optional.of(read(() -> Map.copyOf(shown.prefixes().getMapping())));
    }

    /** {@inheritDoc} The cursor holds a transaction of this thread and must be closed, see {@link QuadRows}. */
    @Override
    public QuadCursor readRows(QuadSelection selection) {
        checkOpen();
        return QuadRows.of(shown, selection);
    }

    /** Reads in a transaction, or in the current one of this thread. */
    private <R> R read(Io.Supplier<R> work) throws IOException {
        checkOpen();
        if (base.isInTransaction()) {
            return work.get();
        }
        base.begin(TxnType.READ);
        try {
            return work.get();
        } finally {
            base.end();
        }
    }

    // --- end

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the dataset was closed; open it again");
        }
    }

    /**
     * Closes the dataset. It first closes a running capture, whose file is then complete. A TDB2 folder can be opened again, by
     * any process. A second call does nothing.
     *
     * @throws IllegalStateException a transaction is running (a cursor was not closed); the dataset is still open
     * @throws IOException the capture's file can't be written; the dataset is closed
     */
    @Override
    public void close() throws IOException {
        synchronized (writing) {
            if (closed) {
                return;
            }
            WriteTransaction.refuseNested(base);
            if (directory != null) {
                directory.checkIdle(); // before the capture ends
            }
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
