package io.jellybridge.codec;

import io.jellybridge.wire.WireWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Collects rows into frames and writes those out: each after its length, or one bare frame at the end. Says when a restart
 * point is due, and begins its frame. After an I/O error nothing more is written.
 *
 * <p>A call writes its rows, lookup entries first, behind those that are {@linkplain #take taken}; it is taken whole, or
 * {@linkplain #rewind taken back}.
 */
final class FrameWriter {
    private static final int ROWS = 1;
    /** Frames end before this size where the format lets them (P-04, R-03). */
    private static final int RECOMMENDED_BYTES = 1_000_000;

    /** The frame in the making. */
    final WireWriter frame = new WireWriter(1 << 10);

    private final WireWriter head = new WireWriter(10);
    private final OutputStream out;
    private final String file;
    private final WriteOptions cut;
    /** Whether a frame may end after any row; else only where {@link #flush} is called. */
    private final boolean endsAnywhere;
    /** Frames that may end anywhere stay below this size, unless a single row is larger. */
    private final int softLimit;
    private long frames;
    private int rowsInFrame;
    /** What of the frame is taken: so many bytes, */
    private int taken;
    /** and rows. */
    private int takenRows;
    /** Where the frame's length is to be set, if it is that of a restart point; else -1. */
    private int restartLengthIndex = -1;
    /** Where the last restart point starts in the stream, */
    private long restartStart;
    /** and what its head takes, the options row included. */
    private int restartHead;
    private long bytesOut;
    private boolean broken;
    private boolean closed;

    FrameWriter(OutputStream out, String file, WriteOptions cut, boolean endsAnywhere) {
        this.out = out;
        this.file = file;
        this.cut = cut;
        this.endsAnywhere = endsAnywhere && cut.delimited();
        this.softLimit = Math.min(RECOMMENDED_BYTES, cut.maxFrameBytes());
    }

    boolean delimited() {
        return cut.delimited();
    }

    // --- restart points

    boolean hasRestarts() {
        return cut.delimited() && cut.restartBytes() > 0;
    }

    /** Whether the next row that is taken is to begin a restart point: one is due, and a frame may begin here. */
    boolean restartIsDue() {
        return hasRestarts() && bytesOut + frame.size() - restartStart >= cut.restartBytes()
                && (frame.size() == 0 || endsAnywhere && frame.size() > headOfFrame());
    }

    /** What the frame in the making holds before its first row. */
    private int headOfFrame() {
        return restartLengthIndex < 0 ? 0 : restartHead;
    }

    /** Whether so many bytes fit into the frame of a restart point. */
    boolean fitsAfterRestart(long bytes) {
        return restartHead + Restart.MAX_BYTES + bytes <= cut.maxFrameBytes();
    }

    /** Ends the frame in the making, if there is one. */
    void endFrameForRestart() {
        if (frame.size() > 0) {
            flush();
        }
    }

    /** How many frames have been written out. */
    long frames() {
        return frames;
    }

    /** How many bytes have been written out. */
    long bytesOut() {
        return bytesOut;
    }

    /**
     * Begins the frame of a restart point, and the options row that it repeats.
     *
     * @param options writes that row, and keeps it
     */
    void beginRestart(Restart restart, Runnable options) {
        restartStart = bytesOut;
        restartLengthIndex = restart.write(frame);
        options.run();
        restartHead = frame.size();
    }

    // --- rows and frames

    /** @throws IllegalStateException the writer is closed, or an I/O error broke it */
    void checkUsable() {
        if (closed || broken) {
            throw new IllegalStateException(closed ? "the writer is closed" : "the writer is broken by an I/O error");
        }
    }

    /** The error for the place that is being written. */
    FormatException error(String rule, String found, String advice) {
        return FormatException.inStream(rule, file, frames, takenRows, bytesOut + taken, found, advice);
    }

    /** Begins a row; what is written to {@link #frame} until {@link #endRow} is its content. */
    int beginRow() {
        return frame.beginMessage(ROWS);
    }

    /** Ends a row. */
    void endRow(int mark) {
        frame.endMessage(mark);
        rowsInFrame++;
    }

    /** Writes a row of one message. */
    void row(int field, WireWriter message) {
        frame.messageOfMessage(ROWS, field, message);
        rowsInFrame++;
    }

    /** Takes back what was written since the last {@link #take} or {@link #keep}. */
    void rewind() {
        frame.truncate(taken);
        rowsInFrame = takenRows;
    }

    /** Takes what was written, in the frame where it is. */
    void keep() {
        taken = frame.size();
        takenRows = rowsInFrame;
    }

    /**
     * Takes what was written, if a frame has room for it. What is before it goes into a frame of its own where both are too
     * much for one; and the frame ends when it has as many rows as it should.
     */
    boolean take() {
        if (!takeWithRoom()) {
            return false;
        }
        if (rowsInFrame >= cut.frameRows() && endsAnywhere) {
            flushTaken();
        }
        return true;
    }

    /** As {@link #take}, of what ends its frame. */
    boolean takeLast() {
        if (!takeWithRoom()) {
            return false;
        }
        flush();
        return true;
    }

    private boolean takeWithRoom() {
        if (frame.size() > softLimit && endsAnywhere && taken > headOfFrame()) {
            flushTaken();
        }
        if (frame.size() > cut.maxFrameBytes()) {
            return false;
        }
        keep();
        return true;
    }

    /** Whether a row of so many bytes may fit into a frame. */
    boolean mayFit(long bytes) {
        return (endsAnywhere ? 0 : taken) + bytes <= cut.maxFrameBytes();
    }

    /** Whether so many bytes more fit into the frame as it is. */
    boolean fits(long bytes) {
        return frame.size() + bytes <= cut.maxFrameBytes();
    }

    /** What to say of bytes for which there is no room. */
    String noRoomFound(long bytes) {
        return bytes + " bytes for a frame of " + taken + ", where maxFrameBytes is " + cut.maxFrameBytes();
    }

    String noRoomAdvice() {
        return endsAnywhere
                ? "raise maxFrameBytes, here and for the readers"
                : "write a delimited stream of a type whose frames may end anywhere, such as PUNCTUATED";
    }

    /** Ends the frame and writes it out; a bare one stays until {@link #finish}. */
    void flush() {
        keep();
        if (cut.delimited()) {
            flushTaken();
        }
    }

    /** Ends the frame before what is not taken, which the next one begins with. */
    private void flushTaken() {
        if (restartLengthIndex >= 0) {
            frame.setFixed32(restartLengthIndex, taken);
            restartLengthIndex = -1;
        }
        head.clear();
        head.varint(taken);
        try {
            head.writeTo(out);
            frame.writeTo(out, taken);
        } catch (IOException e) {
            throw broken(e);
        }
        bytesOut += head.size() + (long) taken;
        frames++;
        frame.removeFirst(taken);
        rowsInFrame -= takenRows;
        taken = 0;
        takenRows = 0;
    }

    /** Writes out what is left. */
    void finish() {
        if (cut.delimited()) {
            if (rowsInFrame > 0) {
                flush();
            }
            return;
        }
        try {
            frame.writeTo(out);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private UncheckedIOException broken(IOException e) {
        broken = true;
        return Causes.cannotWrite(file, e);
    }

    /**
     * Does what is left to do, unless the stream is broken, and closes it on every path. Idempotent.
     *
     * @param last writes what ends the stream
     */
    void close(Runnable last) throws IOException {
        if (closed) {
            return;
        }
        try (out) {
            if (!broken) {
                last.run();
                finish();
            }
        } catch (UncheckedIOException e) {
            throw Causes.unwrapped(e);
        } finally {
            closed = true;
        }
    }
}
