package io.jellybridge.spark.dataset;

import io.jellybridge.checkpoint.CheckpointPart;
import io.jellybridge.checkpoint.InitialState;
import io.jellybridge.checkpoint.PartWriter;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.StoreLog;
import io.jellybridge.spark.SparkCall;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.spark.TaskMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NullOrdering;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriter;
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
final class InitialStateWrite implements RequiresDistributionAndOrdering, BatchWrite {
    private final Path folder;
    private final int[] positions;
    private final SortOrder[] order;
    private InitialState beginning;

    /**
     * @param folder    the folder of the log
     * @param positions the positions of the columns of statements
     */
    InitialStateWrite(Path folder, StructType schema, int[] positions) {
        this.folder = folder;
        this.positions = positions;
        this.order = orderOf(schema, positions);
    }

    /**
     * Returns the sort order by terms. It equals that of whole N-Quads lines. If a term is a prefix of another one, the next
     * byte of the other is greater than a space. The end of a line sorts before a graph.
     */
    private static SortOrder[] orderOf(StructType schema, int[] positions) {
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
        SparkCall.run(() -> {
            if (StoreLog.isLog(new FolderStore(folder))) {
                new Checkpoints(StoreLog.open(folder)).requireNoVersion();
            }
        });
        return this;
    }

    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
        beginning = SparkCall.unchecked(() -> new InitialState(StoreLog.openOrCreate(new FolderStore(folder))));
        return new PartDataWriter.Factory(beginning.folder().toString(), positions);
    }

    @Override
    public void commit(WriterCommitMessage[] messages) {
        List<CheckpointPart> parts =
                Arrays.stream(messages).map(message -> TaskMessage.read(message, CheckpointPart.class)).toList();
        SparkCall.run(() -> {
            try (InitialState ended = beginning) {
                ended.commit(parts);
            }
        });
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {
        if (beginning != null) {
            SparkCall.run(beginning::close);
        }
    }

    /**
     * A writer of a task's quads to a file of a checkpoint. Each term must be canonical, since Spark sorted the terms by their
     * bytes.
     */
    private static final class PartDataWriter implements DataWriter<InternalRow> {
        private final Path file;
        private final PartWriter writer;
        private final int[] positions;
        private final TermBuilder<byte[], byte[]> canonical = new TermBuilder<>(new Utf8Terms(), new Utf8Terms());
        /** The last term at each position. In sorted rows, terms repeat. */
        private final byte[][] last;

        private PartDataWriter(Path file, int[] positions) throws IOException {
            this.file = file;
            this.positions = positions;
            this.last = new byte[positions.length][];
            this.writer = new PartWriter(file, Map.of(), TermRules.RDF);
        }

        /**
         * A factory of these writers, on executors.
         *
         * @param folder    the folder for the files
         * @param positions the positions of the columns of statements; -1 if missing
         */
        record Factory(String folder, int[] positions) implements DataWriterFactory {

            @Override
            public DataWriter<InternalRow> createWriter(int partition, long task) {
                Path file = Path.of(folder, "task-" + task); // unique for each attempt
                try {
                    return new PartDataWriter(file, positions);
                } catch (IOException e) {
                    throw new UncheckedIOException("can't create " + file + ": " + e.getMessage()
                            + "; the folder of a log must be at the same path for the driver and all executors", e);
                }
            }
        }

        /**
         * @throws FormatException the row is not a quad of RDF, or a term is not canonical
         */
        @Override
        public void write(InternalRow row) {
            CanonicalQuad quad = new CanonicalQuad(getTerm(row, 0), getTerm(row, 1), getTerm(row, 2), getTerm(row, 3));
            if (quad.subject() == null || quad.predicate() == null || quad.object() == null) {
                throw refusalError("a row without subject, predicate or object", "write quads, in which the graph alone may be null",
                        toLine(quad));
            }
            try {
                writer.add(quad);
            } catch (FormatException e) {
                throw e.at(toLine(quad));
            }
        }

        private byte[] getTerm(InternalRow row, int column) {
            int position = positions[column];
            if (position < 0 || row.isNullAt(position)) {
                return null;
            }
            byte[] term = row.getUTF8String(position).getBytes();
            if (Arrays.equals(term, last[column])) {
                return last[column];
            }
            requireCanonical(term);
            last[column] = term;
            return term;
        }

        private void requireCanonical(byte[] term) {
            String found = new String(term, StandardCharsets.UTF_8);
            byte[] same;
            try {
                same = canonical.translate(term);
            } catch (TermSyntaxException e) {
                throw refusalError(e.found(), e.advice(), "the term " + found);
            } catch (IllegalArgumentException e) {
                throw refusalError(e.getMessage(), "correct it", "the term " + found);
            }
            if (!Arrays.equals(term, same)) {
                throw refusalError("a term that is not canonical", "write " + new String(same, StandardCharsets.UTF_8),
                        "the term " + found);
            }
        }

        private static FormatException refusalError(String found, String advice, String place) {
            return FormatException.ofRow(DatasetTableProvider.SHORT_NAME + " rows", place, found, advice);
        }

        private static String toLine(CanonicalQuad quad) {
            return "the row " + quad.text();
        }

        /** Returns a {@link CheckpointPart} for the driver. */
        @Override
        public WriterCommitMessage commit() throws IOException {
            return TaskMessage.of(writer.end());
        }

        @Override
        public void abort() throws IOException {
            writer.close();
            Files.deleteIfExists(file);
        }

        @Override
        public void close() throws IOException {
            writer.close();
        }
    }
}
