package io.jellybridge.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongFunction;

/** An iterator over patches of a log. An entry can be read until the next one is requested. */
public interface LogEntries extends Closeable {

    /** Returns the next entry; null after the last. */
    LogEntry next() throws IOException;

    /** Returns the entries of a range of versions. Readers open and close each entry themselves. */
    static LogEntries ofRange(long first, long last, LongFunction<LogEntry> entries) {
        return new LogEntries() {
            private long next = first;

            @Override
            public LogEntry next() {
                return next <= last ? entries.apply(next++) : null;
            }

            @Override
            public void close() {
                // nothing is open
            }
        };
    }
}
