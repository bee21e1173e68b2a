package io.jellybridge.spark;

import org.apache.spark.sql.types.DataTypes;

/** A column of numbers that are not negative. A negative number is null. */
final class LongVector extends SingleTypeVector {
    private final long[] values;

    LongVector(int capacity) {
        super(DataTypes.LongType, capacity);
        values = new long[capacity];
    }

    void set(int row, long value) {
        values[row] = value;
    }

    @Override
    public boolean isNullAt(int row) {
        return values[row] < 0;
    }

    @Override
    public long getLong(int row) {
        return values[row];
    }
}
