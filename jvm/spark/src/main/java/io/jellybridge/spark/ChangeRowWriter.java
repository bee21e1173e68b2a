package io.jellybridge.spark;

import io.jellybridge.codec.FormatException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.OutputWriter;

/**
 * Writes one file of change rows, in the order in which they come; rows whose {@code patch} and {@code row} say
 * another order are refused. A transaction that is open at the file's end fails the task: Spark cut it, and half of
 * it is not to be found in a file.
 */
final class ChangeRowWriter extends OutputWriter {
    private final String path;
    private final OutputFolder folder;
    private final OutputStream out;
    private final ChangeTarget.Writer writer;
    private final ChangeRowFeed rows;
    private boolean failed;

    /**
     * @param target    makes the file, in its format
     * @param positions where each {@link ChangeColumn} stands in the rows; -1 = not there
     */
    ChangeRowWriter(String path, ChangeTarget target, int[] positions, Configuration hadoop) {
        this.path = path;
        this.folder = OutputFolder.of(path, hadoop);
        try {
            out = target.create(new Path(path), hadoop);
        } catch (IOException e) {
            throw new UncheckedIOException("can't create " + path + ": " + e.getMessage(), e);
        }
        writer = target.write(out, path);
        rows = new ChangeRowFeed(positions, writer.changes(), true);
    }

    @Override
    public String path() {
        return path;
    }

    /**
     * @throws FormatException the row is none, is not in order, or the format does not allow it there; its {@code file}
     *                         names folder, patch and row
     */
    @Override
    public void write(InternalRow row) {
        boolean refused = true;
        try {
            rows.write(row);
            refused = false;
        } catch (IllegalArgumentException | FormatException e) {
            throw located(", " + rows.place(), e);
        } finally {
            failed |= refused;
        }
    }

    /** Ends the file. After a refused row Spark closes too, to clean up: then nothing more is written. */
    @Override
    public void close() {
        try {
            if (failed) {
                out.close();
            } else {
                writer.end().close();
            }
        } catch (FormatException e) {
            throw located(", after " + rows.place(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("can't write " + path + ": " + e.getMessage(), e);
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
        return folder.partitions().isEmpty() ? advice : advice + "; with partitionBy, Spark sorts by its columns before all: "
                + "order the rows by jellybridge.in_order(df, '" + String.join("', '", folder.partitions())
                + "'), and keep the rows of a patch in one folder";
    }
}
