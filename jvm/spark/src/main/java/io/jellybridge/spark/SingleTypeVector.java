package io.jellybridge.spark;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/** A column of values of one type. Getters for other types throw an error. */
abstract class SingleTypeVector extends ColumnVector {
    private final int capacity;

    SingleTypeVector(DataType type, int capacity) {
        super(type);
        this.capacity = capacity;
    }

    @Override
    public boolean hasNull() {
        return true;
    }

    @Override
    public int numNulls() {
        int nulls = 0;
        for (int row = 0; row < capacity; row++) {
            nulls += isNullAt(row) ? 1 : 0;
        }
        return nulls;
    }

    private UnsupportedOperationException other() {
        return new UnsupportedOperationException("a column of " + dataType().simpleString());
    }

    @Override
    public void close() {
        // the column uses heap memory only
    }

    @Override
    public boolean getBoolean(int row) {
        throw other();
    }

    @Override
    public byte getByte(int row) {
        throw other();
    }

    @Override
    public short getShort(int row) {
        throw other();
    }

    @Override
    public int getInt(int row) {
        throw other();
    }

    @Override
    public long getLong(int row) {
        throw other();
    }

    @Override
    public float getFloat(int row) {
        throw other();
    }

    @Override
    public double getDouble(int row) {
        throw other();
    }

    @Override
    public ColumnarArray getArray(int row) {
        throw other();
    }

    @Override
    public ColumnarMap getMap(int row) {
        throw other();
    }

    @Override
    public Decimal getDecimal(int row, int precision, int scale) {
        throw other();
    }

    @Override
    public UTF8String getUTF8String(int row) {
        throw other();
    }

    @Override
    public byte[] getBinary(int row) {
        throw other();
    }

    @Override
    public ColumnVector getChild(int ordinal) {
        throw other();
    }
}
