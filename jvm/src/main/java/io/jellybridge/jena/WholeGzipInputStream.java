package io.jellybridge.jena;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * A gzip stream whose cut-off end can't be missed. {@code GZIPInputStream} reports it as an {@link EOFException}, which
 * Jena's parsers take for a regular end: they would load half of a file without a word.
 */
final class WholeGzipInputStream extends GZIPInputStream {
    private static final int BUFFER_BYTES = 1 << 16;

    private WholeGzipInputStream(InputStream in) throws IOException {
        super(in, BUFFER_BYTES);
    }

    static InputStream open(InputStream in) throws IOException {
        try {
            return new WholeGzipInputStream(in);
        } catch (EOFException e) {
            throw cutOff(e);
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            return super.read(bytes, offset, length);
        } catch (EOFException e) {
            throw cutOff(e);
        }
    }

    private static IOException cutOff(EOFException e) {
        return new IOException("the compressed data ends too early; the file was cut off", e);
    }
}
