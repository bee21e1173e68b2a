package io.jellybridge.text;

import java.io.Serializable;

/**
 * The options for writing RDF Patch text.
 *
 * @param marks         write {@code Z .} between patches; otherwise the text is one patch
 * @param generalized   write generalized RDF too: any term as subject and predicate, a literal as graph
 * @param relativeIris  write relative IRIs too, unchanged
 * @param maxTokenBytes the size limit of a token that readers have, such as a literal; a larger token is an error
 */
public record RdfPatchWriteOptions(boolean marks, boolean generalized, boolean relativeIris, int maxTokenBytes)
        implements Serializable {

    /** The default: patches with marks, plain RDF with absolute IRIs, and the token limit of the default read options. */
    public static final RdfPatchWriteOptions DEFAULT =
            new RdfPatchWriteOptions(true, false, false, RdfPatchReadOptions.DEFAULT.maxTokenBytes());

    public RdfPatchWriteOptions withMarks(boolean written) {
        return new RdfPatchWriteOptions(written, generalized, relativeIris, maxTokenBytes);
    }

    public RdfPatchWriteOptions withGeneralized(boolean allowed) {
        return new RdfPatchWriteOptions(marks, allowed, relativeIris, maxTokenBytes);
    }

    public RdfPatchWriteOptions withRelativeIris(boolean allowed) {
        return new RdfPatchWriteOptions(marks, generalized, allowed, maxTokenBytes);
    }

    public RdfPatchWriteOptions withMaxTokenBytes(int limit) {
        return new RdfPatchWriteOptions(marks, generalized, relativeIris, limit);
    }
}
