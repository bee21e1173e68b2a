package io.jellybridge.spark;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** A column of strings, held by reference: a term that occurs in many rows is in memory once. */
final class TextVector extends SingleTypeVector {
    private final UTF8String[] values;

    TextVector(int capacity) {
        super(DataTypes.StringType, capacity);
        values = new UTF8String[capacity];
    }

    void set(int row, UTF8String value) {
        values[row] = value;
    }

    @Override
    public boolean isNullAt(int row) {
        return values[row] == null;
    }

    @Override
    public UTF8String getUTF8String(int row) {
        return values[row];
    }
}
