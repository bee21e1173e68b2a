package io.jellybridge.jena.apply;

import io.jellybridge.codec.ExceptionMessages;

/**
 * Thrown when the dataset failed to apply a patch, after all patches had been checked. Unless the message says otherwise, the
 * dataset is as it was before that patch, and no transaction is open. If each patch is a transaction of its own, the patches
 * before it stay.
 */
public final class ApplyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final long patch;

    private ApplyException(String message, String file, long patch, Throwable cause) {
        super(message + ": " + ExceptionMessages.toText(cause), cause);
        this.file = file;
        this.patch = patch;
    }

    /** Creates the exception for a patch of a file, in which each patch is a transaction. */
    public static ApplyException ofFile(String file, long patch, Throwable cause) {
        String before = patch == 0 ? "no patch was applied before it" : "the " + patch + " before it were applied and stay";
        return new ApplyException("patch " + patch + " of " + file + " was not applied, and nothing of it is in the "
                + "dataset; " + before, file, patch, cause);
    }

    /** Creates the exception for a patch of a file that was partly applied, since it takes several requests to a server. */
    public static ApplyException ofPart(String file, long patch, Throwable cause) {
        return new ApplyException("patch " + patch + " of " + file + " was applied in part; apply the file again, from the "
                + "first patch: what is there already does no harm", file, patch, cause);
    }

    /** Creates the exception for a patch of several that are one transaction. */
    public static ApplyException ofBatch(long patch, Throwable cause) {
        return new ApplyException("patch " + patch + " failed, and nothing of the transaction is in the dataset", null,
                patch, cause);
    }

    /** Returns the file; null if the patches of several sources were applied together. */
    public String file() {
        return file;
    }

    /** Returns the number of the failed patch, from 0. For a file, that is also the number of applied patches. */
    public long patch() {
        return patch;
    }
}
