package io.jellybridge.spark;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.util.ReflectionUtils;

/** Opens and creates files of Hadoop, compressed or not. */
final class HadoopFiles {

    private HadoopFiles() {
    }

    /** Opens a file; its suffix says how it is compressed. */
    static InputStream open(Path path, Configuration hadoop) throws IOException {
        CompressionCodec codec = new CompressionCodecFactory(hadoop).getCodec(path);
        InputStream file = path.getFileSystem(hadoop).open(path);
        if (codec == null) {
            return file;
        }
        try {
            return codec.createInputStream(file);
        } catch (IOException | RuntimeException e) {
            close(file, e);
            throw e;
        }
    }

    /** Creates a file, which is not there yet. */
    static OutputStream create(Path path, Configuration hadoop, boolean gzip) throws IOException {
        OutputStream file = path.getFileSystem(hadoop).create(path, false);
        if (!gzip) {
            return file;
        }
        try {
            return ReflectionUtils.newInstance(GzipCodec.class, hadoop).createOutputStream(file);
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
