package io.jellybridge.spark;

import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.SerializableConfiguration;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.collection.immutable.Map;
import scala.runtime.AbstractFunction1;

/**
 * A function that opens the rows of a file or a split on an executor. The rows come in batches, or one by one if Spark asks for
 * that (without code generation).
 */
final class FileRowReader extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1L;
    /** The option with which Spark asks for batches. */
    private static final String RETURNING_BATCH = "returning_batch";

    private final FileInput input;
    private final PushedFilter filter;
    private final StructType columns;
    private final int[] positions;
    private final StructType folderColumns;
    private final boolean inBatches;
    private final Broadcast<SerializableConfiguration> hadoop;

    /**
     * @param input         opens the files of the format
     * @param filter        the filter for rows; null for all rows
     * @param columns       the requested columns of the format
     * @param positions     the position of each column of the format among these; -1 if it is not requested
     * @param folderColumns the partition columns, whose values are in folder names
     * @param options       the options of the read
     */
    FileRowReader(FileInput input, PushedFilter filter, StructType columns, int[] positions, StructType folderColumns,
            Map<String, String> options, Broadcast<SerializableConfiguration> hadoop) {
        this.input = input;
        this.filter = filter;
        this.columns = columns;
        this.positions = positions;
        this.folderColumns = folderColumns;
        this.inBatches = options.get(RETURNING_BATCH).exists(Boolean::parseBoolean);
        this.hadoop = hadoop;
    }

    @Override
    @SuppressWarnings("unchecked") // Spark's own readers also return batches as rows, if the option asks for it
    public Iterator<InternalRow> apply(PartitionedFile part) {
        try {
            FileBatches batches = input.open(part, hadoop.value().value(),
                    new RowBatch(columns, positions, folderColumns, part.partitionValues()), filter);
            if (batches == null) {
                return (Iterator<InternalRow>) (Iterator<?>) Iterator$.MODULE$.empty();
            }
            return inBatches ? (Iterator<InternalRow>) (Iterator<?>) batches : new Rows(batches, types());
        } catch (IOException e) {
            // Not wrapped: Spark checks for FileNotFoundException with ignoreMissingFiles.
            Platform.throwException(e);
            throw new AssertionError(e);
        }
    }

    private DataType[] types() {
        DataType[] types = new DataType[columns.size() + folderColumns.size()];
        int i = 0;
        for (StructField field : columns.fields()) {
            types[i++] = field.dataType();
        }
        for (StructField field : folderColumns.fields()) {
            types[i++] = field.dataType();
        }
        return types;
    }

    /** An iterator over the rows of batches. */
    private static final class Rows extends AbstractIterator<InternalRow> {
        private final Iterator<ColumnarBatch> batches;
        private final UnsafeProjection copy;
        private java.util.Iterator<InternalRow> rows = java.util.Collections.emptyIterator();

        Rows(Iterator<ColumnarBatch> batches, DataType[] types) {
            this.batches = batches;
            this.copy = UnsafeProjection.create(types);
        }

        @Override
        public boolean hasNext() {
            while (!rows.hasNext()) {
                if (!batches.hasNext()) {
                    return false;
                }
                rows = batches.next().rowIterator();
            }
            return true;
        }

        @Override
        public InternalRow next() {
            hasNext();
            return copy.apply(rows.next());
        }
    }

    /** Opens files of one format as rows, on an executor. */
    interface FileInput extends Serializable {

        /** Returns whether this file can be split. Called for uncompressed files only. */
        default boolean canSplit(Path file) {
            return true;
        }

        /**
         * Checks on the driver what a file's name says of it.
         *
         * @throws IllegalArgumentException it is no file of this format
         */
        default void checkFile(Path file, Configuration hadoop) {
        }

        /**
         * Opens a file or a split.
         *
         * @param rows   takes the rows, and knows the requested columns
         * @param filter the filter for rows, which Spark applies again; null for all rows
         * @return null if no row of the file belongs to the split
         */
        FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter) throws IOException;
    }
}
