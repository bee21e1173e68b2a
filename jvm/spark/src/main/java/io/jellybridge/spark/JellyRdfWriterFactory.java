package io.jellybridge.spark;

import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.sql.execution.datasources.OutputWriter;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.types.StructType;

/** Makes the writer of each file, on an executor. */
final class JellyRdfWriterFactory extends OutputWriterFactory {
    private static final long serialVersionUID = 1L;

    private final JellyRdfWriteSettings settings;
    private final int[] positions;

    JellyRdfWriterFactory(JellyRdfWriteSettings settings, int[] positions) {
        this.settings = settings;
        this.positions = positions;
    }

    @Override
    public String getFileExtension(TaskAttemptContext context) {
        return ".jelly" + settings.compression().suffix();
    }

    @Override
    public OutputWriter newInstance(String path, StructType schema, TaskAttemptContext context) {
        return new JellyRdfWriter(path, settings, positions, context.getConfiguration());
    }
}
