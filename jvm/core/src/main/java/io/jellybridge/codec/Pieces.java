package io.jellybridge.codec;

/** Puts messages together that come in pieces: protobuf takes a message field that comes twice for one message. */
@FunctionalInterface
interface Pieces {

    /**
     * Puts two pieces of the bytes that are being read together. Each is a message by itself.
     *
     * @return where the message begins, in the bytes that are read from now on; it is as long as both
     * @throws io.jellybridge.wire.WireException a piece is no message, or they take too many bytes
     */
    int join(int firstStart, int firstEnd, int start, int end);
}
