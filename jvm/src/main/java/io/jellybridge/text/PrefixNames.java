package io.jellybridge.text;

/** The characters of a prefix in RDF Patch, as loosely as Jelly-Patch has them: none that would end one in Turtle. */
final class PrefixNames {
    static final String ADVICE = "give it without a colon, as Turtle's PN_PREFIX has it";

    private PrefixNames() {
    }

    /** The first byte that no prefix has; -1 when there is none. */
    static int firstFault(byte[] name) {
        for (int i = 0; i < name.length; i++) {
            byte b = name[i];
            if (b >= 0 && b <= ' ' || b == ':' || b == 0x7F || b == '<' || b == '>' || b == '"') {
                return i;
            }
        }
        return -1;
    }

    static String describeFault(byte[] name, int fault) {
        byte b = name[fault];
        return "a prefix with the character "
                + (b > ' ' && b < 0x7F ? "'" + (char) b + "'" : String.format("U+%04X", b));
    }
}
