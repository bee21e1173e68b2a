package io.jellybridge.codec;

import io.jellybridge.wire.WireWriter;

/**
 * A restart point: a place in a stream where reading can begin, since nothing after it refers to what comes before. See
 * {@code proto/jellybridge.proto} for its fields and docs/restart-points.md for the rules.
 *
 * @param mark            the {@value #MARK_BYTES} bytes that mark the file; not to be changed
 * @param frame           how many frames come before
 * @param row             how many change rows or statements come before
 * @param patch           how many patches have ended before; 0 in Jelly-RDF
 * @param transaction     how many transactions have begun before; 0 in Jelly-RDF
 * @param transactionOpen whether the last of them is open
 * @param patchOpen       whether the patch that goes on has rows already
 */
record Restart(byte[] mark, long frame, long row, long patch, long transaction, boolean transactionOpen,
        boolean patchOpen) {

    /** The field of the frame. */
    static final int FIELD = 1000;
    static final int MARK_BYTES = 16;

    /**
     * Writes the field that begins a frame.
     *
     * @return where the frame's length is to be set, see {@link WireWriter#setFixed32}
     */
    int write(WireWriter frameBytes) {
        int message = frameBytes.beginMessage(FIELD);
        frameBytes.bytesField(1, mark, 0, mark.length);
        int lengthIndex = frameBytes.fixed32Field(2);
        frameBytes.varintField(3, frame);
        frameBytes.varintField(4, row);
        frameBytes.varintField(5, patch);
        frameBytes.varintField(6, transaction);
        frameBytes.varintField(7, transactionOpen ? 1 : 0);
        frameBytes.varintField(8, patchOpen ? 1 : 0);
        frameBytes.endMessage(message);
        return lengthIndex;
    }
}
