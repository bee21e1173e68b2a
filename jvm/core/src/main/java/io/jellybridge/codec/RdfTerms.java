package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * Checks the parts of a term, and prefixes, by the rules of RDF 1.2. All code that writes terms, adds them to a dataset or reads them
 * strictly uses these checks, and decides itself which term a position allows. Parts are bare, without escapes, in UTF-8.
 */
public final class RdfTerms {
    private static final byte[] LANG_STRING =
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString".getBytes(US_ASCII);
    private static final byte[] DIR_LANG_STRING =
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString".getBytes(US_ASCII);
    private static final int MAX_SUBTAG = 8;
    private static final String TAG_ADVICE =
            "write subtags of at most 8 letters or digits with '-' between them, such as en-gb or ar--rtl";

    private RdfTerms() {
    }

    /**
     * A fault in a part of a term.
     *
     * @param at     the position of the invalid byte, an index of the array
     * @param found  a clause without a full stop that says what was found
     * @param advice a clause without a full stop that says what to do
     */
    public record Fault(int at, String found, String advice) {
    }

    // --- IRIs

    /** Finds the fault of an IRI: it is relative, or has a character that IRIs must not have. Returns null if it is valid. */
    public static Fault iriFault(byte[] iri, int offset, int length) {
        Fault fault = iriStartFault(iri, offset, length, false);
        return fault == null ? characterFault(iri, offset, length) : fault;
    }

    /**
     * Finds a fault at the start of an IRI whose characters are valid. Returns null if there is none.
     *
     * @param relative true if it may be relative; it must never start like a blank node, since readers would take it for one
     */
    public static Fault iriStartFault(byte[] iri, int offset, int length, boolean relative) {
        if (hasScheme(iri, offset, length)) {
            return null;
        }
        boolean blank = startsAsBlankNode(iri, offset, length);
        if (relative && !blank) {
            return null;
        }
        String name = nameOf(iri, offset, length);
        return blank
                ? new Fault(offset, name + ", which starts as a blank node", "write blank nodes as _:label")
                : new Fault(offset, name + " without a scheme", "write absolute IRIs, such as <http://example.org/a>");
    }

    /** Finds the fault of the datatype of a literal without a language tag. Returns null if it is valid. */
    public static Fault datatypeFault(byte[] iri, int offset, int length) {
        return isLanguageDatatype(iri, offset, length)
                ? new Fault(offset, "a literal with the datatype of language-tagged strings and no language tag",
                        "give it a language tag, as in \"text\"@en, or another datatype")
                : null;
    }

    /** Finds an invalid character of an IRI, whatever its start. Returns null if there is none. */
    public static Fault characterFault(byte[] iri, int offset, int length) {
        if (EscapeScan.isPlainIri(iri, offset, length)) {
            return null;
        }
        int end = offset + length;
        int at = CanonicalTerms.firstEscapedInIri(iri, offset, end);
        return at == end ? null : new Fault(at,
                nameOf(iri, offset, length) + " with U+%04X, a character that no IRI has".formatted(iri[at]),
                "percent-encode it, as %%%02X".formatted(iri[at]));
    }

    private static String nameOf(byte[] iri, int offset, int length) {
        CanonicalBuffer escaped = new CanonicalBuffer();
        escaped.appendIri(iri, offset, length);
        return "the IRI <" + Utf8Chars.excerptAt(escaped.array(), 0, escaped.size()) + ">";
    }

    /** Checks whether the IRI is absolute: it starts with a scheme and a colon. */
    private static boolean hasScheme(byte[] iri, int offset, int length) {
        if (length > 5 && iri[offset] == 'h' && iri[offset + 1] == 't' && iri[offset + 2] == 't' && iri[offset + 3] == 'p'
                && (iri[offset + 4] == ':' || iri[offset + 4] == 's' && iri[offset + 5] == ':')) {
            return true; // nearly all IRIs; the loop takes several times as long
        }
        for (int i = 0; i < length; i++) {
            byte b = iri[offset + i];
            if (isLetter(b) || i > 0 && (isDigit(b) || b == '+' || b == '-' || b == '.')) {
                continue;
            }
            return b == ':' && i > 0;
        }
        return false;
    }

