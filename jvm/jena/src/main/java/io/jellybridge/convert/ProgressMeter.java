package io.jellybridge.convert;

import java.io.InputStream;
import java.io.InterruptedIOException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** A thread-safe progress meter with cancellation. One thread works; any thread may read the counts and cancel. */
public final class ProgressMeter {
    private static final int ROWS_BETWEEN_REPORTS = 1 << 10;

    private final Total total;
    private final LongConsumer listener;
    /** Receives the bytes of the file, before decompression; null if not needed. */
    private final MessageDigest digest;
    private long rowsHere;
    private long rowsReported;
    private long content;

    /** The totals of all threads that work together. */
    private static final class Total {
        private final LongAdder bytes = new LongAdder();
        private final LongAdder rows = new LongAdder();
        private final LongAdder relative = new LongAdder();
        private volatile boolean cancelled;
    }

    public ProgressMeter() {
        this(rows -> { });
    }

    /**
     * Creates a meter.
     *
     * @param listener receives the number of rows now and then; an exception of it ends the work
     */
    public ProgressMeter(LongConsumer listener) {
        this(new Total(), listener, null);
    }

    /**
     * Creates a meter.
     *
     * @param digest receives the bytes of a single file, before decompression
     */
    public ProgressMeter(MessageDigest digest) {
        this(new Total(), rows -> { }, digest);
    }

    private ProgressMeter(Total total, LongConsumer listener, MessageDigest digest) {
        this.total = total;
        this.listener = listener;
        this.digest = digest;
    }

    /**
     * Creates a meter for a thread that does a part of the work. Its counts are added to this one. Only this one's thread
     * calls the listener.
     */
    public ProgressMeter fork() {
        return new ProgressMeter(total, rows -> { }, null);
    }

    /** Returns the number of bytes that were read so far, before decompression. */
    public long bytes() {
        return total.bytes.sum();
    }

    /** Returns the approximate number of rows or statements so far. */
    public long rows() {
        return total.rows.sum();
    }

    /** Returns the number of statements that may have IRIs relative to the location of their file. */
    public long relative() {
        return total.relative.sum();
    }

    void addRelative(long count) {
        total.relative.add(count);
    }

    /** Cancels the work, which soon ends with an {@link InterruptedIOException}. */
    public void cancel() {
        total.cancelled = true;
    }

    void addBytes(long count) {
        total.bytes.add(count);
    }

    /** Returns a stream that passes the bytes of a file to the digest. */
    InputStream watchBytes(InputStream file) {
        return digest == null ? file : new DigestInputStream(file, digest);
    }

    void addContent(long count) {
        content += count;
    }

    /** Returns the number of bytes after decompression. */
    long content() {
        return content;
    }

    /** Counts a row. */
    void addRow() throws InterruptedIOException {
        rowsHere++;
        if (rowsHere % ROWS_BETWEEN_REPORTS == 0) {
            report();
        }
    }

    /**
     * Calls the listener and checks for cancellation.
     *
     * @throws InterruptedIOException the work was cancelled
     */
    void report() throws InterruptedIOException {
        total.rows.add(rowsHere - rowsReported);
        rowsReported = rowsHere;
        listener.accept(rows());
        if (total.cancelled) {
            throw new InterruptedIOException("interrupted");
        }
    }
}
