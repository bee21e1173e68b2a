package io.jellybridge.codec;

import java.io.Serializable;
import java.util.Objects;

/**
 * The options for writing a stream: the sizes of frames, and the allowed terms.
 *
 * @param frameRows     the number of rows at which a frame ends, lookup entries included. It has no effect in a FRAME stream,
 *                      whose frames are its patches, or in a stream that is not delimited, which has one frame
 * @param delimited     write each frame after its length (P-03); false: write a single bare frame (P-124), which holds one
 *                      patch
 * @param maxFrameBytes the size limit of a frame, in bytes; a row that would exceed it is an error
 * @param restartBytes  the distance of restart points ({@link Restart}), in bytes: one comes with the first frame, and with
 *                      each first frame that begins so many bytes after the last one; 0 = none. A stream that is not delimited
 *                      has none
 * @param terms         the allowed terms. The stream's own options decide which terms a position allows
 * @param whole         true if transactions begin and end in the stream (P-101 to P-105). Those of a piece need not, since the
 *                      pieces are joined later, see {@link JoinedPatches}
 * @param counted       true to state in the first restart point that the file has one stream. Whoever joins others to it then
 *                      changes that number, see {@link StreamFrames#placeOfCount}
 */
public record WriteOptions(int frameRows, boolean delimited, int maxFrameBytes, int restartBytes, TermRules terms, boolean whole,
        boolean counted) implements Serializable {

    /** The default: delimited frames of 1024 rows and at most 16 MiB, restart points every 4 MiB, terms of RDF 1.2. */
    public static final WriteOptions DEFAULT = new WriteOptions(1024, true, 16 << 20, 4 << 20, TermRules.RDF, true, false);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException a number is not positive, or {@code restartBytes} is negative; the message names it
     */
    public WriteOptions {
        checkLimit("frameRows", frameRows, 1);
        checkLimit("maxFrameBytes", maxFrameBytes, 1);
        checkLimit("restartBytes", restartBytes, 0);
        Objects.requireNonNull(terms, "terms");
    }

    /** Creates options for a whole stream. */
    public WriteOptions(int frameRows, boolean delimited, int maxFrameBytes, int restartBytes, TermRules terms) {
        this(frameRows, delimited, maxFrameBytes, restartBytes, terms, true, false);
    }

    /** Creates options for the terms of RDF 1.2. */
    public WriteOptions(int frameRows, boolean delimited, int maxFrameBytes, int restartBytes) {
        this(frameRows, delimited, maxFrameBytes, restartBytes, TermRules.RDF);
    }

    /** Creates options with the default distance of restart points. */
    public WriteOptions(int frameRows, boolean delimited, int maxFrameBytes) {
        this(frameRows, delimited, maxFrameBytes, 4 << 20);
    }

    private static void checkLimit(String option, int value, int min) {
        if (value < min) {
            throw new IllegalArgumentException(option + "=" + value + ": must be at least " + min);
        }
    }

    public WriteOptions withRestartBytes(int bytes) {
        return new WriteOptions(frameRows, delimited, maxFrameBytes, bytes, terms, whole, counted);
    }

    public WriteOptions withTerms(TermRules taken) {
        return new WriteOptions(frameRows, delimited, maxFrameBytes, restartBytes, taken, whole, counted);
    }

    /** Returns the same options for a piece, see {@link #whole}. */
    public WriteOptions ofPiece() {
        return new WriteOptions(frameRows, delimited, maxFrameBytes, restartBytes, terms, false, counted);
    }

    /** Returns the same options with {@link #counted}. */
    public WriteOptions withCount() {
        return new WriteOptions(frameRows, delimited, maxFrameBytes, restartBytes, terms, whole, true);
    }
}
