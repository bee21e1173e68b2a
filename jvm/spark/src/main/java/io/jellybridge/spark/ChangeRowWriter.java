package io.jellybridge.spark;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchHandler;
import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A writer for one file of change rows. It rejects rows whose {@code patch} and {@code row} are out of order. If a transaction
 * is open at the end of the file, Spark has split it. The task fails then, so that no file has half a transaction.
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
     * Creates a writer.
     *
     * @param writer    writes the format; closing it ends the file
     * @param positions the position of each {@link ChangeColumn} in the rows; -1 if it is missing
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

    /** Replaces the place in an error by the place in the data, with the final folder of the file. */
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
