package io.jellybridge.spark;

import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.text.TextFormatException;
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
    private final OutputStream out;
    private final ChangeTarget.Writer writer;
    private final ChangeRowFeed rows;
    private long written;
    private boolean failed;

    /**
     * @param target    makes the file, in its format
     * @param positions where each {@link ChangeColumn} stands in the rows; -1 = not there
     */
    ChangeRowWriter(String path, ChangeTarget target, int[] positions, Configuration hadoop) {
        this.path = path;
        try {
            out = target.create(new Path(path), hadoop);
        } catch (IOException e) {
            throw new UncheckedIOException("can't create " + path + ": " + e.getMessage(), e);
        }
        writer = target.write(out, path);
        rows = new ChangeRowFeed(positions, writer.changes());
    }

    @Override
    public String path() {
        return path;
    }

    /**
     * @throws PatchFormatException the format does not allow such a row there
     * @throws TextFormatException  the row is none, or is not in order
     */
    @Override
    public void write(InternalRow row) {
        boolean refused = true;
        try {
            rows.write(row);
            written++;
            refused = false;
        } catch (IllegalArgumentException e) {
            throw ChangeRowFeed.refused("row " + written + " of " + path, e);
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
        } catch (IOException e) {
            throw new UncheckedIOException("can't write " + path + ": " + e.getMessage(), e);
        }
    }
}
