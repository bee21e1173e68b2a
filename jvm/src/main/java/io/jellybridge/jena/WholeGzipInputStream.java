package io.jellybridge.jena;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A gzip stream whose cut-off end can't be missed. {@code GZIPInputStream} reports it as an {@link EOFException}, which
 * Jena's parsers take for a regular end: they would load half of a file without a word.
 */
public final class WholeGzipInputStream extends GZIPInputStream {
    private static final int BUFFER_BYTES = 1 << 16;

    private final String file;

    private WholeGzipInputStream(InputStream in, String file) throws IOException {
        super(in, BUFFER_BYTES);
        this.file = file;
    }

    /**
     * The content of a gzip stream. Where that is damaged or cut off, this or reading it throws an {@link IOException}.
     *
     * @param file what errors call it
     */
    public static InputStream open(InputStream in, String file) throws IOException {
        try {
            return new WholeGzipInputStream(in, file);
        } catch (EOFException | ZipException e) {
            throw damaged(file, e instanceof EOFException, e);
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            return super.read(bytes, offset, length);
        } catch (EOFException | ZipException e) {
            throw damaged(file, e instanceof EOFException, e);
        }
    }

    /** The error of a file whose compressed data can't be read on. */
    public static IOException damaged(String file, boolean isCutOff, Exception cause) {
        String found = isCutOff ? "ends too early; the file was cut off" : "is damaged (" + cause.getMessage() + ")";
        return new IOException(file + ": the compressed data " + found, cause);
    }
}
