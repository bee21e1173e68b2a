package io.jellybridge.codec;

import java.io.Serializable;

/**
 * The options for reading a stream: the strictness and the limits. A limit is checked before anything of that size is allocated
 * (checklist P-126).
 *
 * @param strict               reject every broken MUST, even if other writers break it
 * @param maxFrameBytes        the size limit of a frame, in bytes
 * @param maxNameTableSize     the largest name lookup that a stream may declare, in entries
 * @param maxPrefixTableSize   the largest prefix lookup, in entries; 0 = only streams without one
 * @param maxDatatypeTableSize the largest datatype lookup, in entries; 0 = only streams without one
 * @param maxNesting           the depth limit of nested triple terms
 * @param maxTermBytes         the size limit of a term, in bytes
 * @param maxTableBytes        the size limit of the entries of a lookup, in bytes. The terms that are created from them may
 *                             take four times that, or {@value #EXPANSION} times the bytes that were read, if that is more
 * @param whole                reject a stream that ends within a transaction (P-105), since it was cut off; false for a piece,
 *                             see {@link WriteOptions#whole}
 */
public record ReadOptions(
        boolean strict,
        int maxFrameBytes,
        int maxNameTableSize,
        int maxPrefixTableSize,
        int maxDatatypeTableSize,
        int maxNesting,
        int maxTermBytes,
        int maxTableBytes,
        boolean whole) implements Serializable {

    /**
     * The number of bytes of terms that the lookups may create from a byte of the stream. No real data exceeds it, but an
     * attack would.
     */
    static final int EXPANSION = 256;
    /**
     * The size of terms, as a multiple of the limit of a lookup, that may be created regardless of the bytes that were read.
     */
    private static final int TABLES = 4;

    /** 16 MiB, or less if the heap is small, so that a few terms of this length do not fill it. */
    public static final int MAX_TERM_BYTES = bytesFor(Runtime.getRuntime().maxMemory());
    /** The default limit of a lookup where the heap is small. */
    static final int SMALLEST_TABLE_BYTES = 8 << 20;
    private static final int MAX_TABLE_BYTES = Math.max(SMALLEST_TABLE_BYTES, MAX_TERM_BYTES);

    /**
     * The default: tolerant; frames of 16 MiB; lookups of 4096, 1024 and 256 entries; 64 levels of triple terms; terms and
     * lookups of 16 MiB, or less if the heap is below 1 GiB.
     */
    public static final ReadOptions DEFAULT =
            new ReadOptions(false, 16 << 20, 4096, 1024, 256, 64, MAX_TERM_BYTES, MAX_TABLE_BYTES, true);

    /** The default limits, with every broken MUST an error. */
    public static final ReadOptions STRICT = DEFAULT.withStrict(true);

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException a limit would reject everything; the message names it
     */
    public ReadOptions {
        checkLimit("maxFrameBytes", maxFrameBytes, 1);
        checkLimit("maxNameTableSize", maxNameTableSize, 1);
        checkLimit("maxPrefixTableSize", maxPrefixTableSize, 0);
        checkLimit("maxDatatypeTableSize", maxDatatypeTableSize, 0);
        checkLimit("maxNesting", maxNesting, 1);
        checkLimit("maxTermBytes", maxTermBytes, 1);
        checkLimit("maxTableBytes", maxTableBytes, 1);
    }

    /** Creates options for a whole stream, with the default limits in bytes. */
    public ReadOptions(boolean strict, int maxFrameBytes, int maxNameTableSize, int maxPrefixTableSize, int maxDatatypeTableSize,
            int maxNesting) {
        this(strict, maxFrameBytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting,
                MAX_TERM_BYTES, MAX_TABLE_BYTES, true);
    }

    /** Returns the size limit of a term for a heap of this size. */
    static int bytesFor(long heap) {
        boolean isSmall = heap < 7 << 27; // some collectors leave out a part of a GiB
        return isSmall ? (int) Math.max(1 << 20, heap / 64) : 16 << 20;
    }

    /** Checks whether so many bytes of terms may be created from so many bytes of the stream. */
    public boolean allowsTerms(long made, long read) {
        return made <= (long) TABLES * maxTableBytes || made <= EXPANSION * read;
    }

    private static void checkLimit(String option, int value, int min) {
        if (value < min) {
            throw new IllegalArgumentException(option + "=" + value + ": must be at least " + min);
        }
    }

    public ReadOptions withMaxFrameBytes(int bytes) {
        return new ReadOptions(strict, bytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting, maxTermBytes,
                maxTableBytes, whole);
    }

    public ReadOptions withStrict(boolean on) {
        return new ReadOptions(on, maxFrameBytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting,
                maxTermBytes, maxTableBytes, whole);
    }

    /** Returns the same options with other size limits, of a term and of a lookup. */
    public ReadOptions withMaxBytes(int ofTerm, int ofTable) {
        return new ReadOptions(strict, maxFrameBytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting, ofTerm,
                ofTable, whole);
    }

    /** Returns the same options for a piece, see {@link #whole}. */
    public ReadOptions ofPiece() {
        return new ReadOptions(strict, maxFrameBytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting,
                maxTermBytes, maxTableBytes, false);
    }
}
