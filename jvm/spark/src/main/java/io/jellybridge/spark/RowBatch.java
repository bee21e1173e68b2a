package io.jellybridge.spark;

import io.jellybridge.codec.Selection;
import java.util.Arrays;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.ColumnVectorUtils;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A batch of rows by columns: first those of the file's format, then the partition columns. The same batch object is reused, as
 * in Spark's own readers.
 */
final class RowBatch {
    /** The batch size of Spark's own readers. */
    static final int MAX_ROWS = 4096;
    /** The bytes of text above which a batch takes no more rows. The last row may be larger. */
    private static final long MAX_BYTES = 8 << 20;

    /** The columns of the format; null if one is not requested. */
    private final BatchColumn[] columns;
    private final ColumnarBatch batch;
    private int rows;
    private long bytes;

    /**
     * @param requested       the requested columns of the format, strings or longs
     * @param positions       the position of each column of the format among these; -1 if it is not requested
     * @param folderColumns   the partition columns
     * @param valuesOfFolder  the values of the partition columns
     */
    RowBatch(StructType requested, int[] positions, StructType folderColumns, InternalRow valuesOfFolder) {
        int width = requested.size();
        columns = new BatchColumn[positions.length];
        ColumnVector[] vectors = new ColumnVector[width + folderColumns.size()];
        for (int column = 0; column < positions.length; column++) {
            int position = positions[column];
            if (position >= 0) {
                columns[column] = new BatchColumn(requested.fields()[position].dataType(), MAX_ROWS);
                vectors[position] = columns[column];
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

    /**
     * Returns whether only the number of rows matters: no column of the format is requested.
     *
     * @param filter the filter for rows; null for all rows
     */
    boolean isOnlyCounted(PushedFilter filter) {
        return filter == null && Arrays.stream(columns).allMatch(Objects::isNull);
    }

    /** Returns whether a text column of the format is requested. */
    boolean isWanted(int column) {
        return columns[column] != null;
    }

    /**
     * Returns the requested terms and statements.
     *
     * @param subject the column of the subject; predicate, object and graph follow it
     * @param filter  the filter for statements; null for all statements
     */
    Selection<UTF8String> toSelection(int subject, PushedFilter filter) {
        return new Selection<>(isWanted(subject), isWanted(subject + 1), isWanted(subject + 2), isWanted(subject + 3), filter);
    }

    /**
     * Sets a number in the current row, or null for a negative one. Ignores columns that are not requested or not in the
     * format.
     */
    void setNumber(int column, long number) {
        BatchColumn vector = column < columns.length ? columns[column] : null;
        if (vector != null) {
            vector.set(rows, number);
        }
    }

    /** Sets a text or null in the current row. Ignores columns that are not requested. */
    void setText(int column, UTF8String text) {
        BatchColumn vector = columns[column];
        if (vector != null) {
            vector.set(rows, text);
            bytes += text == null ? 0 : text.numBytes();
        }
    }

    /** Ends the current row. Each of its columns must have been set. */
    void endRow() {
        rows++;
    }

    /**
     * Adds rows without columns, as many as the batch takes.
     *
     * @return the number of rows that were added
     */
    long addRows(long number) {
        int added = (int) Math.min(number, MAX_ROWS - rows);
        rows += added;
        return added;
    }

    int rows() {
        return rows;
    }

    boolean isFull() {
        return rows == MAX_ROWS || bytes >= MAX_BYTES;
    }

    /** Returns the batch of the rows so far. Later rows overwrite it. */
    ColumnarBatch take() {
        batch.setNumRows(rows);
        rows = 0;
        bytes = 0;
        return batch;
    }

    /**
     * A column of strings, or of numbers of which a negative one is null. Strings are held by reference: a term that occurs in many
     * rows is in memory once. Getters for other types throw an error.
     */
    private static final class BatchColumn extends ColumnVector {
        private final UTF8String[] texts;
        private final long[] numbers;

        BatchColumn(DataType type, int capacity) {
            super(type);
            boolean isNumber = type.sameType(DataTypes.LongType);
            texts = isNumber ? null : new UTF8String[capacity];
            numbers = isNumber ? new long[capacity] : null;
        }

        void set(int row, UTF8String value) {
            texts[row] = value;
        }

        void set(int row, long value) {
            numbers[row] = value;
        }

        @Override
        public boolean isNullAt(int row) {
            return texts == null ? numbers[row] < 0 : texts[row] == null;
        }

        @Override
        public boolean hasNull() {
            return true;
        }

        @Override
        public int numNulls() {
            int nulls = 0;
            for (int row = 0; row < RowBatch.MAX_ROWS; row++) {
                nulls += isNullAt(row) ? 1 : 0;
            }
            return nulls;
        }

        private UnsupportedOperationException unsupportedError() {
            return new UnsupportedOperationException("a column of " + dataType().simpleString());
        }

        @Override
        public void close() {
            // the column uses heap memory only
        }

        @Override
        public boolean getBoolean(int row) {
            throw unsupportedError();
        }

        @Override
        public byte getByte(int row) {
            throw unsupportedError();
        }

        @Override
        public short getShort(int row) {
            throw unsupportedError();
        }

        @Override
        public int getInt(int row) {
            throw unsupportedError();
        }

        @Override
        public long getLong(int row) {
            return numbers[row];
        }

        @Override
        public float getFloat(int row) {
            throw unsupportedError();
        }

        @Override
        public double getDouble(int row) {
            throw unsupportedError();
        }

        @Override
        public ColumnarArray getArray(int row) {
            throw unsupportedError();
        }

        @Override
        public ColumnarMap getMap(int row) {
            throw unsupportedError();
        }

        @Override
        public Decimal getDecimal(int row, int precision, int scale) {
            throw unsupportedError();
        }

        @Override
        public UTF8String getUTF8String(int row) {
            return texts[row];
        }

        @Override
        public byte[] getBinary(int row) {
            throw unsupportedError();
        }

        @Override
        public ColumnVector getChild(int ordinal) {
            throw unsupportedError();
        }
    }
}
