package io.jellybridge.spark;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.jellybridge.codec.StreamPart;
import io.jellybridge.files.Compression;
import io.jellybridge.files.WholeGzipInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/**
 * Opens and creates files of Hadoop, compressed or not. Beside gzip and Zstandard, what Hadoop has codecs for is read, such
 * as bzip2.
 */
final class HadoopFiles {
    private static final int BUFFER_BYTES = 1 << 16;

    private HadoopFiles() {
    }

    /** Whether a file is compressed, by its suffix; such a one can't be read from its middle. */
    static boolean isCompressed(Path path, Configuration hadoop) {
        return Compression.ofFile(path.getName()) != Compression.NONE || codec(path, hadoop) != null;
    }

    /** A file's name without the suffix of its compression. */
    static String plainName(Path path, Configuration hadoop) {
        String name = path.getName();
        CompressionCodec codec = codec(path, hadoop);
        return codec == null ? Compression.ofFile(name).strip(name)
                : CompressionCodecFactory.removeSuffix(name, codec.getDefaultExtension());
    }

    /** Opens a file; its suffix says how it is compressed. Where that is damaged or cut off, reading it is an error. */
    static InputStream open(Path path, Configuration hadoop) throws IOException {
        InputStream file = path.getFileSystem(hadoop).open(path);
        try {
            return switch (Compression.ofFile(path.getName())) {
                // Not by Hadoop's codecs: as without Spark, what follows a member or a frame is one too, or an error.
                case GZIP -> WholeGzipInputStream.open(file, path.toString());
                case ZSTD -> new ZstdContent(file, path.toString());
                case NONE, BZIP2 -> {
                    CompressionCodec codec = codec(path, hadoop);
                    yield codec == null ? file : codec.createInputStream(file);
                }
            };
        } catch (IOException | RuntimeException e) {
            close(file, e);
            throw e;
        }
    }

    /**
     * Opens a range of a file that has restart points; all of it, when it is compressed.
     *
     * @param end the offset after the range
     * @return null when nothing belongs to the range
     */
    static StreamPart openPart(Path path, Configuration hadoop, long start, long end) throws IOException {
        if (isCompressed(path, hadoop)) {
            return StreamPart.whole(open(path, hadoop));
        }
        FileSystem files = path.getFileSystem(hadoop);
        return StreamPart.of(offset -> {
            FSDataInputStream in = files.open(path);
            try {
                in.seek(offset);
            } catch (IOException | RuntimeException e) {
                close(in, e);
                throw e;
            }
            return in;
        }, start, end);
    }

    private static CompressionCodec codec(Path path, Configuration hadoop) {
        return new CompressionCodecFactory(hadoop).getCodec(path);
    }

    /** Creates a file, which is not there yet. */
    static OutputStream create(Path path, Configuration hadoop, Compression compression) throws IOException {
        OutputStream file = path.getFileSystem(hadoop).create(path, false);
        try {
            return switch (compression) {
                case NONE -> file;
                case GZIP -> new GZIPOutputStream(file, BUFFER_BYTES);
                // The checksum lets a reader see damage that still decompresses.
                case ZSTD -> new ZstdOutputStreamNoFinalizer(file).setChecksum(true);
                case BZIP2 -> throw new IllegalArgumentException(path + ": bzip2 is read, not written");
            };
        } catch (IOException | RuntimeException e) {
            close(file, e);
            throw e;
        }
    }

    private static void close(Closeable file, Exception cause) {
        try {
            file.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
