package io.jellybridge.codec;

/** Checks the characters of a prefix, in all formats (P-86, R-82): it has none that would end a prefix in Turtle. */
public final class PrefixNames {
    /** The advice for an invalid prefix. */
    public static final String ADVICE = "give it without a colon, as Turtle's PN_PREFIX has it";

    private PrefixNames() {
    }

    /** Returns the index of the first byte that a prefix must not have, or -1. */
    public static int firstFault(byte[] name) {
        for (int i = 0; i < name.length; i++) {
            byte b = name[i];
            if (b >= 0 && b <= ' ' || b == ':' || b == 0x7F || b == '<' || b == '>' || b == '"') {
                return i;
            }
        }
        return -1;
    }

    /** Returns a clause without a full stop that says what was found at {@code fault}. */
    public static String describeFault(byte[] name, int fault) {
        byte b = name[fault];
        return "a prefix with the character "
                + (b > ' ' && b < 0x7F ? "'" + (char) b + "'" : String.format("U+%04X", b));
    }
}
