package io.jellybridge.spark;

import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import org.apache.spark.sql.types.StructType;

/** The columns of statements, by the numbers of their order: the positions of a statement, and where it was. */
public final class StatementColumns {
    static final int SUBJECT = 0;
    static final int PREDICATE = 1;
    static final int OBJECT = 2;
    /** Null: the default graph, or no graph in a stream of triples. */
    static final int GRAPH = 3;
    /** Which frame of the file, from 0; in a grouped stream, which graph or dataset. */
    static final int FRAME = 4;

    /** A statement. */
    public static final StructType QUADS = new StructType().add("subject", StringType, false).add("predicate", StringType, false)
            .add("object", StringType, false).add("graph", StringType, true);
    /** A statement, and its frame. */
    public static final StructType FRAMED_QUADS = QUADS.add("frame", LongType, false);

    private StatementColumns() {
    }

    /**
     * Where each column stands in a schema to write, which may leave out the graph, and the frame unless it is needed; -1
     * where it is not in it.
     *
     * @param columns {@link #QUADS} or {@link #FRAMED_QUADS}
     * @param format  the format's short name, for messages
     * @param grouped whether {@link #FRAME} has to be there
     * @throws IllegalArgumentException a column is unknown, missing or of another type
     */
    public static int[] positionsToWrite(StructType schema, StructType columns, String format, boolean grouped) {
        int[] positions = SchemaColumns.positions(schema, columns, format + " rows");
        for (int column = SUBJECT; column <= OBJECT; column++) {
            if (positions[column] < 0) {
                throw new IllegalArgumentException("no column '" + name(column) + "' to write as " + format
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

    static String name(int column) {
        return FRAMED_QUADS.fields()[column].name();
    }
}
