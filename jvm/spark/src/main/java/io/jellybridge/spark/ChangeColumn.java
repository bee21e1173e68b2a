package io.jellybridge.spark;

import io.jellybridge.codec.Op;
import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** The columns of a change row, in order. All interfaces share them. */
public enum ChangeColumn {
    /** The number of the patch in the file, from 0. */
    PATCH(DataTypes.LongType, false),
    /** The number of the transaction in the file, from 0; null outside of a transaction. */
    TX(DataTypes.LongType, true),
    /** The position in the file, from 0. */
    ROW(DataTypes.LongType, false),
    /** The name of an {@link Op}. */
    OP(DataTypes.StringType, false),
    SUBJECT(DataTypes.StringType, true),
    PREDICATE(DataTypes.StringType, true),
    OBJECT(DataTypes.StringType, true),
    /** The graph; null for the default graph, and in a triples stream. */
    GRAPH(DataTypes.StringType, true),
    /** The key of a header, the prefix of a PA or PD. */
    NAME(DataTypes.StringType, true),
    /** The value of a header, the namespace of a PA or PD. */
    VALUE(DataTypes.StringType, true);

    /** The plural noun for these rows in messages. */
    static final String ROWS = "change rows";

    /** The schema with all columns. */
    public static final StructType SCHEMA =
            new StructType(Arrays.stream(values()).map(ChangeColumn::field).toArray(StructField[]::new));

    private static final UTF8String[] OPS =
            Arrays.stream(Op.values()).map(op -> UTF8String.fromString(op.name())).toArray(UTF8String[]::new);

    private final DataType type;
    private final boolean nullable;

    ChangeColumn(DataType type, boolean nullable) {
        this.type = type;
        this.nullable = nullable;
    }

    /** Returns the text of an op in the column {@link #OP}. */
    public static UTF8String toText(Op op) {
        return OPS[op.ordinal()];
    }

    private StructField field() {
        return DataTypes.createStructField(columnName(), type, nullable);
    }

    String columnName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether the column is text and not a number. Called for each row, where {@code sameType} is too slow. */
    boolean isText() {
        return type == DataTypes.StringType;
    }

    /**
     * Returns the position of each column in a schema, by {@link #ordinal()}; -1 if the schema lacks it.
     *
     * @throws IllegalArgumentException the schema has an unknown column, or one of a wrong type
     */
    public static int[] positionsOf(StructType schema) {
        return SchemaColumns.positionsOf(schema, SCHEMA, ROWS);
    }

    /**
     * Returns the same as {@link #positionsOf}, for a schema to write. Only {@link #OP} is required.
     *
     * @throws IllegalArgumentException a column is unknown or of a wrong type, or {@code op} is missing
     */
    public static int[] positionsToWrite(StructType schema) {
        int[] positions = positionsOf(schema);
        if (positions[OP.ordinal()] < 0) {
            throw new IllegalArgumentException("no column 'op': a change row says what it does by it, with one of "
                    + Arrays.toString(Op.values()));
        }
        return positions;
    }
}
