package io.jellybridge.jena.dataset;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Patches;
import io.jellybridge.jena.apply.Advance;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PositionConflictException;
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

/**
 * An RDF dataset that was opened, wherever it is, behind methods that take and give plain values. What changes it is one
 * transaction a call (of patches without a step: one a patch), and an error leaves it as it was before that.
 *
 * <p>A dataset follows streams of patches, each exactly once: where it stands is stored in it, in the transaction that
 * brought it there: {@code <key> <urn:jellybridge:position> id} in the graph {@code <urn:jellybridge:sync>}, which is no
 * data, with what the patch was, see {@link StoredPosition}.
 */
public interface OpenDataset extends Closeable {

    /**
     * Applies patches, each in one transaction. All of them are checked before the first.
     *
     * @param name what errors call the patches together, such as the name of their file
     * @throws RuntimeException the patches break their format, or ask for what no dataset may hold: the error of the format,
     *                          with the place; nothing was applied
     * @throws ApplyException   the dataset failed; the exception says how many patches were applied
     * @throws IOException      the patches can't be read
     */
    ApplyReport apply(String name, Patches patches, ProgressListener listener) throws IOException;

    /**
     * Applies all patches of a batch and takes the step, in one transaction: all of it or nothing. What is in a block
     * that ends with {@code TA} does not arrive, and undoes nothing else.
     *
     * @param listener hears how many rows were done so far
     * @throws PositionConflictException the dataset is not at {@link Advance#expected()}
     * @throws RuntimeException          the patches break their format, or ask for what no dataset may hold: the error of
     *                                   the format, with the place
     * @throws ApplyException            the dataset failed, in this process
     * @throws IOException               the patches can't be read, or the dataset can't be reached or failed
     */
    ApplyReport apply(Patches patches, Advance advance, ProgressListener listener) throws IOException;

    /**
     * Whether a batch of so many change rows would go by a bulk loader, as an empty TDB2 database takes it: the more at a
     * time then, the faster.
     */
    default boolean loads(long rows) {
        return false;
    }

    /**
     * The position under a key.
     *
     * @param key an IRI, without angle brackets
     * @return null when there is none
     * @throws IllegalStateException there are several, which no follower writes
     * @throws IOException           the dataset can't be asked
     */
    Position stand(String key) throws IOException;

    /** The id of the position under a key, a term in canonical N-Triples; null when there is none, see {@link #stand}. */
    default String position(String key) throws IOException {
        return Position.id(stand(key));
    }

    /**
     * What was noted with the positions under a key, see {@link Advance#notes}; in no order.
     *
     * @throws IOException the dataset can't be asked
     */
    List<String> notes(String key) throws IOException;

    /**
     * Runs a SPARQL update, all its operations in one transaction.
     *
     * @param limits {@code SERVICE} and {@code LOAD} of a dataset of a server are run by that
     * @throws org.apache.jena.query.QueryParseException it is not SPARQL; the message says where
     * @throws IllegalArgumentException                  it has what it may not have; nothing of it was run
     * @throws IOException                               it took too long; nothing of it stays in a dataset of this process
     */
    void update(String sparql, SparqlLimits limits) throws IOException;

    /** Runs a SPARQL update by {@link SparqlLimits#DEFAULT}. */
    default void update(String sparql) throws IOException {
        update(sparql, SparqlLimits.DEFAULT);
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
    long load(RdfFile source) throws IOException;

    /** As {@link #load(RdfFile)}, in the syntax of the suffix. */
    default long load(String file) throws IOException {
        return load(RdfFile.of(file));
    }

    /**
     * Runs a SPARQL query and gives its result as JSON text, see {@link QueryJson}.
     *
     * @throws org.apache.jena.query.QueryParseException the query is not SPARQL; the message says where
     * @throws IllegalArgumentException                  it has what it may not have
     * @throws IOException                               it took too long
     */
    String query(String sparql, SparqlLimits limits) throws IOException;

    /** Runs a SPARQL query by {@link SparqlLimits#DEFAULT}. */
    default String query(String sparql) throws IOException {
        return query(sparql, SparqlLimits.DEFAULT);
    }

    /**
     * Writes the dataset into a file, {@code .gz} after its suffix or not. The file appears whole or not at all.
     * {@code .nq}, {@code .nt} and {@code .jelly} keep the labels of blank nodes.
     *
     * @throws IllegalArgumentException the syntax is none, or can't say what the dataset holds
     * @throws IOException              the file can't be written
     */
    void dump(RdfFile target) throws IOException;

    /** As {@link #dump(RdfFile)}, in the syntax of the suffix. */
    default void dump(String path) throws IOException {
        dump(RdfFile.of(path));
    }

    /** How many quads the dataset holds, those of the default graph too. */
    long size() throws IOException;

    /** How many quads are wanted of those that it holds. */
    default long count(QuadSelection selection) throws IOException {
        long found = 0;
        try (QuadCursor rows = rows(selection)) {
            for (; rows.hasNext(); rows.next()) {
                found++;
            }
        }
        return found;
    }

    /** All quads; the caller closes the cursor. */
    default QuadCursor rows() throws IOException {
        return rows(QuadSelection.ALL);
    }

    /** The quads that are wanted, of one moment; the caller closes the cursor. */
    QuadCursor rows(QuadSelection selection) throws IOException;

    /**
     * Does work between whose calls of this dataset nobody else changes it, as far as that can be had: a dataset of this
     * process keeps all that is done through this object waiting, one of a server nobody.
     */
    default <R> R alone(Work<R> work) throws IOException {
        return work.run();
    }

    /** Whether others may change the dataset while {@link #alone} goes on: it is one of a server. */
    default boolean isShared() {
        return false;
    }

    /** What is done by {@link #alone}. */
    @FunctionalInterface
    interface Work<R> {
        R run() throws IOException;
    }

    /**
     * Records all changes that are made through this object, until the capture is closed, see {@link Capture}.
     *
     * @param log a file whose name ends with {@code .jellyp}, or a folder
     * @throws IllegalStateException         a capture is running, of this dataset or into this folder; or the folder holds
     *                                       the log of another dataset
     * @throws IllegalArgumentException      the folder holds something else
     * @throws UnsupportedOperationException the changes of this dataset can't be seen from here
     * @throws IOException                   the log can't be written
     */
    Capture startCapture(Path log, CaptureOptions options) throws IOException;
}
