package io.jellybridge.codec;

import java.nio.charset.StandardCharsets;

/** Reads characters from valid UTF-8 bytes, without creating Strings. */
final class Utf8Chars {

    private static final int EXCERPT_BYTES = 80;

    private Utf8Chars() {
    }

    /** Returns the number of bytes of the character that starts with {@code lead}. */
    static int lengthOf(byte lead) {
        if (lead >= 0) {
            return 1;
        }
        int unsigned = lead & 0xFF;
        return unsigned < 0xE0 ? 2 : unsigned < 0xF0 ? 3 : 4;
    }

    /** Returns the code point of the character at {@code at}. */
    static int codePoint(byte[] bytes, int at) {
        switch (lengthOf(bytes[at])) {
            case 1:
                return bytes[at];
            case 2:
                return (bytes[at] & 0x1F) << 6 | bytes[at + 1] & 0x3F;
            case 3:
                return (bytes[at] & 0x0F) << 12 | (bytes[at + 1] & 0x3F) << 6 | bytes[at + 2] & 0x3F;
            default:
                return (bytes[at] & 0x07) << 18 | (bytes[at + 1] & 0x3F) << 12
                        | (bytes[at + 2] & 0x3F) << 6 | bytes[at + 3] & 0x3F;
        }
    }

    /** Checks whether the character at {@code at}, whose first byte is 0xEF, is U+FFFE or U+FFFF. */
    static boolean isNonCharacter(byte[] bytes, int at) {
        return bytes[at + 1] == (byte) 0xBF && (bytes[at + 2] & 0xFE) == 0xBE;
    }

    /** Returns the range as text for a message, cut after a few dozen characters. Invalid UTF-8 becomes U+FFFD. */
    static String excerptAt(byte[] bytes, int from, int to) {
        if (to - from <= EXCERPT_BYTES) {
            return new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }
        int cut = from + EXCERPT_BYTES;
        while (cut > from && (bytes[cut] & 0xC0) == 0x80) {
            cut--;
        }
        return new String(bytes, from, cut - from, StandardCharsets.UTF_8) + "...";
    }
}
