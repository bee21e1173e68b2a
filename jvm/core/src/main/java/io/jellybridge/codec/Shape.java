package io.jellybridge.codec;

import io.jellybridge.wire.Utf8;
import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;

/**
 * The structure of the messages of both formats: their fields that hold strings and messages. It checks messages that are not
 * used because another member of their oneof follows. Protobuf's parsers reject a stream in which such a message is damaged,
 * and so does our reader.
 */
enum Shape {
    /** A string. */
    TEXT,
    /** A message with numbers only, or with nothing. */
    NUMBERS,
    LITERAL,
    TRIPLE,
    QUAD,
    /** The start of a graph. */
    GRAPH,
    PATCH_NAMESPACE,
    RDF_NAMESPACE,
    HEADER,
    ENTRY,
    RDF_OPTIONS;

    /** The depth limit of protobuf's parsers. */
    private static final int MAX_DEPTH = 100;

    /** Returns the structure of a term, by its position and its member of the oneof there. */
    static Shape ofTerm(int position, int member) {
        boolean isGraph = position == TermReader.GRAPH;
        return switch (member) {
            case TermReader.BLANK_NODE -> TEXT;
            case TermReader.LITERAL -> isGraph ? NUMBERS : LITERAL;
            case TermReader.TRIPLE_TERM -> isGraph ? LITERAL : TRIPLE;
            default -> NUMBERS;
        };
    }

    /** Returns the structure of a field that holds strings or messages; null if the message has no such field. */
    private Shape of(int field) {
        return switch (this) {
            case TEXT, NUMBERS -> null;
            case LITERAL -> field <= 2 ? TEXT : null;
            case TRIPLE -> field <= TermSpans.LAST_OF_TRIPLE ? ofTermField(field) : null;
            case QUAD -> field <= TermSpans.LAST_OF_QUAD ? ofTermField(field) : null;
            case GRAPH -> field <= 4 ? ofTerm(TermReader.GRAPH, field - 1) : null;
            case PATCH_NAMESPACE -> field <= 2 ? RDF_NAMESPACE.of(field)
                    : field <= 6 ? ofTerm(TermReader.GRAPH, field - 3) : null;
            case RDF_NAMESPACE -> field == 1 ? TEXT : field == 2 ? NUMBERS : null;
            case HEADER -> field == 1 ? TEXT : field <= 5 ? ofTerm(TermReader.OBJECT, field - 2) : null;
            case ENTRY -> field == 2 ? TEXT : null;
            case RDF_OPTIONS -> field == 1 ? TEXT : null;
        };
    }

    private static Shape ofTermField(int field) {
        return ofTerm((field - 1) >>> 2, (field - 1) & 3);
    }

    /**
     * Checks a message, and restores the position of the reader.
     *
     * @throws WireException the message is invalid
     */
    void checkMessage(WireReader wire, int start, int end) {
        int position = wire.position();
        int limit = wire.limit();
        wire.setWindow(start, end);
        checkMessage(wire, 0);
        wire.setWindow(position, limit);
    }

    private void checkMessage(WireReader wire, int depth) {
        if (depth > MAX_DEPTH) {
            throw new WireException(wire.position(), "messages nested deeper than " + MAX_DEPTH);
        }
        if (this == TEXT) {
            Utf8.check(wire.bytes(), wire.position(), wire.remaining());
            return;
        }
        while (!wire.atEnd()) {
            int tag = wire.tag();
            Shape shape = (tag & 7) == WireReader.LENGTH_DELIMITED ? of(tag >>> 3) : null;
            if (shape == null) {
                wire.skip(tag);
            } else {
                int limit = wire.limit();
                int length = wire.length();
                int end = wire.position() + length;
                wire.setWindow(wire.position(), end);
                shape.checkMessage(wire, depth + 1);
                wire.setWindow(end, limit);
            }
        }
    }
}
