package io.jellybridge.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Looks for bytes that are escaped, eight at a time: nearly always there are none. What {@link
 * CanonicalTerms} escapes is known here a second time, as arithmetic on words; a test compares the two.
 */
final class EscapeScan {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = ONES * 0x80;

    private EscapeScan() {
    }

    /** Whether none of the bytes is escaped in a lexical form; false when that is not worth finding out here. */
    static boolean isPlainString(byte[] bytes, int offset, int length) {
        if (length < 8) {
            return false;
        }
        int last = offset + length - 8;
        long found = 0;
        for (int i = offset; i < last; i += 8) {
            found |= escapedInString((long) LONGS.get(bytes, i));
        }
        return ((found | escapedInString((long) LONGS.get(bytes, last))) & HIGH_BITS) == 0;
    }

    /** As {@link #isPlainString}, of an IRI. */
    static boolean isPlainIri(byte[] bytes, int offset, int length) {
        if (length < 8 || length > 32) {
            return false;
        }
        int last = offset + length - 8;
        long found = escapedInIri((long) LONGS.get(bytes, offset))
                | escapedInIri((long) LONGS.get(bytes, Math.min(offset + 8, last)));
        if (length > 16) {
            found |= escapedInIri((long) LONGS.get(bytes, Math.min(offset + 16, last)))
                    | escapedInIri((long) LONGS.get(bytes, last));
        }
        return (found & HIGH_BITS) == 0;
    }

    // Of a word w, (w - ONES * c) & ~w has the high bit of a byte set when one of its bytes is below c; a zero is below 1.
    // Where it is wrong (a borrow from the byte before), that byte was rightly found.

    private static long escapedInString(long w) {
        return w - ONES * 0x20 & ~w
                | zero(w ^ ONES * '"') | zero(w ^ ONES * '\\') | zero(w ^ ONES * 0x7F) | zero(w ^ ONES * 0xEF);
    }

    private static long escapedInIri(long w) {
        return w - ONES * 0x21 & ~w
                | zero(w ^ ONES * '"') | zero(w ^ ONES * '`') | zero(w ^ ONES * '{')
                // these differ in one bit from another that is escaped: < >, \ ^, | }
                | zero(w & ~(ONES * 2) ^ ONES * '<') | zero(w & ~(ONES * 2) ^ ONES * '\\')
                | zero(w & ~ONES ^ ONES * '|');
    }

    private static long zero(long w) {
        return w - ONES & ~w;
    }
}
