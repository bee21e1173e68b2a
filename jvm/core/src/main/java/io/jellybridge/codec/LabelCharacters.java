package io.jellybridge.codec;

/** The characters of a blank node's label in N-Triples and N-Quads 1.2: {@code PN_CHARS_U} and {@code PN_CHARS}. */
public final class LabelCharacters {

    private LabelCharacters() {
    }

    /**
     * Checks that a text is a label of N-Triples, without {@code _:}.
     *
     * @param text in UTF-8
     * @throws IllegalArgumentException it is no label
     */
    public static void check(byte[] text) {
        if (!isLabel(text)) {
            throw new IllegalArgumentException("\"" + Utf8Chars.excerptAt(text, 0, text.length)
                    + "\" as the label of a blank node; write letters, digits, '_', '-' and inner dots only, such as b0");
        }
    }

    /** Returns whether a UTF-8 text is a label of N-Triples, without {@code _:}. */
    static boolean isLabel(byte[] text) {
        return text.length > 0 && labelEnd(text, 0, text.length) == text.length;
    }

    /** Returns whether a byte may occur in a label. All bytes that are not ASCII may. */
    static boolean mayBeOf(byte b) {
        return b < 0 || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-'
                || b == '.';
    }

    /** Returns the end of the longest label that begins at {@code start}; {@code start} if there is none. */
    static int labelEnd(byte[] text, int start, int end) {
        int at = start;
        int last = start;
        while (at < end) {
            int character = Utf8Chars.codePoint(text, at);
            boolean legal = at == start ? isFirst(character) : character == '.' || isInner(character);
            if (!legal) {
                break;
            }
            at += Utf8Chars.lengthOf(text[at]);
            // A dot can't end a label: it ends the statement.
            if (character != '.') {
                last = at;
            }
        }
        return last;
    }

    /** Checks whether a label may start with the character. */
    private static boolean isFirst(int c) {
        return isBase(c) || c == '_' || c >= '0' && c <= '9';
    }

    /** Checks whether a label may contain the character. A dot is allowed too, except at the end. */
    private static boolean isInner(int c) {
        return isFirst(c) || c == '-' || c == 0xB7 || c >= 0x300 && c <= 0x36F || c == 0x203F || c == 0x2040;
    }

    private static boolean isBase(int c) {
        if (c < 0x80) {
            return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
        }
        return c >= 0xC0 && c <= 0x2FF && c != 0xD7 && c != 0xF7
                || c >= 0x370 && c <= 0x1FFF && c != 0x37E
                || c == 0x200C || c == 0x200D
                || c >= 0x2070 && c <= 0x218F
                || c >= 0x2C00 && c <= 0x2FEF
                || c >= 0x3001 && c <= 0xD7FF
                || c >= 0xF900 && c <= 0xFDCF
                || c >= 0xFDF0 && c <= 0xFFFD
                || c >= 0x10000 && c <= 0xEFFFF;
    }
}
