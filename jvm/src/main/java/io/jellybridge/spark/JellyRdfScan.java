package io.jellybridge.spark;

import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.fs.Path;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.SerializableConfiguration;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** Opens the statements of one file, on an executor. */
final class JellyRdfScan extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int[] positions;
    private final int width;
    private final ReadOptions options;
    private final Broadcast<SerializableConfiguration> hadoop;

    /**
     * @param positions where each {@link JellyRdfColumn} stands in the rows; -1 = left out
     * @param width     how many columns the rows have
     */
    JellyRdfScan(int[] positions, int width, ReadOptions options, Broadcast<SerializableConfiguration> hadoop) {
        this.positions = positions;
        this.width = width;
        this.options = options;
        this.hadoop = hadoop;
    }

    @Override
    public Iterator<InternalRow> apply(PartitionedFile part) {
        Path path = part.toPath();
        try {
            return new JellyRdfIterator(new RdfReader<>(HadoopFiles.open(path, hadoop.value().value()),
                    path.toString(), new Utf8Terms(), options), path.toString(), positions, width);
        } catch (IOException e) {
            // As it is: Spark looks for FileNotFoundException under ignoreMissingFiles.
            Platform.throwException(e);
            throw new AssertionError(e);
        }
    }
}
