package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.CanonicalBuffer;
import io.jellybridge.codec.CanonicalTerms;
import io.jellybridge.codec.TermVisitor;

/** Collects the terms of a line of events, each after a space; see {@link EventLines} for how they look. */
final class EventTermBuffer implements TermVisitor {
    private static final byte[] DEFAULT_GRAPH = " DEFAULT".getBytes(US_ASCII);
    private static final byte[] START_TRIPLE = " <<".getBytes(US_ASCII);
    private static final byte[] END_TRIPLE = " >>".getBytes(US_ASCII);

    final CanonicalBuffer bytes = new CanonicalBuffer();

    void clear() {
        bytes.clear();
    }

    /** Appends a text in quotes. */
    void quote(byte[] text, int offset, int length) {
        bytes.append('"');
        int plain = offset;
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            int escape = escape(text[i]);
            if (escape != 0) {
                bytes.append(text, plain, i - plain);
                bytes.append('\\');
                bytes.append(escape);
                plain = i + 1;
            }
        }
        bytes.append(text, plain, end - plain);
        bytes.append('"');
    }

    private static int escape(byte b) {
        return switch (b) {
            case '\\', '"' -> b;
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            default -> 0;
        };
    }

    @Override
    public void iri(byte[] iri, int offset, int length) {
        bytes.append(' ');
        angleBrackets(iri, offset, length);
    }

    private void angleBrackets(byte[] iri, int offset, int length) {
        bytes.append('<');
        bytes.appendIri(iri, offset, length);
        bytes.append('>');
    }

    @Override
    public void blankNode(byte[] label, int offset, int length) {
        bytes.append(' ');
        bytes.append('_');
        bytes.append(':');
        bytes.appendLabel(label, offset, length);
    }

    @Override
    public void literal(byte[] text, int offset, int length) {
        bytes.append(' ');
        quote(text, offset, length);
    }

    @Override
    public void langLiteral(byte[] text, int offset, int length, byte[] lang, int langOffset, int langLength) {
        literal(text, offset, length);
        bytes.append('@');
        bytes.appendLanguageTag(lang, langOffset, langLength);
    }

    @Override
    public void typedLiteral(
            byte[] text, int offset, int length, byte[] datatype, int datatypeOffset, int datatypeLength) {
        literal(text, offset, length);
        if (!CanonicalTerms.isXsdString(datatype, datatypeOffset, datatypeLength)) {
            bytes.append('^');
            bytes.append('^');
            angleBrackets(datatype, datatypeOffset, datatypeLength);
        }
    }

    @Override
    public void startTriple() {
        bytes.append(START_TRIPLE, 0, START_TRIPLE.length);
    }

    @Override
    public void endTriple() {
        bytes.append(END_TRIPLE, 0, END_TRIPLE.length);
    }

    @Override
    public void defaultGraph() {
        bytes.append(DEFAULT_GRAPH, 0, DEFAULT_GRAPH.length);
    }
}
