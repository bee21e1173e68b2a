package io.jellybridge.files;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream whose {@link #close()} only flushes, so that it can be used after a writer has closed it. */
public final class CloseShieldOutputStream extends FilterOutputStream {

    public CloseShieldOutputStream(OutputStream out) {
        super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
