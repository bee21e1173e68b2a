package io.jellybridge;

import io.jellybridge.codec.ChangeRowSink;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.Format;
import io.jellybridge.convert.PatchSink;
import io.jellybridge.convert.Place;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes a file of patches, whole or not at all: it takes its place in {@link #commit()}. One thread at a time.
 */
public final class PatchFileWriter implements Closeable {
    private final PatchSink target;
    private final ChangeRowSink rows;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
    /** How many rows came in batches so far. */
    private long given;

    /** @param format null: that of the suffix */
    PatchFileWriter(Place file, Format format, PatchOptions options, WriteOptions writeOptions) throws IOException {
        target = new PatchSink(file, format, options, writeOptions);
        rows = new ChangeRowSink(target);
    }

    /**
     * Room for a batch, as {@link ColumnarRows} lays it out, in direct memory: to be filled for {@link #write}, which is to
     * be called before this is called again.
     *
     * @param bytes the size of the batch
     */
    public ByteBuffer room(int bytes) {
        buffer = ColumnarRows.ensure(buffer, bytes);
        return ColumnarRows.head(buffer, bytes);
    }

    /**
     * Writes the rows of a batch. Errors say which row it was, of all that were given, from 0.
     *
     * @param batch what {@link #room} gave, filled
     * @throws FormatException          the format does not allow such a row there
     * @throws IllegalArgumentException a row is none, or the rows are not in order
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

    /** Takes single rows; errors are those of {@link #write}, but do not say which row it was. */
    ChangeRowSink rows() {
        return rows;
    }

    /**
     * Ends the last patch and puts the file in its place, over one that is there.
     *
     * @return the numbers of patches and of rows written
     * @throws FormatException a transaction is open; the target stays as it was
     */
    public long[] commit() throws IOException {
        target.commit();
        return new long[] {target.patches(), target.rows()};
    }

    /** Gives up what was not committed; after {@link #commit()} there is nothing to do. */
    @Override
    public void close() throws IOException {
        target.close();
    }
}
