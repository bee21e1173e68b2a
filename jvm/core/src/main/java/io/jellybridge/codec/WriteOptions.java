package io.jellybridge.codec;

import java.io.Serializable;
import java.util.Objects;

/**
 * How a stream is cut into frames, and which terms it takes.
 *
 * @param frameRows     a frame ends with the row with which it holds this many rows or more, lookup entries included. A
 *                      FRAME stream, whose frames are its patches, and a stream that is not delimited, which has one frame,
 *                      do not use it
 * @param delimited     each frame after its length (P-03); false: a single frame, bare (P-124), which holds one patch
 * @param maxFrameBytes largest frame, in bytes; a row that would make a larger one is refused
 * @param restartBytes  a restart point ({@link Restart}) comes with the first frame that begins so many bytes after the last
 *                      one, and with the first frame of all; 0 = none. A stream that is not delimited has none
 * @param terms         which terms are taken; others are refused. What may stand where, the stream's own options say
 * @param whole         whether its transactions begin and end in it (P-101 to P-105). Those of a piece need not: it is for who
 *                      joins it with the others, see {@link JoinedPatches}
 */
public record WriteOptions(int frameRows, boolean delimited, int maxFrameBytes, int restartBytes, TermRules terms, boolean whole)
        implements Serializable {

    /** Frames of 1024 rows, delimited, of 16 MiB at the most, restart points every 4 MiB; terms of RDF 1.2. */
    public static final WriteOptions DEFAULT = new WriteOptions(1024, true, 16 << 20, 4 << 20, TermRules.RDF, true);

    /** @throws IllegalArgumentException a number is not positive, {@code restartBytes} is negative; the message names it */
    public WriteOptions {
        check("frameRows", frameRows, 1);
        check("maxFrameBytes", maxFrameBytes, 1);
        check("restartBytes", restartBytes, 0);
        Objects.requireNonNull(terms, "terms");
    }

    /** Of a whole stream. */
    public WriteOptions(int frameRows, boolean delimited, int maxFrameBytes, int restartBytes, TermRules terms) {
        this(frameRows, delimited, maxFrameBytes, restartBytes, terms, true);
    }

    /** With the terms of RDF 1.2. */
    public WriteOptions(int frameRows, boolean delimited, int maxFrameBytes, int restartBytes) {
        this(frameRows, delimited, maxFrameBytes, restartBytes, TermRules.RDF);
    }

    /** With restart points as by default. */
    public WriteOptions(int frameRows, boolean delimited, int maxFrameBytes) {
        this(frameRows, delimited, maxFrameBytes, 4 << 20);
    }

    private static void check(String option, int value, int min) {
        if (value < min) {
            throw new IllegalArgumentException(option + "=" + value + ": must be at least " + min);
        }
    }

    public WriteOptions withRestartBytes(int bytes) {
        return new WriteOptions(frameRows, delimited, maxFrameBytes, bytes, terms, whole);
    }

    public WriteOptions withTerms(TermRules taken) {
        return new WriteOptions(frameRows, delimited, maxFrameBytes, restartBytes, taken, whole);
    }

    /** Of a piece, see {@link #whole}. */
    public WriteOptions ofPiece() {
        return new WriteOptions(frameRows, delimited, maxFrameBytes, restartBytes, terms, false);
    }
}
