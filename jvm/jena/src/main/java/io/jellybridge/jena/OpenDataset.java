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
     * Adds what an RDF file or another URI holds, {@code .gz} after its suffix or not. Labels of blank nodes are kept in
     * N-Triples, N-Quads and Jelly; in other syntaxes the nodes are fresh.
     *
     * @throws IllegalArgumentException its syntax is none, or its content is wrong; the message says where
     * @throws PatchFormatException     a Jelly file breaks its format
     * @throws IOException              it can't be read
     */
    void load(RdfFile source) throws IOException;

    /** As {@link #load(RdfFile)}, in the syntax of the suffix. */
    default void load(String pathOrUri) throws IOException {
        load(RdfFile.of(pathOrUri));
    }

    /**
     * Runs a SPARQL query and gives its result as JSON text, see {@link QueryJson}.
     *
     * @throws org.apache.jena.query.QueryParseException the query is not SPARQL; the message says where
     */
    String query(String sparql) throws IOException;

    /**
     * Writes the dataset into a file, {@code .gz} after its suffix or not. The file appears whole or not at all. {@code .nq}, {@code .nt} and {@code .jelly} keep the labels of blank nodes.
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
