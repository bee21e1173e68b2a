package io.jellybridge.log;

import io.jellybridge.codec.SerializableException;

/** Thrown when a log can't be written, compacted or repaired now, since another process does so exclusively. Nothing was done. */
public final class LogBusyException extends SerializableException {
    private static final long serialVersionUID = 1L;

    private LogBusyException(String message) {
        super(message);
    }

    /** Creates the error for a log that a capture writes to. */
    static LogBusyException ofCapture(String log) {
        return new LogBusyException(
                log + ": a capture writes to this log, or an append or a repair is under way, and nobody else can write meanwhile; "
                        + "let it end, or make the changes through the capture");
    }

    /** Creates the error for a log that is being compacted. */
    static LogBusyException ofCompaction(String log) {
        return new LogBusyException(log + ": a compaction, pruning or repair of this log is under way; let it end");
    }
}
