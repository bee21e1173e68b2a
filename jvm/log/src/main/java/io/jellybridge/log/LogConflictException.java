package io.jellybridge.log;

import io.jellybridge.codec.SerializableException;

/**
 * Thrown when a patch follows another patch than the head of the log, or has the id of another patch. Nothing was appended.
 */
public final class LogConflictException extends SerializableException {
    private static final long serialVersionUID = 1L;

    private final String expected;
    private final long version;
    private final String found;
    private final boolean taken;

    /**
     * Creates the error that the head is another patch.
     *
     * @param log      the log
     * @param expected the id of the expected head; null for none
     * @param head     the actual head
     */
    public LogConflictException(String log, String expected, LogHead head) {
        this(false, expected, head, log + ": the patch follows " + (expected == null ? "no patch" : "patch " + expected)
                + ", but the log's head is " + head + "; fetch what was appended, and append again after it");
    }

    /**
     * Creates an error with a message of its own.
     *
     * @param taken    true if the log has another patch of that id, or had one that was pruned
     * @param expected the id of the expected head; null for none
     * @param head     the actual head, or the patch of that id
     */
    LogConflictException(boolean taken, String expected, LogHead head, String message) {
        super(message);
        this.taken = taken;
        this.expected = expected;
        this.version = head.version();
        this.found = head.id();
    }

    /** Returns the error that the log has another patch of that id. */
    static LogConflictException idTakenError(String log, LogHead there) {
        return new LogConflictException(true, null, there, log + ": there is " + there
                + " already, with other rows or after another patch; give this one an id of its own");
    }

    /** Returns the error that a patch of that id was before the first one, so that nothing can compare the two. */
    static LogConflictException idPrunedError(String log, LogHead there) {
        return new LogConflictException(true, null, there, log + ": there was " + there + ", and the log does not have its rows any "
                + "more to compare them; leave this patch out if it is the same, else give it an id of its own");
    }

    /** Returns true if the log has another patch of that id, or had one that was pruned. */
    public boolean isTaken() {
        return taken;
    }

    /** Returns the id of the expected head; null for none. */
    public String expected() {
        return expected;
    }

    /** Returns the actual head, or the patch of that id. Its version is 0 if a gRPC server has pruned it. */
    public LogHead found() {
        return new LogHead(version, found);
    }
}
