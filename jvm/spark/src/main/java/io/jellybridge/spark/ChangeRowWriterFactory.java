package io.jellybridge.spark;

import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.sql.execution.datasources.OutputWriter;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.types.StructType;

/** Makes the writer of each file, on an executor. */
final class ChangeRowWriterFactory extends OutputWriterFactory {
    private static final long serialVersionUID = 1L;

    private final ChangeTarget target;
    private final int[] positions;

    ChangeRowWriterFactory(ChangeTarget target, int[] positions) {
        this.target = target;
        this.positions = positions;
    }

    @Override
    public String getFileExtension(TaskAttemptContext context) {
        return target.extension();
    }

    @Override
    public OutputWriter newInstance(String path, StructType schema, TaskAttemptContext context) {
        return new ChangeRowWriter(path, target, positions, context.getConfiguration());
    }
}
