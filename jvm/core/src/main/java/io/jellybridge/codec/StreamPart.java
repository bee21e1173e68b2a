package io.jellybridge.codec;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The part of a file for a byte range: from the first restart point that begins in the range to the first one that begins after
 * it. The parts of consecutive ranges make up the file, with each row in exactly one part. A file without restart points is one
 * part, that of the range from 0.
 *
 * <p>The bytes before a range are not checked, so a restart point is trusted if it looks like one. The reader of the range
 * before reaches it frame by frame. It checks that the next range must have begun there.
 */
public final class StreamPart implements Closeable {
    private static final int HEAD_BYTES = 64;
    private static final int CHUNK_BYTES = 1 << 16;

    /** Opens a file at an offset. */
    @FunctionalInterface
    public interface Opener {

        InputStream open(long offset) throws IOException;
    }

    private final InputStream in;
    private final long start;
    private final long end;
    private final Watch watch;

    private StreamPart(InputStream in, long start, long end, Watch watch) {
        this.in = in;
        this.start = start;
        this.end = end;
        this.watch = watch;
    }

    /** Returns the part that is the whole stream. */
    public static StreamPart whole(InputStream in) {
        return new StreamPart(in, 0, Long.MAX_VALUE, null);
    }

    /**
     * Returns the part for a range of a file's bytes.
     *
     * @param end the offset after the range
     * @return null if no part of the file belongs to the range
     */
    public static StreamPart of(Opener file, long start, long end) throws IOException {
        if (start >= end) {
            return null;
        }
        byte[] mark = mark(file);
        if (mark == null) {
            return start == 0 ? whole(file.open(0)) : null;
        }
        long first = start == 0 ? 0 : firstRestart(file, mark, start, end);
        if (first == RestartScanner.NONE) {
            return null;
        }
        InputStream in = file.open(first);
        Watch watch = new Watch(in, mark, first, end);
        return new StreamPart(watch, first, end, watch);
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
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public long skip(long count) {
            throw new UnsupportedOperationException("every byte is looked at");
        }
    }
}
