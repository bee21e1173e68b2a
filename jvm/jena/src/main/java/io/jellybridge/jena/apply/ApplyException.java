package io.jellybridge.jena.apply;

import io.jellybridge.codec.Causes;

/**
 * Applying a patch failed in the dataset, after all patches had been checked. The dataset is as it was before that patch,
 * unless the message says otherwise, and no transaction is open. Where each patch is a transaction of its own, the patches
 * before it stay.
 */
public final class ApplyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final long patch;

    private ApplyException(String message, String file, long patch, Throwable cause) {
        super(message + ": " + Causes.text(cause), cause);
        this.file = file;
        this.patch = patch;
    }

    /** A patch of a file failed, each of which is a transaction. */
    public static ApplyException ofFile(String file, long patch, Throwable cause) {
        String before = patch == 0 ? "no patch was applied before it" : "the " + patch + " before it were applied and stay";
        return new ApplyException("patch " + patch + " of " + file + " was not applied, and nothing of it is in the "
                + "dataset; " + before, file, patch, cause);
    }

    /** A patch of a file failed when a part of it had been applied, as it takes several requests to a server. */
    public static ApplyException ofPart(String file, long patch, Throwable cause) {
        return new ApplyException("patch " + patch + " of " + file + " was applied in part; apply the file again, from the "
                + "first patch: what is there already does no harm", file, patch, cause);
    }

    /** A patch of several failed, all of which are one transaction. */
    public static ApplyException ofBatch(long patch, Throwable cause) {
        return new ApplyException("patch " + patch + " failed, and nothing of the transaction is in the dataset", null,
                patch, cause);
    }

    /** The file; null where patches of any source were applied together. */
    public String file() {
        return file;
    }

    /** The patch that failed, from 0: of a file, also how many were applied. */
    public long patch() {
        return patch;
    }
}
