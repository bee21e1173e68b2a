package io.jellybridge.codec;

import java.io.Serializable;

/**
 * How a stream is read: how strictly, and within which limits. A limit is checked before anything of that size is
 * allocated (checklist P-126).
 *
 * @param strict               refuse every broken MUST, also those that other writers break
 * @param maxFrameBytes        largest frame, in bytes
 * @param maxNameTableSize     largest name lookup that a stream may ask for, in entries
 * @param maxPrefixTableSize   largest prefix lookup, in entries
 * @param maxDatatypeTableSize largest datatype lookup, in entries
 * @param maxNesting           how deep triple terms may be nested
 */
public record ReadOptions(
        boolean strict,
        int maxFrameBytes,
        int maxNameTableSize,
        int maxPrefixTableSize,
        int maxDatatypeTableSize,
        int maxNesting) implements Serializable {

    /** Tolerant; frames of 16 MiB, lookups of 4096, 1024 and 256 entries, 64 levels of triple terms. */
    public static final ReadOptions DEFAULT = new ReadOptions(false, 16 << 20, 4096, 1024, 256, 64);

    /** The default limits, and every broken MUST refused. */
    public static final ReadOptions STRICT = DEFAULT.withStrict(true);

    /** @throws IllegalArgumentException a limit is not positive; the message names it */
    public ReadOptions {
        checkPositive("maxFrameBytes", maxFrameBytes);
        checkPositive("maxNameTableSize", maxNameTableSize);
        checkPositive("maxPrefixTableSize", maxPrefixTableSize);
        checkPositive("maxDatatypeTableSize", maxDatatypeTableSize);
        checkPositive("maxNesting", maxNesting);
    }

    private static void checkPositive(String option, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException(option + "=" + value + ": must be greater than 0");
        }
    }

    public ReadOptions withStrict(boolean on) {
        return new ReadOptions(on, maxFrameBytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting);
    }
}
