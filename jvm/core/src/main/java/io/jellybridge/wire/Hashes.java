package io.jellybridge.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Hash functions of 64 bits, with the same result in every process. A collision must never make a result wrong. */
public final class Hashes {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Hashes() {
    }

    /** Mixes the bits, so that every bit depends on all. */
    public static long mixBits(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    /** Computes the hash of a sequence from the hash of its first items and the last item. */
    public static long thenHash(long hash, long next) {
        return mixBits(hash * 31 + GOLDEN ^ mixBits(next + GOLDEN));
    }

    /** Computes the hash of a sequence that ends with these bytes, from the hash of the items before them. */
    public static long of(long hash, byte[] bytes) {
        return of(hash, bytes, 0, bytes.length);
    }

    /** Computes the hash as {@link #of(long, byte[])} does, for a part of an array. */
    public static long of(long hash, byte[] bytes, int offset, int length) {
        long result = thenHash(hash, length);
        int i = offset;
        int end = offset + length;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            result = (result ^ (long) LONGS.get(bytes, i)) * GOLDEN; // one multiplication a word; mix() at the end
            result ^= result >>> 32;
        }
        long rest = 0;
        for (; i < end; i++) {
            rest = rest << 8 | bytes[i] & 0xFF;
        }
        return thenHash(result, rest);
    }
}
