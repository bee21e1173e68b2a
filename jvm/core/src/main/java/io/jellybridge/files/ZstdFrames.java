package io.jellybridge.files;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * A stream of Zstandard frames for a library that decompresses them. It drops skippable frames and passes on all others
 * unchanged. It checks where frames end, which not every library does. It throws an {@link IOException} if the stream ends
 * within a frame, if bytes that are no frame follow, or if a frame needs a larger window than the library has.
 */
public final class ZstdFrames extends BlockInputStream {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MAGIC = 0xFD2FB528;
    /** The first of sixteen magic numbers. */
    private static final int MAGIC_SKIPPED = 0x184D2A50;
    private static final int MAX_HEADER_BYTES = 18;
    private static final int BLOCK_HEADER_BYTES = 3;
    private static final int CHECKSUM_BYTES = 4;
    private static final int REPEATED = 1;
    private static final int RESERVED = 3;

    private enum Next { FRAME, BLOCK, CHECKSUM }

    private final String file;
    private final long maxWindowBytes;
    /** The bytes of a header that were read, and are passed on before the rest. */
    private final byte[] header = new byte[MAX_HEADER_BYTES];
    private int headerAt;
    private int headerEnd;
    /** The number of bytes between this header and the next. */
    private long left;
    private Next next = Next.FRAME;
    private boolean hasChecksum;
    private boolean started;

    /**
     * Creates a stream.
     *
     * @param in             the compressed stream, which {@link #close()} closes
     * @param file           the name of the file in errors
     * @param maxWindowBytes the largest window that the library takes
     */
    public ZstdFrames(InputStream in, String file, long maxWindowBytes) {
        super(new BufferedInputStream(in, BUFFER_BYTES));
        this.file = file;
        this.maxWindowBytes = maxWindowBytes;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (headerAt == headerEnd && left == 0) {
            if (!readHeader()) {
                return -1;
            }
        }
        if (headerAt < headerEnd) {
            int count = Math.min(length, headerEnd - headerAt);
            System.arraycopy(header, headerAt, bytes, offset, count);
            headerAt += count;
            return count;
        }
        int count = in.read(bytes, offset, (int) Math.min(length, left));
        if (count < 0) {
            throw CompressedData.cutOffError(file);
        }
        left -= count;
        return count;
    }

    @Override
    public int available() {
        return 0; // compressed bytes may be there that give none
    }

    /** Reads the next header. Returns false at the end. */
    private boolean readHeader() throws IOException {
        headerAt = 0;
        headerEnd = 0;
        switch (next) {
            case FRAME -> {
                return readFrameHeader();
            }
            case BLOCK -> readBlockHeader();
            default -> {
                left = CHECKSUM_BYTES;
                next = Next.FRAME;
            }
        }
        return true;
    }

    private boolean readFrameHeader() throws IOException {
        in.mark(BUFFER_BYTES);
        int first = in.read();
        if (first < 0 && started) {
            return false;
        }
        in.reset();
        takeBytes(Integer.BYTES);
        int magic = readNumber(0, Integer.BYTES);
        if ((magic & ~0xF) == MAGIC_SKIPPED) {
            takeBytes(Integer.BYTES);
            long length = readNumber(Integer.BYTES, Integer.BYTES) & 0xFFFFFFFFL;
            headerEnd = 0;
            skipBytes(length);
        } else if (magic == MAGIC) {
            takeBytes(1);
            int descriptor = header[headerEnd - 1];
            boolean isOneSegment = (descriptor & 0x20) != 0;
            hasChecksum = (descriptor & 4) != 0;
            int sizeBytes = 1 << (descriptor >>> 6 & 3);
            takeBytes((isOneSegment ? 0 : 1) + (1 << (descriptor & 3) >> 1) + (sizeBytes > 1 || isOneSegment ? sizeBytes : 0));
            if (!isOneSegment) {
                checkWindow(header[Integer.BYTES + 1] & 0xFF);
            }
            next = Next.BLOCK;
        } else {
            throw otherError();
        }
        started = true;
        return true;
    }

    private void checkWindow(int descriptor) throws IOException {
        long base = 1L << 10 + (descriptor >>> 3);
        long window = base + base / 8 * (descriptor & 7);
        if (window > maxWindowBytes) {
            throw CompressedData.windowError(file, window, maxWindowBytes);
        }
    }

    private IOException otherError() throws IOException {
        if (started) {
            return CompressedData.damageError(file, "what follows a frame is none");
        }
        in.reset();
        byte[] head = in.readNBytes(BUFFER_BYTES);
        return CompressedData.otherFormatError(file, "Zstandard", ".zst", head, head.length);
    }

    private void readBlockHeader() throws IOException {
        takeBytes(BLOCK_HEADER_BYTES);
        int block = readNumber(0, BLOCK_HEADER_BYTES);
        int type = block >>> 1 & 3;
        if (type == RESERVED) {
            throw CompressedData.damageError(file, "a block is of no type that Zstandard has");
        }
        left = type == REPEATED ? 1 : block >>> 3;
        boolean isLast = (block & 1) != 0;
        next = !isLast ? Next.BLOCK : hasChecksum ? Next.CHECKSUM : Next.FRAME;
    }

    private void takeBytes(int count) throws IOException {
        if (in.readNBytes(header, headerEnd, count) < count) {
            throw CompressedData.cutOffError(file);
        }
        headerEnd += count;
    }

    private void skipBytes(long count) throws IOException {
        try {
            in.skipNBytes(count);
        } catch (EOFException e) {
            throw CompressedData.cutOffError(file);
        }
    }

    private int readNumber(int from, int count) {
        int number = 0;
        for (int i = 0; i < count; i++) {
            number |= (header[from + i] & 0xFF) << 8 * i;
        }
        return number;
    }
}
