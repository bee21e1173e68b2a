package io.jellybridge.spark;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Finds the columns of our formats in the schema of a query, and their text in its rows. */
final class SchemaColumns {

    private SchemaColumns() {
    }

    /**
     * Returns the position of each column in a schema, by its name in any case; -1 if the schema lacks it.
     *
     * @param columns the columns of the format
     * @param of      the plural noun for rows with these columns, for messages
     * @throws IllegalArgumentException the schema has an unknown column, the same column twice, or one of a wrong type
     */
    static int[] positionsOf(StructType schema, StructType columns, String of) {
        int[] positions = new int[columns.size()];
        Arrays.fill(positions, -1);
        StructField[] fields = schema.fields();
        for (int i = 0; i < fields.length; i++) {
            int column = indexOfColumn(fields[i].name(), columns, of);
            if (!columns.fields()[column].dataType().sameType(fields[i].dataType())) {
                String type = columns.fields()[column].dataType().simpleString();
                throw new IllegalArgumentException("column '" + fields[i].name() + "' is of type "
                        + fields[i].dataType().simpleString() + "; " + of + " have it as " + type
                        + ": cast it, as col('" + fields[i].name() + "').cast('" + type + "')");
            }
            if (positions[column] >= 0) {
                throw new IllegalArgumentException("column '" + fields[i].name() + "' comes twice; leave one out");
            }
            positions[column] = i;
        }
        return positions;
    }

    /** Returns the text of a row at a position of {@link #positionsOf}; null if the row lacks it. */
    static byte[] getText(InternalRow row, int position) {
        return position < 0 || row.isNullAt(position) ? null : row.getUTF8String(position).getBytes();
    }

    private static int indexOfColumn(String name, StructType columns, String of) {
        for (int column = 0; column < columns.size(); column++) {
            if (columns.fields()[column].name().equalsIgnoreCase(name)) {
                return column;
            }
        }
        throw new IllegalArgumentException("unknown column '" + name + "'; the columns of " + of + " are "
                + String.join(", ", columns.fieldNames()));
    }
}