    /** Checks whether text that accepts {@code <_:label>} would take the IRI for a blank node. */
    public static boolean startsAsBlankNode(byte[] iri, int offset, int length) {
        return length >= 2 && iri[offset] == '_' && iri[offset + 1] == ':';
    }

    private static boolean isLanguageDatatype(byte[] iri, int offset, int length) {
        return (length == LANG_STRING.length || length == DIR_LANG_STRING.length)
                && (isSame(LANG_STRING, iri, offset, length) || isSame(DIR_LANG_STRING, iri, offset, length));
    }

    static boolean isSame(byte[] expected, byte[] bytes, int offset, int length) {
        return Arrays.equals(expected, 0, expected.length, bytes, offset, offset + length);
    }

    // --- prefixes

    /** Finds the fault of a prefix (P-86, R-82): a character that would end a prefix in Turtle. Returns null if it is valid. */
    public static Fault prefixFault(byte[] name) {
        for (int i = 0; i < name.length; i++) {
            byte b = name[i];
            if (b >= 0 && b <= ' ' || b == ':' || b == 0x7F || b == '<' || b == '>' || b == '"') {
                return new Fault(i, "a prefix with the character " + (b > ' ' && b < 0x7F ? "'" + (char) b + "'" : "U+%04X".formatted(b)),
                        "give it without a colon, as Turtle's PN_PREFIX has it");
            }
        }
        return null;
    }

    // --- language tags

    /** Finds the fault of a language tag, which may end with a base direction. Returns null if it is valid. */
    public static Fault languageTagFault(byte[] tag, int offset, int length) {
        int end = offset + length;
        int at = firstTagFault(tag, offset, end);
        if (at < 0) {
            return null;
        }
        boolean underscore = at < end && tag[at] == '_';
        return new Fault(at, "the language tag '" + Utf8Chars.excerptAt(tag, offset, end) + "', which is not well-formed",
                underscore ? "write '-' for '_'" : TAG_ADVICE);
    }

    /** Returns a copy of a language tag with {@code -} for {@code _}, which old data has between the subtags. */
    public static byte[] mendedTag(byte[] tag, int offset, int length) {
        byte[] mended = Arrays.copyOfRange(tag, offset, offset + length);
        mendTag(mended, 0, length);
        return mended;
    }

    /** Replaces {@code _} by {@code -} in a language tag, in place. */
    static void mendTag(byte[] tag, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            tag[i] = tag[i] == '_' ? (byte) '-' : tag[i];
        }
    }

    /**
     * Returns the index of the first fault in a language tag, or -1. In RDF 1.2, subtags have 1 to 8 letters or digits, and the
     * first only letters. The base direction {@code --ltr} or {@code --rtl}, in lower case, may follow.
     */
    private static int firstTagFault(byte[] tag, int offset, int end) {
        int subtag = offset;
        while (true) {
            int stop = subtag;
            while (stop < end && (isLetter(tag[stop]) || isDigit(tag[stop]) && subtag > offset)) {
                stop++;
            }
            if (stop < end && tag[stop] != '-') {
                return stop;
            }
            if (stop == subtag || stop - subtag > MAX_SUBTAG) {
                return subtag;
            }
            if (stop == end) {
                return -1;
            }
            if (stop + 1 < end && tag[stop + 1] == '-') {
                return isDirection(tag, stop + 2, end) ? -1 : stop;
            }
            subtag = stop + 1;
        }
    }

    private static boolean isDirection(byte[] tag, int start, int end) {
        return end - start == 3 && tag[start + 1] == 't'
                && (tag[start] == 'l' && tag[start + 2] == 'r' || tag[start] == 'r' && tag[start + 2] == 'l');
    }

    /**
     * Checks whether readers accept the character in a language tag. They accept more than RDF 1.2, since real data has tags
     * such as {@code en_US}.
     */
    static boolean isReadInTag(byte b) {
        return isLetter(b) || isDigit(b) || b == '-' || b == '_';
    }

    private static boolean isLetter(byte b) {
        return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
