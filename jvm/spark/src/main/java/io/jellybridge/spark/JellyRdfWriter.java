package io.jellybridge.spark;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.StatementWriter;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.OutputWriter;

/**
 * Writes one file of statements, in the order in which they come. In a grouped stream a frame ends where the column
 * {@code frame} changes, and its numbers must not fall: an element that came in two parts would be two elements.
 */
final class JellyRdfWriter extends OutputWriter {
    private static final long NO_FRAME = -1;

    private final String path;
    private final OutputFolder folder;
    private final int[] positions;
    private final boolean grouped;
    private final OutputStream out;
    private final StatementWriter<byte[]> writer;
    private long frame = NO_FRAME;
    private boolean failed;

    /** @param positions where each {@link JellyRdfColumn} stands in the rows; -1 = not there */
    JellyRdfWriter(String path, JellyRdfWriteSettings settings, int[] positions, Configuration hadoop) {
        this.path = path;
        this.folder = OutputFolder.of(path, hadoop);
        this.positions = positions;
        this.grouped = settings.stream().grouped();
        try {
            out = HadoopFiles.create(new Path(path), hadoop, settings.compression());
        } catch (IOException e) {
            throw new UncheckedIOException("can't create " + path + ": " + e.getMessage(), e);
        }
        writer = new StatementWriter<>(out, path, new Utf8Terms(), settings.stream(), settings.cut());
    }

    @Override
    public String path() {
        return path;
    }

    /**
     * @throws FormatException the format does not allow such a statement, or the row has no frame, or an earlier one; its
     *                         {@code file} names folder and statement
     */
    @Override
    public void write(InternalRow row) {
        boolean written = false;
        try {
            if (grouped) {
                startFrame(row);
            }
            writer.statement(text(row, JellyRdfColumn.SUBJECT), text(row, JellyRdfColumn.PREDICATE),
                    text(row, JellyRdfColumn.OBJECT), text(row, JellyRdfColumn.GRAPH));
            written = true;
        } catch (FormatException e) {
            throw e.at(folder.placeOf(row, positions));
        } finally {
            failed |= !written;
        }
    }

    private void startFrame(InternalRow row) {
        int position = positions[JellyRdfColumn.FRAME.ordinal()];
        if (row.isNullAt(position)) {
            throw refused(row, "a row has frame null", "give it the number of its graph or dataset");
        }
        long next = row.getLong(position);
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

    private byte[] text(InternalRow row, JellyRdfColumn column) {
        int position = positions[column.ordinal()];
        return position < 0 || row.isNullAt(position) ? null : row.getUTF8String(position).getBytes();
    }

    /** Ends the file. After a refused row Spark closes too, to clean up: then nothing more is written. */
    @Override
    public void close() {
        try {
            if (failed) {
                out.close();
            } else {
                writer.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't write " + path + ": " + e.getMessage(), e);
        }
    }
}
