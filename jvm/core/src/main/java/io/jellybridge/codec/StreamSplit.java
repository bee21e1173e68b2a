package io.jellybridge.codec;

import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The part of a file for a byte range: from the first restart point that begins in the range to the first one that begins after
 * it. The parts of consecutive ranges make up the file, with each row in exactly one part. A file without restart points is one
 * part, that of the range from 0.
 *
 * <p>The bytes before a range are not checked, so a restart point is trusted if it looks like one. The reader of the range
 * before reaches it frame by frame. It checks that the next range must have begun there.
 */
public final class StreamSplit implements Closeable {
    private static final int HEAD_BYTES = 64;
    private static final int CHUNK_BYTES = 1 << 16;
    /** More than the usual distance of restart points. */
    private static final long TAIL_BYTES = 5 << 20;

    /** Opens a file at an offset. */
    @FunctionalInterface
    public interface Opener {

        InputStream open(long offset) throws IOException;
    }

    private final InputStream in;
    private final long start;
    private final long end;
    private final Watch watch;
    private final long skippedRows;

    private StreamSplit(InputStream in, long start, long end, Watch watch, long skippedRows) {
        this.in = in;
        this.start = start;
        this.end = end;
        this.watch = watch;
        this.skippedRows = skippedRows;
    }

    /** Returns the part that is the whole stream. */
    public static StreamSplit wholeStream(InputStream in) {
        return new StreamSplit(in, 0, Long.MAX_VALUE, null, 0);
    }

    /**
     * Returns the part for a range of a file's bytes.
     *
     * @param end the offset after the range
     * @return null if no part of the file belongs to the range
     */
    public static StreamSplit of(Opener file, long start, long end) throws IOException {
        return of(file, start, end, Long.MAX_VALUE);
    }

    /**
     * Returns the last rows of the part for a range, and the number of the rows before them, for a reader that counts rows. That
     * number is exact, as the readers of all parts compare the restart points that it comes from, by checksum. The rows
     * themselves are not checked. In a file without checksums, no row is skipped.
     *
     * @param end the offset after the range, in the file
     * @return null if no part of the file belongs to the range
     */
    public static StreamSplit toCount(Opener file, long start, long end) throws IOException {
        return of(file, start, end, TAIL_BYTES);
    }

    /**
     * @param tail the number of bytes at the end of the range in which to search for its last restart point; if there is none, the
     *             search begins earlier
     */
    static StreamSplit of(Opener file, long start, long end, long tail) throws IOException {
        if (start >= end) {
            return null;
        }
        byte[] mark = mark(file);
        if (mark == null) {
            return start == 0 ? wholeStream(file.open(0)) : null;
        }
        long first = start == 0 ? 0 : firstRestart(file, mark, start, end);
        if (first == RestartScanner.NONE) {
            return null;
        }
        long from = first;
        for (long size = tail; from == first && size < end - first; size *= 4) {
            from = Math.max(first, firstRestart(file, mark, end - size, end));
        }
        long skipped = from == first ? 0 : rowAt(file, from) - rowAt(file, first);
        if (skipped < 0) {
            return of(file, start, end); // which names the fault, if there is one
        }
        InputStream in = file.open(from);
        Watch watch = new Watch(in, mark, from, end);
        return new StreamSplit(watch, from, end, watch, skipped);
    }

    /** Returns the number of rows before a restart point, or a negative number if no checksum protects it. */
    private static long rowAt(Opener file, long restart) throws IOException {
        try (InputStream in = file.open(restart)) {
            Restart found = Restart.ofHead(in.readNBytes(Restart.MAX_BYTES + HEAD_BYTES));
            return found == null || !found.checksums() ? Long.MIN_VALUE : found.row();
        }
    }

    private static byte[] mark(Opener file) throws IOException {
        try (InputStream in = file.open(0)) {
            return Restart.markOfHead(in.readNBytes(HEAD_BYTES));
        }
    }

    private static long firstRestart(Opener file, byte[] mark, long start, long end) throws IOException {
        RestartScanner scanner = new RestartScanner(mark, start);
        byte[] chunk = new byte[CHUNK_BYTES];
        try (InputStream in = file.open(start)) {
            long at = start;
            // A restart point that begins before the end may reach a little beyond it.
            while (at < end + HEAD_BYTES) {
                int count = in.read(chunk);
                if (count < 0) {
                    break;
                }
                long found = scanner.scan(chunk, 0, count);
                if (found != RestartScanner.NONE) {
                    return found < end ? found : RestartScanner.NONE;
                }
                at += count;
            }
        }
        return RestartScanner.NONE;
    }

    /** Returns the number of rows of the part that are not in the stream. */
    public long skippedRows() {
        return skippedRows;
    }

    InputStream in() {
        return in;
    }

    /** Returns the offset in the file at which {@link #in} begins, at the start of a frame. */
    long start() {
        return start;
    }

    /** Returns the end of the range. The part ends before the first restart point at this offset or after it. */
    long end() {
        return end;
    }

    /**
     * Checks that the reader of the next range begins with the frame at {@code offset}.
     *
     * @param offset the offset of the first restart point after the range, or the end of the file
     */
    boolean nextBeginsAt(long offset) {
        return watch == null || watch.found == RestartScanner.NONE || watch.found >= offset;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Scans the bytes after the range, as {@link #firstRestart} does for the reader of the next range. */
    private static final class Watch extends FilterInputStream {
        private final RestartScanner scanner;
        private final long end;
        private long at;
        private long found = RestartScanner.NONE;

        Watch(InputStream in, byte[] mark, long start, long end) {
            super(in);
            this.scanner = new RestartScanner(mark, end);
            this.end = end;
            this.at = start;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            if (count > 0) {
                int before = (int) Math.max(0, Math.min(count, end - at));
                if (found == RestartScanner.NONE && before < count) {
                    found = scanner.scan(bytes, offset + before, count - before);
                }
                at += count;
            }
            return count;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("frames are read by blocks");
        }

        @Override
        public long skip(long count) {
            throw new UnsupportedOperationException("every byte is looked at");
        }
    }

    /**
     * Searches the bytes of a file for its restart points, from anywhere in a frame. It recognizes one by the file's mark and by
     * the bytes around it. The offset that it states must fit too, since the same file may have been appended to itself. Only an
     * attacker can create bytes that look like a restart point and are none. The reader that reads up to a restart point checks it,
     * see {@link StreamSplit}.
     */
    static final class RestartScanner {
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
            around.setWindow(start, markAt);
            return around.varint() == frameLength && around.tag() == Restart.TAG && around.varint() >= FROM_MARK
                    && around.tag() == Restart.MARK_TAG && around.varint() == Restart.MARK_BYTES && around.atEnd();
        }
    }
}
