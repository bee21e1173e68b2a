package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The numbers that Turtle writes without quotes. */
enum NumberGrammar {
    INTEGER("http://www.w3.org/2001/XMLSchema#integer"),
    DECIMAL("http://www.w3.org/2001/XMLSchema#decimal"),
    DOUBLE("http://www.w3.org/2001/XMLSchema#double");

    private final byte[] datatype;

    NumberGrammar(String datatype) {
        this.datatype = datatype.getBytes(US_ASCII);
    }

    /** Returns the IRI of the datatype. */
    byte[] datatype() {
        return datatype;
    }

    /** Returns the kind of number that the text is, or null. */
    static NumberGrammar of(byte[] text, int start, int end) {
        int at = start < end && (text[start] == '+' || text[start] == '-') ? start + 1 : start;
        int whole = countDigits(text, at, end);
        int digits = whole - at;
        at = whole;
        NumberGrammar kind = INTEGER;
        int fraction = 0;
        if (at < end && text[at] == '.') {
            int stop = countDigits(text, at + 1, end);
            fraction = stop - at - 1;
            at = stop;
            kind = DECIMAL;
        }
        if (digits + fraction == 0) {
            return null;
        }
        if (at < end && (text[at] == 'e' || text[at] == 'E')) {
            at++;
            at += at < end && (text[at] == '+' || text[at] == '-') ? 1 : 0;
            int stop = countDigits(text, at, end);
            return stop > at && stop == end ? DOUBLE : null;
        }
        // "1." has no digits after its point. In Turtle, that point ends the row.
        return at == end && (kind == INTEGER || fraction > 0) ? kind : null;
    }

    private static int countDigits(byte[] text, int start, int end) {
        int at = start;
        while (at < end && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at;
    }
}
