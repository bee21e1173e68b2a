package io.jellybridge.log;

import io.jellybridge.codec.CarriedException;

/** A log can't be written to now, since someone else writes to it alone. Nothing was done. */
public final class LogBusyException extends CarriedException {
    private static final long serialVersionUID = 1L;

    /** @param log what errors call it */
    LogBusyException(String log) {
        super(log + ": a capture writes to this log, and nobody else can meanwhile; end it, or make the changes through it");
    }
}
