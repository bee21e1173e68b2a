package io.jellybridge.codec;

import java.io.Serializable;

/**
 * How a stream is read: how strictly, and within which limits. A limit is checked before anything of that size is
 * allocated (checklist P-126).
 *
 * @param strict               refuse every broken MUST, also those that other writers break
 * @param maxFrameBytes        largest frame, in bytes
 * @param maxNameTableSize     largest name lookup that a stream may ask for, in entries
 * @param maxPrefixTableSize   largest prefix lookup, in entries; 0 = streams without one only
 * @param maxDatatypeTableSize largest datatype lookup, in entries; 0 = streams without one only
 * @param maxNesting           how deep triple terms may be nested
 * @param whole                whether a stream that ends within a transaction is refused (P-105), as one that was cut off; not
 *                             that of a piece, see {@link WriteOptions#whole}
 */
public record ReadOptions(
        boolean strict,
        int maxFrameBytes,
        int maxNameTableSize,
        int maxPrefixTableSize,
        int maxDatatypeTableSize,
        int maxNesting,
        boolean whole) implements Serializable {

    /** Tolerant; frames of 16 MiB, lookups of 4096, 1024 and 256 entries, 64 levels of triple terms. */
    public static final ReadOptions DEFAULT = new ReadOptions(false, 16 << 20, 4096, 1024, 256, 64, true);

    /** The default limits, and every broken MUST refused. */
    public static final ReadOptions STRICT = DEFAULT.withStrict(true);

    /** @throws IllegalArgumentException a limit lets nothing through; the message names it */
    public ReadOptions {
        check("maxFrameBytes", maxFrameBytes, 1);
        check("maxNameTableSize", maxNameTableSize, 1);
        check("maxPrefixTableSize", maxPrefixTableSize, 0);
        check("maxDatatypeTableSize", maxDatatypeTableSize, 0);
        check("maxNesting", maxNesting, 1);
    }

    /** Of a whole stream. */
    public ReadOptions(boolean strict, int maxFrameBytes, int maxNameTableSize, int maxPrefixTableSize, int maxDatatypeTableSize,
            int maxNesting) {
        this(strict, maxFrameBytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting, true);
    }

    private static void check(String option, int value, int min) {
        if (value < min) {
            throw new IllegalArgumentException(option + "=" + value + ": must be at least " + min);
        }
    }

    public ReadOptions withMaxFrameBytes(int bytes) {
        return new ReadOptions(strict, bytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting, whole);
    }

    public ReadOptions withStrict(boolean on) {
        return new ReadOptions(on, maxFrameBytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting, whole);
    }

    /** Of a piece, see {@link #whole}. */
    public ReadOptions ofPiece() {
        return new ReadOptions(strict, maxFrameBytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting,
                false);
    }
}
