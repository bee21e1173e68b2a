package io.jellybridge.spark.log;

import io.jellybridge.http.Redaction;
import io.jellybridge.log.LogStore;
import io.jellybridge.log.LogStores;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.util.VersionInfo;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;

/**
 * The stores of logs on Hadoop's file systems. HDFS renames a file atomically and rejects an existing name. Other file systems
 * must promise to create a file only if there is none, as S3A does since Hadoop 3.4.2. They are rejected otherwise, since two
 * processes could both append.
 */
public final class HadoopStores implements LogStores {
    private static final Set<String> OTHERS = Set.of("s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "oss",
            "cosn", "obs", "viewfs", "webhdfs", "swebhdfs", "har");

    @Override
    public LogStore at(String address) throws IOException {
        String scheme = address.substring(0, address.indexOf("://")).toLowerCase(Locale.ROOT);
        if (scheme.equals("hdfs")) {
            Path folder = new Path(address);
            return new RenamingStore(folder, folder.getFileSystem(configuration()));
        }
        return OTHERS.contains(scheme) ? conditional(scheme, address) : null;
    }

    private static LogStore conditional(String scheme, String address) throws IOException {
        Path folder = new Path(address);
        FileSystem files;
        try {
            files = folder.getFileSystem(configuration());
        } catch (IOException | RuntimeException e) {
            // Without Hadoop, a class that catches one of its exceptions could not be loaded.
            if (e instanceof UnsupportedFileSystemException || e.getCause() instanceof ClassNotFoundException) {
                throw noClient(scheme, address, e);
            }
            throw e;
        }
        if (!files.hasPathCapability(folder, ConditionalStore.CONDITION)) {
            throw new IllegalArgumentException("a patch log can't be kept on " + scheme + " with this client of Hadoop "
                    + VersionInfo.getVersion() + ": of several processes that append there, none is sure to win, since it does "
                    + "not promise " + ConditionalStore.CONDITION + "; " + (scheme.equals("s3a")
                            ? "take Hadoop 3.4.2 or later, and leave fs.s3a.create.conditional.enabled at true"
                            : "keep the log on s3a or hdfs, in a folder, or on a server"));
        }
        return new ConditionalStore(folder, files);
    }

    private static IllegalArgumentException noClient(String scheme, String address, Exception e) {
        return new IllegalArgumentException(Redaction.address(address) + ": Hadoop's client of " + scheme + " is not here; "
                + (scheme.startsWith("s3") ? "write s3a://, and add org.apache.hadoop:hadoop-aws:" + VersionInfo.getVersion()
                        + " to spark.jars.packages" : "add it to spark.jars.packages"), e);
    }

    /** Returns Spark's Hadoop configuration, in the driver and in executors. */
    private static Configuration configuration() {
        SparkEnv spark = SparkEnv.get();
        return spark == null ? new Configuration() : SparkHadoopUtil.get().newConfiguration(spark.conf());
    }
}
