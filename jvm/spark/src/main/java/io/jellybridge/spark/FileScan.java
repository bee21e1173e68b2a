package io.jellybridge.spark;

import java.io.IOException;
import java.io.Serializable;
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
 * Opens the rows of one file, or of a part of it, on an executor: in batches or, where Spark wants that (when it does not
 * generate code), one by one.
 */
final class FileScan extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1L;
    /** By this option of a read Spark says whether it wants batches. */
    private static final String RETURNING_BATCH = "returning_batch";

    private final FileInput input;
    private final PushedFilter filter;
    private final StructType columns;
    private final int[] positions;
    private final StructType folderColumns;
    private final boolean inBatches;
    private final Broadcast<SerializableConfiguration> hadoop;

    /**
     * @param input         opens the files, in their format
     * @param filter        which rows are wanted; null for all
     * @param columns       the format's columns that are asked for
     * @param positions     where each column of the format stands among these; -1 = left out
     * @param folderColumns the columns that the file's folder stands for
     * @param options       of the read
     */
    FileScan(FileInput input, PushedFilter filter, StructType columns, int[] positions, StructType folderColumns,
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
    @SuppressWarnings("unchecked") // Spark's own readers hand batches over as if they were rows, and say so by the option
    public Iterator<InternalRow> apply(PartitionedFile part) {
        try {
            FileBatches batches = input.open(part, hadoop.value().value(),
                    new RowBatch(columns, positions, folderColumns, part.partitionValues()), filter);
            if (batches == null) {
                return (Iterator<InternalRow>) (Iterator<?>) Iterator$.MODULE$.empty();
            }
            return inBatches ? (Iterator<InternalRow>) (Iterator<?>) batches : new Rows(batches, types());
        } catch (IOException e) {
            // As it is: Spark looks for FileNotFoundException under ignoreMissingFiles.
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

    /** The rows of batches, one by one. */
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
}
