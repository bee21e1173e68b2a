package io.jellybridge.spark.sink;

import io.jellybridge.spark.staging.StagedBatch;
import io.jellybridge.spark.staging.StagingOptions;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** A process that commits a staged batch, number 0 of {@value #WRITER}, to a dataset. */
final class BatchCommitter {
    static final String WRITER = "app";

    private BatchCommitter() {
    }

    /** @param arguments the dataset, the staged file and how many rows it has */
    public static void main(String[] arguments) throws IOException {
        commit(arguments[0], arguments[1], Long.parseLong(arguments[2]));
    }

    static void commit(String target, String staged, long rows) throws IOException {
        JenaSinkOptions options = new JenaSinkOptions(new TargetLocation(target, Map.of()),
                new StagingOptions(null, WRITER, 0), false, true);
        TargetStep.ofBatch(options).take(new StagedBatch(new Path(staged), rows, new Configuration()));
    }
}
