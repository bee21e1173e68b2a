package io.jellybridge.codec;

import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.util.Arrays;

/**
 * Searches the bytes of a file for its restart points, from anywhere in a frame. It recognizes one by the file's mark and by
 * the bytes around it. The offset that it states must fit too, since the same file may have been appended to itself. Only an
 * attacker can create bytes that look like a restart point and are none. The reader that reads up to a restart point checks it,
 * see {@link StreamPart}.
 */
final class RestartScanner {
    /** The result if no restart point was found yet. */
    static final long NONE = -1;

    /**
     * The number of bytes between the frame's length and the mark: the key and length of the restart point, and those of the
     * mark.
     */
    private static final int BEFORE_MARK = 5;
    private static final int MAX_VARINT = 5;
    /** The size of the mark and of the frame's own length and offset. */
    private static final int FROM_MARK = Restart.MARK_BYTES + 1 + Integer.BYTES + 1 + Long.BYTES;
    /** The number of scanned bytes to keep, since a restart point may have begun in them. */
    private static final int CARRIED = MAX_VARINT + BEFORE_MARK + FROM_MARK;

    private final byte[] mark;
    private byte[] window = new byte[0];
    private int size;
    /** The offset in the file of {@code window[0]}. */
    private long offset;

    /**
     * Creates a scanner.
     *
     * @param mark   the file's mark
     * @param offset the offset in the file of the first byte; a restart point whose frame begins earlier is not found
     */
    RestartScanner(byte[] mark, long offset) {
        this.mark = mark;
        this.offset = offset;
    }

    /**
     * Scans the next bytes of the file.
     *
     * @return the offset in the file of the first restart point's frame, or {@link #NONE}
     */
    long scan(byte[] bytes, int from, int count) {
        int kept = Math.min(size, CARRIED);
        System.arraycopy(window, size - kept, window, 0, kept);
        offset += size - kept;
        size = kept + count;
        if (window.length < size) {
            window = Arrays.copyOf(window, size);
        }
        System.arraycopy(bytes, from, window, kept, count);
        for (int at = 0; at <= size - FROM_MARK; at++) {
            if (window[at] == mark[0]) {
                int frame = frameOfMark(at);
                if (frame >= 0) {
                    return offset + frame;
                }
            }
        }
        return NONE;
    }

    /** Returns the start of the frame whose restart point has its mark here, or -1 if there is none. */
    private int frameOfMark(int at) {
        if (!Arrays.equals(window, at, at + Restart.MARK_BYTES, mark, 0, Restart.MARK_BYTES)) {
            return -1;
        }
        WireReader around = new WireReader();
        around.reset(window, at + Restart.MARK_BYTES, size);
        try {
            if (around.tag() != Restart.LENGTH_TAG) {
                return -1;
            }
            int length = around.fixed32();
            int start = at - BEFORE_MARK - Restart.varintBytes(length);
            boolean isHere = around.tag() == Restart.OFFSET_TAG && around.fixed64() == offset + start;
            return isHere && start >= 0 && isHead(around, start, at, length) ? start : -1;
        } catch (WireException e) {
            return -1;
        }
    }

    private static boolean isHead(WireReader around, int start, int markAt, int frameLength) {
        around.window(start, markAt);
        return around.varint() == frameLength && around.tag() == Restart.TAG && around.varint() >= FROM_MARK
                && around.tag() == Restart.MARK_TAG && around.varint() == Restart.MARK_BYTES && around.atEnd();
    }
}
