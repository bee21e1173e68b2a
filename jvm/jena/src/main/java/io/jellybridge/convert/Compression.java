package io.jellybridge.convert;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdInputStream;
import io.airlift.compress.zstd.ZstdOutputStream;
import io.jellybridge.codec.CompressedData;
import io.jellybridge.codec.WholeGzipInputStream;
import io.jellybridge.codec.ZstdFrames;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** How a file is compressed, by its suffix. */
enum Compression {
    NONE(""),
    GZIP(".gz"),
    ZSTD(".zst");

    private static final int BUFFER_BYTES = 1 << 16;

    private final String suffix;

    Compression(String suffix) {
        this.suffix = suffix;
    }

    static Compression ofFile(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        return name.endsWith(GZIP.suffix) ? GZIP : name.endsWith(ZSTD.suffix) ? ZSTD : NONE;
    }

    /** The name of the file without the suffix of its compression. */
    String strip(String file) {
        return file.substring(0, file.length() - suffix.length());
    }

    /**
     * The content of a compressed stream. Where that is damaged or cut off, reading it throws an {@link IOException},
     * so that a cut is never taken for an end.
     *
     * @param file what errors call it
     */
    InputStream decompress(InputStream in, String file) throws IOException {
        return switch (this) {
            case NONE -> in;
            case GZIP -> WholeGzipInputStream.open(in, file);
            case ZSTD -> new ZstdContent(in, file);
        };
    }

    OutputStream compress(OutputStream out) throws IOException {
        return switch (this) {
            case NONE -> out;
            case GZIP -> new GZIPOutputStream(out, BUFFER_BYTES);
            case ZSTD -> new ZstdOutputStream(out);
        };
    }

    /** Says of the library's errors what they mean, and for which file. */
    private static final class ZstdContent extends FilterInputStream {
        private final String file;

        ZstdContent(InputStream in, String file) {
            super(new ZstdInputStream(new ZstdFrames(in, file)));
            this.file = file;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return super.read(bytes, offset, length);
            } catch (MalformedInputException e) {
                throw CompressedData.damaged(file, e.getMessage());
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }
    }
}
