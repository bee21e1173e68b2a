package io.jellybridge.spark;

import static io.jellybridge.spark.StatementColumns.FRAME;
import static io.jellybridge.spark.StatementColumns.GRAPH;
import static io.jellybridge.spark.StatementColumns.OBJECT;
import static io.jellybridge.spark.StatementColumns.PREDICATE;
import static io.jellybridge.spark.StatementColumns.SUBJECT;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.StatementWriter;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A writer for one file of statements. In a grouped stream, a frame ends when the column {@code frame} changes. Its numbers
 * must not decrease, since an element in two parts would become two elements.
 */
final class JellyRdfWriter implements RowWriter {
    private static final long NO_FRAME = -1;

    private final OutputFolder folder;
    private final int[] positions;
    private final boolean grouped;
    private final StatementWriter<byte[]> writer;
    private long frame = NO_FRAME;

    /**
     * @param grouped   true for a grouped stream
     * @param positions the position of each of {@link StatementColumns} in the rows; -1 if it is missing
     */
    JellyRdfWriter(StatementWriter<byte[]> writer, boolean grouped, int[] positions, OutputFolder folder) {
        this.writer = writer;
        this.grouped = grouped;
        this.positions = positions;
        this.folder = folder;
    }

    @Override
    public void write(InternalRow row) {
        try {
            if (grouped) {
                startFrame(row);
            }
            writer.statement(text(row, SUBJECT), text(row, PREDICATE), text(row, OBJECT), text(row, GRAPH));
        } catch (FormatException e) {
            throw e.at(folder.placeOf(row, positions));
        }
    }

    private void startFrame(InternalRow row) {
        if (row.isNullAt(positions[FRAME])) {
            throw refused(row, "a row has frame null", "give it the number of its graph or dataset");
        }
        long next = row.getLong(positions[FRAME]);
        if (next < 0) {
            throw refused(row, "a row has frame " + next, "numbers start at 0");
        }
        if (next < frame) {
            throw refused(row, "rows are out of order: frame " + next + " after frame " + frame,
                    "sort by frame, in one partition, and give the frames of several files numbers of their own");
        }
        if (frame != NO_FRAME && next != frame) {
            writer.endFrame();
        }
        frame = next;
    }

    private FormatException refused(InternalRow row, String found, String advice) {
        return FormatException.ofRow(JellyRdfFileFormat.SHORT_NAME + " rows", folder.placeOf(row, positions), found, advice);
    }

    private byte[] text(InternalRow row, int column) {
        int position = positions[column];
        return position < 0 || row.isNullAt(position) ? null : row.getUTF8String(position).getBytes();
    }

    @Override
    public void end() throws IOException {
        writer.close();
    }
}
