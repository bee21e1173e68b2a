package io.jellybridge.text;

/** The shape of a language tag in RDF 1.2: subtags of 1 to 8 letters or digits, then perhaps a base direction. */
final class LanguageTagGrammar {

    private static final int MAX_SUBTAG = 8;

    private LanguageTagGrammar() {
    }

    /**
     * Where a tag, made of letters, digits, {@code -} and {@code _}, is wrong; -1 when it is right. The first subtag
     * has letters only, and the base direction is {@code --ltr} or {@code --rtl} in lower case.
     */
    static int firstFault(byte[] text, int start, int end) {
        int subtag = start;
        while (true) {
            int stop = subtag;
            while (stop < end && text[stop] != '-') {
                boolean digit = text[stop] >= '0' && text[stop] <= '9';
                if (text[stop] == '_' || digit && subtag == start) {
                    return stop;
                }
                stop++;
            }
            if (stop == subtag || stop - subtag > MAX_SUBTAG) {
                return subtag;
            }
            if (stop == end) {
                return -1;
            }
            if (stop + 1 < end && text[stop + 1] == '-') {
                return isDirection(text, stop + 2, end) ? -1 : stop;
            }
            subtag = stop + 1;
        }
    }

    private static boolean isDirection(byte[] text, int start, int end) {
        if (end - start != 3) {
            return false;
        }
        byte first = text[start];
        byte second = text[start + 1];
        byte third = text[start + 2];
        return first == 'l' && second == 't' && third == 'r' || first == 'r' && second == 't' && third == 'l';
    }
}
