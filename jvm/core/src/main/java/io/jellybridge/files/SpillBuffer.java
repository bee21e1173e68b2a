package io.jellybridge.files;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Bytes that are written and then read, once: in memory as long as they are few, else in a hidden file. Nothing is left
 * of it after {@link #discard()}. Closing it, as writers do, has no effect.
 */
public final class SpillBuffer extends OutputStream {
    private final Path folder;
    private final int maxInMemory;
    private final ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private FileChannel file;
    private OutputStream out = memory;

    /**
     * @param folder      where the file would be
     * @param maxInMemory so many bytes stay in memory
     */
    public SpillBuffer(Path folder, int maxInMemory) {
        this.folder = folder;
        this.maxInMemory = maxInMemory;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (file == null && memory.size() + (long) length > maxInMemory) {
            spill();
        }
        out.write(bytes, offset, length);
    }

    private void spill() throws IOException {
        file = FileChannel.open(folder.resolve("." + UUID.randomUUID() + ".tmp"), StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        out = new BufferedOutputStream(Channels.newOutputStream(file), 1 << 16);
        memory.writeTo(out);
        memory.reset();
    }

    /** What was written; nothing may be written any more. */
    public InputStream read() throws IOException {
        out.flush();
        if (file == null) {
            return new ByteArrayInputStream(memory.toByteArray());
        }
        file.position(0);
        return Channels.newInputStream(file);
    }

    public void discard() {
        if (file == null) {
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            // Nobody needs its bytes any more, and what became of the transaction does not depend on it.
        }
    }
}
