package io.jellybridge.codec;

import io.jellybridge.wire.WireReader;
import java.util.Arrays;

/**
 * The positions in a frame of the terms of a statement, and of those of its triple terms, a level deeper each. Terms may come
 * in any order on the wire, but their ids count in the order subject, predicate, object, graph (P-79). A span is a member,
 * which is the term's place in the oneof, and the start and end of its message.
 */
final class TermSpans {
    /** The last field of an {@code RdfTriple}. The last field of an {@code RdfQuad} follows. */
    static final int LAST_OF_TRIPLE = 12;
    static final int LAST_OF_QUAD = 16;
    /** The smallest key of a field with a string or a message: that of field 1. */
    static final int FIRST_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;

    /** The number of values of a span: member, start and end. */
    private static final int NUMBERS = 3;
    private static final int INITIAL_LEVELS = 4;

    private final WireReader wire;
    private final Pieces pieces;
    private int[] spans = new int[NUMBERS * TermReader.POSITIONS * INITIAL_LEVELS];

    /**
     * Creates empty spans.
     *
     * @param pieces joins messages that come in pieces
     */
    TermSpans(WireReader wire, Pieces pieces) {
        this.wire = wire;
        this.pieces = pieces;
    }

    int memberAt(int level, int position) {
        return spans[indexOf(level, position)];
    }

    int start(int level, int position) {
        return spans[indexOf(level, position) + 1];
    }

    int end(int level, int position) {
        return spans[indexOf(level, position) + 2];
    }

    private static int indexOf(int level, int position) {
        return NUMBERS * (TermReader.POSITIONS * level + position);
    }

    /**
     * Finds the terms of the statement or triple term up to the bound, without reading them.
     *
     * @param lastField the last field with a term: {@link #LAST_OF_TRIPLE} or {@link #LAST_OF_QUAD}
     * @return the positions that have a term, a bit for each
     */
    int find(int level, int lastField) {
        if (indexOf(level, 0) == spans.length) {
            spans = Arrays.copyOf(spans, 2 * spans.length);
        }
        byte[] bytes = wire.bytes();
        int at = wire.position();
        int end = wire.limit();
        int positions = 0;
        while (at < end) {
            int tag = bytes[at];
            int field;
            int length;
            if (at + 1 < end && tag >= FIRST_TAG && (tag & 7) == WireReader.LENGTH_DELIMITED && bytes[at + 1] >= 0
                    && bytes[at + 1] <= end - at - 2 && tag >>> 3 <= lastField) {
                // Nearly all fields have a key and a length of one byte each.
                field = tag >>> 3;
                length = bytes[at + 1];
                at += 2;
            } else {
                wire.setWindow(at, end);
                tag = wire.tag();
                field = tag >>> 3;
                if (field > lastField || (tag & 7) != WireReader.LENGTH_DELIMITED) {
                    wire.skip(tag);
                    at = wire.position();
                    continue;
                }
                length = wire.length();
                at = wire.position();
            }
            int position = (field - 1) >>> 2;
            if ((positions & 1 << position) == 0) {
                set(level, position, (field - 1) & 3, at, length);
                positions |= 1 << position;
            } else {
                setAgain(level, position, (field - 1) & 3, at, length);
            }
            at += length;
        }
        return positions;
    }

    void set(int level, int position, int member, int start, int length) {
        int index = indexOf(level, position);
        spans[index] = member;
        spans[index + 1] = start;
        spans[index + 2] = start + length;
    }

    /**
     * Adds a term in a position that already has one. The last member of a oneof wins. The same member again is another piece
     * of the message, as in protobuf.
     */
    void setAgain(int level, int position, int member, int start, int length) {
        if (memberAt(level, position) != member || member == TermReader.BLANK_NODE) {
            Shape.ofTerm(position, memberAt(level, position)).checkMessage(wire, start(level, position), end(level, position));
            set(level, position, member, start, length);
        } else {
            int firstStart = start(level, position);
            int firstEnd = end(level, position);
            int joined = pieces.join(firstStart, firstEnd, start, start + length);
            set(level, position, member, joined, firstEnd - firstStart + length);
        }
    }

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
}
