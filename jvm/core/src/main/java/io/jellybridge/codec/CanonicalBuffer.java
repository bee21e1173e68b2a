package io.jellybridge.codec;

import java.util.Arrays;

/** Bytes in the making: collects canonical text whose length is not known before. For one thread. */
public final class CanonicalBuffer {

    /** A larger array is given back at {@link #clear}, so that one huge literal does not stay in memory for ever. */
    private static final int MAX_KEPT = 1 << 20;
    private static final int INITIAL = 256;
    /** So many bytes of a lexical form are escaped at a time. */
    private static final int PIECE = 1 << 10;

    private byte[] bytes = new byte[INITIAL];
    private int size;

    /** The array that holds the bytes now; appending may replace it, and the old array then keeps its content. */
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
        room(1);
        bytes[size++] = (byte) b;
    }

    public void append(byte[] source, int offset, int length) {
        room(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    /** Appends a lexical form, escaped, without its quotes. */
    public void appendString(byte[] source, int offset, int length) {
        if (EscapeScan.isPlainString(source, offset, length)) {
            append(source, offset, length);
        } else {
            appendEscapedString(source, offset, length);
        }
    }

    /** As {@link #appendString}, of one that is not known to be plain. */
    void appendEscapedString(byte[] source, int offset, int length) {
        int end = offset + length;
        int start = offset;
        while (start < end) {
            // Piece by piece, since there has to be room for escapes alone. A piece ends with a character.
            int stop = end - start > PIECE ? start + PIECE : end;
            for (int i = 0; i < 3 && stop < end && (source[stop] & 0xC0) == 0x80; i++) {
                stop--;
            }
            room(CanonicalTerms.MAX_ESCAPED * (stop - start) + CanonicalTerms.SCRAP);
            size = CanonicalTerms.putEscapedString(source, start, stop, bytes, size);
            start = stop;
        }
    }

    /**
     * Appends what comes in a lexical form before the next escape or its end, or some of that.
     *
     * @return how many bytes that is; the next one is for the caller to look at
     */
    int appendPlainOfString(byte[] source, int start, int end) {
        int stop = Math.min(end, start + PIECE);
        room(stop - start + CanonicalTerms.SCRAP);
        int copied = EscapeScan.copyPlainInString(source, start, stop, bytes, size);
        size += copied;
        return copied;
    }

    /** Appends an IRI, escaped, without its angle brackets. */
    public void appendIri(byte[] source, int offset, int length) {
        int escaped = CanonicalTerms.iriLength(source, offset, length);
        room(escaped);
        size = CanonicalTerms.putIri(source, offset, length, escaped, bytes, size);
    }

    /** Appends a blank node's label, escaped so that it ends where it ends, without {@code _:}. */
    public void appendLabel(byte[] source, int offset, int length) {
        int escaped = CanonicalTerms.labelLength(source, offset, length);
        room(escaped);
        size = CanonicalTerms.putLabel(source, offset, length, escaped, bytes, size);
    }

    /** Appends a language tag, in lower case. */
    public void appendLanguageTag(byte[] source, int offset, int length) {
        room(length);
        size = CanonicalTerms.putLanguageTag(source, offset, length, bytes, size);
    }

    /** Appends the UTF-8 bytes of a code point that is no surrogate. */
    void appendCodePoint(int codePoint) {
        room(4);
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

    private void room(int length) {
        int needed = Math.addExact(size, length);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.max(needed, Math.min(2L * bytes.length, Integer.MAX_VALUE - 8)));
        }
    }
}
