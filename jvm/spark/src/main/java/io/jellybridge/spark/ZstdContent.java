package io.jellybridge.spark;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.jellybridge.files.CompressedData;
import io.jellybridge.files.ZstdFrames;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A decompressor for Zstandard streams. Hadoop's codec needs a native library that PySpark from PyPI lacks. This class uses the
 * library that Spark itself compresses with.
 */
final class ZstdContent extends FilterInputStream {
    private final String file;

    ZstdContent(InputStream in, String file) throws IOException {
        super(new ZstdInputStreamNoFinalizer(new ZstdFrames(in, file)));
        this.file = file;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            return in.read(bytes, offset, length);
        } catch (ZstdIOException e) {
            throw CompressedData.damaged(file, e.getMessage());
        } catch (RuntimeException e) {
            throw CompressedData.failed(file, e);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }
}
