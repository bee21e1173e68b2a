package io.jellybridge.jena.dataset;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.Patches;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QueryJson;
import io.jellybridge.jena.data.SparqlLimits;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.riot.RdfFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An open RDF dataset of any kind, with methods on plain values. Each call that changes it is one transaction (without a step:
 * one for each patch). An error leaves it as it was before that transaction.
 *
 * <p>A dataset can follow streams of patches, and applies each patch exactly once. It stores its position in the transaction
 * that reached it: {@code <key> <urn:jellybridge:position> id} in the reserved graph {@code <urn:jellybridge:sync>}. It also
 * stores a text about the patch, see {@link StoredPosition}.
 */
public interface OpenDataset extends Closeable {

    /**
     * Applies patches, each in one transaction. All of them are checked before the first.
     *
     * @param name the name of the patches in errors, such as that of their file
     * @throws RuntimeException the patches break their format, or no dataset can store them: the error of the format, with the
     *                          position; nothing was applied
     * @throws ApplyException the dataset failed; the exception has the number of applied patches
     * @throws IOException the patches can't be read
     */
    ApplyReport apply(String name, Patches patches, ProgressListener listener) throws IOException;

    /**
     * Applies all patches of a batch and updates the position, in one transaction: all or nothing. The rows of a transaction
     * that ends with {@code TA} are left out, and other rows are not affected.
     *
     * @param listener receives the number of rows so far
     * @throws PositionConflictException the dataset is not at {@link PositionUpdate#expected()}
     * @throws RuntimeException the patches break their format, or no dataset can store them: the error of the format, with the
     *                          position
     * @throws ApplyException the dataset failed, in this process
     * @throws IOException the patches can't be read, or the dataset can't be reached or failed
     */
    ApplyReport apply(Patches patches, PositionUpdate advance, ProgressListener listener) throws IOException;

    /**
     * Checks that this dataset takes changes at all, before a log is changed or a dry run promises them.
     *
     * @throws IOException it takes none; the message says what to do
     */
    default void checkChangeable() throws IOException {
    }

    /**
     * Returns true if a batch that is cut off changes nothing. A SPARQL store may have a part of a large batch then, and the
     * position before it.
     */
    default boolean hasAtomicBatches() {
        return true;
    }

    /**
     * Checks whether a batch of so many change rows would use a bulk loader, as for an empty TDB2 database. Larger batches are
     * then faster.
     */
    default boolean usesBulkLoader(long rows) {
        return false;
    }

    /**
     * Returns the position under a key.
     *
     * @param key an IRI, without angle brackets
     * @return null if there is none
     * @throws IllegalStateException there are several, which no follower writes
     * @throws IOException the dataset can't be read
     */
    Position storedPosition(String key) throws IOException;

    /** Returns the id of the position under a key, a term in canonical N-Triples; null if there is none, see {@link #storedPosition}. */
    default String readPosition(String key) throws IOException {
        return Position.idOf(storedPosition(key));
    }

    /**
     * Returns the notes that were stored with the positions under a key, in any order, see {@link PositionUpdate#notes}.
     *
     * @throws IOException the dataset can't be read
     */
    List<String> readNotes(String key) throws IOException;

    /**
     * Runs a SPARQL update with all its operations in one transaction.
     *
     * @param limits the limits; for a dataset of a server, the server runs {@code SERVICE} and {@code LOAD}
     * @throws org.apache.jena.query.QueryParseException it is not SPARQL; the message gives the position
     * @throws IllegalArgumentException it has a part that is not allowed; nothing of it was run
     * @throws IOException it exceeded the time limit; a dataset of this process is unchanged
     */
    void update(String sparql, SparqlLimits limits) throws IOException;

    /** Runs a SPARQL update with {@link SparqlLimits#DEFAULT}. */
    default void update(String sparql) throws IOException {
        update(sparql, SparqlLimits.DEFAULT);
    }

    /**
     * Adds the content of an RDF file, which may be compressed. The labels of blank nodes are kept in N-Triples, N-Quads and
     * Jelly; in other syntaxes the nodes are fresh. Positions that another dataset wrote into the file are left out.
     *
     * @throws IllegalArgumentException its syntax is unknown, or it has a graph and a statement of another one
     * @throws FormatException its content is invalid; the message gives the position
     * @throws IOException it can't be read
     */
    LoadReport load(RdfFile source) throws IOException;

