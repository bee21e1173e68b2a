package io.jellybridge.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class RowBatchTest {
    private static final UTF8String LARGE = UTF8String.fromBytes(new byte[5 << 20]);

    private static void addRow(RowBatch rows, UTF8String object) {
        rows.setText(0, null);
        rows.setText(1, object);
        rows.endRow();
    }

    @Test
    void aFewLongTextsFillABatch() {
        StructType columns = new StructType().add("graph", "string").add("object", "string");
        RowBatch rows = new RowBatch(columns, new int[] {0, 1}, new StructType(), null);
        addRow(rows, LARGE);
        assertFalse(rows.isFull());
        addRow(rows, LARGE);
        assertTrue(rows.isFull());
        assertEquals(2, rows.take().numRows());
        addRow(rows, LARGE);
        assertFalse(rows.isFull());
    }
}
