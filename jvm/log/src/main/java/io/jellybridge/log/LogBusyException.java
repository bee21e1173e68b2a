package io.jellybridge.log;

import io.jellybridge.codec.SerializableException;

/** Thrown when a log can't be written or compacted now, since another process does so exclusively. Nothing was done. */
public final class LogBusyException extends SerializableException {
    private static final long serialVersionUID = 1L;

    private LogBusyException(String message) {
        super(message);
    }

    /** Creates the error for a log that a capture writes to. */
    static LogBusyException ofCapture(String log) {
        return new LogBusyException(
                log + ": a capture writes to this log, and nobody else can meanwhile; end it, or make the changes through it");
    }

    /** Creates the error for a log that is being compacted. */
    static LogBusyException ofCompaction(String log) {
        return new LogBusyException(log + ": a compaction or pruning of this log is under way; let it end");
    }
}
