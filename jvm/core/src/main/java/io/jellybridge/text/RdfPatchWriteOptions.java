package io.jellybridge.text;

import java.io.Serializable;

/**
 * How RDF Patch text is written.
 *
 * @param marks         write {@code Z .} between patches; without, the text is one patch
 * @param generalized   write generalized RDF too: any term as subject and predicate, a literal as graph
 * @param relativeIris  write relative IRIs too, as they are
 * @param maxTokenBytes the largest token that readers take, such as a literal; a larger one is refused
 */
public record RdfPatchWriteOptions(boolean marks, boolean generalized, boolean relativeIris, int maxTokenBytes)
        implements Serializable {

    /** Patches with marks; plain RDF with absolute IRIs; what is read by default. */
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
