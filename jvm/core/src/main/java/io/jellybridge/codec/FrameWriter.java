package io.jellybridge.codec;

import io.jellybridge.wire.WireWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Collects rows into frames and writes these out: each frame after its length, or one bare frame at the end. It knows when a
 * restart point is due, and begins its frame. After an I/O error nothing more is written.
 *
 * <p>Each call of a writer appends its rows, with their lookup entries first, to the frame. The rows are then {@linkplain #take
 * accepted} as a whole, or {@linkplain #rewind removed}.
 */
final class FrameWriter {
    private static final int ROWS = 1;
    /** The size at which frames end if the format allows it (P-04, R-03). */
    private static final int RECOMMENDED_BYTES = 1_000_000;

    /** The current frame. */
    final WireWriter frame = new WireWriter(1 << 10);

    private final WireWriter head = new WireWriter(10);
    private final FrameChecksum checksum = new FrameChecksum();
    private final OutputStream out;
    private final String file;
    private final WriteOptions cut;
    /** True if a frame may end after any row. Otherwise it ends only at {@link #flush}. */
    private final boolean endsAnywhere;
    /** The size limit of frames that may end anywhere. Only a single larger row exceeds it. */
    private final int softLimit;
    /** The most that a frame may hold beside its checksum. */
    private final int hardLimit;
    private long frames;
    private int rowsInFrame;
    /** The number of accepted bytes in the frame. */
    private int taken;
    /** The number of accepted rows in the frame. */
    private int takenRows;
    /** The index at which the length of a restart point's frame is set later; -1 for any other frame. */
    private int restartLengthIndex = -1;
    /** The offset of the last restart point in the stream. */
    private long restartStart;
    /** The size of its head, with the options row. */
    private int restartHead;
    private long bytesOut;
    private boolean broken;
    private boolean closed;

    FrameWriter(OutputStream out, String file, WriteOptions cut, boolean endsAnywhere) {
        this.out = out;
        this.file = file;
        this.cut = cut;
        this.endsAnywhere = endsAnywhere && cut.delimited();
        this.hardLimit = cut.maxFrameBytes() - FrameChecksum.BYTES;
        this.softLimit = Math.min(RECOMMENDED_BYTES - FrameChecksum.BYTES, hardLimit);
    }

    boolean delimited() {
        return cut.delimited();
    }

    // --- restart points

    boolean hasRestarts() {
        return cut.delimited() && cut.restartBytes() > 0;
    }

    /** Checks whether the next accepted row must begin a restart point: one is due, and a frame may begin here. */
    boolean restartIsDue() {
        return hasRestarts() && bytesOut + frame.size() - restartStart >= cut.restartBytes()
                && (frame.size() == 0 || endsAnywhere && frame.size() > headOfFrame());
    }

    /** Returns the number of bytes before the first row of the frame. */
    private int headOfFrame() {
        return restartLengthIndex < 0 ? 0 : restartHead;
    }

    /** Checks whether so many bytes fit into the frame of a restart point. */
    boolean fitsAfterRestart(long bytes) {
        return restartHead + Restart.MAX_BYTES + bytes <= hardLimit;
    }

    /** Ends the current frame, if it has any bytes. */
    void endFrameForRestart() {
        if (frame.size() > 0) {
            flush();
        }
    }

    /** Returns the number of frames that were written out. */
    long frames() {
        return frames;
    }

    /** Returns the number of bytes that were written out. */
    long bytesOut() {
        return bytesOut;
    }

    /**
     * Begins the frame of a restart point, with a copy of the options row.
     *
     * @param options writes that row and accepts it
     */
    void beginRestart(Restart restart, Runnable options) {
        restartStart = bytesOut;
        restartLengthIndex = restart.withChecksumsAndStreams(cut.counted() && frames == 0 ? 1 : 0).writeField(frame);
        options.run();
        restartHead = frame.size();
    }

    // --- rows and frames

    /**
     * Checks that the writer can be used.
     *
     * @throws IllegalStateException the writer is closed, or an I/O error broke it
     */
    void checkUsable() {
        if (closed || broken) {
            throw new IllegalStateException(closed ? "the writer is closed" : "the writer is broken by an I/O error");
        }
    }

    /** Creates an error at the current position. */
    FormatException newError(String rule, String found, String advice) {
        return FormatException.inStream(rule, file, frames, takenRows, bytesOut + taken, found, advice);
    }

    /** Begins a row. All that is written to {@link #frame} until {@link #endRow} is its content. */
    int beginRow() {
        return frame.beginMessage(ROWS);
    }

    /** Ends a row. */
    void endRow(int mark) {
        frame.endMessage(mark);
        rowsInFrame++;
    }

    /** Writes a row with a single message. */
    void row(int field, WireWriter message) {
        frame.messageOfMessage(ROWS, field, message);
        rowsInFrame++;
    }

    /** Removes all bytes since the last {@link #take} or {@link #keep}. */
    void rewind() {
        frame.truncateTo(taken);
        rowsInFrame = takenRows;
    }

    /** Accepts all bytes, in the current frame. */
    void keep() {
        taken = frame.size();
        takenRows = rowsInFrame;
    }

    /**
     * Accepts all bytes, if a frame has room for them. If the frame would get too large, the accepted bytes before them become
     * a frame of their own. The frame ends when it has its number of rows. Returns false if there is no room.
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

    /** Accepts all bytes, as {@link #take} does, and ends the frame. */
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
        if (frame.size() > hardLimit) {
            return false;
        }
        keep();
        return true;
    }

    /** Checks whether a row of so many bytes may fit into a frame. */
    boolean mayFit(long bytes) {
        return (endsAnywhere ? 0 : taken) + bytes <= hardLimit;
    }

    /** Checks whether so many more bytes fit into the current frame. */
    boolean fits(long bytes) {
        return frame.size() + bytes <= hardLimit;
    }

    /** Returns the finding for bytes that do not fit. */
    String noRoomFound(long bytes) {
        return bytes + " bytes for a frame of " + taken + ", where maxFrameBytes is " + cut.maxFrameBytes();
    }

    String noRoomAdvice() {
        return endsAnywhere
                ? "raise maxFrameBytes, here and for the readers"
                : "write a delimited stream of a type whose frames may end anywhere, such as PUNCTUATED";
    }

    /** Ends the frame and writes it out. A bare frame stays until {@link #finish}. */
    void flush() {
        keep();
        if (cut.delimited()) {
            flushTaken();
        }
    }

    /** Writes out the accepted bytes as a frame. The other bytes begin the next frame. */
    private void flushTaken() {
        int length = taken + FrameChecksum.BYTES;
        if (restartLengthIndex >= 0) {
            frame.setFixed32(restartLengthIndex, length);
            restartLengthIndex = -1;
        }
        head.clear();
        head.writeVarint(length);
        try {
            head.writeTo(out);
            frame.writeTo(out, taken);
            checksum.writeField(frame, taken, out);
        } catch (IOException e) {
            throw brokenError(e);
        }
        bytesOut += head.size() + (long) length;
        frames++;
        frame.removeFirst(taken);
        rowsInFrame -= takenRows;
        taken = 0;
        takenRows = 0;
    }

    /** Writes out the rest. */
    void finish() {
        if (cut.delimited()) {
            if (rowsInFrame > 0) {
                flush();
            }
            return;
        }
        try {
            frame.writeTo(out);
            checksum.writeField(frame, frame.size(), out);
        } catch (IOException e) {
            throw brokenError(e);
        }
    }

    private UncheckedIOException brokenError(IOException e) {
        broken = true;
        return ExceptionMessages.cannotWriteError(file, e);
    }

    /**
     * Writes the rest, unless the stream is broken, and closes the stream in any case. It is idempotent.
     *
     * @param last writes the end of the stream
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
            throw ExceptionMessages.unwrapCause(e);
        } finally {
            closed = true;
        }
    }
}
