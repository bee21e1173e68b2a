package io.jellybridge.log;

import io.jellybridge.codec.CarriedException;

/** A patch was to follow another than the head of the log. Nothing was appended. */
public final class LogConflictException extends CarriedException {
    private static final long serialVersionUID = 1L;

    private final String expected;
    private final long version;
    private final String found;

    /**
     * @param log      the log
     * @param expected the id that was expected as head; null: none
     * @param head     the head that is there
     */
    public LogConflictException(String log, String expected, LogHead head) {
        super(log + ": the patch follows " + (expected == null ? "no patch" : "patch " + expected)
                + ", but the log's head is " + head + "; fetch what was appended, and append again after it");
        this.expected = expected;
        this.version = head.version();
        this.found = head.id();
    }

    /** The id that was expected as head; null: none. */
    public String expected() {
        return expected;
    }

    /** The head that is there. */
    public LogHead found() {
        return new LogHead(version, found);
    }
}
