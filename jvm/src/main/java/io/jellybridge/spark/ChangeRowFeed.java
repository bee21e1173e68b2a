package io.jellybridge.spark;

import io.jellybridge.codec.ChangeRowSink;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.text.TextFormatException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** Hands Spark's rows over as the events of a {@link PatchHandler}, as {@link ChangeRowSink} does; finds their columns. */
public final class ChangeRowFeed {
    private static final ChangeColumn[] COLUMNS = ChangeColumn.values();

    private final int[] positions;
    private final ChangeRowSink sink;
    private final byte[][] texts = new byte[COLUMNS.length][];

    /** @param positions where each {@link ChangeColumn} stands in the rows, as {@link #positions} says */
    public ChangeRowFeed(int[] positions, PatchHandler<byte[]> handler) {
        this.positions = positions;
        this.sink = new ChangeRowSink(handler);
    }

    /**
     * Where each column of change rows stands in a schema; -1 where it is not in it.
     *
     * @throws IllegalArgumentException the schema has a column that change rows don't have, or one of another type
     */
    public static int[] positions(StructType schema) {
        return ChangeColumn.positions(schema);
    }

    /** @throws IllegalArgumentException as {@link ChangeRowSink#row}, and where {@code patch} is null */
    public void write(InternalRow row) {
        int patch = positions[ChangeColumn.PATCH.ordinal()];
        if (patch >= 0 && row.isNullAt(patch)) {
            throw new IllegalArgumentException("a row has null in patch, so that its patch is not known; "
                    + "number all rows, or leave the column out where there is one patch");
        }
        for (ChangeColumn column : COLUMNS) {
            if (column.isText()) {
                texts[column.ordinal()] = text(row, positions[column.ordinal()]);
            }
        }
        sink.row(number(row, ChangeColumn.PATCH, 0), number(row, ChangeColumn.ROW, ChangeRowSink.NO_ROW),
                texts[ChangeColumn.OP.ordinal()], texts[ChangeColumn.SUBJECT.ordinal()],
                texts[ChangeColumn.PREDICATE.ordinal()], texts[ChangeColumn.OBJECT.ordinal()],
                texts[ChangeColumn.GRAPH.ordinal()], texts[ChangeColumn.NAME.ordinal()],
                texts[ChangeColumn.VALUE.ordinal()]);
    }

    /**
     * What Spark shows of a row that is no change row, or that is not in its order.
     *
     * @param place which row
     */
    public static TextFormatException refused(String place, String found, String advice) {
        return new TextFormatException("change rows", place, 0, 0, -1, found, advice);
    }

    /** The same, where {@link #write} refused the row. */
    public static TextFormatException refused(String place, IllegalArgumentException e) {
        return refused(place, e.getMessage(), "see the columns of change rows");
    }

    private long number(InternalRow row, ChangeColumn column, long otherwise) {
        int position = positions[column.ordinal()];
        return position < 0 || row.isNullAt(position) ? otherwise : row.getLong(position);
    }

    private static byte[] text(InternalRow row, int position) {
        if (position < 0 || row.isNullAt(position)) {
            return null;
        }
        return row.getUTF8String(position).getBytes();
    }
}
