package io.jellybridge.log;

import java.io.Closeable;
import java.io.IOException;

/** Patches of a log, one after the other. An entry can be read until the next one is asked for. */
public interface LogEntries extends Closeable {

    /** The next one; null after the last. */
    LogEntry next() throws IOException;
}
