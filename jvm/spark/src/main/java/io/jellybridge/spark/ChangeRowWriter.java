package io.jellybridge.spark;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchHandler;
import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Writes one file of change rows; rows whose {@code patch} and {@code row} say another order are refused. A transaction that
 * is open at the file's end fails the task: Spark cut it, and half of it is not to be found in a file.
 */
final class ChangeRowWriter implements RowWriter {
    private final OutputFolder folder;
    private final Closeable end;
    private final ChangeRowFeed rows;

    private ChangeRowWriter(PatchHandler<byte[]> changes, Closeable end, int[] positions, OutputFolder folder) {
        this.folder = folder;
        this.end = end;
        this.rows = new ChangeRowFeed(positions, changes, true);
    }

    /**
     * @param writer    writes the format; closing it ends the file
     * @param positions where each {@link ChangeColumn} stands in the rows; -1 = not there
     */
    static <W extends PatchHandler<byte[]> & Closeable> ChangeRowWriter of(W writer, int[] positions, OutputFolder folder) {
        return new ChangeRowWriter(writer, writer, positions, folder);
    }

    @Override
    public void write(InternalRow row) {
        try {
            rows.write(row);
        } catch (IllegalArgumentException | FormatException e) {
            throw located(", " + rows.place(), e);
        }
    }

    @Override
    public void end() throws IOException {
        try {
            end.close();
        } catch (FormatException e) {
            throw located(", after " + rows.place(), e);
        }
    }

    /** An error at its place in the data, and in the folder that the file would have come to. */
    private RuntimeException located(String place, RuntimeException e) {
        String at = folder.name() + place;
        if (e instanceof FormatException format) {
            return format.at(at, advice(format.advice()));
        }
        return ChangeRowFeed.refused(at, e.getMessage(), advice("see the columns of change rows"));
    }

    private String advice(String advice) {
        return folder.partitions().isEmpty() ? advice : advice
                + "; with partitionBy, Spark sorts by its columns before all: "
                + "order the rows by jellybridge.in_order(df, '" + String.join("', '", folder.partitions())
                + "'), and keep the rows of a patch in one folder";
    }
}
