package io.jellybridge;

import io.jellybridge.codec.ChangeRowSink;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.PatchTarget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes a file of patches, in the format of its suffix, whole or not at all: it takes its place in {@link #commit()}.
 * One thread at a time.
 */
public final class PatchFileWriter implements Closeable {
    private final PatchTarget target;
    private final ChangeRowSink rows;

    PatchFileWriter(Path file, PatchOptions options, WriteOptions writeOptions) throws IOException {
        target = new PatchTarget(file.toString(), options, writeOptions);
        rows = new ChangeRowSink(target);
    }

    /**
     * Writes the rows of a batch, as {@link PackedRows} lays them out.
     *
     * @throws io.jellybridge.codec.PatchFormatException the format does not allow such a row there
     * @throws io.jellybridge.text.TextFormatException   likewise, of RDF Patch text
     * @throws IllegalArgumentException                  a row is none, or the rows are not in order
     */
    public void write(byte[] batch) {
        PackedRows.unpack(batch, rows);
    }

    /** Takes single rows, with the errors of {@link #write}. */
    ChangeRowSink rows() {
        return rows;
    }

    /**
     * Ends the last patch and puts the file in its place, over one that is there.
     *
     * @return the numbers of patches and of rows written
     * @throws io.jellybridge.codec.PatchFormatException a transaction is open; the target stays as it was
     * @throws io.jellybridge.text.TextFormatException   likewise, of RDF Patch text
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
