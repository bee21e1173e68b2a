package io.jellybridge.spark;

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
 * Rows in the making, by columns: those of a file's format, then those that the file's folder stands for. The same batch
 * each time, as in Spark's own readers.
 */
final class RowBatch {
    /** As many as Spark's own readers take. */
    static final int MAX_ROWS = 4096;

    private final TextVector[] texts;
    private final LongVector[] numbers;
    private final ColumnarBatch batch;
    private int rows;

    /**
     * @param columns         the format's columns that are asked for, each a string or a long
     * @param folderColumns   the columns that the folder stands for
     * @param valuesOfFolder  their values
     */
    RowBatch(StructType columns, StructType folderColumns, InternalRow valuesOfFolder) {
        int width = columns.size();
        texts = new TextVector[width];
        numbers = new LongVector[width];
        ColumnVector[] vectors = new ColumnVector[width + folderColumns.size()];
        for (int i = 0; i < width; i++) {
            if (columns.fields()[i].dataType().sameType(DataTypes.LongType)) {
                numbers[i] = new LongVector(MAX_ROWS);
                vectors[i] = numbers[i];
            } else {
                texts[i] = new TextVector(MAX_ROWS);
                vectors[i] = texts[i];
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

    /** Writes a number into a column of the row in the making, null for a negative one; unless the column is -1. */
    void number(int column, long number) {
        if (column >= 0) {
            numbers[column].set(rows, number);
        }
    }

    /** Writes a text, or null, into a column of the row in the making; unless the column is -1. */
    void text(int column, UTF8String text) {
        if (column >= 0) {
            texts[column].set(rows, text);
        }
    }

    /** Ends a row: every column of it was written. */
    void endRow() {
        rows++;
    }

    int rows() {
        return rows;
    }

    boolean isFull() {
        return rows == MAX_ROWS;
    }

    /** The batch of the rows so far; new ones overwrite them. */
    ColumnarBatch take() {
        batch.setNumRows(rows);
        rows = 0;
        return batch;
    }
}
