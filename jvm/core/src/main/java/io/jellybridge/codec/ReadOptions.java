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
 * @param maxTermBytes         longest term, in bytes
 * @param maxTableBytes        what the entries of a lookup may take, in bytes. What is made of them may take four times that,
 *                             or {@value #EXPANSION} times what was read, if that is more
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
        int maxTermBytes,
        int maxTableBytes,
        boolean whole) implements Serializable {

    /** How many bytes of terms the lookups may make of a byte of the stream: more than any data, less than who means harm. */
    static final int EXPANSION = 256;
    /** How often what a lookup may take may be made of it, whatever was read. */
    private static final int TABLES = 4;

    /** 16 MiB, but less where the heap is small: so that a few terms of this length are not all of it. */
    public static final int MAX_TERM_BYTES = bytesFor(Runtime.getRuntime().maxMemory());
    private static final int MAX_TABLE_BYTES = Math.max(8 << 20, MAX_TERM_BYTES);

    /**
     * Tolerant; frames of 16 MiB, lookups of 4096, 1024 and 256 entries, 64 levels of triple terms; terms and lookups of 16 MiB, but
     * less where the heap is below 1 GiB.
     */
    public static final ReadOptions DEFAULT =
            new ReadOptions(false, 16 << 20, 4096, 1024, 256, 64, MAX_TERM_BYTES, MAX_TABLE_BYTES, true);

    /** The default limits, and every broken MUST refused. */
    public static final ReadOptions STRICT = DEFAULT.withStrict(true);

    /** @throws IllegalArgumentException a limit lets nothing through; the message names it */
    public ReadOptions {
        check("maxFrameBytes", maxFrameBytes, 1);
        check("maxNameTableSize", maxNameTableSize, 1);
        check("maxPrefixTableSize", maxPrefixTableSize, 0);
        check("maxDatatypeTableSize", maxDatatypeTableSize, 0);
        check("maxNesting", maxNesting, 1);
        check("maxTermBytes", maxTermBytes, 1);
        check("maxTableBytes", maxTableBytes, 1);
    }

    /** Of a whole stream, with the default limits in bytes. */
    public ReadOptions(boolean strict, int maxFrameBytes, int maxNameTableSize, int maxPrefixTableSize, int maxDatatypeTableSize,
            int maxNesting) {
        this(strict, maxFrameBytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting,
                MAX_TERM_BYTES, MAX_TABLE_BYTES, true);
    }

    /** What a term may take in a heap. */
    static int bytesFor(long heap) {
        boolean isSmall = heap < 7 << 27; // some collectors leave a part of a GiB out
        return isSmall ? (int) Math.max(1 << 20, heap / 64) : 16 << 20;
    }

    /** Whether so many bytes of terms may be made of so many bytes that were read. */
    public boolean allows(long made, long read) {
        return made <= (long) TABLES * maxTableBytes || made <= EXPANSION * read;
    }

    private static void check(String option, int value, int min) {
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

    /** With other limits in bytes: of a term, and of a lookup. */
    public ReadOptions withMaxBytes(int ofTerm, int ofTable) {
        return new ReadOptions(strict, maxFrameBytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting, ofTerm,
                ofTable, whole);
    }

    /** Of a piece, see {@link #whole}. */
    public ReadOptions ofPiece() {
        return new ReadOptions(strict, maxFrameBytes, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, maxNesting,
                maxTermBytes, maxTableBytes, false);
    }
}
