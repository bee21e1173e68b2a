package io.jellybridge;

import io.jellybridge.codec.ChangeRows;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A reader that returns the rows of a patch file in batches, for {@code jellybridge.read_patch}. Not thread-safe. */
public final class PatchFileReader implements Closeable {
    /** The size of texts that ends a batch, so that long texts don't use unbounded memory. */
    private static final int BATCH_BYTES = 4 << 20;

    private final PatchSource<byte[]> source;
    private final ColumnarRows.Packer packer = new ColumnarRows.Packer();
    private final ChangeRows<byte[]> events;
    private RuntimeException fault;
    private boolean ended;

    PatchFileReader(PatchSource<byte[]> source) {
        this.source = source;
        this.events = new ChangeRows<>(source, packer);
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
                ended = !source.next(events);
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
        source.close();
    }
}
