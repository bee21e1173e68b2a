package io.jellybridge.codec;

import io.jellybridge.wire.FrameReader;
import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Iterates over the frames of a file of one or more joined streams (docs/restart-points.md, "Join files"). It finds where each
 * stream begins and each frame ends, and reads no rows.
 */
public final class StreamFrames implements Closeable {
    private final FrameReader frames;
    private final WireReader wire = new WireReader();
    private long count;
    private long end;

    /**
     * Creates an iterator.
     *
     * @param in the file from its start; closed by {@link #close()}
     */
    public StreamFrames(InputStream in) {
        frames = new FrameReader(in, Integer.MAX_VALUE);
    }

    /**
     * Moves to the next frame.
     *
     * @return false at the end of the bytes, or if they are no complete frames any more; {@link #end()} is then unchanged
     */
    public boolean next() throws IOException {
        try {
            if (!frames.next()) {
                return false;
            }
            count++;
            end = frames.offsetOf(frames.end());
            return true;
        } catch (WireException e) {
            return false;
        }
    }

    /**
     * Returns true if a stream begins with this frame: with the first frame, or with a restart point whose numbers are all
     * zero.
     */
    public boolean beginsStream() {
        if (count == 1) {
            return true;
        }
        Restart restart = readRestart();
        return restart != null && restart.isFirst();
    }

    /** Returns the restart point that begins the frame; null if there is none. */
    private Restart readRestart() {
        wire.reset(frames.bytes(), frames.start(), frames.end());
        try {
            if (wire.atEnd() || wire.tag() != Restart.TAG) {
                return null;
            }
            int length = wire.length();
            wire.setWindow(wire.position(), wire.position() + length);
            return Restart.readMessage(wire, frames.end() - frames.start());
        } catch (WireException e) {
            return null;
        }
    }

    /**
     * Returns the number of joined streams that the first restart point of a file states; 1 if it states none; 0 if the first
     * frame is damaged.
     *
     * @param in the file from its start; is closed
     */
    public static int readCount(InputStream in) throws IOException {
        try (StreamFrames file = new StreamFrames(in)) {
            if (!file.next() || file.isDamaged()) {
                return 0;
            }
            Restart restart = file.readRestart();
            return restart == null || restart.streams() == 0 ? 1 : Math.max(0, restart.streams());
        }
    }

    /**
     * Returns the offset of the first frame that is incomplete, or has other bytes than its checksum says.
     *
     * @param in the file from its start; is closed
     */
    public static long endOfSoundFrames(InputStream in) throws IOException {
        try (StreamFrames file = new StreamFrames(in)) {
            long end = 0;
            while (file.next() && !file.isDamaged()) {
                end = file.end();
            }
            return end;
        }
    }

    private boolean isDamaged() {
        FrameChecksum checksum = new FrameChecksum();
        byte[] bytes = frames.bytes();
        return FrameChecksum.endsFrame(bytes, frames.start(), frames.end())
                && checksum.statedChecksum(bytes, frames.end()) != checksum.of(bytes, frames.start(), frames.end());
    }

    /**
     * Returns the offset of that number in the file, in {@value Integer#BYTES} bytes with the lowest first; -1 if none is stated.
     *
     * @param in the file from its start; is closed
     */
    public static long placeOfCount(InputStream in) throws IOException {
        try (StreamFrames file = new StreamFrames(in)) {
            Restart restart = file.next() ? file.readRestart() : null;
            // The number is the last field of the restart point, which was just read.
            return restart == null || restart.streams() == 0 ? -1 : file.frames.offsetOf(file.wire.position()) - Integer.BYTES;
        }
    }

    /** Returns the end offset of the frame in the file; 0 before the first frame. */
    public long end() {
        return end;
    }

    /**
     * Counts the places that look like the first frame of a stream, whether or not they are complete frames.
     *
     * @param in the bytes, which are read to their end
     */
    public static long countBeginnings(InputStream in) throws IOException {
        byte[] window = new byte[1 << 16];
        long found = 0;
        int kept = 0;
        for (int read = in.read(window); read >= 0; read = in.read(window, kept, window.length - kept)) {
            int end = kept + read;
            int at = 0;
            for (; at <= end - Restart.FIRST_BYTES; at++) {
                if (window[at] == Restart.FIRST_BYTE && Restart.isFirst(window, at)) {
                    found++;
                }
            }
            kept = end - at;
            System.arraycopy(window, at, window, 0, kept);
        }
        return found;
    }

    /**
     * The checksum that a frame needs for the bytes that it has now.
     *
     * @param offset the offset in the file, at the end of the frame
     * @param bytes  the bytes to write there
     */
    public record Checksum(long offset, byte[] bytes) {
    }

    /**
     * Computes the checksum of the frame with the byte at an offset, for a writer that changed this byte.
     *
     * @param in the file from its start, whose frames end with checksums; is closed
     * @throws IOException no complete frame has the byte, or the file can't be read
     */
    public static Checksum computeChecksum(InputStream in, long offset) throws IOException {
        try (StreamFrames file = new StreamFrames(in)) {
            while (file.next()) {
                if (offset < file.end()) {
                    FrameReader frame = file.frames;
                    int sum = new FrameChecksum().of(frame.bytes(), frame.start(), frame.end());
                    byte[] bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(sum).array();
                    return new Checksum(file.end() - bytes.length, bytes);
                }
            }
        }
        throw new IOException("no complete frame has byte " + offset);
    }

    @Override
    public void close() throws IOException {
        frames.close();
    }
}
