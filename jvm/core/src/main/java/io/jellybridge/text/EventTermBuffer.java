package io.jellybridge.text;

import io.jellybridge.codec.CanonicalWriter;

/** A buffer of the terms of an event line, each after a space. {@link EventLines} describes their form. */
final class EventTermBuffer extends CanonicalWriter {

    EventTermBuffer() {
        super(false, true);
    }

    /** Appends a text in quotes. */
    void string(byte[] string) {
        begin();
        quoted(string, 0, string.length);
    }

    @Override
    protected void quoted(byte[] bytes, int offset, int length) {
        text.append('"');
        int plain = offset;
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            int escape = escape(bytes[i]);
            if (escape != 0) {
                text.append(bytes, plain, i - plain);
                text.append('\\');
                text.append(escape);
                plain = i + 1;
            }
        }
        text.append(bytes, plain, end - plain);
        text.append('"');
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
    protected void label(byte[] bytes, int offset, int length) {
        append("_:");
        text.appendLabel(bytes, offset, length);
    }

    @Override
    public void startTriple() {
        append(" <<");
    }

    @Override
    public void endTriple() {
        append(" >>");
    }

    void defaultGraph() {
        append(" DEFAULT");
    }
}
