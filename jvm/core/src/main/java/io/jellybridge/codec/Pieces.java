package io.jellybridge.codec;

/** Joins messages that come in pieces. In protobuf, a message field that occurs twice is one message. */
@FunctionalInterface
interface Pieces {

    /**
     * Joins two pieces of the bytes that are being read. Each piece is a valid message.
     *
     * @return the start of the message, in the bytes that are read from now on; its length is the sum
     * @throws io.jellybridge.wire.WireException a piece is not a message, or they take too many bytes
     */
    int join(int firstStart, int firstEnd, int start, int end);
}
