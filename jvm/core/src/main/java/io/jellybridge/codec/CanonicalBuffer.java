package io.jellybridge.codec;

import java.util.Arrays;

/** A growing buffer of canonical text. Not thread-safe. */
public final class CanonicalBuffer {

    /** The size limit of an array that {@link #clear} keeps, so that one huge literal does not stay in memory. */
    private static final int MAX_KEPT = 1 << 20;
    private static final int INITIAL = 256;
    /** The number of bytes of a lexical form that are escaped at a time. */
    private static final int PIECE = 1 << 10;

    private byte[] bytes = new byte[INITIAL];
    private int size;

    /** Returns the array that holds the bytes. An append may replace the array; the old one then keeps its content. */
    public byte[] array() {
        return bytes;
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
        if (bytes.length > MAX_KEPT) {
            bytes = new byte[INITIAL];
        }
    }

    public void append(int b) {
        ensureRoom(1);
        bytes[size++] = (byte) b;
    }

    public void append(byte[] source, int offset, int length) {
        ensureRoom(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    /** Appends a lexical form, escaped, without quotes. */
    public void appendString(byte[] source, int offset, int length) {
        if (EscapeScan.isPlainString(source, offset, length)) {
            append(source, offset, length);
        } else {
            appendEscapedString(source, offset, length);
        }
    }

    /** Appends a lexical form that is not known to be plain, as {@link #appendString} does. */
    void appendEscapedString(byte[] source, int offset, int length) {
        int end = offset + length;
        int start = offset;
        while (start < end) {
            // A piece at a time, since each byte may need room for an escape. A piece ends at the end of a character.
            int stop = end - start > PIECE ? start + PIECE : end;
            for (int i = 0; i < 3 && stop < end && (source[stop] & 0xC0) == 0x80; i++) {
                stop--;
            }
            ensureRoom(CanonicalTerms.MAX_ESCAPED * (stop - start) + CanonicalTerms.SCRAP);
            size = CanonicalTerms.putEscapedString(source, start, stop, bytes, size);
            start = stop;
        }
    }

    /**
     * Appends bytes of a lexical form up to the next escape or its end, or fewer.
     *
     * @return the number of bytes; the caller must look at the next byte
     */
    int appendPlainOfString(byte[] source, int start, int end) {
        int stop = Math.min(end, start + PIECE);
        ensureRoom(stop - start + CanonicalTerms.SCRAP);
        int copied = EscapeScan.copyPlainInString(source, start, stop, bytes, size);
        size += copied;
        return copied;
    }

    /** Appends an IRI, escaped, without angle brackets. */
    public void appendIri(byte[] source, int offset, int length) {
        int escaped = CanonicalTerms.iriLength(source, offset, length);
        ensureRoom(escaped);
        size = CanonicalTerms.putIri(source, offset, length, escaped, bytes, size);
    }

    /** Appends the label of a blank node, without {@code _:}. Characters that would end it early are escaped. */
    public void appendLabel(byte[] source, int offset, int length) {
        int escaped = CanonicalTerms.labelLength(source, offset, length);
        ensureRoom(escaped);
        size = CanonicalTerms.putLabel(source, offset, length, escaped, bytes, size);
    }

    /** Appends a language tag in lower case. */
    public void appendLanguageTag(byte[] source, int offset, int length) {
        ensureRoom(length);
        size = CanonicalTerms.putLanguageTag(source, offset, length, bytes, size);
    }

    /** Appends a code point, which is no surrogate, as UTF-8. */
    void appendCodePoint(int codePoint) {
        ensureRoom(4);
        if (codePoint < 0x80) {
            bytes[size++] = (byte) codePoint;
        } else if (codePoint < 0x800) {
            bytes[size++] = (byte) (0xC0 | codePoint >> 6);
            bytes[size++] = (byte) (0x80 | codePoint & 0x3F);
        } else if (codePoint < 0x10000) {
            bytes[size++] = (byte) (0xE0 | codePoint >> 12);
            bytes[size++] = (byte) (0x80 | codePoint >> 6 & 0x3F);
            bytes[size++] = (byte) (0x80 | codePoint & 0x3F);
        } else {
            bytes[size++] = (byte) (0xF0 | codePoint >> 18);
            bytes[size++] = (byte) (0x80 | codePoint >> 12 & 0x3F);
            bytes[size++] = (byte) (0x80 | codePoint >> 6 & 0x3F);
            bytes[size++] = (byte) (0x80 | codePoint & 0x3F);
        }
    }

    private void ensureRoom(int length) {
        int needed = Math.addExact(size, length);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.max(needed, Math.min(2L * bytes.length, Integer.MAX_VALUE - 8)));
        }
    }
}
