package io.jellybridge.codec;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The part of a file that a range of its bytes stands for: from the first restart point that begins in the range to the
 * first one that begins after it. The parts of ranges that follow each other are the file, each row in one of them. A file
 * without restart points is one part, that of the range from 0 on.
 *
 * <p>Nobody checks the bytes before a range, so a restart is trusted by its looks there. Who reads the range before comes
 * upon it in the course of the frames, and checks that it is what the next one must have begun with.
 */
public final class StreamPart implements Closeable {
    private static final int HEAD_BYTES = 64;
    private static final int CHUNK_BYTES = 1 << 16;

    /** Opens a file from an offset on. */
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

    /** All of a stream. */
    public static StreamPart whole(InputStream in) {
        return new StreamPart(in, 0, Long.MAX_VALUE, null);
    }

    /**
     * The part for a range of a file's bytes.
     *
     * @param end the offset after the range
     * @return null when nothing of the file belongs to the range
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
            // A restart that begins before the end may reach a little beyond it.
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

    /** Where in the file {@link #in} begins: with a frame. */
    long start() {
        return start;
    }

    /** The part ends before the first restart of the file at this offset or after it. */
    long end() {
        return end;
    }

    /**
     * Whether who reads the range after this one took the frame at {@code offset} for its first.
     *
     * @param offset where a restart begins, the first one after the range; or the file's end
     */
    boolean nextBeginsAt(long offset) {
        return watch == null || watch.found == RestartScanner.NONE || watch.found >= offset;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Looks at what passes after the range, as {@link #firstRestart} looks there for whoever reads it. */
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