    /** Loads a file as {@link #load(RdfFile)} does, in the syntax of its suffix. */
    default LoadReport load(String file) throws IOException {
        return load(RdfFile.of(file));
    }

    /**
     * Runs a SPARQL query and returns its result as JSON text, see {@link QueryJson}.
     *
     * @throws org.apache.jena.query.QueryParseException the query is not SPARQL; the message gives the position
     * @throws IllegalArgumentException it has a part that is not allowed
     * @throws IOException it exceeded the time limit
     */
    String runQuery(String sparql, SparqlLimits limits) throws IOException;

    /** Runs a SPARQL query with {@link SparqlLimits#DEFAULT}. */
    default String runQuery(String sparql) throws IOException {
        return runQuery(sparql, SparqlLimits.DEFAULT);
    }

    /**
     * Writes the dataset, or the graph of the file, to a file, which may be compressed. The file appears whole or not at all.
     * {@code .nq}, {@code .nt} and {@code .jelly} keep the labels of blank nodes.
     *
     * @return the number of statements
     * @throws IllegalArgumentException the syntax is unknown, or can't express the content of the dataset
     * @throws IOException the file can't be written
     */
    default long dump(RdfFile target) throws IOException {
        try (QuadCursor rows = readRows(DatasetFiles.selectionOf(target))) {
            return DatasetFiles.dump(rows, prefixes().orElse(Map.of()), target);
        }
    }

    /** Writes the dataset as {@link #dump(RdfFile)} does, in the syntax of the suffix. */
    default long dump(String path) throws IOException {
        return dump(RdfFile.of(path));
    }

    /**
     * Rewrites the files of the dataset, without what earlier updates left behind.
     *
     * @return the bytes of the files before and after
     * @throws UnsupportedOperationException it is not in a folder of this machine
     * @throws IllegalStateException a transaction is running
     * @throws IOException the files can't be written
     */
    default long[] compact() throws IOException {
        throw new UnsupportedOperationException(
                "only a TDB2 database in a folder (tdb2:DIR) can be compacted; a Fuseki does it by POST to /$/compact/NAME");
    }

    /** Returns the number of quads, including those of the default graph. */
    long size() throws IOException;

    /** Counts the selected quads. */
    default long count(QuadSelection selection) throws IOException {
        long found = 0;
        try (QuadCursor rows = readRows(selection)) {
            for (; rows.hasNext(); rows.next()) {
                found++;
            }
        }
        return found;
    }

    /** Returns the namespaces by their prefixes; empty if the dataset does not tell, as a server does not. */
    default Optional<Map<String, String>> prefixes() throws IOException {
        return Optional.empty();
    }

    /** Opens a cursor over all quads, which the caller closes. */
    default QuadCursor rows() throws IOException {
        return readRows(QuadSelection.ALL);
    }

    /** Opens a cursor over the selected quads of one moment, which the caller closes. */
    QuadCursor readRows(QuadSelection selection) throws IOException;

    /**
     * Runs work with exclusive access, as far as possible. A dataset of this process blocks all other calls through this
     * object. A dataset of a server blocks nobody.
     */
    default <R> R exclusively(Io.Supplier<R> work) throws IOException {
        return work.get();
    }

    /** Returns true if others may change the dataset during {@link #exclusively}, as on a server. */
    default boolean isShared() {
        return false;
    }

    /**
     * Records all changes that are made through this object, until the capture is closed, see {@link Capture}.
     *
     * @param log a new file whose name ends with {@code .jellyp}, or a folder
     * @throws IllegalStateException a capture is running, of this dataset or into this folder; or the folder has the log of
     *                               another dataset
     * @throws IllegalArgumentException the folder contains something else
     * @throws UnsupportedOperationException changes of this dataset can't be seen from here
     * @throws java.nio.file.FileAlreadyExistsException the file exists
     * @throws IOException the log can't be written
     */
    Capture startCapture(Path log, CaptureOptions options) throws IOException;

    /**
     * Counts what loading a file did.
     *
     * @param statements added ones; one that was there, or that comes twice, counts too
     * @param positions  those of the graph of positions, which were left out
     */
    record LoadReport(long statements, long positions) {
    }
}
