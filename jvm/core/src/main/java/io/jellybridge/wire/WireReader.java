package io.jellybridge.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A cursor over protobuf fields in a byte array. Every read is checked against the bound that {@link #reset} set, and
 * throws {@link WireException} beyond it. Numbers are as in protobuf: a varint of up to ten bytes, of which a 32-bit
 * field takes the lower half.
 */
public final class WireReader {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Wire type of varints. */
    public static final int VARINT = 0;
    /** Wire type of numbers of eight bytes. */
    public static final int FIXED64 = 1;
    /** Wire type of strings, bytes and messages. */
    public static final int LENGTH_DELIMITED = 2;
    /** Wire type of numbers of four bytes. */
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
        window(start, end);
    }

    /**
     * Goes on at index {@code start} of the same bytes, with the bound {@code end}: into a message whose place is known, or
     * back out of it.
     */
    public void window(int start, int end) {
        position = start;
        limit = end;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int position() {
        return position;
    }

    /** The bound: the index after the last byte that may be read. */
    public int limit() {
        return limit;
    }

    /** Whether the bound is reached. */
    public boolean atEnd() {
        return position == limit;
    }

    /** The bytes from here to the bound. */
    public int remaining() {
        return limit - position;
    }

    /** Goes over bytes that {@link #length()} announced. */
    public void skipBytes(int count) {
        position += count;
    }

    /** A field's key: the field number times eight, plus the wire type. */
    public int tag() {
        int start = position;
        long tag = varint();
        if (tag >>> 32 != 0 || tag >>> 3 == 0) {
            throw new WireException(start,
                    "a field key of " + Long.toUnsignedString(tag) + ", which protobuf does not have");
        }
        return (int) tag;
    }

    /** A varint, all 64 bits of it. */
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

    /** A {@code uint32}, from 0 to 2^32 - 1. */
    public long uint32() {
        return varint() & 0xFFFFFFFFL;
    }

    /** A number of four bytes, little-endian. */
    public int fixed32() {
        int start = position;
        advance(Integer.BYTES);
        return (int) INTS.get(bytes, start);
    }

    /** A number of eight bytes, little-endian. */
    public long fixed64() {
        int start = position;
        advance(Long.BYTES);
        return (long) LONGS.get(bytes, start);
    }

    /** The length of a string, bytes or message; so many bytes are there. */
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
     * The value of a string field, as an array of its own.
     *
     * @throws WireException it is not UTF-8
     */
    public byte[] string() {
        int length = length();
        Utf8.check(bytes, position, length);
        return copy(length);
    }

    /** The value of a bytes field, as an array of its own. */
    public byte[] byteString() {
        return copy(length());
    }

    private byte[] copy(int length) {
        int start = position;
        position += length;
        return Arrays.copyOfRange(bytes, start, position);
    }

    /** Goes over all fields up to the bound. */
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
            case FIXED64 -> advance(8);
            case LENGTH_DELIMITED -> advance(length());
            case START_GROUP -> skipGroup(tag, depth);
            case FIXED32 -> advance(4);
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

    private void advance(int count) {
        if (count > limit - position) {
            throw new WireException(position, "the bytes end within a field");
        }
        position += count;
    }
}
