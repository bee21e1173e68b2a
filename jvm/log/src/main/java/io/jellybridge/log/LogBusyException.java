package io.jellybridge.log;

import io.jellybridge.codec.SerializableException;

/** Thrown when a log can't be written now, since another process writes to it exclusively. Nothing was done. */
public final class LogBusyException extends SerializableException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the error.
     *
     * @param log the name of the log in messages
     */
    LogBusyException(String log) {
        super(log + ": a capture writes to this log, and nobody else can meanwhile; end it, or make the changes through it");
    }
}
