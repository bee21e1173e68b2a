package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * Writes the parts of a term as canonical RDF 1.2 N-Triples, so that equal terms are equal bytes. The one place that
 * knows what is escaped, and how.
 *
 * <ul>
 * <li>Lexical forms: {@code \b \t \n \f \r \" \\}; the other characters below U+0020, U+007F, U+FFFE and U+FFFF as
 *     {@code \}{@code uXXXX} in upper-case hexadecimal; all else raw.
 * <li>IRIs: the characters that {@code IRIREF} forbids (up to U+0020 and {@code < > " { } | ^ ` \}) as
 *     {@code \}{@code uXXXX}; all else raw.
 * <li>Blank node labels inside a triple term, where a space would end them: characters up to U+0020 and the backslash
 * as {@code \}{@code uXXXX}. Elsewhere a label is written byte for byte.
 * </ul>
 *
 * <p>IRIs and labels come as a pair: {@code xLength} measures, {@code putX} writes into room of that length. Measuring
 * finds in one pass that there is nothing to escape, which is the rule, and then writing is a plain copy. Lexical forms, of
 * which many are escaped, and those are long, go through a {@link CanonicalBuffer} in one pass. The input is valid UTF-8:
 * whoever calls has checked it.
 */
public final class CanonicalTerms {

    /** The datatype that canonical text leaves out. */
    private static final byte[] XSD_STRING = "<http://www.w3.org/2001/XMLSchema#string>".getBytes(US_ASCII);
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(US_ASCII);

    /** What {@code \}{@code u000A} adds to the length of the character. */
    private static final byte LONG_ESCAPE = 5;
    /** What any byte of a lexical form becomes at the most. */
    static final int MAX_ESCAPED = 6;
    /** So many bytes {@link #putEscapedString} may write behind what it is for. */
    static final int SCRAP = Long.BYTES;

    /**
     * What a byte of a lexical form is written as: {@code \}{@code u000A}, or, by what follows, itself or
     * {@code \}{@code uFFFE}; 0 is itself, all else a letter behind a backslash.
     */
    private static final byte HEXADECIMAL = 1;
    private static final byte MAYBE_NON_CHARACTER = 2;

    private static final byte[] STRING_ESCAPES = new byte[256];
    private static final byte[] IRI_ESCAPES = new byte[256];
    private static final byte[] LABEL_ESCAPES = new byte[256];

    static {
        Arrays.fill(STRING_ESCAPES, 0, 0x20, HEXADECIMAL);
        STRING_ESCAPES[0x7F] = HEXADECIMAL;
        STRING_ESCAPES['\b'] = 'b';
        STRING_ESCAPES['\t'] = 't';
        STRING_ESCAPES['\n'] = 'n';
        STRING_ESCAPES['\f'] = 'f';
        STRING_ESCAPES['\r'] = 'r';
        STRING_ESCAPES['"'] = '"';
        STRING_ESCAPES['\\'] = '\\';
        STRING_ESCAPES[0xEF] = MAYBE_NON_CHARACTER;
        Arrays.fill(IRI_ESCAPES, 0, 0x21, LONG_ESCAPE);
        for (char c : "<>\"{}|^`\\".toCharArray()) {
            IRI_ESCAPES[c] = LONG_ESCAPE;
        }
        Arrays.fill(LABEL_ESCAPES, 0, 0x21, LONG_ESCAPE);
        LABEL_ESCAPES['\\'] = LONG_ESCAPE;
    }

    private CanonicalTerms() {
    }

    /** Whether {@code datatype}, a canonical IRI term, is {@code xsd:string}. */
    public static boolean isXsdString(byte[] datatype) {
        return Arrays.equals(datatype, XSD_STRING);
    }

    /** Whether the IRI, bare and unescaped, is {@code xsd:string}. */
    public static boolean isXsdString(byte[] iri, int offset, int length) {
        return Arrays.equals(iri, offset, offset + length, XSD_STRING, 1, XSD_STRING.length - 1);
    }

    /**
     * Writes a lexical form, or a part of one that ends with a character, escaped and without quotes. What lies between two
     * escapes is copied by words, so the target has room for {@link #MAX_ESCAPED} bytes for each of the source's, and for
     * {@link #SCRAP} more.
     *
     * @return the position after it
     */
    static int putEscapedString(byte[] bytes, int offset, int end, byte[] target, int at) {
        int put = at;
        int i = offset;
        while (i < end) {
            int plain = EscapeScan.copyPlainInString(bytes, i, end, target, put);
            put += plain;
            i += plain;
            if (i == end) {
                return put;
            }
            byte b = bytes[i++];
            byte escape = STRING_ESCAPES[b & 0xFF];
            if (escape > MAYBE_NON_CHARACTER) {
                target[put++] = '\\';
                target[put++] = escape;
            } else if (escape == HEXADECIMAL) {
                put = putHex(b, target, put);
            } else if (escape == MAYBE_NON_CHARACTER && Utf8Chars.isNonCharacter(bytes, i - 1)) {
                put = putHex(0xFF00 | bytes[i + 1] & 0x3F | 0xC0, target, put);
                i += 2;
            } else {
                target[put++] = b;
            }
        }
        return put;
    }

    /** The letter that stands behind a backslash for an ASCII character of a lexical form; 0: there is none. */
    static byte escapeLetter(int character) {
        byte escape = STRING_ESCAPES[character];
        return escape > MAYBE_NON_CHARACTER ? escape : 0;
    }

    /** The length of an IRI once escaped; the angle brackets are not counted. */
    public static int iriLength(byte[] bytes, int offset, int length) {
        return EscapeScan.isPlainIri(bytes, offset, length) ? length : escapedIriLength(bytes, offset, length);
    }

    /** As {@link #iriLength}, of an IRI that {@link EscapeScan} found not to be plain. */
    static int escapedIriLength(byte[] bytes, int offset, int length) {
        return escapedLength(bytes, offset, length, IRI_ESCAPES);
    }

    /** The first byte of an IRI that is escaped, for no IRI may have it; {@code end} where there is none. */
    static int firstEscapedInIri(byte[] bytes, int offset, int end) {
        int i = offset;
        while (i < end && IRI_ESCAPES[bytes[i] & 0xFF] == 0) {
            i++;
        }
        return i;
    }

    /**
     * Writes an IRI without its angle brackets.
     *
     * @param escaped what {@link #iriLength} said
     * @return the position after it
     */
    public static int putIri(byte[] bytes, int offset, int length, int escaped, byte[] target, int at) {
        return putEscaped(bytes, offset, length, escaped, IRI_ESCAPES, target, at);
    }

    /** The length of a label once escaped for the inside of a triple term; {@code _:} is not counted. */
    static int labelLength(byte[] bytes, int offset, int length) {
        return escapedLength(bytes, offset, length, LABEL_ESCAPES);
    }

    /** Writes a label without {@code _:} for the inside of a triple term; as {@link #putIri}. */
    static int putLabel(byte[] bytes, int offset, int length, int escaped, byte[] target, int at) {
        return putEscaped(bytes, offset, length, escaped, LABEL_ESCAPES, target, at);
    }

    private static int escapedLength(byte[] bytes, int offset, int length, byte[] escapes) {
        long result = length;
        for (int i = offset, end = offset + length; i < end; i++) {
            result += escapes[bytes[i] & 0xFF];
        }
        return Math.toIntExact(result);
    }

    private static int putEscaped(
            byte[] bytes, int offset, int length, int escaped, byte[] escapes, byte[] target, int at) {
        if (escaped == length) {
            System.arraycopy(bytes, offset, target, at, length);
            return at + length;
        }
        int put = at;
        for (int i = offset, end = offset + length; i < end; i++) {
            byte b = bytes[i];
            if (escapes[b & 0xFF] == 0) {
                target[put++] = b;
            } else {
                put = putHex(b, target, put);
            }
        }
        return put;
    }

    /** Writes a language tag, in lower case; it is as long as it was. Returns the position after it. */
    public static int putLanguageTag(byte[] bytes, int offset, int length, byte[] target, int at) {
        for (int i = 0; i < length; i++) {
            byte b = bytes[offset + i];
            target[at + i] = b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b;
        }
        return at + length;
    }

    private static int putHex(int character, byte[] target, int at) {
        target[at] = '\\';
        target[at + 1] = 'u';
        target[at + 2] = HEX[character >> 12 & 0xF];
        target[at + 3] = HEX[character >> 8 & 0xF];
        target[at + 4] = HEX[character >> 4 & 0xF];
        target[at + 5] = HEX[character & 0xF];
        return at + 6;
    }
}
