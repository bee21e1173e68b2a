package io.jellybridge.jena;

/**
 * Applying a patch failed in the dataset, after the whole file had been checked. The dataset is as it was before that
 * patch, and no transaction is open; the patches before it, each a transaction of its own, stay.
 */
public final class ApplyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final long patch;

    ApplyException(String file, long patch, Throwable cause) {
        super("patch " + patch + " of " + file + " was not applied, and nothing of it is in the dataset; "
                + (patch == 0 ? "no patch was applied before it" : "the " + patch + " before it were applied and stay")
                + ": " + cause, cause);
        this.file = file;
        this.patch = patch;
    }

    public String file() {
        return file;
    }

    /** The patch that failed, from 0, which is also how many were applied. */
    public long patch() {
        return patch;
    }
}
