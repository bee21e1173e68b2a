package io.jellybridge.spark.staging;

import io.jellybridge.codec.ChangeRowSink;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.spark.ChangeMetrics;
import io.jellybridge.spark.ChangeRowFeed;
import io.jellybridge.spark.TaskMessage;
import io.jellybridge.spark.staging.StagedBatch.RowPlace;
import io.jellybridge.spark.staging.StagedBatch.StagedPatch;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.util.SerializableConfiguration;

/** A writer that stages the rows of a batch, in the order in which they come. */
final class StagedWriter implements DataWriter<InternalRow> {
    /** Triple terms are allowed here. The dataset decides whether it accepts them. */
    private static final PatchOptions OPTIONS = PatchOptions.DEFAULT.withRdfStar(true);

    /**
     * The message for a batch of several files. A repeated batch of a stream has the same content, so changing the options of
     * the source does not help.
     */
    private static final String SEVERAL_FILES = "the batch has several files, or messages, and each counts from 0: give "
            + "their patches numbers of their own, as jellybridge.number_patches does in batch. A stream that does so in "
            + "its query goes on from its checkpoint; another maxFilesPerTrigger does not help, since the checkpoint keeps "
            + "what a batch holds";

    private final StagingFolder folder;
    private final Path file;
    private final OutputStream out;
    private final PatchWriter<byte[]> writer;
    private final ChangeRowFeed feed;
    private String place = "the batch";
    private RowPlace first;
    private long patch;
    /** The number of patches that have begun, which for Spark count when it asks before the last one has ended. */
    private long patches;

    /**
     * @param file      the file to create, in the driver's {@link StagingFolder}
     * @param positions the positions of the columns of change rows
     * @param isPiece   true if other tasks may have the rest of a patch
     */
    StagedWriter(Path file, int[] positions, boolean isPiece, Configuration hadoop) throws IOException {
        this.folder = new StagingFolder(file.getParent(), hadoop);
        this.file = file;
        this.out = folder.createFile(file);
        this.writer = new PatchWriter<>(out, null, new Utf8Terms(), OPTIONS,
                isPiece ? WriteOptions.DEFAULT.ofPiece() : WriteOptions.DEFAULT);
        this.feed = new ChangeRowFeed(positions, writer, true);
    }

    /**
     * @throws FormatException a row is invalid, has no place, or is not allowed there by the format; its {@code file} names the
     *     row
     */
    @Override
    public void write(InternalRow values) {
        try {
            feed.write(values);
            if (first == null) {
                first = place();
            }
            if (patches == 0 || feed.lastPatch() != patch) {
                patch = feed.lastPatch();
                patches++;
            }
        } catch (FormatException e) {
            place = feed.place();
            throw e.at(place);
        } catch (ChangeRowSink.SamePlaceException e) {
            throw ChangeRowFeed.refusalError("the batch", "two rows have " + feed.place(), SEVERAL_FILES);
        } catch (IllegalArgumentException e) {
            throw ChangeRowFeed.refusalError(feed.place(), e);
        }
    }

    private RowPlace place() {
        return new RowPlace(feed.lastPatch(), feed.lastRow());
    }

    /**
     * @throws FormatException a transaction is open at the end of the batch
     */
    @Override
    public WriterCommitMessage commit() throws IOException {
        try {
            writer.close();
        } catch (FormatException e) {
            throw e.at(place);
        }
        return TaskMessage.of(
                new StagedPatch(file.toString(), writer.rows(), writer.patches(), first, first == null ? null : place()));
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
        return ChangeMetrics.writtenMetrics(writer.rows(), patches);
    }

    @Override
    public void abort() throws IOException {
        out.close();
        folder.deleteFile(file);
    }

    /** Closes the file as it is. Does nothing after {@link #commit()}. */
    @Override
    public void close() throws IOException {
        out.close();
    }

    /**
     * A factory of a task's writer, on its executor.
     *
     * @param folder    the folder for the file
     * @param positions the positions of the columns of change rows
     * @param inOrder   see {@link StagingOptions#inOrder}
     * @param hadoop    the Hadoop configuration for the folder
     */
    record Factory(String folder, int[] positions, boolean inOrder, Broadcast<SerializableConfiguration> hadoop)
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
}
