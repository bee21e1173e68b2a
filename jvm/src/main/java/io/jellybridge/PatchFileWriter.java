package io.jellybridge;

import io.jellybridge.codec.ChangeRowSink;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Writes a Jelly-Patch file whole or not at all: into a hidden file beside the target, which takes the target's place in
 * {@link #commit()}. One thread at a time.
 */
public final class PatchFileWriter implements Closeable {
    private final Path target;
    private final Path unfinished;
    private final OutputStream out;
    private final PatchWriter<byte[]> writer;
    private final ChangeRowSink rows;

    PatchFileWriter(Path file, PatchOptions options, WriteOptions writeOptions) throws IOException {
        target = file.toAbsolutePath();
        unfinished = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID() + ".unfinished");
        out = Files.newOutputStream(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        writer = new PatchWriter<>(out, file.toString(), new Utf8Terms(), options, writeOptions);
        rows = new ChangeRowSink(writer);
    }

    /**
     * Writes the rows of a batch, as {@link PackedRows} lays them out.
     *
     * @throws io.jellybridge.codec.PatchFormatException the format does not allow such a row there
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
     */
    public long[] commit() throws IOException {
        writer.close();
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return new long[] {writer.patches(), writer.rows()};
    }

    /** Gives up what was not committed; after {@link #commit()} there is nothing to do. */
    @Override
    public void close() throws IOException {
        out.close();
        Files.deleteIfExists(unfinished);
    }
}
