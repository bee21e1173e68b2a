package io.jellybridge;

import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The rows of a Jelly-Patch file in batches, for {@code jellybridge.read_patch}. One thread at a time. */
public final class PatchFileReader implements Closeable {
    /** A batch ends after the row that makes it larger than this, so that long literals keep the memory bounded too. */
    private static final int BATCH_BYTES = 1 << 20;
    private static final int BATCH_ROWS = 4096;

    private final PatchReader<byte[]> reader;
    private final PackedRows.Packer packer;
    private PatchFormatException fault;
    private boolean ended;

    PatchFileReader(Path file, ReadOptions options) throws IOException {
        reader = new PatchReader<>(Files.newInputStream(file), file.toString(), new Utf8Terms(), options);
        packer = new PackedRows.Packer(reader);
    }

    /**
     * The next rows, as {@link PackedRows} lays them out; null after the last. What stands before a fault in the file
     * is handed over before the fault is thrown.
     *
     * @throws PatchFormatException the file breaks the format
     */
    public byte[] next() throws IOException {
        while (!ended && fault == null && packer.rows() < BATCH_ROWS && packer.bytes() < BATCH_BYTES) {
            try {
                ended = !reader.next(packer);
            } catch (PatchFormatException e) {
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
        reader.close();
    }
}
