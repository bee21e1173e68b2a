package io.jellybridge.log;

import io.jellybridge.codec.SerializableException;

/** Thrown for a patch of a log that can't be applied: it is invalid, or one of its transactions does not end. */
public final class PoisonPatchException extends SerializableException {
    private static final long serialVersionUID = 1L;

    private final long version;

    /**
     * Creates the error.
     *
     * @param reason an error that says where and what the fault is
     */
    public PoisonPatchException(String patch, long version, RuntimeException reason) {
        super(patch + " (version " + version + ") can't be read: " + reason.getMessage()
                + "; quarantine such patches to go on without them", reason);
        this.version = version;
    }

    /** Returns the version of the patch. */
    public long version() {
        return version;
    }
}
