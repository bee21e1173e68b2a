package io.jellybridge.structure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Hashes of 64 bits, the same in every process. Two that fall together cost rows of a difference, never its rightness. */
final class Hashes {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Hashes() {
    }

    /** Spreads every bit over all. */
    static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    /** The hash of a sequence, from that of all but its last. */
    static long then(long hash, long next) {
        return mix(hash * 31 + GOLDEN ^ mix(next + GOLDEN));
    }

    static long of(long hash, byte[] bytes) {
        long result = then(hash, bytes.length);
        int i = 0;
        for (; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
            result = then(result, (long) LONGS.get(bytes, i));
        }
        long rest = 0;
        for (; i < bytes.length; i++) {
            rest = rest << 8 | bytes[i] & 0xFF;
        }
        return then(result, rest);
    }
}
