package io.jellybridge.convert;

import java.io.InterruptedIOException;
import java.util.function.LongConsumer;

/** How far work is, for another thread to look at, which may also end it. */
public final class Meter {
    private static final int ROWS_BETWEEN_LOOKS = 1 << 10;

    private volatile long bytes;
    private volatile long rows;
    private volatile boolean cancelled;
    private final LongConsumer listener;
    private long rowsHere;
    private long content;

    public Meter() {
        this(rows -> { });
    }

    /** @param listener hears now and then how many rows were done; what it throws ends the work */
    public Meter(LongConsumer listener) {
        this.listener = listener;
    }

    /** How many bytes were read so far, as they are in the file, so compressed where that is. */
    public long bytes() {
        return bytes;
    }

    /** How many rows or statements were done, up to a few. */
    public long rows() {
        return rows;
    }

    /** Ends the work soon, with an {@link InterruptedIOException}. */
    public void cancel() {
        cancelled = true;
    }

    /** For the one thread that reads. */
    void addBytes(long count) {
        bytes = bytes + count;
    }

    /** For the one thread that reads. */
    void addContent(long count) {
        content += count;
    }

    /** How many bytes there were once uncompressed; for the one thread that works. */
    long content() {
        return content;
    }

    /** Counts a row; for the one thread that works. */
    void addRow() throws InterruptedIOException {
        rowsHere++;
        if (rowsHere % ROWS_BETWEEN_LOOKS == 0) {
            look();
        }
    }

    /** @throws InterruptedIOException the work was cancelled */
    void look() throws InterruptedIOException {
        rows = rowsHere;
        listener.accept(rowsHere);
        if (cancelled) {
            throw new InterruptedIOException("interrupted");
        }
    }
}
