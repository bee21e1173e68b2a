package io.jellybridge.wire;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a byte stream into frames: a series of messages, each after its length as a varint, or one bare message that is
 * all of the stream. Which of the two it is, the first three bytes tell, for a message whose only known field is 1
 * (the rows) and whose first row begins with a field 1 (the options):
 *
 * <pre>
 *   bytes           meaning
 *   0A 0A 0A        bare: field 1 of 10 bytes, which begins with field 1
 *   0A 0A (other)   delimited: a frame of 10 bytes, whose field 1 is at most 8 bytes long
 *   0A (other)      bare: field 1 of that many bytes
 *   (other)         delimited; also a stream shorter than two bytes
 * </pre>
 *
 * <p>The buffer grows with the bytes that arrive, never by what a length promises.
 */
public final class FrameReader implements Closeable {
    /** Enough for all of a small stream; what is longer is read by larger pieces. */
    private static final int INITIAL_CAPACITY = 1 << 11;
    private static final int CAPACITY = 1 << 16;
    private static final int FIELD_1 = 0x0A;
    /** The largest array that every JVM can make. */
    private static final int MAX_CAPACITY = Integer.MAX_VALUE - 8;
    private static final int MAX_VARINT_BITS = 70;

    private final InputStream in;
    private final int maxFrameBytes;
    private byte[] buffer = new byte[INITIAL_CAPACITY];
    private int limit;
    private int start;
    private int end;
    /** Offset in the stream of {@code buffer[0]}. */
    private long bufferOffset;
    /** Where the bytes end that {@link #join} put behind the stream's; 0 when it put none there for this frame. */
    private int joinedEnd;
    private boolean opened;
    private boolean bare;

    /**
     * @param in            the stream; closed by {@link #close()}
     * @param maxFrameBytes a larger frame is refused, before its bytes are read
     */
    public FrameReader(InputStream in, int maxFrameBytes) {
        this(in, maxFrameBytes, 0);
    }

    /** @param offset where in a delimited stream {@code in} begins, at a frame; 0 for the whole of any stream */
    public FrameReader(InputStream in, int maxFrameBytes, long offset) {
        this.in = in;
        this.maxFrameBytes = Math.min(maxFrameBytes, MAX_CAPACITY - 1); // or a full array would look like a slow stream
        this.bufferOffset = offset;
        this.opened = offset > 0;
    }

    /**
     * Goes to the next frame.
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

    /** The array that holds the frame, from {@link #start()} to {@link #end()}; until the next {@link #next()}. */
    public byte[] bytes() {
        return buffer;
    }

    public int start() {
        return start;
    }

    public int end() {
        return end;
    }

    /** The offset in the stream of an index of {@link #bytes()}. */
    public long offset(int index) {
        return bufferOffset + index;
    }

    /**
     * Puts two pieces of {@link #bytes()} together, for a message that comes in pieces: protobuf's rule is that these are
     * one message, and its bytes are theirs, one piece behind the other. The copy stands behind the frame until the next
     * {@link #next()}; where the first piece is a copy that was made last, it is made longer. {@link #bytes()} may be
     * another array afterwards, which has the same bytes at the same indexes.
     *
     * @return where the copy begins
     * @throws WireException the copies for this frame take more than a frame may
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

    /** How many of the first bytes of {@link #bytes()} are the first ones of the stream; 0 when these are gone. */
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

    /** Makes {@code count} bytes available from {@code start}; false when the stream ends before. */
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
