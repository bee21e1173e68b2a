package io.jellybridge.convert;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdInputStream;
import io.airlift.compress.zstd.ZstdOutputStream;
import io.jellybridge.files.BlockInputStream;
import io.jellybridge.files.CompressedData;
import io.jellybridge.files.Compression;
import io.jellybridge.files.ConcatenatedGzipInputStream;
import io.jellybridge.files.ZstdFrames;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;

/** Reads and writes compressed data. */
public final class CompressedStreams {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int HEAD_BYTES = 1 << 12;
    /** The limit of the library. */
    private static final int MAX_ZSTD_WINDOW_BYTES = 8 << 20;

    private CompressedStreams() {
    }

    /**
     * Opens the content of a compressed stream. If the data is damaged or truncated, reading throws an {@link IOException}, so
     * truncated data never looks complete.
     *
     * @param file the name of the file in errors
     */
    public static InputStream decompress(Compression way, InputStream in, String file) throws IOException {
        return switch (way) {
            case NONE -> in;
            case GZIP -> ConcatenatedGzipInputStream.open(in, file);
            case ZSTD -> new Content(new ZstdInputStream(new ZstdFrames(in, file, MAX_ZSTD_WINDOW_BYTES)), null, file);
            case BZIP2 -> bzip2(in, file);
        };
    }

    private static InputStream bzip2(InputStream in, String file) throws IOException {
        BufferedInputStream data = new BufferedInputStream(in, BUFFER_BYTES);
        data.mark(BUFFER_BYTES);
        byte[] head = data.readNBytes(HEAD_BYTES);
        data.reset();
        if (!BZip2CompressorInputStream.matches(head, head.length)) {
            throw head.length < 3 ? CompressedData.cutOffError(file)
                    : CompressedData.otherFormatError(file, "bzip2", Compression.BZIP2.suffix(), head, head.length);
        }
        Watched watched = new Watched(data);
        try {
            return new Content(new BZip2CompressorInputStream(watched, true), watched, file); // also several streams in a row
        } catch (IOException e) {
            throw watched.translate(e, file);
        } catch (RuntimeException e) {
            throw CompressedData.toFailure(file, e);
        }
    }

    /**
     * Returns a stream that compresses its bytes.
     *
     * @throws IllegalArgumentException this compression can't be written
     */
    public static OutputStream compress(Compression way, OutputStream out) throws IOException {
        return switch (way) {
            case NONE -> out;
            case GZIP -> new GZIPOutputStream(out, BUFFER_BYTES);
            case ZSTD -> new ZstdOutputStream(out);
            case BZIP2 -> throw new IllegalArgumentException("bzip2 is read, not written; end the name in .gz or .zst");
        };
    }

    /** Tracks whether the data has ended, and which error is a read error. */
    private static final class Watched extends FilterInputStream {
        private boolean ended;
        private IOException unreadable;

        Watched(InputStream in) {
            super(in);
        }

        /** Converts an error of the library. A read error stays unchanged. */
        IOException translate(IOException error, String file) {
            return unreadable != null ? unreadable
                    : ended ? CompressedData.cutOffError(file) : CompressedData.damageError(file, error.getMessage());
        }

        @Override
        public int read() throws IOException {
            try {
                int value = super.read();
                ended |= value < 0;
                return value;
            } catch (IOException e) {
                unreadable = e;
                throw e;
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                int count = super.read(bytes, offset, length);
                ended |= count < 0;
                return count;
            } catch (IOException e) {
                unreadable = e;
                throw e;
            }
        }
    }

    /** Converts the library's errors to ours, with the name of the file. */
    private static final class Content extends BlockInputStream {
        private final Watched data;
        private final String file;

        /**
         * Creates a stream.
         *
         * @param data null if the class of the library's errors distinguishes them from read errors
         */
        Content(InputStream in, Watched data, String file) {
            super(in);
            this.data = data;
            this.file = file;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return in.read(bytes, offset, length);
            } catch (MalformedInputException e) {
                throw CompressedData.damageError(file, e.getMessage());
            } catch (IOException e) {
                throw data == null ? e : data.translate(e, file);
            } catch (RuntimeException e) {
                throw CompressedData.toFailure(file, e);
            }
        }
    }
}
