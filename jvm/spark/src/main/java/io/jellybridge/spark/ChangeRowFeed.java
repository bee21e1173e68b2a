package io.jellybridge.spark;

import io.jellybridge.codec.ChangeRowSink;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchHandler;
import org.apache.spark.sql.catalyst.InternalRow;

/** A converter from Spark rows to the events of a {@link PatchHandler}, by a {@link ChangeRowSink}. */
public final class ChangeRowFeed {
    /** The name of such rows in errors, in the place of a rule. */
    public static final String RULE = "change rows";

    private static final ChangeColumn[] COLUMNS = ChangeColumn.values();
    /** A missing number. */
    private static final long NONE = Long.MIN_VALUE;

    private final int[] positions;
    private final boolean numbered;
    private final ChangeRowSink sink;
    private final byte[][] texts = new byte[COLUMNS.length][];
    private long count = -1;
    private long patch = NONE;
    private long number = NONE;

    /**
     * @param positions the positions of each {@link ChangeColumn} in the rows, from {@link ChangeColumn#positionsOf}
     * @param numbered  true to reject null in the column {@code row}, because nothing else orders the rows
     */
    public ChangeRowFeed(int[] positions, PatchHandler<byte[]> handler, boolean numbered) {
        this.positions = positions;
        this.numbered = numbered;
        this.sink = new ChangeRowSink(handler);
    }

    /** Returns the place of the last row for messages: its numbers, or else the number of rows before it. */
    public String place() {
        return (patch == NONE ? "" : "patch " + patch + ", ")
                + "row " + (number == NONE ? count + " (counted from 0)" : String.valueOf(number));
    }

    /** Returns the number of the last row's patch; 0 without that column. */
    public long lastPatch() {
        return patch == NONE ? 0 : patch;
    }

    /** Returns the number of the last row; {@link ChangeRowSink#NO_ROW} without that column. */
    public long lastRow() {
        return number == NONE ? ChangeRowSink.NO_ROW : number;
    }

    /**
     * Writes a row.
     *
     * @throws IllegalArgumentException as {@link ChangeRowSink#row}, and if a number is null
     */
    public void write(InternalRow row) {
        count++;
        patch = getNumber(row, ChangeColumn.PATCH);
        number = getNumber(row, ChangeColumn.ROW);
        requireNumber(ChangeColumn.PATCH, patch, "or leave the column out where there is one patch");
        if (numbered) {
            requireNumber(ChangeColumn.ROW, number, "or leave the column out where the rows are in order");
        }
        if (number != NONE && number < 0) {
            throw new IllegalArgumentException("a row has " + number + " in row; count from 0");
        }
        for (ChangeColumn column : COLUMNS) {
            if (column.isText()) {
                texts[column.ordinal()] = SchemaColumns.getText(row, positions[column.ordinal()]);
            }
        }
        sink.row(lastPatch(), lastRow(),
                texts[ChangeColumn.OP.ordinal()], texts[ChangeColumn.SUBJECT.ordinal()],
                texts[ChangeColumn.PREDICATE.ordinal()], texts[ChangeColumn.OBJECT.ordinal()],
                texts[ChangeColumn.GRAPH.ordinal()], texts[ChangeColumn.NAME.ordinal()],
                texts[ChangeColumn.VALUE.ordinal()]);
    }

    /**
     * Returns the error for a row that is invalid or out of order.
     *
     * @param place the place of the row
     */
    public static FormatException refusalError(String place, String found, String advice) {
        return FormatException.ofRow(RULE, place, found, advice);
    }

    /** Returns the error for a row that {@link #write} rejected. */
    public static FormatException refusalError(String place, IllegalArgumentException e) {
        return refusalError(place, e.getMessage(), "see the columns of change rows");
    }

    private long getNumber(InternalRow row, ChangeColumn column) {
        int position = positions[column.ordinal()];
        return position < 0 || row.isNullAt(position) ? NONE : row.getLong(position);
    }

    private void requireNumber(ChangeColumn column, long value, String otherwise) {
        if (value == NONE && positions[column.ordinal()] >= 0) {
            throw new IllegalArgumentException("a row has null in " + column.columnName()
                    + ", so its place is not known; number all rows, " + otherwise);
        }
    }
}
