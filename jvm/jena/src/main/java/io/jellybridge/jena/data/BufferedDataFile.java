package io.jellybridge.jena.data;

import org.apache.jena.dboe.base.file.BinaryDataFile;

/**
 * A buffered view of a database file at one moment. A decoder reads one byte at a time, and an unbuffered file would ask the
 * operating system for each. It serves one thread, in a transaction.
 */
final class BufferedDataFile implements BinaryDataFile {
    private static final int BLOCK_BITS = 15;
    private static final int BLOCK_BYTES = 1 << BLOCK_BITS;
    /** The number of buffered blocks: eight megabytes. */
    private static final int BLOCKS = 1 << 8;

    private final BinaryDataFile file;
    private final byte[][] blocks = new byte[BLOCKS][];
    /** The number of the file's block in each buffer, and the number of its valid bytes. */
    private final long[] numbers = new long[BLOCKS];
    private final int[] lengths = new int[BLOCKS];

    BufferedDataFile(BinaryDataFile file) {
        this.file = file;
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) {
        long number = position >>> BLOCK_BITS;
        int slot = (int) number & BLOCKS - 1;
        int start = (int) position & BLOCK_BYTES - 1;
        if (blocks[slot] == null || numbers[slot] != number || start >= lengths[slot]) {
            load(number, slot);
        }
        int count = Math.min(length, lengths[slot] - start);
        if (count <= 0) {
            return -1;
        }
        System.arraycopy(blocks[slot], start, into, offset, count);
        return count;
    }

    private void load(long number, int slot) {
        if (blocks[slot] == null) {
            blocks[slot] = new byte[BLOCK_BYTES];
        }
        numbers[slot] = number;
        lengths[slot] = 0;
        long start = number << BLOCK_BITS;
        int wanted = (int) Math.min(BLOCK_BYTES, file.length() - start);
        while (lengths[slot] < wanted) {
            int count = file.read(start + lengths[slot], blocks[slot], lengths[slot], wanted - lengths[slot]);
            if (count <= 0) {
                return;
            }
            lengths[slot] += count;
        }
    }

    @Override
    public long length() {
        return file.length();
    }

    @Override
    public boolean isOpen() {
        return file.isOpen();
    }

    @Override
    public void open() {
        throw readOnly();
    }

    @Override
    public long write(byte[] bytes, int offset, int length) {
        throw readOnly();
    }

    @Override
    public void truncate(long length) {
        throw readOnly();
    }

    private static UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException("this is to read a file that another has open");
    }

    @Override
    public void sync() {
        // read-only
    }

    @Override
    public void close() {
        // the database owns the file
    }
}
