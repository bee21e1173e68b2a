package io.jellybridge.files;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A part of a file.
 *
 * @param offset where it begins, in bytes
 * @param length how many bytes it has
 */
public record FileSlice(Path file, long offset, long length) {

    /** Where it ends in the file. */
    public long end() {
        return offset + length;
    }

    /** Opens it; the caller closes the stream. Where the file is shorter by now, the stream ends there. */
    public InputStream open() throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            channel.position(offset);
            return new Bounded(Channels.newInputStream(channel), length);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static final class Bounded extends FilterInputStream {
        private long left;

        Bounded(InputStream in, long length) {
            super(in);
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int count) throws IOException {
            if (count == 0) {
                return 0;
            }
            int read = left == 0 ? -1 : in.read(bytes, offset, (int) Math.min(count, left));
            left -= Math.max(0, read);
            return read;
        }

        @Override
        public long skip(long count) throws IOException {
            long skipped = in.skip(Math.min(count, left));
            left -= skipped;
            return skipped;
        }

        @Override
        public int available() throws IOException {
            return (int) Math.min(left, in.available());
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
