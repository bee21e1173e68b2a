package io.jellybridge.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Searches eight bytes at a time for bytes that are escaped or not ASCII, which are rare. It repeats the escape rules of {@link
 * CanonicalTerms} as arithmetic on words; a test compares the two.
 *
 * <p>Most texts are short, and their lengths vary. Texts of up to 32 bytes are therefore read as four overlapping words, since
 * a processor can't predict the end of a loop over them.
 */
final class EscapeScan {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = ONES * 0x80;
    private static final int WORD = Long.BYTES;

    private EscapeScan() {
    }

    /** Checks that all bytes are ASCII and none is escaped in a lexical form. */
    static boolean isPlainString(byte[] bytes, int offset, int length) {
        if (length < WORD) {
            return isPlain(oddInString(shortWord(bytes, offset, length)));
        }
        int last = offset + length - WORD;
        int i = offset;
        long found = 0;
        for (; last - i > 3 * WORD; i += 4 * WORD) {
            found |= oddInString(wordAt(bytes, i)) | oddInString(wordAt(bytes, i + WORD))
                    | oddInString(wordAt(bytes, i + 2 * WORD)) | oddInString(wordAt(bytes, i + 3 * WORD));
        }
        return isPlain(found | oddInString(wordAt(bytes, Math.min(i, last)))
                | oddInString(wordAt(bytes, Math.min(i + WORD, last)))
                | oddInString(wordAt(bytes, Math.min(i + 2 * WORD, last))) | oddInString(wordAt(bytes, last)));
    }

    /** Checks that all bytes are ASCII and none is escaped in an IRI. */
    static boolean isPlainIri(byte[] bytes, int offset, int length) {
        if (length < WORD) {
            return isPlain(oddInIri(shortWord(bytes, offset, length)));
        }
        int last = offset + length - WORD;
        int i = offset;
        long found = 0;
        for (; last - i > 3 * WORD; i += 4 * WORD) {
            found |= oddInIri(wordAt(bytes, i)) | oddInIri(wordAt(bytes, i + WORD))
                    | oddInIri(wordAt(bytes, i + 2 * WORD)) | oddInIri(wordAt(bytes, i + 3 * WORD));
        }
        return isPlain(found | oddInIri(wordAt(bytes, Math.min(i, last))) | oddInIri(wordAt(bytes, Math.min(i + WORD, last)))
                | oddInIri(wordAt(bytes, Math.min(i + 2 * WORD, last))) | oddInIri(wordAt(bytes, last)));
    }

    /**
     * Copies bytes of a lexical form, from {@code start}, up to a byte that is escaped or begins a character from U+F000 to
     * U+FFFF. It copies nothing after the last whole word. It may write a word more.
     *
     * @return the number of copied bytes; the caller must look at the next byte
     */
    static int copyPlainInString(byte[] bytes, int start, int end, byte[] target, int at) {
        int copied = 0;
        for (; start + copied <= end - WORD; copied += WORD) {
            long word = wordAt(bytes, start + copied);
            LONGS.set(target, at + copied, word);
            long found = escapedInString(word) & HIGH_BITS;
            if (found != 0) {
                return copied + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        return copied;
    }

    private static long wordAt(byte[] bytes, int index) {
        return (long) LONGS.get(bytes, index);
    }

    /** Returns up to seven bytes as a word, padded with letters. */
    private static long shortWord(byte[] bytes, int offset, int length) {
        if (offset <= bytes.length - WORD) {
            long fill = -1L << 8 * length;
            return wordAt(bytes, offset) & ~fill | ONES * 'a' & fill;
        }
        long w = ONES * 'a';
        for (int i = 0; i < length; i++) {
            w = w << 8 | bytes[offset + i] & 0xFF;
        }
        return w;
    }

    private static boolean isPlain(long found) {
        return (found & HIGH_BITS) == 0;
    }

    // In a word w of ASCII, w - ONES * c sets the high bit of each byte below c; a zero byte is below 1. It is wrong only after
    // a borrow, and then the byte before was found correctly.

    private static long oddInString(long w) {
        return w | w - ONES * 0x20 | w + ONES // turns 0x7F into 0x80
                | (w ^ ONES * '"') - ONES | (w ^ ONES * '\\') - ONES;
    }

    /**
     * Finds bytes to escape, as {@link #oddInString} does. Of the bytes that are not ASCII, it finds only the first byte of
     * U+F000 to U+FFFF.
     */
    private static long escapedInString(long w) {
        long lead = w ^ ONES * 0xEF;
        return (w - ONES * 0x20 | w + ONES | (w ^ ONES * '"') - ONES | (w ^ ONES * '\\') - ONES) & ~w | lead - ONES & ~lead;
    }

    private static long oddInIri(long w) {
        return w | w - ONES * 0x21
                | (w ^ ONES * '"') - ONES | (w ^ ONES * '`') - ONES | (w ^ ONES * '{') - ONES
                // each of these pairs differs in one bit: < >, \ ^, | }
                | (w & ~(ONES * 2) ^ ONES * '<') - ONES | (w & ~(ONES * 2) ^ ONES * '\\') - ONES
                | (w & ~ONES ^ ONES * '|') - ONES;
    }
}
