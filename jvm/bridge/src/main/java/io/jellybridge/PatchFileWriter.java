package io.jellybridge;

import io.jellybridge.codec.ChangeRowSink;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.Format;
import io.jellybridge.convert.PatchSink;
import io.jellybridge.convert.FileLocation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A writer for a patch file, which replaces the target in {@link #commit()}. Not thread-safe. */
public final class PatchFileWriter implements Closeable {
    private final PatchSink target;
    private final ChangeRowSink rows;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
    /** The number of rows in batches so far. */
    private long given;

    /**
     * @param format null for the format of the suffix
     */
    PatchFileWriter(FileLocation file, Format format, PatchOptions options, WriteOptions writeOptions) throws IOException {
        target = new PatchSink(file, format, options, writeOptions);
        rows = new ChangeRowSink(target);
    }

    /**
     * Returns a direct buffer for a batch in the layout of {@link ColumnarRows}. Fill it and call {@link #write} before the
     * next call of this method.
     *
     * @param bytes the size of the batch
     */
    public ByteBuffer room(int bytes) {
        buffer = ColumnarRows.ensure(buffer, bytes);
        return ColumnarRows.head(buffer, bytes);
    }

    /**
     * Writes the rows of a batch. An error contains the number of the row, counted from 0 over all batches.
     *
     * @param batch the filled buffer from {@link #room}
     * @throws FormatException          the format does not allow a row at its place
     * @throws IllegalArgumentException a row is invalid or out of order
     */
    public void write(ByteBuffer batch) {
        ColumnarRows batchRows = new ColumnarRows(batch);
        for (int row = 0; row < batchRows.rows(); row++) {
            try {
                batchRows.hand(row, rows);
            } catch (FormatException e) {
                throw e.with(e.found() + ", at row " + (given + row) + " of those given");
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("row " + (given + row) + ": " + e.getMessage(), e);
            }
        }
        given += batchRows.rows();
    }

    /** Returns the sink for single rows. It throws the same errors as {@link #write}, without the number of the row. */
    ChangeRowSink rows() {
        return rows;
    }

    /**
     * Ends the last patch and moves the file to its place. An existing file is replaced.
     *
     * @return the number of patches, and the number of rows
     * @throws FormatException a transaction is open; the target is unchanged
     */
    public long[] commit() throws IOException {
        target.commit();
        return new long[] {target.patches(), target.rows()};
    }

    /** Discards the file if it was not committed. */
    @Override
    public void close() throws IOException {
        target.close();
    }
}
