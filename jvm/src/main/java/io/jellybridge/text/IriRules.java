package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/** What the text formats ask of IRIs beyond their characters. IRIs come bare and unescaped. */
final class IriRules {
    private static final byte[] LANG_STRING =
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString".getBytes(US_ASCII);
    private static final byte[] DIR_LANG_STRING =
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString".getBytes(US_ASCII);

    private IriRules() {
    }

    /** Whether the IRI is absolute: it starts with a scheme and a colon. */
    static boolean hasScheme(byte[] iri, int offset, int length) {
        for (int i = 0; i < length; i++) {
            byte b = iri[offset + i];
            boolean letter = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
            if (letter || i > 0 && (b >= '0' && b <= '9' || b == '+' || b == '-' || b == '.')) {
                continue;
            }
            return b == ':' && i > 0;
        }
        return false;
    }

    /** Whether the IRI is the datatype of language-tagged strings, with a base direction or without. */
    static boolean isLanguageDatatype(byte[] iri, int offset, int length) {
        return equal(LANG_STRING, iri, offset, length) || equal(DIR_LANG_STRING, iri, offset, length);
    }

    /** Whether a range is {@code expected}. */
    static boolean equal(byte[] expected, byte[] bytes, int offset, int length) {
        return Arrays.equals(expected, 0, expected.length, bytes, offset, offset + length);
    }
}
