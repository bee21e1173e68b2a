package io.jellybridge.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.Checksum;

/** A growing buffer of protobuf fields. */
public final class WireWriter {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes;
    private int size;

    public WireWriter(int capacity) {
        bytes = new byte[capacity];
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    /** Removes all bytes after the first {@code newSize}. */
    public void truncateTo(int newSize) {
        size = newSize;
    }

    /** Removes the first {@code count} bytes. */
    public void removeFirst(int count) {
        size -= count;
        System.arraycopy(bytes, count, bytes, 0, size);
    }

    /** Updates a checksum with the first {@code count} bytes. */
    public void update(Checksum checksum, int count) {
        checksum.update(bytes, 0, count);
    }

    public void writeTo(OutputStream out) throws IOException {
        writeTo(out, size);
    }

    /** Writes the first {@code count} bytes to a stream. */
    public void writeTo(OutputStream out, int count) throws IOException {
        out.write(bytes, 0, count);
    }

    /** Checks whether the {@code count} bytes from {@code start} equal the first bytes of {@code other}. */
    public boolean startsAt(int start, int count, byte[] other) {
        return Arrays.equals(bytes, start, start + count, other, 0, count);
    }

    /** Copies {@code count} bytes from {@code start} to an array. */
    public void copyTo(byte[] target, int start, int count) {
        System.arraycopy(bytes, start, target, 0, count);
    }

    /** Writes a varint. The value is unsigned. */
    public void writeVarint(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /** Writes a varint field. As protobuf does, it leaves out a zero. */
    public void varintField(int field, long value) {
        if (value != 0) {
            writeVarint((long) field << 3 | WireReader.VARINT);
            writeVarint(value);
        }
    }

    /**
     * Writes a field of four bytes, little-endian, whose value {@link #setFixed32} sets later.
     *
     * @return the index of the value
     */
    public int fixed32Field(int field) {
        ensure(9);
        putVarint(field << 3 | WireReader.FIXED32);
        int index = size;
        size += Integer.BYTES;
        return index;
    }

    /** Sets the value of a {@link #fixed32Field}. */
    public void setFixed32(int index, int value) {
        INTS.set(bytes, index, value);
    }

    /** Writes a field of eight bytes, little-endian, even if the value is zero. */
    public void fixed64Field(int field, long value) {
        ensure(13);
        putVarint(field << 3 | WireReader.FIXED64);
        LONGS.set(bytes, size, value);
        size += Long.BYTES;
    }

    /** Writes a string or bytes field, even if it is empty, since a member of a oneof is set by its presence. */
    public void bytesField(int field, byte[] source, int offset, int length) {
        writeVarint((long) field << 3 | WireReader.LENGTH_DELIMITED);
        writeVarint(length);
        ensure(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    /** Writes a message without fields. */
    public void emptyMessageField(int field) {
        ensure(6);
        putVarint(field << 3 | WireReader.LENGTH_DELIMITED);
        bytes[size++] = 0;
    }

    /**
     * Writes a message whose fields 1 and 2 are varints. Most terms of a row are such a message, so this is a faster form of
     * {@link #varintField} between {@link #beginMessage} and {@link #endMessage}.
     */
    public void pairField(int field, int first, int second) {
        ensure(18);
        putVarint(field << 3 | WireReader.LENGTH_DELIMITED);
        int start = ++size;
        if (first != 0) {
            bytes[size++] = 1 << 3 | WireReader.VARINT;
            putVarint(first);
        }
        if (second != 0) {
            bytes[size++] = 2 << 3 | WireReader.VARINT;
            putVarint(second);
        }
        bytes[start - 1] = (byte) (size - start);
    }

    /** Writes a message whose only field is a message. */
    public void messageOfMessage(int field, int innerField, WireWriter inner) {
        int length = inner.size;
        ensure(20 + length);
        putVarint(field << 3 | WireReader.LENGTH_DELIMITED);
        putVarint(varintSize(innerField << 3) + varintSize(length) + length);
        putVarint(innerField << 3 | WireReader.LENGTH_DELIMITED);
        putVarint(length);
        System.arraycopy(inner.bytes, 0, bytes, size, length);
        size += length;
    }

    private static int varintSize(int value) {
        return (Integer.SIZE + 6 - Integer.numberOfLeadingZeros(value | 1)) / 7;
    }

    /**
     * Begins a message field. All that is written until {@link #endMessage} is its content.
     *
     * @return a mark for {@code endMessage}
     */
    public int beginMessage(int field) {
        ensure(6);
        putVarint(field << 3 | WireReader.LENGTH_DELIMITED);
        return ++size;
    }

    /**
     * Ends the message that {@code mark} began. One byte was reserved for the length, which suffices for nearly all messages.
     * The content of a longer message is moved.
     */
    public void endMessage(int mark) {
        int length = size - mark;
        int extra = 0;
        for (int rest = length >>> 7; rest != 0; rest >>>= 7) {
            extra++;
        }
        if (extra > 0) {
            ensure(extra);
            System.arraycopy(bytes, mark, bytes, mark + extra, length);
        }
        size = mark - 1;
        writeVarint(length);
        size += length;
    }

    /** Writes a varint of up to five bytes. The caller has made room for it. */
    private void putVarint(int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
        }
    }
}
