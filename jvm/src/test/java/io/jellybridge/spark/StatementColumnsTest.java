package io.jellybridge.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class StatementColumnsTest {

    private static StructType strings(String... names) {
        StructType schema = new StructType();
        for (String name : names) {
            schema = schema.add(name, DataTypes.StringType);
        }
        return schema;
    }

    private static int[] positions(StructType schema) {
        return SchemaColumns.positionsOf(schema, StatementColumns.QUADS, "nquads rows");
    }

    private static int[] toWrite(StructType schema) {
        return StatementColumns.positionsToWrite(schema, StatementColumns.QUADS, "nquads", false);
    }

    private static void assertRefused(String words, org.junit.jupiter.api.function.Executable call) {
        String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(message.contains(words), message);
    }

    @Test
    void columnsAreFoundByNameInAnyOrder() {
        assertArrayEquals(new int[] {1, -1, -1, 0}, positions(strings("graph", "SUBJECT")));
        assertArrayEquals(new int[] {-1, -1, -1, -1}, positions(strings()));
    }

    @Test
    void unknownColumnIsRefusedByName() {
        assertRefused("unknown column 'context'", () -> positions(strings("subject", "context")));
    }

    @Test
    void wrongTypeIsRefusedByName() {
        assertRefused("column 'object' is of type bigint",
                () -> positions(new StructType().add("object", DataTypes.LongType)));
    }

    @Test
    void onlyTheGraphMayBeMissingToWrite() {
        assertArrayEquals(new int[] {0, 1, 2, -1},
                toWrite(strings("subject", "predicate", "object")));
        assertRefused("no column 'predicate'", () -> toWrite(strings("subject", "object")));
    }
}
