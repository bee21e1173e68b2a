package io.jellybridge.spark.dataset;

import io.jellybridge.checkpoint.CheckpointPart;
import io.jellybridge.checkpoint.LogBeginning;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.StoreLog;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.TaskMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NullOrdering;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;

/**
 * A parallel write of a log's initial content from a DataFrame. Each task gets a sorted range of the quads, and writes it to a
 * file. Duplicates therefore meet in one task. Of a task that runs twice, Spark commits one attempt. The driver creates a
 * checkpoint from the committed files, in the order of the ranges.
 */
final class BeginningWrite implements RequiresDistributionAndOrdering, BatchWrite {
    private final Path folder;
    private final int[] positions;
    private final SortOrder[] order;
    private LogBeginning beginning;

    /**
     * @param folder    the folder of the log
     * @param positions the positions of the columns of statements
     */
    BeginningWrite(Path folder, StructType schema, int[] positions) {
        this.folder = folder;
        this.positions = positions;
        this.order = order(schema, positions);
    }

    /**
     * Returns the sort order by terms. It equals that of whole N-Quads lines. If a term is a prefix of another one, the next
     * byte of the other is greater than a space. The end of a line sorts before a graph.
     */
    private static SortOrder[] order(StructType schema, int[] positions) {
        return Arrays.stream(positions).limit(StatementColumns.QUADS.size()).filter(position -> position >= 0)
                .mapToObj(position -> Expressions.sort(Expressions.column(schema.fieldNames()[position]),
                        SortDirection.ASCENDING, NullOrdering.NULLS_FIRST)).toArray(SortOrder[]::new);
    }

    @Override
    public String description() {
        return DatasetTableProvider.SHORT_NAME + " " + folder;
    }

    /** Returns the name in Spark's messages. */
    @Override
    public String toString() {
        return description();
    }

    @Override
    public Distribution requiredDistribution() {
        return Distributions.ordered(order.clone());
    }

    @Override
    public SortOrder[] requiredOrdering() {
        return order.clone();
    }

    /**
     * @throws IllegalStateException the log has versions
     */
    @Override
    public BatchWrite toBatch() {
        try {
            if (StoreLog.isLog(new FolderStore(folder))) {
                new Checkpoints(StoreLog.open(folder)).requireNoVersion();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        return this;
    }

    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
        try {
            beginning = new LogBeginning(StoreLog.openOrCreate(new FolderStore(folder)));
            return new PartDataWriter.Factory(beginning.folder().toString(), positions);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public void commit(WriterCommitMessage[] messages) {
        List<CheckpointPart> parts =
                Arrays.stream(messages).map(message -> TaskMessage.read(message, CheckpointPart.class)).toList();
        try (LogBeginning ended = beginning) {
            ended.commit(parts);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {
        try {
            if (beginning != null) {
                beginning.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
