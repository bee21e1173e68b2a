package io.jellybridge.log;

import io.jellybridge.codec.CarriedException;

/** A patch of a log can't be applied by anybody: it breaks its format, or a transaction in it does not end. */
public final class PoisonPatchException extends CarriedException {
    private static final long serialVersionUID = 1L;

    private final long version;

    /** @param reason says where and what */
    public PoisonPatchException(String patch, long version, RuntimeException reason) {
        super(patch + " (version " + version + ") can't be read: " + reason.getMessage()
                + "; quarantine such patches to go on without them", reason);
        this.version = version;
    }

    /** Which patch it is. */
    public long version() {
        return version;
    }
}
