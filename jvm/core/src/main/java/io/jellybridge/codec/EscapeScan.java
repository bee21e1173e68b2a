package io.jellybridge.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Looks for bytes that are escaped, or that are not ASCII, eight at a time: nearly always there are none. What {@link
 * CanonicalTerms} escapes is known here a second time, as arithmetic on words; a test compares the two.
 *
 * <p>Most text is short and of any length, so up to 32 bytes are taken as four words that overlap: a processor can't
 * foresee where a loop over them would end.
 */
final class EscapeScan {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = ONES * 0x80;
    private static final int WORD = Long.BYTES;

    private EscapeScan() {
    }

    /** Whether all bytes are ASCII and none is escaped in a lexical form. */
    static boolean isPlainString(byte[] bytes, int offset, int length) {
        if (length < WORD) {
            return isPlain(oddInString(shortWord(bytes, offset, length)));
        }
        int last = offset + length - WORD;
        int i = offset;
        long found = 0;
        for (; last - i > 3 * WORD; i += 4 * WORD) {
            found |= oddInString(word(bytes, i)) | oddInString(word(bytes, i + WORD))
                    | oddInString(word(bytes, i + 2 * WORD)) | oddInString(word(bytes, i + 3 * WORD));
        }
        return isPlain(found | oddInString(word(bytes, Math.min(i, last)))
                | oddInString(word(bytes, Math.min(i + WORD, last)))
                | oddInString(word(bytes, Math.min(i + 2 * WORD, last))) | oddInString(word(bytes, last)));
    }

    /** As {@link #isPlainString}, of an IRI. */
    static boolean isPlainIri(byte[] bytes, int offset, int length) {
        if (length < WORD) {
            return isPlain(oddInIri(shortWord(bytes, offset, length)));
        }
        int last = offset + length - WORD;
        int i = offset;
        long found = 0;
        for (; last - i > 3 * WORD; i += 4 * WORD) {
            found |= oddInIri(word(bytes, i)) | oddInIri(word(bytes, i + WORD))
                    | oddInIri(word(bytes, i + 2 * WORD)) | oddInIri(word(bytes, i + 3 * WORD));
        }
        return isPlain(found | oddInIri(word(bytes, Math.min(i, last))) | oddInIri(word(bytes, Math.min(i + WORD, last)))
                | oddInIri(word(bytes, Math.min(i + 2 * WORD, last))) | oddInIri(word(bytes, last)));
    }

    /**
     * Copies what a lexical form has, from {@code start} on, before the next byte that is escaped or begins a character from
     * U+F000 to U+FFFF; of what is behind the last whole word nothing. May write a word more.
     *
     * @return how many bytes were copied; the next one is for the caller to look at
     */
    static int copyPlainInString(byte[] bytes, int start, int end, byte[] target, int at) {
        int copied = 0;
        for (; start + copied <= end - WORD; copied += WORD) {
            long word = word(bytes, start + copied);
            LONGS.set(target, at + copied, word);
            long found = escapedInString(word) & HIGH_BITS;
            if (found != 0) {
                return copied + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        return copied;
    }

    private static long word(byte[] bytes, int index) {
        return (long) LONGS.get(bytes, index);
    }

    /** Up to seven bytes, filled up with letters. */
    private static long shortWord(byte[] bytes, int offset, int length) {
        if (offset <= bytes.length - WORD) {
            long fill = -1L << 8 * length;
            return word(bytes, offset) & ~fill | ONES * 'a' & fill;
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

    // Of a word w of ASCII, w - ONES * c has the high bit of a byte set when that byte is below c; a zero is below 1. Where
    // it is wrong (a borrow from the byte before), that byte was rightly found.

    private static long oddInString(long w) {
        return w | w - ONES * 0x20 | w + ONES // which 0x7F makes 0x80
                | (w ^ ONES * '"') - ONES | (w ^ ONES * '\\') - ONES;
    }

    /** As {@link #oddInString}, but of bytes that are not ASCII only the first one of U+F000 to U+FFFF. */
    private static long escapedInString(long w) {
        long lead = w ^ ONES * 0xEF;
        return (w - ONES * 0x20 | w + ONES | (w ^ ONES * '"') - ONES | (w ^ ONES * '\\') - ONES) & ~w | lead - ONES & ~lead;
    }

    private static long oddInIri(long w) {
        return w | w - ONES * 0x21
                | (w ^ ONES * '"') - ONES | (w ^ ONES * '`') - ONES | (w ^ ONES * '{') - ONES
                // these differ in one bit from another that is escaped: < >, \ ^, | }
                | (w & ~(ONES * 2) ^ ONES * '<') - ONES | (w & ~(ONES * 2) ^ ONES * '\\') - ONES
                | (w & ~ONES ^ ONES * '|') - ONES;
    }
}
