package io.jellybridge.codec;

import io.jellybridge.wire.FrameReader;
import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * Walks the frames of a file into which streams may be joined (docs/restart-points.md, "Join files"), and tells where
 * each stream begins and each frame ends. No row is read.
 */
public final class StreamFrames implements Closeable {
    private final FrameReader frames;
    private final WireReader wire = new WireReader();
    private long count;
    private long end;

    /** @param in the file from its beginning on; closed by {@link #close()} */
    public StreamFrames(InputStream in) {
        frames = new FrameReader(in, Integer.MAX_VALUE);
    }

    /**
     * Goes to the next frame.
     *
     * @return false where the bytes end, or are no whole frame any more; the end stays where it was then
     */
    public boolean next() throws IOException {
        try {
            if (!frames.next()) {
                return false;
            }
            count++;
            end = frames.offset(frames.end());
            return true;
        } catch (WireException e) {
            return false;
        }
    }

    /** Whether a stream begins with the frame: the first one, or one that is a restart point without numbers. */
    public boolean beginsStream() {
        if (count == 1) {
            return true;
        }
        wire.reset(frames.bytes(), frames.start(), frames.end());
        try {
            if (wire.atEnd() || wire.tag() != Restart.TAG) {
                return false;
            }
            int length = wire.length();
            wire.window(wire.position(), wire.position() + length);
            Restart restart = Restart.read(wire, frames.end() - frames.start());
            return restart != null && restart.isFirst();
        } catch (WireException e) {
            return false;
        }
    }

    /** Where the frame ends in the file; 0 before the first. */
    public long end() {
        return end;
    }

    /**
     * How often bytes have what a stream's first frame begins with, be they whole frames or not.
     *
     * @param in is read to its end
     */
    public static long beginnings(InputStream in) throws IOException {
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

    @Override
    public void close() throws IOException {
        frames.close();
    }
}
