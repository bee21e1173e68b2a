package io.jellybridge.spark.staging;

import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.ChangeMetrics;
import io.jellybridge.spark.HadoopFiles;
import io.jellybridge.spark.SparkCall;
import io.jellybridge.spark.TaskMessage;
import io.jellybridge.spark.staging.StagedBatch.StagedPatch;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.types.StructType;

/**
 * A write of change rows, in batch or streaming. By default one task gets the sorted rows of a batch. If the rows come in order
 * already, many tasks share them.
 */
public final class StagedWrite implements RequiresDistributionAndOrdering {
    private final String description;
    private final String queryId;
    private final StagingOptions options;
    private final BatchStep ofBatch;
    private final LongFunction<BatchStep> ofEpoch;
    private final int[] positions;
    private final NamedReference[] order;

    /**
     * @param description the description in Spark's plans
     * @param queryId     the id of the write; for a streaming query, it survives restarts
     * @param ofBatch     takes the rows of a batch write
     * @param ofEpoch     creates the step for an epoch of a streaming query
     * @throws IllegalArgumentException the columns are not those of change rows, or define no order
     */
    public StagedWrite(String description, String queryId, StructType schema, StagingOptions options, BatchStep ofBatch,
            LongFunction<BatchStep> ofEpoch) {
        this.description = description;
        this.queryId = queryId;
        this.options = options;
        this.ofBatch = ofBatch;
        this.ofEpoch = ofEpoch;
        this.positions = ChangeColumn.positionsToWrite(schema);
        this.order = orderOf(schema, positions);
    }

    /**
     * Returns the columns that order the rows.
     *
     * @throws IllegalArgumentException they define no order
     */
    private static NamedReference[] orderOf(StructType schema, int[] positions) {
        if (positions[ChangeColumn.ROW.ordinal()] < 0) {
            throw new IllegalArgumentException("no column 'row': without it nothing says in which order the changes apply; "
                    + "number the rows, over all patches or in each");
        }
        return Stream.of(ChangeColumn.PATCH, ChangeColumn.ROW).map(column -> positions[column.ordinal()])
                .filter(position -> position >= 0).map(position -> Expressions.column(schema.fieldNames()[position]))
                .toArray(NamedReference[]::new);
    }

    /**
     * Checks the columns.
     *
     * @throws IllegalArgumentException as the constructor
     */
    public static void check(StructType schema) {
        orderOf(schema, ChangeColumn.positionsToWrite(schema));
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Distribution requiredDistribution() {
        return options.inOrder() ? Distributions.unspecified() : Distributions.clustered(order.clone());
    }

    @Override
    public int requiredNumPartitions() {
        return options.inOrder() ? 0 : 1;
    }

    @Override
    public SortOrder[] requiredOrdering() {
        return options.inOrder() ? new SortOrder[0] : Arrays.stream(order)
                .map(column -> Expressions.sort((Expression) column, SortDirection.ASCENDING)).toArray(SortOrder[]::new);
    }

    @Override
    public CustomMetric[] supportedCustomMetrics() {
        return ChangeMetrics.ofWrite();
    }

    @Override
    public BatchWrite toBatch() {
        return new Staging(this);
    }

    @Override
    public StreamingWrite toStreaming() {
        if (options.txnAppId() != null) {
            throw new IllegalArgumentException("the option '" + StagingOptions.TXN_APP_ID.name()
                    + "' is for batch; a streaming query has an id and numbers of its own");
        }
        return new Staging(this);
    }

    /** The staging of one write's batches in a folder, on the driver. An epoch of a streaming query is a batch. */
    private static final class Staging implements BatchWrite, StreamingWrite {
        private final StagedWrite write;
        private final Path folder;
        private final SparkSession spark;
        private final Configuration hadoop;

        Staging(StagedWrite write) {
            this.write = write;
            this.spark = SparkSession.active();
            this.hadoop = spark.sparkContext().hadoopConfiguration();
            String parent = SparkCall.unchecked(() -> HadoopFiles.absoluteFolder(write.options.stagingDir(), hadoop));
            this.folder = new Path(parent, "jellybridge-" + write.queryId);
        }

        @Override
        public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
            return start();
        }

        @Override
        public StreamingDataWriterFactory createStreamingWriterFactory(PhysicalWriteInfo info) {
            return start();
        }

        /** Returns true, as both interfaces do without it: of the attempts of a task, one commits. */
        @Override
        public boolean useCommitCoordinator() {
            return true;
        }

        @Override
        public void commit(WriterCommitMessage[] messages) {
            commit(messages, write.ofBatch);
        }

        /** Commits an epoch. Skips one that the store has already, since Spark repeats a commit if it does not know the outcome. */
        @Override
        public void commit(long epoch, WriterCommitMessage[] messages) {
            commit(messages, write.ofEpoch.apply(epoch));
        }

        @Override
        public void abort(WriterCommitMessage[] messages) {
            remove();
        }

        @Override
        public void abort(long epoch, WriterCommitMessage[] messages) {
            remove();
        }

        /** Starts a batch. Deletes the remains of a killed run, and returns the factory for the tasks. */
        private StagedWriter.Factory start() {
            try {
                new StagingFolder(folder, hadoop).make();
            } catch (IOException e) {
                throw new UncheckedIOException("can't make " + folder + ": " + e.getMessage(), e);
            }
            return new StagedWriter.Factory(folder.toString(), write.positions, write.options.inOrder(),
                    HadoopFiles.broadcast(spark, hadoop));
        }

        /**
         * Passes the staged rows to the store. Deletes them in any case; a failed deletion does not change the outcome.
         *
         * @throws BatchFailedException the store can't be reached or opened, or rejected the batch
         */
        private void commit(WriterCommitMessage[] messages, BatchStep step) {
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

        private void remove() {
            StagingFolder.removeOrWarn(folder, hadoop);
        }
    }

    /** A step that passes a batch to a store. It may be repeated, if Spark does not know that the batch was committed. */
    @FunctionalInterface
    public interface BatchStep {

        /**
         * Passes the batch to the store, unless the store has it already.
         *
         * @throws IllegalStateException the batch does not follow the store's last batch
         * @throws IOException           the store can't be reached, or rejects the batch
         */
        void take(StagedBatch batch) throws IOException;
    }
}
