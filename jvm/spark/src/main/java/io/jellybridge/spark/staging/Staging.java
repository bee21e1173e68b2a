package io.jellybridge.spark.staging;

import io.jellybridge.spark.HadoopConf;
import io.jellybridge.spark.TaskMessage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** The staging of one write's batches in a folder, on the driver. */
final class Staging {
    private final Path folder;
    private final int[] positions;
    private final boolean inOrder;
    private final SparkSession spark;
    private final Configuration hadoop;

    /**
     * @param parent    the parent of the folder
     * @param queryId   the id that the folder's name contains
     * @param positions the positions of the columns of change rows
     * @param inOrder   see {@link StagingOptions#inOrder}
     */
    Staging(String parent, String queryId, int[] positions, boolean inOrder) {
        this.folder = new Path(parent, "jellybridge-" + queryId);
        this.positions = positions;
        this.inOrder = inOrder;
        this.spark = SparkSession.active();
        this.hadoop = spark.sparkContext().hadoopConfiguration();
    }

    /** Starts a batch. Deletes the remains of a killed run, and returns the factory for the tasks. */
    StagedWriterFactory start() {
        try {
            new StagingFolder(folder, hadoop).make();
        } catch (IOException e) {
            throw new UncheckedIOException("can't make " + folder + ": " + e.getMessage(), e);
        }
        return new StagedWriterFactory(folder.toString(), positions, inOrder, HadoopConf.broadcast(spark, hadoop));
    }

    /**
     * Passes the staged rows to the store. Deletes them in any case.
     *
     * @throws BatchFailedException the store can't be reached or opened, or rejected the batch
     */
    void commit(WriterCommitMessage[] messages, BatchStep step) {
        try {
            List<StagedPatch> filled = Arrays.stream(messages).filter(Objects::nonNull)
                    .map(message -> TaskMessage.read(message, StagedPatch.class)).filter(staged -> staged.rows() > 0).toList();
            step.take(StagedBatch.of(filled, hadoop));
        } catch (InterruptedIOException e) {
            throw new UncheckedIOException(e); // Spark recognizes a stopped query by this exception
        } catch (IOException | IllegalStateException e) {
            throw new BatchFailedException(e);
        } finally {
            remove();
        }
    }

    /** Deletes all staged rows. */
    void remove() {
        try {
            new StagingFolder(folder, hadoop).remove();
        } catch (IOException e) {
            throw new UncheckedIOException("can't remove " + folder + ": " + e.getMessage(), e);
        }
    }
}
