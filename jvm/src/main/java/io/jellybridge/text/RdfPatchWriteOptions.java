package io.jellybridge.text;

import java.io.Serializable;

/**
 * How RDF Patch text is written.
 *
 * @param marks        write {@code Z .} at the end of every patch; without, the text is one patch
 * @param generalized  write generalized RDF too: any term as subject and predicate, a literal as graph
 * @param relativeIris write relative IRIs too, as they are
 */
public record RdfPatchWriteOptions(boolean marks, boolean generalized, boolean relativeIris) implements Serializable {

    /** Patches with marks; plain RDF with absolute IRIs. */
    public static final RdfPatchWriteOptions DEFAULT = new RdfPatchWriteOptions(true, false, false);

    public RdfPatchWriteOptions withMarks(boolean written) {
        return new RdfPatchWriteOptions(written, generalized, relativeIris);
    }

    public RdfPatchWriteOptions withGeneralized(boolean allowed) {
        return new RdfPatchWriteOptions(marks, allowed, relativeIris);
    }

    public RdfPatchWriteOptions withRelativeIris(boolean allowed) {
        return new RdfPatchWriteOptions(marks, generalized, allowed);
    }
}
