package io.jellybridge.jena;

import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.codec.Patches;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * An RDF dataset that was opened, wherever it is, behind methods that take and give plain values. What changes it is one
 * transaction a call ({@link #apply}: one a patch), and an error leaves it as it was before that.
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
     * Runs a SPARQL update, all its operations in one transaction.
     *
     * @param load whether it may have {@code LOAD}, see {@link Updates}
     * @throws org.apache.jena.query.QueryParseException it is not SPARQL; the message says where
     * @throws IllegalArgumentException                  it has {@code LOAD}, and may not
     */
    void update(String sparql, boolean load) throws IOException;

    /** Runs a SPARQL update without {@code LOAD}, see {@link #update(String, boolean)}. */
    default void update(String sparql) throws IOException {
        update(sparql, false);
    }

    /**
     * Adds what an RDF file or another URI holds, in the syntax of its suffix, {@code .gz} after it or not. Labels of
     * blank nodes are kept in N-Triples, N-Quads and Jelly; in other syntaxes the nodes are fresh.
     *
     * @throws IllegalArgumentException its suffix is of no RDF syntax, or its content is wrong; the message says where
     * @throws PatchFormatException     a Jelly file breaks its format
     * @throws IOException              it can't be read
     */
    void load(String pathOrUri) throws IOException;

    /**
     * Runs a SPARQL query and gives its result as JSON text, see {@link QueryJson}.
     *
     * @throws org.apache.jena.query.QueryParseException the query is not SPARQL; the message says where
     */
    String query(String sparql) throws IOException;

    /**
     * Writes the dataset into a file, in the syntax of its suffix, {@code .gz} after it or not. The file appears whole
     * or not at all. {@code .nq}, {@code .nt} and {@code .jelly} keep the labels of blank nodes.
     *
     * @throws IllegalArgumentException the suffix is of no RDF syntax, or its syntax can't say what the dataset holds
     * @throws IOException              the file can't be written
     */
    void dump(String path) throws IOException;

    /** How many quads the dataset holds, those of the default graph too. */
    long size() throws IOException;

    /** All quads; the caller closes the cursor. */
    QuadCursor rows() throws IOException;

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
