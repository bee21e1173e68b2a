package io.jellybridge.spark;

import org.apache.hadoop.conf.Configuration;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;
import scala.reflect.ClassTag$;

/** Broadcasts the Hadoop configuration to executors, once for all tasks. */
public final class HadoopConf {

    private HadoopConf() {
    }

    public static Broadcast<SerializableConfiguration> broadcast(SparkSession spark, Configuration hadoop) {
        return spark.sparkContext().broadcast(new SerializableConfiguration(hadoop),
                ClassTag$.MODULE$.apply(SerializableConfiguration.class));
    }
}
