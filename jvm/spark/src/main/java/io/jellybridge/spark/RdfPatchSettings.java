package io.jellybridge.spark;

import io.jellybridge.text.RdfPatchDialect;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchWriteOptions;
import java.io.Serializable;
import java.util.Map;
import java.util.Set;

/**
 * The options of the format {@code rdf-patch}. A table's options serve its reads and its writes, so each takes the
 * other's.
 *
 * @param read        how text is read
 * @param write       how text is written
 * @param compression how files are compressed that are written
 */
record RdfPatchSettings(RdfPatchReadOptions read, RdfPatchWriteOptions write, Compression compression)
        implements Serializable {
    /** How the text that is read is written: auto (default), jena, rdf_delta or specification. */
    static final String DIALECT = "dialect";
    /** What to do with a file that is not RDF Patch: FAILFAST, the default and the only one for files. */
    static final String MODE = "mode";
    /** Whether generalized statements may occur, read or written; default false. */
    static final String GENERALIZED_STATEMENTS = "generalizedStatements";
    /** Whether relative IRIs may occur, read or written; default false. */
    static final String RELATIVE_IRIS = "relativeIris";
    /** Largest token in bytes, such as a literal, that is read or written; default 16777216. */
    static final String MAX_TOKEN_BYTES = "maxTokenBytes";
    /** How deep triple terms may be nested in what is read; default 64. */
    static final String MAX_NESTING = "maxNesting";
    /** Whether each patch that is written ends with {@code Z .}: true (default), or false for files of one patch. */
    static final String MARKS = "marks";

    private static final Set<String> NAMES = Set.of(DIALECT, MODE, GENERALIZED_STATEMENTS, RELATIVE_IRIS,
            MAX_TOKEN_BYTES, MAX_NESTING, MARKS, Compression.OPTION);

    /**
     * @throws IllegalArgumentException an option is unknown or has a value that it can't have; the message names it
     */
    static RdfPatchSettings of(Map<String, String> options) {
        FileOptions given = new FileOptions(options, RdfPatchFileFormat.SHORT_NAME, NAMES);
        given.requireFailFast(MODE);
        RdfPatchReadOptions defaults = RdfPatchReadOptions.DEFAULT;
        boolean generalized = given.bool(GENERALIZED_STATEMENTS, false);
        boolean relativeIris = given.bool(RELATIVE_IRIS, false);
        int maxTokenBytes = given.integer(MAX_TOKEN_BYTES, defaults.maxTokenBytes(), 1);
        return new RdfPatchSettings(
                new RdfPatchReadOptions(
                        given.oneOf(DIALECT, RdfPatchDialect.class, defaults.dialect()), generalized, relativeIris,
                        maxTokenBytes,
                        given.integer(MAX_NESTING, defaults.maxNesting(), 1)),
                new RdfPatchWriteOptions(given.bool(MARKS, true), generalized, relativeIris, maxTokenBytes),
                Compression.of(given));
    }
}
