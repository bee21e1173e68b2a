package io.jellybridge.spark;

import io.jellybridge.codec.Op;
import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The columns of a change row, in their order: the one contract of all doors. */
public enum ChangeColumn {
    /** Which patch of the file, from 0. */
    PATCH(DataTypes.LongType, false),
    /** Which transaction of the file, from 0; null outside of one. */
    TX(DataTypes.LongType, true),
    /** Position in the file, from 0. */
    ROW(DataTypes.LongType, false),
    /** The letters of an {@link Op}. */
    OP(DataTypes.StringType, false),
    SUBJECT(DataTypes.StringType, true),
    PREDICATE(DataTypes.StringType, true),
    OBJECT(DataTypes.StringType, true),
    /** Null: the default graph, or no graph in a triples stream. */
    GRAPH(DataTypes.StringType, true),
    /** The key of a header, the prefix of a PA or PD. */
    NAME(DataTypes.StringType, true),
    /** The value of a header, the namespace of a PA or PD. */
    VALUE(DataTypes.StringType, true);

    /** What has these columns, for messages. */
    static final String ROWS = "change rows";

    /** All columns. */
    public static final StructType SCHEMA =
            new StructType(Arrays.stream(values()).map(ChangeColumn::field).toArray(StructField[]::new));

    private final DataType type;
    private final boolean nullable;

    ChangeColumn(DataType type, boolean nullable) {
        this.type = type;
        this.nullable = nullable;
    }

    private StructField field() {
        return DataTypes.createStructField(columnName(), type, nullable);
    }

    String columnName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the column holds text, as all but the numbers do. Asked for each row, where {@code sameType} is too slow. */
    boolean isText() {
        return type == DataTypes.StringType;
    }

    /**
     * Where each column stands in a schema, by {@link #ordinal()}; -1 where it is not in it.
     *
     * @throws IllegalArgumentException the schema has a column that change rows don't have, or one of another type
     */
    static int[] positions(StructType schema) {
        return SchemaColumns.positions(schema, SCHEMA, ROWS);
    }

    /**
     * As {@link #positions}, for a schema to write, which needs {@link #OP} only.
     *
     * @throws IllegalArgumentException a column is unknown or of another type, or there is no {@code op}
     */
    static int[] positionsToWrite(StructType schema) {
        int[] positions = positions(schema);
        if (positions[OP.ordinal()] < 0) {
            throw new IllegalArgumentException("no column 'op': a change row says what it does by it, with one of "
                    + Arrays.toString(Op.values()));
        }
        return positions;
    }
}
