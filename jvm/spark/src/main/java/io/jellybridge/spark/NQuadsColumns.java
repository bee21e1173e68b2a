package io.jellybridge.spark;

import io.jellybridge.text.NQuadsParser;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The columns of N-Quads: the terms of a statement by name, in the order of {@link NQuadsParser}'s positions. */
final class NQuadsColumns {

    /** {@code subject, predicate, object, graph}; a null graph is the default graph. */
    static final StructType SCHEMA = DataTypes.createStructType(new StructField[] {
        DataTypes.createStructField("subject", DataTypes.StringType, false),
        DataTypes.createStructField("predicate", DataTypes.StringType, false),
        DataTypes.createStructField("object", DataTypes.StringType, false),
        DataTypes.createStructField("graph", DataTypes.StringType, true)
    });

    private static final List<String> NAMES = Arrays.asList(SCHEMA.fieldNames());

    private NQuadsColumns() {
    }

    /**
     * Where each position of a statement stands in a schema; -1 where it is not in it.
     *
     * @throws IllegalArgumentException the schema has a column that N-Quads don't have, or one that is no string
     */
    static int[] ordinals(StructType schema) {
        return SchemaColumns.positions(schema, SCHEMA, NQuadsFileFormat.SHORT_NAME + " rows");
    }

    /**
     * As {@link #ordinals}, for a schema to write, which may leave out the graph only.
     *
     * @throws IllegalArgumentException a column is unknown, missing or no string
     */
    static int[] ordinalsToWrite(StructType schema) {
        int[] ordinals = ordinals(schema);
        for (int position = NQuadsParser.SUBJECT; position <= NQuadsParser.OBJECT; position++) {
            if (ordinals[position] < 0) {
                throw new IllegalArgumentException("no column '" + name(position)
                        + "' to write as nquads; the columns are " + String.join(", ", NAMES)
                        + ", and graph may be left out");
            }
        }
        return ordinals;
    }

    static String name(int position) {
        return NAMES.get(position);
    }
}
