package io.jellybridge.spark.log;

import io.jellybridge.log.LogStore;
import io.jellybridge.log.LogStores;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;

/**
 * The stores of logs on HDFS, where a rename atomically rejects an existing name. Other Hadoop file systems are rejected: two
 * processes could both append there, or they are untested.
 */
public final class HadoopStores implements LogStores {
    private static final Set<String> OTHERS = Set.of("s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "oss",
            "cosn", "obs", "viewfs", "webhdfs", "swebhdfs", "har");

    @Override
    public LogStore at(String address) throws IOException {
        String scheme = address.substring(0, address.indexOf("://")).toLowerCase(Locale.ROOT);
        if (OTHERS.contains(scheme)) {
            throw new IllegalArgumentException("a patch log can't be kept on " + scheme + ": of several processes that "
                    + "append there, nothing known to jellybridge makes one win; keep it on hdfs, in a folder, or on a server");
        }
        return scheme.equals("hdfs") ? new HadoopStore(new Path(address), configuration()) : null;
    }

    /** Returns Spark's Hadoop configuration, in the driver and in executors. */
    private static Configuration configuration() {
        SparkEnv spark = SparkEnv.get();
        return spark == null ? new Configuration() : SparkHadoopUtil.get().newConfiguration(spark.conf());
    }
}
