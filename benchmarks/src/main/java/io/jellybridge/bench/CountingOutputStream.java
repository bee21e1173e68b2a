package io.jellybridge.bench;

import java.io.IOException;
import java.io.OutputStream;

/** Counts the bytes that pass through. */
final class CountingOutputStream extends OutputStream {
    private final OutputStream out;
    private long bytes;

    /** @param out where to; closed by {@link #close()} */
    CountingOutputStream(OutputStream out) {
        this.out = out;
    }

    /** Throws the bytes away once they are counted; may be written to by several writers, each of which closes it. */
    static CountingOutputStream toNowhere() {
        return new CountingOutputStream(new OutputStream() {
            @Override
            public void write(int b) {
                // goes nowhere
            }

            @Override
            public void write(byte[] source, int offset, int length) {
                // goes nowhere
            }
        });
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
        bytes++;
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        out.write(source, offset, length);
        bytes += length;
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
