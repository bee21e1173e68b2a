package io.jellybridge.files;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.UUID;

/**
 * A buffer that is written once and then read repeatedly, by one reader at a time. The first bytes stay in memory, the rest
 * goes to a hidden file. {@link #discard()} frees both. {@link #close()} has no effect, since writers call it.
 */
public final class SpillBuffer extends OutputStream {
    private final Path folder;
    private final int maxInMemory;
    private final Memory memory = new Memory();
    private FileChannel file;
    private OutputStream out = memory;

    /**
     * Creates a buffer.
     *
     * @param folder      the folder of the hidden file
     * @param maxInMemory the number of bytes to keep in memory
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
    }

    /**
     * Replaces the first occurrence of a placeholder by bytes of the same length. The placeholder must have been written in one
     * call, while there was room in memory.
     *
     * @return the position of the placeholder
     */
    public int replace(byte[] placeholder, byte[] bytes) {
        return memory.replace(placeholder, bytes);
    }

    /** Overwrites bytes that were written in one call. */
    public void overwrite(long position, byte[] bytes) throws IOException {
        out.flush();
        if (position < memory.size()) {
            memory.overwrite((int) position, bytes);
        } else {
            file.write(ByteBuffer.wrap(bytes), position - memory.size());
        }
    }

    /**
     * Returns a stream of all bytes. After this call nothing may be written, and a stream of an earlier call may not be read.
     */
    public InputStream read() throws IOException {
        out.flush();
        InputStream first = memory.read();
        if (file == null) {
            return first;
        }
        file.position(0);
        return new SequenceInputStream(first, new CloseShieldInputStream(Channels.newInputStream(file))); // discard() closes it
    }

    public void discard() {
        if (file == null) {
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            // Nobody needs the bytes any more, and the outcome of the transaction does not depend on this file.
        }
    }

    private static final class Memory extends ByteArrayOutputStream {

        InputStream read() {
            return new ByteArrayInputStream(buf, 0, count);
        }

        int replace(byte[] placeholder, byte[] bytes) {
            int at = 0;
            while (!Arrays.equals(buf, at, at + placeholder.length, placeholder, 0, placeholder.length)) {
                at++;
            }
            overwrite(at, bytes);
            return at;
        }

        void overwrite(int at, byte[] bytes) {
            System.arraycopy(bytes, 0, buf, at, bytes.length);
        }
    }
}
