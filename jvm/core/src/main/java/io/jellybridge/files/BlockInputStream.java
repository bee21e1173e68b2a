package io.jellybridge.files;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A filter of a stream that gets all bytes by one method: single and skipped bytes are read as blocks, too. */
public abstract class BlockInputStream extends FilterInputStream {

    /** Creates a filter. Closing it closes the other stream. */
    protected BlockInputStream(InputStream in) {
        super(in);
    }

    @Override
    public abstract int read(byte[] bytes, int offset, int length) throws IOException;

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public long skip(long count) throws IOException {
        return count <= 0 ? 0 : Math.max(0, read(new byte[(int) Math.min(count, 1 << 13)]));
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
