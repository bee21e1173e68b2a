package io.jellybridge.convert;

import java.io.InputStream;
import java.io.InterruptedIOException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** How far work is, for another thread to look at, which may also end it. For one thread that works. */
public final class Meter {
    private static final int ROWS_BETWEEN_LOOKS = 1 << 10;

    private final Total total;
    private final LongConsumer listener;
    /** Gets the bytes of the file, as they are in it; null: nobody does. */
    private final MessageDigest digest;
    private long rowsHere;
    private long rowsTold;
    private long content;

    /** What is common to those who work beside each other. */
    private static final class Total {
        private final LongAdder bytes = new LongAdder();
        private final LongAdder rows = new LongAdder();
        private final LongAdder ofPlace = new LongAdder();
        private volatile boolean cancelled;
    }

    public Meter() {
        this(rows -> { });
    }

    /** @param listener hears now and then how many rows were done; what it throws ends the work */
    public Meter(LongConsumer listener) {
        this(new Total(), listener, null);
    }

    /** @param digest gets the bytes that are read of one file, as they are in it, so compressed where that is */
    public Meter(MessageDigest digest) {
        this(new Total(), rows -> { }, digest);
    }

    private Meter(Total total, LongConsumer listener, MessageDigest digest) {
        this.total = total;
        this.listener = listener;
        this.digest = digest;
    }

    /** For a thread that does a part of the work: what it does counts here. The listener hears of it in this thread only. */
    public Meter beside() {
        return new Meter(total, rows -> { }, null);
    }

    /** How many bytes were read so far, as they are in the file, so compressed where that is. */
    public long bytes() {
        return total.bytes.sum();
    }

    /** How many rows or statements were done, up to a few. */
    public long rows() {
        return total.rows.sum();
    }

    /** How many statements may have IRIs that came from the place of their file. */
    public long ofPlace() {
        return total.ofPlace.sum();
    }

    void addOfPlace(long count) {
        total.ofPlace.add(count);
    }

    /** Ends the work soon, with an {@link InterruptedIOException}. */
    public void cancel() {
        total.cancelled = true;
    }

    void addBytes(long count) {
        total.bytes.add(count);
    }

    /** The bytes of a file, on their way to who reads it. */
    InputStream watched(InputStream file) {
        return digest == null ? file : new DigestInputStream(file, digest);
    }

    void addContent(long count) {
        content += count;
    }

    /** How many bytes there were once uncompressed. */
    long content() {
        return content;
    }

    /** Counts a row. */
    void addRow() throws InterruptedIOException {
        rowsHere++;
        if (rowsHere % ROWS_BETWEEN_LOOKS == 0) {
            look();
        }
    }

    /** @throws InterruptedIOException the work was cancelled */
    void look() throws InterruptedIOException {
        total.rows.add(rowsHere - rowsTold);
        rowsTold = rowsHere;
        listener.accept(rows());
        if (total.cancelled) {
            throw new InterruptedIOException("interrupted");
        }
    }
}
