package io.jellybridge.spark;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.StreamSplit;
import io.jellybridge.files.BlockInputStream;
import io.jellybridge.files.CompressedData;
import io.jellybridge.files.Compression;
import io.jellybridge.files.ConcatenatedGzipInputStream;
import io.jellybridge.files.ZstdFrames;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;
import scala.reflect.ClassTag$;

/**
 * Opens and creates Hadoop files, compressed or not. Reads gzip, Zstandard, and all formats with a Hadoop codec, such as bzip2.
 */
public final class HadoopFiles {
    private static final int BUFFER_BYTES = 1 << 16;

    private HadoopFiles() {
    }

    /** Returns Spark's Hadoop configuration, in the driver and in executors. */
    public static Configuration configuration() {
        SparkEnv spark = SparkEnv.get();
        return spark == null ? new Configuration() : SparkHadoopUtil.get().newConfiguration(spark.conf());
    }

    /** Broadcasts the Hadoop configuration to executors, once for all tasks. */
    public static Broadcast<SerializableConfiguration> broadcast(SparkSession spark, Configuration hadoop) {
        return spark.sparkContext().broadcast(new SerializableConfiguration(hadoop),
                ClassTag$.MODULE$.apply(SerializableConfiguration.class));
    }

    /**
     * Returns a folder for executors, which may have another working directory than the driver. A relative one becomes absolute.
     */
    public static String absoluteFolder(String folder, Configuration hadoop) throws IOException {
        Path path = new Path(folder);
        boolean isRelative = path.toUri().getScheme() == null && !path.isAbsolute();
        return isRelative ? path.getFileSystem(hadoop).makeQualified(path).toString() : folder;
    }

    /** Returns whether a file is compressed, by its suffix. A compressed file can't be split. */
    static boolean isCompressed(Path path, Configuration hadoop) {
        return Compression.ofFile(path.getName()) != Compression.NONE || findCodec(path, hadoop) != null;
    }

    /** Returns a file's name without the suffix of its compression. */
    static String plainName(Path path, Configuration hadoop) {
        String name = path.getName();
        CompressionCodec codec = findCodec(path, hadoop);
        return codec == null ? Compression.ofFile(name).strip(name)
                : CompressionCodecFactory.removeSuffix(name, codec.getDefaultExtension());
    }

    /**
     * Opens a file and decompresses it by its suffix. Reading throws an error if the compressed data are damaged or truncated.
     */
    static InputStream openFile(Path path, Configuration hadoop) throws IOException {
        return Io.closeOnFailure(path.getFileSystem(hadoop).open(path), file -> switch (Compression.ofFile(path.getName())) {
            // Not Hadoop's codec: bytes after a gzip member or a Zstandard frame must be another one, as without Spark.
            case GZIP -> ConcatenatedGzipInputStream.open(file, path.toString());
            case ZSTD -> new ZstdContent(file, path.toString());
            case NONE, BZIP2 -> {
                CompressionCodec codec = findCodec(path, hadoop);
                yield codec == null ? file : codec.createInputStream(file);
            }
        });
    }

    /**
     * Opens a split of a file with restart points. A compressed file is opened as a whole.
     *
     * @param end      the offset after the split
     * @param counting true to open its last rows, and to know only the number of the others
     * @return null if nothing belongs to the split
     */
    static StreamSplit openPart(Path path, Configuration hadoop, long start, long end, boolean counting) throws IOException {
        if (isCompressed(path, hadoop)) {
            return StreamSplit.wholeStream(openFile(path, hadoop));
        }
        FileSystem files = path.getFileSystem(hadoop);
        StreamSplit.Opener file = offset -> Io.closeOnFailure(files.open(path), in -> {
            in.seek(offset);
            return in;
        });
        return counting ? StreamSplit.toCount(file, start, end) : StreamSplit.of(file, start, end);
    }

    private static CompressionCodec findCodec(Path path, Configuration hadoop) {
        return new CompressionCodecFactory(hadoop).getCodec(path);
    }

    /** Creates a new file. */
    static OutputStream createFile(Path path, Configuration hadoop, Compression compression) throws IOException {
        return Io.closeOnFailure(path.getFileSystem(hadoop).create(path, false), file -> switch (compression) {
            case NONE -> file;
            case GZIP -> new GZIPOutputStream(file, BUFFER_BYTES);
            // The checksum reveals damage that still decompresses.
            case ZSTD -> new ZstdOutputStreamNoFinalizer(file).setChecksum(true);
            case BZIP2 -> throw new IllegalArgumentException(path + ": bzip2 is read, not written");
        });
    }

    /**
     * A decompressor for Zstandard streams. Hadoop's codec needs a native library that PySpark from PyPI lacks. This class uses the
     * library that Spark itself compresses with.
     */
    private static final class ZstdContent extends BlockInputStream {
        /** The limit of the library. */
        private static final int MAX_WINDOW_BYTES = 128 << 20;

        private final String file;

        ZstdContent(InputStream in, String file) throws IOException {
            super(new ZstdInputStreamNoFinalizer(new ZstdFrames(in, file, MAX_WINDOW_BYTES)));
            this.file = file;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return in.read(bytes, offset, length);
            } catch (ZstdIOException e) {
                throw CompressedData.damageError(file, e.getMessage());
            } catch (RuntimeException e) {
                throw CompressedData.toFailure(file, e);
            }
        }
    }
}
