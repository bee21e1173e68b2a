package io.jellybridge.codec;

/** The characters of a prefix, in all formats (P-86, R-82): none that would end one in Turtle. */
public final class PrefixNames {
    /** What to do about a fault. */
    public static final String ADVICE = "give it without a colon, as Turtle's PN_PREFIX has it";

    private PrefixNames() {
    }

    /** The first byte that no prefix has; -1 when there is none. */
    public static int firstFault(byte[] name) {
        for (int i = 0; i < name.length; i++) {
            byte b = name[i];
            if (b >= 0 && b <= ' ' || b == ':' || b == 0x7F || b == '<' || b == '>' || b == '"') {
                return i;
            }
        }
        return -1;
    }

    /** What was found at {@code fault}, a clause without a full stop. */
    public static String describeFault(byte[] name, int fault) {
        byte b = name[fault];
        return "a prefix with the character "
                + (b > ' ' && b < 0x7F ? "'" + (char) b + "'" : String.format("U+%04X", b));
    }
}
