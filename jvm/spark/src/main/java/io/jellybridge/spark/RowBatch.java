package io.jellybridge.spark;

import io.jellybridge.codec.Selection;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.ColumnVectorUtils;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A batch of rows by columns: first those of the file's format, then the partition columns. The same batch object is reused, as
 * in Spark's own readers.
 */
final class RowBatch {
    /** The batch size of Spark's own readers. */
    static final int MAX_ROWS = 4096;

    /** The text columns, by column of the format; null if it is not requested or not text. */
    private final TextVector[] texts;
    /** The number columns, likewise. */
    private final LongVector[] numbers;
    private final ColumnarBatch batch;
    private int rows;

    /**
     * @param columns         the requested columns of the format, strings or longs
     * @param positions       the position of each column of the format among these; -1 if it is not requested
     * @param folderColumns   the partition columns
     * @param valuesOfFolder  the values of the partition columns
     */
    RowBatch(StructType columns, int[] positions, StructType folderColumns, InternalRow valuesOfFolder) {
        int width = columns.size();
        texts = new TextVector[positions.length];
        numbers = new LongVector[positions.length];
        ColumnVector[] vectors = new ColumnVector[width + folderColumns.size()];
        for (int column = 0; column < positions.length; column++) {
            int position = positions[column];
            if (position < 0) {
                continue;
            }
            if (columns.fields()[position].dataType().sameType(DataTypes.LongType)) {
                numbers[column] = new LongVector(MAX_ROWS);
                vectors[position] = numbers[column];
            } else {
                texts[column] = new TextVector(MAX_ROWS);
                vectors[position] = texts[column];
            }
        }
        for (int i = 0; i < folderColumns.size(); i++) {
            StructField field = folderColumns.fields()[i];
            ConstantColumnVector constant = new ConstantColumnVector(MAX_ROWS, field.dataType());
            ColumnVectorUtils.populate(constant, valuesOfFolder, i);
            vectors[width + i] = constant;
        }
        batch = new ColumnarBatch(vectors);
    }

    /** Returns whether a text column of the format is requested. */
    boolean wants(int column) {
        return texts[column] != null;
    }

    /**
     * Returns the requested terms and statements.
     *
     * @param subject the column of the subject; predicate, object and graph follow it
     * @param filter  the filter for statements; null for all statements
     */
    Selection<UTF8String> selection(int subject, PushedFilter filter) {
        return new Selection<>(wants(subject), wants(subject + 1), wants(subject + 2), wants(subject + 3), filter);
    }

    /**
     * Sets a number in the current row, or null for a negative one. Ignores columns that are not requested or not in the
     * format.
     */
    void number(int column, long number) {
        LongVector vector = column < numbers.length ? numbers[column] : null;
        if (vector != null) {
            vector.set(rows, number);
        }
    }

    /** Sets a text or null in the current row. Ignores columns that are not requested. */
    void text(int column, UTF8String text) {
        TextVector vector = texts[column];
        if (vector != null) {
            vector.set(rows, text);
        }
    }

    /** Ends the current row. Each of its columns must have been set. */
    void endRow() {
        rows++;
    }

    int rows() {
        return rows;
    }

    boolean isFull() {
        return rows == MAX_ROWS;
    }

    /** Returns the batch of the rows so far. Later rows overwrite it. */
    ColumnarBatch take() {
        batch.setNumRows(rows);
        rows = 0;
        return batch;
    }
}
