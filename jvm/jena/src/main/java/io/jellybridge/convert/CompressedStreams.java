package io.jellybridge.convert;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdInputStream;
import io.airlift.compress.zstd.ZstdOutputStream;
import io.jellybridge.files.CompressedData;
import io.jellybridge.files.Compression;
import io.jellybridge.files.WholeGzipInputStream;
import io.jellybridge.files.ZstdFrames;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/** Reads and writes what is compressed. */
public final class CompressedStreams {
    private static final int BUFFER_BYTES = 1 << 16;

    private CompressedStreams() {
    }

    /**
     * The content of a compressed stream. Where that is damaged or cut off, reading it throws an {@link IOException},
     * so that a cut is never taken for an end.
     *
     * @param file what errors call it
     */
    public static InputStream decompress(Compression way, InputStream in, String file) throws IOException {
        return switch (way) {
            case NONE -> in;
            case GZIP -> WholeGzipInputStream.open(in, file);
            case ZSTD -> new ZstdContent(in, file);
        };
    }

    public static OutputStream compress(Compression way, OutputStream out) throws IOException {
        return switch (way) {
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
