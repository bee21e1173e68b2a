package io.jellybridge.spark;

import io.jellybridge.codec.ChangeRowSink;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchHandler;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** Hands Spark's rows over as the events of a {@link PatchHandler}, as {@link ChangeRowSink} does; finds their columns. */
public final class ChangeRowFeed {
    private static final ChangeColumn[] COLUMNS = ChangeColumn.values();
    /** Stands for a number that a row does not have. */
    private static final long NONE = Long.MIN_VALUE;

    private final int[] positions;
    private final boolean numbered;
    private final ChangeRowSink sink;
    private final byte[][] texts = new byte[COLUMNS.length][];
    private long count = -1;
    private long patch = NONE;
    private long number = NONE;

    /**
     * @param positions where each {@link ChangeColumn} stands in the rows, as {@link #positions} says
     * @param numbered  whether {@code row} may not be null where there is that column: where nothing else orders the rows
     */
    public ChangeRowFeed(int[] positions, PatchHandler<byte[]> handler, boolean numbered) {
        this.positions = positions;
        this.numbered = numbered;
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

    /** Where the row that came last is in the data: its numbers or, without them, how many rows came before it. */
    public String place() {
        return (patch == NONE ? "" : "patch " + patch + ", ")
                + "row " + (number == NONE ? count + " (counted from 0)" : String.valueOf(number));
    }

    /** The number of the last row's patch; 0 where there is no such column. */
    public long lastPatch() {
        return patch == NONE ? 0 : patch;
    }

    /** The last row's number; {@link ChangeRowSink#NO_ROW} where there is no such column. */
    public long lastRow() {
        return number == NONE ? ChangeRowSink.NO_ROW : number;
    }

    /** @throws IllegalArgumentException as {@link ChangeRowSink#row}, and where a number is null */
    public void write(InternalRow row) {
        count++;
        patch = number(row, ChangeColumn.PATCH);
        number = number(row, ChangeColumn.ROW);
        requireNumber(ChangeColumn.PATCH, patch, "or leave the column out where there is one patch");
        if (numbered) {
            requireNumber(ChangeColumn.ROW, number, "or leave the column out where the rows are in order");
        }
        if (number != NONE && number < 0) {
            throw new IllegalArgumentException("a row has " + number + " in row; count from 0");
        }
        for (ChangeColumn column : COLUMNS) {
            if (column.isText()) {
                texts[column.ordinal()] = text(row, positions[column.ordinal()]);
            }
        }
        sink.row(lastPatch(), lastRow(),
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
    public static FormatException refused(String place, String found, String advice) {
        return FormatException.ofRow("change rows", place, found, advice);
    }

    /** The same, where {@link #write} refused the row. */
    public static FormatException refused(String place, IllegalArgumentException e) {
        return refused(place, e.getMessage(), "see the columns of change rows");
    }

    private long number(InternalRow row, ChangeColumn column) {
        int position = positions[column.ordinal()];
        return position < 0 || row.isNullAt(position) ? NONE : row.getLong(position);
    }

    private void requireNumber(ChangeColumn column, long value, String otherwise) {
        if (value == NONE && positions[column.ordinal()] >= 0) {
            throw new IllegalArgumentException("a row has null in " + column.columnName()
                    + ", so its place is not known; number all rows, " + otherwise);
        }
    }

    private static byte[] text(InternalRow row, int position) {
        if (position < 0 || row.isNullAt(position)) {
            return null;
        }
        return row.getUTF8String(position).getBytes();
    }
}
