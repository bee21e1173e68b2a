package io.jellybridge.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A cursor over protobuf fields in a byte array. It checks every read against the bound of {@link #reset}, and throws {@link
 * WireException} beyond it. Numbers are protobuf's: a varint has up to ten bytes, and a 32-bit field takes its lower half.
 */
public final class WireReader {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The wire type of varints. */
    public static final int VARINT = 0;
    /** The wire type of numbers of eight bytes. */
    public static final int FIXED64 = 1;
    /** The wire type of strings, bytes and messages. */
    public static final int LENGTH_DELIMITED = 2;
    /** The wire type of numbers of four bytes. */
    public static final int FIXED32 = 5;

    private static final int START_GROUP = 3;
    private static final int END_GROUP = 4;
    private static final int MAX_GROUP_DEPTH = 64;

    private byte[] bytes;
    private int position;
    private int limit;

    /** Reads {@code bytes} from index {@code start} up to, but not including, index {@code end}. */
    public void reset(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        setWindow(start, end);
    }

    /**
     * Moves to index {@code start} of the same bytes, with the bound {@code end}. It enters a message at a known position, or
     * leaves it.
     */
    public void setWindow(int start, int end) {
        position = start;
        limit = end;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int position() {
        return position;
    }

    /** Returns the bound: the index after the last byte that may be read. */
    public int limit() {
        return limit;
    }

    /** Checks whether the bound is reached. */
    public boolean atEnd() {
        return position == limit;
    }

    /** Returns the number of bytes up to the bound. */
    public int remaining() {
        return limit - position;
    }

    /** Skips bytes that {@link #length()} announced. */
    public void skipBytes(int count) {
        position += count;
    }

    /** Reads the key of a field: the field number times eight, plus the wire type. */
    public int tag() {
        int start = position;
        long tag = varint();
        if (tag >>> 32 != 0 || tag >>> 3 == 0) {
            throw new WireException(start,
                    "a field key of " + Long.toUnsignedString(tag) + ", which protobuf does not have");
        }
        return (int) tag;
    }

    /** Reads a varint with all its 64 bits. */
    public long varint() {
        int i = position;
        if (i < limit) {
            byte b = bytes[i];
            if (b >= 0) {
                position = i + 1;
                return b;
            }
            if (i + 1 < limit && bytes[i + 1] >= 0) {
                position = i + 2;
                return b & 0x7F | bytes[i + 1] << 7;
            }
        }
        return longVarint();
    }

    private long longVarint() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (position >= limit) {
                throw new WireException(position, "the bytes end within a number");
            }
            byte b = bytes[position++];
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new WireException(position, "a number of more than ten bytes");
    }

    /** Reads a {@code uint32}, from 0 to 2^32 - 1. */
    public long uint32() {
        return varint() & 0xFFFFFFFFL;
    }

    /** Reads a number of four bytes, little-endian. */
    public int fixed32() {
        int start = position;
        advanceTo(Integer.BYTES);
        return (int) INTS.get(bytes, start);
    }

    /** Reads a number of eight bytes, little-endian. */
    public long fixed64() {
        int start = position;
        advanceTo(Long.BYTES);
        return (long) LONGS.get(bytes, start);
    }

    /** Reads the length of a string, of bytes or of a message, and checks that so many bytes are there. */
    public int length() {
        int start = position;
        long length = varint();
        if (length < 0 || length > limit - position) {
            throw new WireException(start, "a length of " + Long.toUnsignedString(length) + " bytes where "
                    + (limit - position) + " are left");
        }
        return (int) length;
    }

    /**
     * Reads the value of a string field into a new array.
     *
     * @throws WireException it is not UTF-8
     */
    public byte[] string() {
        int length = length();
        Utf8.check(bytes, position, length);
        return copyBytes(length);
    }

    /** Reads the value of a bytes field into a new array. */
    public byte[] byteString() {
        return copyBytes(length());
    }

    private byte[] copyBytes(int length) {
        int start = position;
        position += length;
        return Arrays.copyOfRange(bytes, start, position);
    }

    /** Skips all fields up to the bound. */
    public void skipAll() {
        while (!atEnd()) {
            skip(tag());
        }
    }

    /** Skips the value of a field that the caller does not know. */
    public void skip(int tag) {
        skip(tag, 0);
    }

    private void skip(int tag, int depth) {
        switch (tag & 7) {
            case VARINT -> varint();
            case FIXED64 -> advanceTo(8);
            case LENGTH_DELIMITED -> advanceTo(length());
            case START_GROUP -> skipGroup(tag, depth);
            case FIXED32 -> advanceTo(4);
            default -> throw new WireException(position, "wire type " + (tag & 7) + " where a field's value is due");
        }
    }

    private void skipGroup(int startTag, int depth) {
        if (depth == MAX_GROUP_DEPTH) {
            throw new WireException(position, "groups nested deeper than " + MAX_GROUP_DEPTH);
        }
        int endTag = (startTag & ~7) | END_GROUP;
        for (int tag = tag(); tag != endTag; tag = tag()) {
            skip(tag, depth + 1);
        }
    }

    private void advanceTo(int count) {
        if (count > limit - position) {
            throw new WireException(position, "the bytes end within a field");
        }
        position += count;
    }
}
