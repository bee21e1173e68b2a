package io.jellybridge;

import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.text.TextFormatException;
import java.io.Closeable;
import java.io.IOException;

/** The rows of a file of patches in batches, for {@code jellybridge.read_patch}. One thread at a time. */
public final class PatchFileReader implements Closeable {
    /** A batch ends after the row that makes it larger than this, so that long literals keep the memory bounded too. */
    private static final int BATCH_BYTES = 1 << 20;
    private static final int BATCH_ROWS = 4096;

    private final PatchSource<byte[]> source;
    private final PackedRows.Packer packer;
    private RuntimeException fault;
    private boolean ended;

    PatchFileReader(PatchSource<byte[]> source) {
        this.source = source;
        this.packer = new PackedRows.Packer(source);
    }

    /**
     * The next rows, as {@link PackedRows} lays them out; null after the last. What stands before a fault in the file
     * is handed over before the fault is thrown.
     *
     * @throws PatchFormatException the file breaks the format
     * @throws TextFormatException  likewise, of RDF Patch text
     */
    public byte[] next() throws IOException {
        while (!ended && fault == null && packer.rows() < BATCH_ROWS && packer.bytes() < BATCH_BYTES) {
            try {
                ended = !source.next(packer);
            } catch (PatchFormatException | TextFormatException e) {
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
