package io.jellybridge.wire;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Splits a byte stream into frames. A delimited stream is a series of messages, each after its length as a varint. A bare
 * stream is one message without a length. The first three bytes tell them apart. That requires a message whose only known field
 * is 1 (the rows), and whose first row begins with a field 1 (the options):
 *
 * <pre>
 *   bytes           meaning
 *   0A 0A 0A        bare: field 1 of 10 bytes, which begins with field 1
 *   0A 0A (other)   delimited: a frame of 10 bytes, whose field 1 is at most 8 bytes long
 *   0A (other)      bare: field 1 of that many bytes
 *   (other)         delimited; also a stream shorter than two bytes
 * </pre>
 *
 * <p>The buffer grows with the bytes that arrive. A length alone allocates nothing.
 */
public final class FrameReader implements Closeable {
    /** A size that holds a small stream whole. Longer streams are read in larger pieces. */
    private static final int INITIAL_CAPACITY = 1 << 11;
    private static final int CAPACITY = 1 << 16;
    private static final int FIELD_1 = 0x0A;
    /** The largest array that every JVM can allocate. */
    private static final int MAX_CAPACITY = Integer.MAX_VALUE - 8;
    private static final int MAX_VARINT_BITS = 70;

    private final InputStream in;
    private final int maxFrameBytes;
    private byte[] buffer = new byte[INITIAL_CAPACITY];
    private int limit;
    private int start;
    private int end;
    /** The offset in the stream of {@code buffer[0]}. */
    private long bufferOffset;
    /** The end index of the bytes that {@link #join} appended, or 0 if it appended none for this frame. */
    private int joinedEnd;
    private boolean opened;
    private boolean bare;

    /**
     * Creates a reader for a whole stream.
     *
     * @param in            the stream, which {@link #close()} closes
     * @param maxFrameBytes the size limit of a frame; a larger frame is an error before its bytes are read
     */
    public FrameReader(InputStream in, int maxFrameBytes) {
        this(in, maxFrameBytes, 0);
    }

    /**
     * Creates a reader for a stream, or for a part of a delimited stream.
     *
     * @param offset the offset of {@code in} in a delimited stream, at the start of a frame; 0 for a whole stream
     */
    public FrameReader(InputStream in, int maxFrameBytes, long offset) {
        this.in = in;
        this.maxFrameBytes = Math.min(maxFrameBytes, MAX_CAPACITY - 1); // or a full array would look like a slow stream
        this.bufferOffset = offset;
        this.opened = offset > 0;
    }

    /**
     * Moves to the next frame.
     *
     * @return false at the end of the stream
     * @throws WireException the stream ends within a frame, or the frame is too large
     */
    public boolean next() throws IOException {
        joinedEnd = 0;
        if (!opened) {
            opened = true;
            bare = isBare();
            if (bare) {
                end = fillToTheEnd();
                return true;
            }
        } else if (bare) {
            start = end;
            return false;
        }
        start = end;
        if (!fill(1)) {
            return false;
        }
        int length = frameLength();
        if (!fill(length)) {
            throw new WireException(limit, "the stream ends " + (start + (long) length - limit)
                    + " bytes before the end of a frame of " + length + " bytes");
        }
        end = start + length;
        return true;
    }

    /**
     * Returns the array that holds the frame, from {@link #start()} to {@link #end()}. It is valid until the next {@link
     * #next()}.
     */
    public byte[] bytes() {
        return buffer;
    }

    public int start() {
        return start;
    }

    public int end() {
        return end;
    }

    /** Returns the offset in the stream of an index of {@link #bytes()}. */
    public long offsetOf(int index) {
        return bufferOffset + index;
    }

    /**
     * Joins two pieces of {@link #bytes()}, for a message that comes in pieces. Protobuf says that such pieces are one message,
     * whose bytes are those of the pieces in order. The copy stands behind the frame until the next {@link #next()}. If the
     * first piece is the latest copy, the second is appended to it. {@link #bytes()} may be another array afterwards, with the
     * same bytes at the same indexes.
     *
     * @return the start index of the copy
     * @throws WireException the copies for this frame exceed the size limit of a frame
     */
    public int join(int firstStart, int firstEnd, int start, int end) {
        int copied = joinedEnd == 0 ? limit : joinedEnd;
        int joined = firstEnd == joinedEnd ? firstStart : copied;
        long needed = (long) copied + (joined == copied ? firstEnd - firstStart : 0) + end - start;
        if (needed - limit > maxFrameBytes || needed > MAX_CAPACITY) {
            throw new WireException(start, "messages in pieces that take more than " + maxFrameBytes
                    + " bytes of a frame when they are put together", true);
        }
        if (needed > buffer.length) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(MAX_CAPACITY, Math.max(needed, buffer.length * 2L)));
        }
        if (joined == copied) {
            System.arraycopy(buffer, firstStart, buffer, copied, firstEnd - firstStart);
            copied += firstEnd - firstStart;
        }
        System.arraycopy(buffer, start, buffer, copied, end - start);
        joinedEnd = (int) needed;
        return joined;
    }

    /**
     * Returns the number of bytes at the start of {@link #bytes()} that are the first bytes of the stream, or 0 if these are
     * gone.
     */
    public int headBytes() {
        return bufferOffset == 0 ? limit : 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private boolean isBare() throws IOException {
        fill(3);
        if (limit < 2 || buffer[0] != FIELD_1) {
            return false;
        }
        return buffer[1] != FIELD_1 || (limit >= 3 && buffer[2] == FIELD_1);
    }

    /** Reads the length and leaves {@code start} after it. */
    private int frameLength() throws IOException {
        long length = 0;
        for (int shift = 0; shift < MAX_VARINT_BITS; shift += 7) {
            if (!fill(1)) {
                throw new WireException(limit, "the stream ends within the length of a frame");
            }
            byte b = buffer[start++];
            length |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                if (length < 0 || length > maxFrameBytes) {
                    throw tooLarge(Long.toUnsignedString(length) + " bytes");
                }
                return (int) length;
            }
        }
        throw new WireException(start, "the length of a frame takes more than ten bytes");
    }

    private int fillToTheEnd() throws IOException {
        boolean more = true;
        while (more) {
            if (limit > maxFrameBytes) {
                throw tooLarge("more than " + maxFrameBytes + " bytes, without a length before it");
            }
            more = fill(limit + 1);
        }
        return limit;
    }

    private WireException tooLarge(String size) {
        return new WireException(start, "a frame of " + size + ", above the limit of " + maxFrameBytes, true);
    }

    /** Reads until {@code count} bytes are available from {@code start}. Returns false if the stream ends before that. */
    private boolean fill(int count) throws IOException {
        while (limit - start < count) {
            if (limit == buffer.length) {
                makeRoom();
            }
            int read = in.read(buffer, limit, buffer.length - limit);
            if (read < 0) {
                return false;
            }
            limit += read;
        }
        return true;
    }

    private void makeRoom() {
        if (buffer.length < CAPACITY) {
            buffer = Arrays.copyOf(buffer, Math.min(CAPACITY, 8 * buffer.length));
        } else if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, limit - start);
            bufferOffset += start;
            limit -= start;
            start = 0;
        } else {
            buffer = Arrays.copyOf(buffer, (int) Math.min(MAX_CAPACITY, buffer.length * 2L));
        }
    }
}
