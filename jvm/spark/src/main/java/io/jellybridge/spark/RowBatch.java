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
 * Rows in the making, by columns: those of a file's format, then those that the file's folder stands for. The same batch
 * each time, as in Spark's own readers.
 */
final class RowBatch {
    /** As many as Spark's own readers take. */
    static final int MAX_ROWS = 4096;

    /** By the format's columns; null where one is left out or no text. */
    private final TextVector[] texts;
    /** Likewise, of the numbers. */
    private final LongVector[] numbers;
    private final ColumnarBatch batch;
    private int rows;

    /**
     * @param columns         the format's columns that are asked for, each a string or a long
     * @param positions       where each column of the format stands among these; -1 = left out
     * @param folderColumns   the columns that the folder stands for
     * @param valuesOfFolder  their values
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

    /** Whether a column of the format, a text, is asked for. */
    boolean wants(int column) {
        return texts[column] != null;
    }

    /**
     * What of statements is asked for.
     *
     * @param subject which column of the format is the subject; predicate, object and graph come after it
     * @param filter  which statements are wanted; null for all
     */
    Selection<UTF8String> selection(int subject, PushedFilter filter) {
        return new Selection<>(wants(subject), wants(subject + 1), wants(subject + 2), wants(subject + 3), filter);
    }

    /**
     * Writes a number into a column of the row in the making, null for a negative one; unless it is left out, or no column of
     * the format.
     */
    void number(int column, long number) {
        LongVector vector = column < numbers.length ? numbers[column] : null;
        if (vector != null) {
            vector.set(rows, number);
        }
    }

    /** Writes a text, or null, into a column of the row in the making; unless it is left out. */
    void text(int column, UTF8String text) {
        TextVector vector = texts[column];
        if (vector != null) {
            vector.set(rows, text);
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
