package io.jellybridge.spark;

import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import org.apache.spark.sql.types.StructType;

/** The columns of statements, numbered in order: the terms, and the frame. */
public final class StatementColumns {
    static final int SUBJECT = 0;
    static final int PREDICATE = 1;
    static final int OBJECT = 2;
    /** The graph; null for the default graph, and in a stream of triples. */
    static final int GRAPH = 3;
    /** The number of the frame in the file, from 0. In a grouped stream, it is the number of the graph or dataset. */
    static final int FRAME = 4;

    /** The schema of a statement. */
    public static final StructType QUADS = new StructType().add("subject", StringType, false).add("predicate", StringType, false)
            .add("object", StringType, false).add("graph", StringType, true);
    /** The schema of a statement with its frame. */
    public static final StructType FRAMED_QUADS = QUADS.add("frame", LongType, false);

    private StatementColumns() {
    }

    /**
     * Returns the position of each column in a schema to write; -1 if the schema lacks it. The graph is optional, and so is the
     * frame if it is not needed.
     *
     * @param columns {@link #QUADS} or {@link #FRAMED_QUADS}
     * @param format  the format's short name, for messages
     * @param grouped true to require {@link #FRAME}
     * @throws IllegalArgumentException a column is unknown, missing or of a wrong type
     */
    public static int[] positionsToWrite(StructType schema, StructType columns, String format, boolean grouped) {
        int[] positions = SchemaColumns.positionsOf(schema, columns, format + " rows");
        for (int column = SUBJECT; column <= OBJECT; column++) {
            if (positions[column] < 0) {
                throw new IllegalArgumentException("no column '" + columnName(column) + "' to write as " + format
                        + "; the columns are " + String.join(", ", columns.fieldNames()) + ", and graph may be left out"
                        + (columns.size() > FRAME ? ", frame too in a flat stream" : ""));
            }
        }
        if (grouped && positions[FRAME] < 0) {
            throw new IllegalArgumentException("no column 'frame' to write as " + format
                    + ": with a grouped logicalType it says which rows make one graph or dataset");
        }
        return positions;
    }

    static String columnName(int column) {
        return FRAMED_QUADS.fields()[column].name();
    }
}
