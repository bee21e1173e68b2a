package io.jellybridge.spark;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;

/**
 * Zstandard for Hadoop, for reading. Hadoop's own codec needs a build of Hadoop's native library, which Spark from PyPI
 * does not have; this one takes the library that Spark itself compresses with.
 */
public final class ZstdCodec implements CompressionCodec {

    /** Hadoop makes it by reflection. */
    public ZstdCodec() {
        // nothing to set up
    }

    @Override
    public String getDefaultExtension() {
        return Compression.ZSTD.suffix();
    }

    @Override
    public CompressionInputStream createInputStream(InputStream in) throws IOException {
        return new Content(new ZstdInputStreamNoFinalizer(in));
    }

    @Override
    public CompressionInputStream createInputStream(InputStream in, Decompressor none) throws IOException {
        return createInputStream(in);
    }

    /** Null: the stream itself decompresses. */
    @Override
    public Class<? extends Decompressor> getDecompressorType() {
        return null;
    }

    /** Null, as {@link #getDecompressorType}. */
    @Override
    public Decompressor createDecompressor() {
        return null;
    }

    @Override
    public CompressionOutputStream createOutputStream(OutputStream out) {
        throw new UnsupportedOperationException("this codec is for reading");
    }

    @Override
    public CompressionOutputStream createOutputStream(OutputStream out, Compressor compressor) {
        return createOutputStream(out);
    }

    @Override
    public Class<? extends Compressor> getCompressorType() {
        return null;
    }

    @Override
    public Compressor createCompressor() {
        return null;
    }

    /** The content of a compressed stream; an end within it is an error. */
    private static final class Content extends CompressionInputStream {

        Content(InputStream in) throws IOException {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return in.read(bytes, offset, length);
            } catch (ZstdIOException e) {
                throw new IOException("the Zstandard data is damaged or was cut off: " + e.getMessage(), e);
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public void resetState() {
            throw new UnsupportedOperationException("a stream of Zstandard is read once");
        }
    }
}
