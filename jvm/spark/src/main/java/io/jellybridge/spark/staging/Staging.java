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

/** The folder in which the batches of one write wait to be taken; the driver's side. */
final class Staging {
    private final Path folder;
    private final int[] positions;
    private final boolean inOrder;
    private final SparkSession spark;
    private final Configuration hadoop;

    /**
     * @param parent    the folder's own
     * @param queryId   the folder's name comes from it
     * @param positions where the columns of change rows stand
     * @param inOrder   see {@link StagingOptions#inOrder}
     */
    Staging(String parent, String queryId, int[] positions, boolean inOrder) {
        this.folder = new Path(parent, "jellybridge-" + queryId);
        this.positions = positions;
        this.inOrder = inOrder;
        this.spark = SparkSession.active();
        this.hadoop = spark.sparkContext().hadoopConfiguration();
    }

    /** Starts a batch: removes what a run that was killed left, and makes what the tasks write with. */
    StagedWriterFactory start() {
        try {
            new StagingFolder(folder, hadoop).make();
        } catch (IOException e) {
            throw new UncheckedIOException("can't make " + folder + ": " + e.getMessage(), e);
        }
        return new StagedWriterFactory(folder.toString(), positions, inOrder, HadoopConf.broadcast(spark, hadoop));
    }

    /**
     * Has the store take what the tasks staged, and removes it in any case.
     *
     * @throws BatchFailedException the store can't be reached or opened, or refused the batch
     */
    void commit(WriterCommitMessage[] messages, BatchStep step) {
        try {
            List<StagedPatch> filled = Arrays.stream(messages).filter(Objects::nonNull)
                    .map(message -> TaskMessage.read(message, StagedPatch.class)).filter(staged -> staged.rows() > 0).toList();
            step.take(StagedBatch.of(filled, hadoop));
        } catch (InterruptedIOException e) {
            throw new UncheckedIOException(e); // by which Spark knows that the query was stopped
        } catch (IOException | IllegalStateException e) {
            throw new BatchFailedException(e);
        } finally {
            remove();
        }
    }

    /** Removes all that is staged. */
    void remove() {
        try {
            new StagingFolder(folder, hadoop).remove();
        } catch (IOException e) {
            throw new UncheckedIOException("can't remove " + folder + ": " + e.getMessage(), e);
        }
    }
}
