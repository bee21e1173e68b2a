package io.jellybridge.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongFunction;

/** Patches of a log, one after the other. An entry can be read until the next one is asked for. */
public interface LogEntries extends Closeable {

    /** The next one; null after the last. */
    LogEntry next() throws IOException;

    /** Those of a range of versions, each of which is opened and closed by whoever reads it. */
    static LogEntries range(long first, long last, LongFunction<LogEntry> entries) {
        return new LogEntries() {
            private long next = first;

            @Override
            public LogEntry next() {
                return next <= last ? entries.apply(next++) : null;
            }

            @Override
            public void close() {
                // nothing is held open
            }
        };
    }
}
