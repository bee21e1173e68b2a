package io.jellybridge.text;

import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermDialect;
import java.io.Serializable;
import java.util.Objects;

/**
 * The options for reading RDF Patch text.
 *
 * @param dialect       the dialect of the text
 * @param strict        reject common faults of other writers, such as a header row without its dot
 * @param generalized   read generalized RDF too: any term as subject and predicate, a literal as graph
 * @param relativeIris  read relative IRIs too, unchanged
 * @param maxTokenBytes the size limit of a token, such as a literal
 * @param maxNesting    the depth limit of nested triple terms
 */
public record RdfPatchReadOptions(
        RdfPatchDialect dialect,
        boolean strict,
        boolean generalized,
        boolean relativeIris,
        int maxTokenBytes,
        int maxNesting) implements Serializable {

    /**
     * The default: any dialect, plain RDF with absolute IRIs, and tokens as long as {@link ReadOptions#MAX_TERM_BYTES terms}
     * may be.
     */
    public static final RdfPatchReadOptions DEFAULT =
            new RdfPatchReadOptions(RdfPatchDialect.AUTO, false, false, false, ReadOptions.MAX_TERM_BYTES, TermDialect.MAX_NESTING);

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException a limit is less than 1; the message names it
     */
    public RdfPatchReadOptions {
        Objects.requireNonNull(dialect, "dialect");
        checkLimit("maxTokenBytes", maxTokenBytes);
        checkLimit("maxNesting", maxNesting);
    }

    private static void checkLimit(String option, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException(option + "=" + limit + ": must be at least 1");
        }
    }

    public RdfPatchReadOptions withDialect(RdfPatchDialect written) {
        return new RdfPatchReadOptions(written, strict, generalized, relativeIris, maxTokenBytes, maxNesting);
    }

    public RdfPatchReadOptions withStrict(boolean on) {
        return new RdfPatchReadOptions(dialect, on, generalized, relativeIris, maxTokenBytes, maxNesting);
    }

    public RdfPatchReadOptions withGeneralized(boolean allowed) {
        return new RdfPatchReadOptions(dialect, strict, allowed, relativeIris, maxTokenBytes, maxNesting);
    }

    public RdfPatchReadOptions withRelativeIris(boolean allowed) {
        return new RdfPatchReadOptions(dialect, strict, generalized, allowed, maxTokenBytes, maxNesting);
    }

    public RdfPatchReadOptions withMaxTokenBytes(int limit) {
        return new RdfPatchReadOptions(dialect, strict, generalized, relativeIris, limit, maxNesting);
    }
}
