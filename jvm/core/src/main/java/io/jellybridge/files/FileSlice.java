package io.jellybridge.files;

import io.jellybridge.codec.Io;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A part of a file.
 *
 * @param offset the start, in bytes
 * @param length the number of bytes
 */
public record FileSlice(Path file, long offset, long length) {

    /** Returns the offset of the first byte after the part. */
    public long end() {
        return offset + length;
    }

    /** Opens the part; the caller closes the stream. If the file has become shorter, the stream ends where the file does. */
    public InputStream open() throws IOException {
        return Io.closeOnFailure(FileChannel.open(file, StandardOpenOption.READ),
                channel -> new BoundedInputStream(Channels.newInputStream(channel.position(offset)), length));
    }

    /** A stream of at most {@code length} bytes of another stream. Closing it closes the other stream. */
    public static final class BoundedInputStream extends BlockInputStream {
        private long left;

        /**
         * Creates a stream.
         *
         * @param length the number of bytes; fewer if the other stream ends before
         */
        public BoundedInputStream(InputStream in, long length) {
            super(in);
            this.left = length;
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
    }
}
