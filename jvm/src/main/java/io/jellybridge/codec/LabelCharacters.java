package io.jellybridge.codec;

/** The characters of a blank node's label in N-Triples and N-Quads 1.2: {@code PN_CHARS_U} and {@code PN_CHARS}. */
final class LabelCharacters {

    private LabelCharacters() {
    }

    /** Whether a label may start with the character. */
    static boolean isFirst(int c) {
        return isBase(c) || c == '_' || c >= '0' && c <= '9';
    }

    /** Whether the character may stand in a label; a dot may too, but not as the last. */
    static boolean isInner(int c) {
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
