package io.jellybridge;

import io.jellybridge.codec.ChangeRows;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The rows of a file of patches in batches, for {@code jellybridge.read_patch}. One thread at a time. */
public final class PatchFileReader implements Closeable {
    /** A batch ends after the row that brings its texts to this length, so that long ones keep the memory bounded too. */
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
     * The next rows, as {@link ColumnarRows} lays them out, in direct memory that the call after this one takes again; null
     * after the last. What stands before a fault in the file is handed over before the fault is thrown.
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
