package io.jellybridge.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** An open file that several streams read at once. Its channel is closed with the last use. */
public class SharedFile {
    private final FileChannel channel;
    private int uses;

    /** Creates a file without a use. */
    public SharedFile(FileChannel channel) {
        this.channel = channel;
    }

    /** Returns the open file. */
    public final FileChannel channel() {
        return channel;
    }

    /** Adds uses, unless the last one has ended. Returns whether it did. */
    public final synchronized boolean retain(int more) {
        boolean isThere = channel.isOpen();
        uses += isThere ? more : 0;
        return isThere;
    }

    /** Ends a use. */
    public final synchronized void release() throws IOException {
        uses--;
        if (uses == 0) {
            channel.close();
        }
    }

    /** A stream of the bytes from an offset on. It is one use, which ends when it is closed. */
    public static class Content extends InputStream {
        private final SharedFile file;
        private long position;
        private boolean closed;

        /**
         * Creates a stream.
         *
         * @param file a file with a use for this stream
         */
        public Content(SharedFile file, long offset) {
            this.file = file;
            this.position = offset;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = file.channel.read(ByteBuffer.wrap(into, offset, length), position);
            position += Math.max(read, 0);
            return read;
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                file.release();
            }
        }
    }
}
