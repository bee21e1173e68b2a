package io.jellybridge.spark;

import io.jellybridge.codec.ChangeRowSink;
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
    private static final ChangeColumn[] COLUMNS = ChangeColumn.values();

    private final String path;
    private final int[] positions;
    private final OutputStream out;
    private final ChangeTarget.Writer writer;
    private final ChangeRowSink sink;
    private final byte[][] texts = new byte[COLUMNS.length][];
    private boolean failed;

    /**
     * @param target    makes the file, in its format
     * @param positions where each {@link ChangeColumn} stands in the rows; -1 = not there
     */
    ChangeRowWriter(String path, ChangeTarget target, int[] positions, Configuration hadoop) {
        this.path = path;
        this.positions = positions;
        try {
            out = target.create(new Path(path), hadoop);
        } catch (IOException e) {
            throw new UncheckedIOException("can't create " + path + ": " + e.getMessage(), e);
        }
        writer = target.write(out, path);
        sink = new ChangeRowSink(writer.changes());
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void write(InternalRow row) {
        for (ChangeColumn column : COLUMNS) {
            if (column.isText()) {
                texts[column.ordinal()] = text(row, positions[column.ordinal()]);
            }
        }
        boolean written = false;
        try {
            sink.row(number(row, ChangeColumn.PATCH, 0), number(row, ChangeColumn.ROW, ChangeRowSink.NO_ROW),
                    texts[ChangeColumn.OP.ordinal()], texts[ChangeColumn.SUBJECT.ordinal()],
                    texts[ChangeColumn.PREDICATE.ordinal()], texts[ChangeColumn.OBJECT.ordinal()],
                    texts[ChangeColumn.GRAPH.ordinal()], texts[ChangeColumn.NAME.ordinal()],
                    texts[ChangeColumn.VALUE.ordinal()]);
            written = true;
        } finally {
            failed |= !written;
        }
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
