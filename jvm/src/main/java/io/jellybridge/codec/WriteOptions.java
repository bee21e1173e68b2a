package io.jellybridge.codec;

import java.io.Serializable;

/**
 * How a stream is cut into frames.
 *
 * @param frameRows     a frame ends when it holds this many rows, lookup entries included. A FRAME stream, whose frames are
 *                      its patches, and a stream that is not delimited, which has one frame, do not use it
 * @param delimited     each frame after its length (P-03); false: a single frame, bare (P-124), which holds one patch
 * @param maxFrameBytes largest frame, in bytes; a row that would make a larger one is refused
 */
public record WriteOptions(int frameRows, boolean delimited, int maxFrameBytes) implements Serializable {

    /** Frames of 1024 rows, delimited, of 16 MiB at the most. */
    public static final WriteOptions DEFAULT = new WriteOptions(1024, true, 16 << 20);

    /** @throws IllegalArgumentException a number is not positive; the message names it */
    public WriteOptions {
        if (frameRows <= 0) {
            throw new IllegalArgumentException("frameRows=" + frameRows + ": must be greater than 0");
        }
        if (maxFrameBytes <= 0) {
            throw new IllegalArgumentException("maxFrameBytes=" + maxFrameBytes + ": must be greater than 0");
        }
    }
}
