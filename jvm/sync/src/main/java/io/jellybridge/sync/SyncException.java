package io.jellybridge.sync;

/** A source that can't be followed: its patches leave a gap, fork, or do not go on from where the dataset is. */
public final class SyncException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what is wrong, which patches it is about and what to do */
    public SyncException(String message) {
        super(message);
    }
}
