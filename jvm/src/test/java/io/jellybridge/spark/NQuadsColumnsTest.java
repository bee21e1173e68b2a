package io.jellybridge.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class NQuadsColumnsTest {

    private static StructType strings(String... names) {
        StructType schema = new StructType();
        for (String name : names) {
            schema = schema.add(name, DataTypes.StringType);
        }
        return schema;
    }

    private static void assertRefused(String words, org.junit.jupiter.api.function.Executable call) {
        String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(message.contains(words), message);
    }

    @Test
    void columnsAreFoundByNameInAnyOrder() {
        assertArrayEquals(new int[] {1, -1, -1, 0}, NQuadsColumns.ordinals(strings("graph", "SUBJECT")));
        assertArrayEquals(new int[] {-1, -1, -1, -1}, NQuadsColumns.ordinals(strings()));
    }

    @Test
    void unknownColumnIsRefusedByName() {
        assertRefused("unknown column 'context'", () -> NQuadsColumns.ordinals(strings("subject", "context")));
    }

    @Test
    void wrongTypeIsRefusedByName() {
        assertRefused("column 'object' is of type bigint",
                () -> NQuadsColumns.ordinals(new StructType().add("object", DataTypes.LongType)));
    }

    @Test
    void onlyTheGraphMayBeMissingToWrite() {
        assertArrayEquals(new int[] {0, 1, 2, -1},
                NQuadsColumns.ordinalsToWrite(strings("subject", "predicate", "object")));
        assertRefused("no column 'predicate'", () -> NQuadsColumns.ordinalsToWrite(strings("subject", "object")));
    }
}
