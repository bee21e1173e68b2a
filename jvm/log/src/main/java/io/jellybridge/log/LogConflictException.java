package io.jellybridge.log;

import io.jellybridge.codec.CarriedException;

/** A patch was to follow another than the head of the log, or has the id of another one. Nothing was appended. */
public final class LogConflictException extends CarriedException {
    private static final long serialVersionUID = 1L;

    private final String expected;
    private final long version;
    private final String found;
    private final boolean taken;

    /**
     * @param log      the log
     * @param expected the id that was expected as head; null: none
     * @param head     the head that is there
     */
    public LogConflictException(String log, String expected, LogHead head) {
        this(false, expected, head, log + ": the patch follows " + (expected == null ? "no patch" : "patch " + expected)
                + ", but the log's head is " + head + "; fetch what was appended, and append again after it");
    }

    private LogConflictException(boolean taken, String expected, LogHead head, String message) {
        super(message);
        this.taken = taken;
        this.expected = expected;
        this.version = head.version();
        this.found = head.id();
    }

    /** The log has another patch of that id. */
    static LogConflictException taken(String log, LogHead there) {
        return new LogConflictException(true, null, there, log + ": there is " + there
                + " already, with other rows or after another patch; give this one an id of its own");
    }

    /** Whether the log has another patch of that id. */
    public boolean isTaken() {
        return taken;
    }

    /** The id that was expected as head; null: none. */
    public String expected() {
        return expected;
    }

    /** The head that is there, or the patch of that id. */
    public LogHead found() {
        return new LogHead(version, found);
    }
}
