package io.jellybridge.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Checks that bytes are valid UTF-8, as protobuf demands of every {@code string}. */
public final class Utf8 {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {
    }

    /** Returns the index of the first byte that is not UTF-8, or -1. Surrogates and overlong forms are not UTF-8. */
    public static int firstInvalid(byte[] bytes, int offset, int length) {
        int end = offset + length;
        if (length >= 8 && length <= 32) {
            // Most strings are short and ASCII, and their lengths vary. Four overlapping words avoid a loop whose end the
            // processor can't predict.
            int last = end - 8;
            long bits = (long) LONGS.get(bytes, offset) | (long) LONGS.get(bytes, Math.min(offset + 8, last))
                    | (long) LONGS.get(bytes, Math.min(offset + 16, last)) | (long) LONGS.get(bytes, last);
            if ((bits & HIGH_BITS) == 0) {
                return -1;
            }
        }
        return firstInvalidOfAny(bytes, offset, length);
    }

    /**
     * Checks that all bytes are UTF-8.
     *
     * @throws WireException the bytes are not UTF-8
     */
    public static void check(byte[] bytes, int offset, int length) {
        int invalid = firstInvalid(bytes, offset, length);
        if (invalid >= 0) {
            throw new WireException(invalid, "bytes in a string that are not UTF-8");
        }
    }

    private static int firstInvalidOfAny(byte[] bytes, int offset, int length) {
        int end = offset + length;
        int i = offset;
        while (i < end) {
            if (i <= end - Long.BYTES) {
                long high = (long) LONGS.get(bytes, i) & HIGH_BITS;
                if (high == 0) {
                    i += Long.BYTES;
                    continue;
                }
                i += Long.numberOfTrailingZeros(high) >>> 3;
            } else if (bytes[i] >= 0) {
                i++;
                continue;
            }
            int size = sequenceSize(bytes, i, end);
            if (size == 0) {
                return i;
            }
            i += size;
        }
        return -1;
    }

    /** Returns the size of the multi-byte character at {@code i}, or 0 if there is none. */
    private static int sequenceSize(byte[] bytes, int i, int end) {
        int b0 = bytes[i] & 0xFF;
        if (b0 < 0xC2) {
            return 0;
        }
        if (b0 < 0xE0) {
            return i + 1 < end && isContinuation(bytes[i + 1]) ? 2 : 0;
        }
        if (b0 < 0xF0) {
            if (i + 2 >= end || !isContinuation(bytes[i + 1]) || !isContinuation(bytes[i + 2])) {
                return 0;
            }
            int b1 = bytes[i + 1] & 0xFF;
            boolean overlong = b0 == 0xE0 && b1 < 0xA0;
            boolean surrogate = b0 == 0xED && b1 >= 0xA0;
            return overlong || surrogate ? 0 : 3;
        }
        if (b0 > 0xF4 || i + 3 >= end || !isContinuation(bytes[i + 1]) || !isContinuation(bytes[i + 2])
                || !isContinuation(bytes[i + 3])) {
            return 0;
        }
        int b1 = bytes[i + 1] & 0xFF;
        boolean overlong = b0 == 0xF0 && b1 < 0x90;
        boolean beyondUnicode = b0 == 0xF4 && b1 >= 0x90;
        return overlong || beyondUnicode ? 0 : 4;
    }

    private static boolean isContinuation(byte b) {
        return (b & 0xC0) == 0x80;
    }
}
