package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * Writes the parts of a term as canonical RDF 1.2 N-Triples, so that equal terms are equal bytes. This class defines which
 * characters are escaped, and how.
 *
 * <ul>
 * <li>Lexical forms: {@code \b \t \n \f \r \" \\}; the other characters below U+0020, U+007F, U+FFFE and U+FFFF as {@code
 * \}{@code uXXXX} in upper-case hexadecimal; all else raw.
 * <li>IRIs: the characters that {@code IRIREF} forbids (up to U+0020 and {@code < > " { } | ^ ` \}) as {@code \}{@code uXXXX};
 * all else raw.
 * <li>Blank node labels inside a triple term, where a space would end them: characters up to U+0020 and the backslash as {@code
 * \}{@code uXXXX}. Elsewhere a label is written byte for byte.
 * </ul>
 *
 * <p>IRIs and labels have two methods each: {@code xLength} computes the escaped length, and {@code putX} writes into room of
 * that length. In most cases {@code xLength} finds nothing to escape, and {@code putX} is a plain copy. Lexical forms are often
 * escaped and can be long, so a {@link CanonicalBuffer} writes them in one pass. The input must be valid UTF-8, which the
 * caller checks.
 */
public final class CanonicalTerms {

    /** The datatype that canonical text leaves out. */
    private static final byte[] XSD_STRING = "<http://www.w3.org/2001/XMLSchema#string>".getBytes(US_ASCII);
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(US_ASCII);

    /** The number of bytes that {@code \}{@code u000A} adds to the length of the character. */
    private static final byte LONG_ESCAPE = 5;
    /** The largest number of bytes that a byte of a lexical form becomes. */
    static final int MAX_ESCAPED = 6;
    /** The number of bytes that {@link #putEscapedString} may write beyond its result. */
    static final int SCRAP = Long.BYTES;

    /**
     * An entry of the escape tables. 0 means raw, {@code HEXADECIMAL} means {@code \}{@code u000A}, and {@code
     * MAYBE_NON_CHARACTER} means raw or {@code \}{@code uFFFE}, which the next bytes decide. Any other entry is the letter
     * after a backslash.
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

    /** Checks whether {@code datatype}, a canonical IRI term, is {@code xsd:string}. */
    public static boolean isXsdString(byte[] datatype) {
        return Arrays.equals(datatype, XSD_STRING);
    }

    /** Checks whether a bare, unescaped IRI is {@code xsd:string}. */
    public static boolean isXsdString(byte[] iri, int offset, int length) {
        return Arrays.equals(iri, offset, offset + length, XSD_STRING, 1, XSD_STRING.length - 1);
    }

    /**
     * Writes a lexical form, escaped and without quotes. A part of one is allowed if it ends at the end of a character. Text
     * between escapes is copied by words. The target needs room for {@link #MAX_ESCAPED} bytes for each byte of the source, and
     * for {@link #SCRAP} more.
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

    /** Returns the letter after a backslash for an ASCII character of a lexical form, or 0. */
    static byte escapeLetter(int character) {
        byte escape = STRING_ESCAPES[character];
        return escape > MAYBE_NON_CHARACTER ? escape : 0;
    }

    /** Returns the length of an IRI after escaping, without angle brackets. */
    public static int iriLength(byte[] bytes, int offset, int length) {
        return EscapeScan.isPlainIri(bytes, offset, length) ? length : escapedIriLength(bytes, offset, length);
    }

    /** Returns the length of an IRI after escaping. {@link EscapeScan} has found that it is not plain. */
    static int escapedIriLength(byte[] bytes, int offset, int length) {
        return escapedLength(bytes, offset, length, IRI_ESCAPES);
    }

    /** Returns the index of the first byte that would be escaped, and so is invalid in an IRI; or {@code end}. */
    static int firstEscapedInIri(byte[] bytes, int offset, int end) {
        int i = offset;
        while (i < end && IRI_ESCAPES[bytes[i] & 0xFF] == 0) {
            i++;
        }
        return i;
    }

    /**
     * Writes an IRI without angle brackets.
     *
     * @param escaped the result of {@link #iriLength}
     * @return the position after it
     */
    public static int putIri(byte[] bytes, int offset, int length, int escaped, byte[] target, int at) {
        return putEscaped(bytes, offset, length, escaped, IRI_ESCAPES, target, at);
    }

    /** Returns the length of a label after escaping for a triple term, without {@code _:}. */
    static int labelLength(byte[] bytes, int offset, int length) {
        return escapedLength(bytes, offset, length, LABEL_ESCAPES);
    }

    /** Writes a label without {@code _:} for a triple term, as {@link #putIri} does. */
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

    /** Writes a language tag in lower case, which keeps its length. Returns the position after it. */
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
