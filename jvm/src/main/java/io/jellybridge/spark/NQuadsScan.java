package io.jellybridge.spark;

import java.io.IOException;
import java.io.Serializable;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.SerializableConfiguration;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** Opens the rows of one file, or of one split of it, on an executor. */
final class NQuadsScan extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int[] ordinals;
    private final int width;
    private final boolean rdfStar;
    private final Broadcast<SerializableConfiguration> hadoop;

    /**
     * @param ordinals where each position of a statement stands in the rows; -1 = left out
     * @param width    how many columns the rows have
     */
    NQuadsScan(int[] ordinals, int width, boolean rdfStar, Broadcast<SerializableConfiguration> hadoop) {
        this.ordinals = ordinals;
        this.width = width;
        this.rdfStar = rdfStar;
        this.hadoop = hadoop;
    }

    @Override
    public Iterator<InternalRow> apply(PartitionedFile part) {
        NQuadsIterator rows = new NQuadsIterator(part, rdfStar, ordinals, width);
        try {
            rows.open(hadoop.value().value());
        } catch (IOException e) {
            rows.close();
            // As it is: Spark looks for FileNotFoundException, and Scala has no checked exceptions.
            Platform.throwException(e);
        }
        return rows;
    }
}
