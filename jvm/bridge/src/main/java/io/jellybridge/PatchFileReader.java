package io.jellybridge;

import io.jellybridge.codec.ChangeRows;
import io.jellybridge.codec.ChangeRows.ChangeRowHandler;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A reader that returns change rows in batches, such as those of a file for {@code jellybridge.read_patch}. Not thread-safe. */
public final class PatchFileReader implements Closeable {
    /** The size of texts that ends a batch, so that long texts don't use unbounded memory. */
    private static final int BATCH_BYTES = 4 << 20;

    private final Rows source;
    private final Closeable closed;
    private final ColumnarRows.Packer packer = new ColumnarRows.Packer();
    private RuntimeException fault;
    private boolean ended;

    /** A source of rows. */
    @FunctionalInterface
    interface Rows {
        /** Passes on at most one row. Returns false, with no row, at the end. */
        boolean next(ChangeRowHandler<byte[]> rows) throws IOException;
    }

    /** Creates a reader of a source, which {@link #close()} closes. */
    PatchFileReader(PatchSource<byte[]> source) {
        this.closed = source;
        ChangeRows<byte[]> events = new ChangeRows<>(source, packer);
        this.source = rows -> source.next(events);
    }

    PatchFileReader(Rows source, Closeable closed) {
        this.source = source;
        this.closed = closed;
    }

    /**
     * Returns the next rows as a batch in the layout of {@link ColumnarRows}, or null after the last. The next call reuses the
     * batch's memory. If the file has a fault, the rows before it are returned first, and the next call throws.
     *
     * @throws FormatException the file breaks the format
     */
    public ByteBuffer next() throws IOException {
        while (!ended && fault == null && !packer.isFull() && packer.textBytes() < BATCH_BYTES) {
            try {
                ended = !source.next(packer);
            } catch (FormatException e) {
                fault = e;
            }
        }
        if (packer.rows() > 0) {
            return packer.take();
        }
        if (fault != null) {
            throw fault;
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        closed.close();
    }
}
