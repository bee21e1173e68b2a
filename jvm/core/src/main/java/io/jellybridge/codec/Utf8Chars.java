package io.jellybridge.codec;

import java.nio.charset.StandardCharsets;

/** Characters in bytes that are known to be UTF-8, without making Strings of them. */
final class Utf8Chars {

    private static final int EXCERPT_BYTES = 80;

    private Utf8Chars() {
    }

    /** The bytes of the character that starts with {@code lead}. */
    static int length(byte lead) {
        if (lead >= 0) {
            return 1;
        }
        int unsigned = lead & 0xFF;
        return unsigned < 0xE0 ? 2 : unsigned < 0xF0 ? 3 : 4;
    }

    /** The code point of the character at {@code at}. */
    static int codePoint(byte[] bytes, int at) {
        switch (length(bytes[at])) {
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

    /** Whether the character at {@code at}, whose first byte is 0xEF, is U+FFFE or U+FFFF. */
    static boolean isNonCharacter(byte[] bytes, int at) {
        return bytes[at + 1] == (byte) 0xBF && (bytes[at + 2] & 0xFE) == 0xBE;
    }

    /** The range as text for a message, cut after a few dozen characters; what is not UTF-8 shows as U+FFFD. */
    static String excerpt(byte[] bytes, int from, int to) {
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
