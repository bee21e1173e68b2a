package io.jellybridge.codec;

import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.util.Arrays;

/**
 * Looks for a file's restart points in its bytes, from anywhere in a frame on: by the file's mark, by what a restart has
 * around it, and by where it says that it stands, since what was joined behind the file may be the same file again. Bytes
 * that look like one without being one can only be made on purpose; whoever reads up to a restart checks it, see {@link
 * StreamPart}.
 */
final class RestartScanner {
    /** No restart point was found yet. */
    static final long NONE = -1;

    /** Between the frame's length and the mark: the restart's key and length, the mark's key and length. */
    private static final int BEFORE_MARK = 5;
    private static final int MAX_VARINT = 5;
    /** The mark, and what the frame states of itself: its length, and where it begins. */
    private static final int FROM_MARK = Restart.MARK_BYTES + 1 + Integer.BYTES + 1 + Long.BYTES;
    /** What is kept of bytes that were looked at: a restart may have begun in them. */
    private static final int CARRIED = MAX_VARINT + BEFORE_MARK + FROM_MARK;

    private final byte[] mark;
    private byte[] window = new byte[0];
    private int size;
    /** Where in the file {@code window[0]} stands. */
    private long offset;

    /**
     * @param mark   the file's mark
     * @param offset where in the file the bytes to come begin; a restart whose frame begins before is not found
     */
    RestartScanner(byte[] mark, long offset) {
        this.mark = mark;
        this.offset = offset;
    }

    /**
     * Looks at the next bytes of the file.
     *
     * @return where in the file the frame of the first restart begins, or {@link #NONE}
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

    /** Where the frame begins whose restart has its mark here; -1 when there is none such. */
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
