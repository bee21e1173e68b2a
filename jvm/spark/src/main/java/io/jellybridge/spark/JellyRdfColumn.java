package io.jellybridge.spark;

import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The columns of Jelly-RDF, in their order: a statement and where it was. */
enum JellyRdfColumn {
    SUBJECT(DataTypes.StringType, false),
    PREDICATE(DataTypes.StringType, false),
    OBJECT(DataTypes.StringType, false),
    /** Null: the default graph, or no graph in a stream of triples. */
    GRAPH(DataTypes.StringType, true),
    /** Which frame of the file, from 0; in a grouped stream, which graph or dataset. */
    FRAME(DataTypes.LongType, false);

    /** All columns. */
    static final StructType SCHEMA =
            new StructType(Arrays.stream(values()).map(JellyRdfColumn::field).toArray(StructField[]::new));

    private final DataType type;
    private final boolean nullable;

    JellyRdfColumn(DataType type, boolean nullable) {
        this.type = type;
        this.nullable = nullable;
    }

    private StructField field() {
        return DataTypes.createStructField(columnName(), type, nullable);
    }

    String columnName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Where each column stands in a schema, by {@link #ordinal()}; -1 where it is not in it.
     *
     * @throws IllegalArgumentException the schema has a column that the format does not have, or one of another type
     */
    static int[] positions(StructType schema) {
        return SchemaColumns.positions(schema, SCHEMA, JellyRdfFileFormat.SHORT_NAME + " rows");
    }

    /**
     * As {@link #positions}, for a schema to write.
     *
     * @param grouped whether {@link #FRAME} has to be there; {@link #GRAPH} may always be left out
     * @throws IllegalArgumentException a column is unknown, missing or of another type
     */
    static int[] positionsToWrite(StructType schema, boolean grouped) {
        int[] positions = positions(schema);
        for (JellyRdfColumn column : values()) {
            boolean required = column == FRAME ? grouped : column != GRAPH;
            if (required && positions[column.ordinal()] < 0) {
                throw new IllegalArgumentException("no column '" + column.columnName() + "' to write as "
                        + JellyRdfFileFormat.SHORT_NAME + (column == FRAME
                                ? ": with a grouped logicalType it says which rows make one graph or dataset"
                                : "; the columns are " + String.join(", ", SCHEMA.fieldNames())
                                        + ", and graph may be left out, frame too in a flat stream"));
            }
        }
        return positions;
    }
}
