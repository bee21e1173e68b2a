package io.jellybridge.spark.staging;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.util.SerializableConfiguration;

/**
 * A factory of a task's writer, on its executor.
 *
 * @param folder    the folder for the file
 * @param positions the positions of the columns of change rows
 * @param inOrder   see {@link StagingOptions#inOrder}
 * @param hadoop    the Hadoop configuration for the folder
 */
record StagedWriterFactory(String folder, int[] positions, boolean inOrder, Broadcast<SerializableConfiguration> hadoop)
        implements DataWriterFactory, StreamingDataWriterFactory {

    @Override
    public DataWriter<InternalRow> createWriter(int partition, long task) {
        return create("task-" + task);
    }

    @Override
    public DataWriter<InternalRow> createWriter(int partition, long task, long epoch) {
        return create("epoch-" + epoch + "-task-" + task);
    }

    /**
     * @param name unique for each attempt of a task, so that attempts don't see each other's files
     */
    private DataWriter<InternalRow> create(String name) {
        Path file = new Path(folder, name + ".jellyp");
        try {
            return new StagedWriter(file, positions, inOrder, hadoop.value().value());
        } catch (IOException e) {
            throw new UncheckedIOException("can't create " + file + ": " + e.getMessage(), e);
        }
    }
}
