package io.jellybridge.spark.dataset;

import io.jellybridge.log.PatchTimes;
import io.jellybridge.spark.ChangeColumn;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** A reader that converts change rows to rows of {@link LogDataset#CHANGES}, one for each addition or deletion. */
final class ChangelogReader implements PartitionReader<InternalRow> {
    /** The required columns of change rows. */
    static final StructType ROWS = new StructType(new StructField[] {
            ChangeColumn.SCHEMA.apply("subject"), ChangeColumn.SCHEMA.apply("predicate"), ChangeColumn.SCHEMA.apply("object"),
            ChangeColumn.SCHEMA.apply("graph"), ChangeColumn.SCHEMA.apply("op"), ChangeColumn.SCHEMA.apply("patch"),
            ChangeColumn.SCHEMA.apply("name"), ChangeColumn.SCHEMA.apply("value")});
    private static final int QUAD = 4;
    private static final int OP = 4;
    private static final int PATCH = 5;
    private static final int NAME = 6;
    private static final int VALUE = 7;

    private static final UTF8String HEADER = UTF8String.fromString("H");
    private static final UTF8String TIME = UTF8String.fromString("time");
    private static final UTF8String ADD = UTF8String.fromString("A");
    private static final UTF8String DELETE = UTF8String.fromString("D");
    private static final UTF8String INSERTED = UTF8String.fromString("insert");
    private static final UTF8String DELETED = UTF8String.fromString("delete");

    private final PartitionReader<InternalRow> rows;
    private InternalRow change;
    private long patch = -1;
    /** The time of the patch in microseconds; null if it has none. */
    private Long time;

    private ChangelogReader(PartitionReader<InternalRow> rows) {
        this.rows = rows;
    }

    /**
     * A factory of these readers.
     *
     * @param rows creates the readers of change rows with the columns {@link #ROWS}
     */
    record Factory(PartitionReaderFactory rows) implements PartitionReaderFactory {

        @Override
        public PartitionReader<InternalRow> createReader(InputPartition partition) {
            return new ChangelogReader(rows.createReader(partition));
        }
    }

    @Override
    public boolean next() throws IOException {
        while (rows.next()) {
            InternalRow row = rows.get();
            if (row.getLong(PATCH) != patch) {
                patch = row.getLong(PATCH);
                time = null;
            }
            UTF8String op = row.getUTF8String(OP);
            if (op.equals(ADD) || op.equals(DELETE)) {
                change = change(row, op.equals(ADD) ? INSERTED : DELETED);
                return true;
            }
            if (op.equals(HEADER) && TIME.equals(row.getUTF8String(NAME))) {
                Instant said = PatchTimes.of(row.getUTF8String(VALUE).getBytes());
                time = said == null ? null : Long.valueOf(ChronoUnit.MICROS.between(Instant.EPOCH, said));
            }
        }
        return false;
    }

    private InternalRow change(InternalRow row, UTF8String type) {
        Object[] values = new Object[LogDataset.CHANGES.length()];
        for (int column = 0; column < QUAD; column++) {
            values[column] = row.isNullAt(column) ? null : row.getUTF8String(column);
        }
        values[QUAD] = type;
        values[QUAD + 1] = patch;
        values[QUAD + 2] = time;
        return new GenericInternalRow(values);
    }

    @Override
    public InternalRow get() {
        return change;
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}
