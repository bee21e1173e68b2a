package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What RDF 1.2 allows of the parts of a term, wherever in an array they stand. */
class RdfTermsTest {
    private static final String LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString";
    private static final String DIR_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString";

    @FunctionalInterface
    private interface Check {
        RdfTerms.Fault of(byte[] bytes, int offset, int length);
    }

    /** The fault of a text that stands between others, which would change the answer; its place counts from the text's. */
    private static RdfTerms.Fault fault(Check check, String text) {
        byte[] bytes = utf8(text);
        RdfTerms.Fault fault = null;
        for (String around : new String[] {"a:-9", "<_: "}) {
            byte[] all = utf8(around + text + around);
            RdfTerms.Fault found = check.of(all, 4, bytes.length);
            fault = found == null ? null : new RdfTerms.Fault(found.at() - 4, found.found(), found.advice());
            assertEquals(fault, check.of(bytes, 0, bytes.length));
        }
        return fault;
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://e/a", "https://e/a", "http:", "https:", "httpx:", "httpsx:a", "htt:p", "urn:x", "a:", "Z:z", "a1+-.:",
        "z9:é", "HTTP://e", "http://e/:/?#[]@!$&'()*+,;=~%20"})
    void anAbsoluteIriIsRight(String iri) {
        assertNull(fault(RdfTerms::iriFault, iri));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", ":a", "a", "http", "https", "http//e:", "1a:", "+a:", "-a:", ".a:", "é:", "/a:", "a/b:c", "a_b:c", "[a:",
        "`a:", "@a:", "{a:"})
    void anIriWithoutASchemeIsRelative(String iri) {
        RdfTerms.Fault fault = fault(RdfTerms::iriFault, iri);
        assertEquals(0, fault.at());
        String escaped = iri.replace("`", "\\u0060").replace("{", "\\u007B");
        assertEquals("the IRI <" + escaped + "> without a scheme", fault.found());
        Check relative = (bytes, offset, length) -> RdfTerms.iriStartFault(bytes, offset, length, true);
        assertNull(fault(relative, iri));
    }

    @Test
    void anIriThatStartsAsABlankNodeIsTakenForOneEverywhere() {
        for (boolean relative : new boolean[] {true, false}) {
            Check check = (bytes, offset, length) -> RdfTerms.iriStartFault(bytes, offset, length, relative);
            for (String iri : new String[] {"_:", "_:b"}) {
                assertTrue(fault(check, iri).found().endsWith("which starts as a blank node"));
            }
            for (String iri : new String[] {"_", "_b:", "b_:"}) {
                RdfTerms.Fault fault = fault(check, iri);
                assertTrue(relative ? fault == null : fault.found().endsWith("without a scheme"), iri);
            }
        }
    }

    @Test
    void aCharacterThatNoIriHasIsNamedAtItsPlace() {
        for (char c = 0; c < 0x100; c++) {
            boolean wrong = c <= ' ' || "<>\"{}|^`\\".indexOf(c) >= 0;
            for (String before : new String[] {"urn:", "http://e/abcdefgh"}) {
                RdfTerms.Fault fault = fault(RdfTerms::iriFault, before + c + "z<");
                assertEquals(before.length() + (wrong ? 0 : c < 0x80 ? 2 : 3), fault.at());
                assertTrue(fault.found().contains(wrong ? "U+%04X,".formatted((int) c) : "U+003C,"), fault.found());
                assertTrue(fault.advice().contains(wrong ? "%%%02X".formatted((int) c) : "%3C"), fault.advice());
                assertNull(RdfTerms.characterFault(utf8(before), 0, before.length()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"en", "a", "EN", "abcdefgh", "en-gb", "en-1", "en-12345678", "zh-Hans-a1-9z", "ar--rtl", "ar-x--ltr"})
    void aWellFormedLanguageTagIsRight(String tag) {
        assertNull(fault(RdfTerms::languageTagFault, tag));
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "'-', 0", "'-en', 0", "1, 0", "e1, 1", "abcdefghi, 0", "en-, 3", "en-123456789, 3", "en-abcdefghi-x, 3", "en_US, 2",
        "en us, 2", "é, 0", "en-é, 3", "en--, 2", "en---, 2", "en--RTL, 2", "en--rt, 2", "en--rtlx, 2", "en--ltl, 2", "en--rtr, 2",
        "en--axl, 2", "en--lxr, 2", "en-gb--x, 5", "en--rtl-, 2", "@, 0", "[, 0", "`, 0", "{, 0", "e/, 1", "e:, 1"})
    void aLanguageTagThatIsNotIsSaidToBeWrongAtItsPlace(String tag, int at) {
        RdfTerms.Fault fault = fault(RdfTerms::languageTagFault, tag);
        assertNotNull(fault);
        assertEquals(at, fault.at(), fault.found());
        assertTrue(fault.found().contains("'" + tag + "'"), fault.found());
        assertEquals(tag.contains("_"), fault.advice().equals("write '-' for '_'"), fault.advice());
    }

    @Test
    void oldTagsAreMendedInACopy() {
        byte[] tag = utf8("__en_US_x_");
        assertArrayEquals(utf8("en-US-x"), RdfTerms.mendedTag(tag, 2, 7));
        assertArrayEquals(utf8("__en_US_x_"), tag);
        for (int b = Byte.MIN_VALUE; b <= Byte.MAX_VALUE; b++) {
            boolean taken = b > 0 && (Character.isLetterOrDigit(b) || b == '-' || b == '_');
            assertEquals(taken, RdfTerms.isReadInTag((byte) b), "byte " + b);
        }
    }

    @Test
    void theDatatypesOfLanguageTaggedStringsAreForThoseAlone() {
        for (String datatype : new String[] {LANG_STRING, DIR_LANG_STRING}) {
            RdfTerms.Fault fault = fault(RdfTerms::datatypeFault, datatype);
            assertEquals(0, fault.at());
            assertNull(fault(RdfTerms::datatypeFault, datatype + "x"));
            assertNull(fault(RdfTerms::datatypeFault, datatype.substring(1)));
            assertNull(fault(RdfTerms::datatypeFault, "x" + datatype.substring(1)));
            assertNull(fault(TermRules.ANY::datatypeFault, datatype));
            assertNotNull(fault(TermRules.RDF::datatypeFault, datatype));
            assertNotNull(fault(TermRules.RELATIVE_IRIS::datatypeFault, datatype));
        }
        assertNotNull(fault(TermRules.RDF::datatypeFault, "int"));
    }

    @Test
    void whichTermsAreTakenIsForTheRulesToSay() {
        for (TermRules rules : TermRules.values()) {
            boolean any = rules == TermRules.ANY;
            assertEquals(rules == TermRules.RDF, fault(rules::iriFault, "relative") != null);
            assertEquals(rules == TermRules.RDF, fault(rules::iriStartFault, "relative") != null);
            assertEquals(any, fault(rules::iriFault, "_:b") == null);
            assertEquals(any, fault(rules::iriFault, "urn:a b") == null);
            assertNull(fault(rules::iriStartFault, "urn:a b"), "its characters are for others to look at");
            assertEquals(any, fault(rules::languageTagFault, "en_US") == null);
            assertNull(fault(rules::languageTagFault, "en"));
            assertNull(fault(rules::datatypeFault, "urn:int"));
        }
    }

    @ParameterizedTest
    @CsvSource({"00, U+0000", "09, U+0009", "20, U+0020", "3a, :", "22, \"", "3c, <", "3e, >", "7f, U+007F"})
    void aCharacterThatEndsAPrefixIsNamed(String hex, String character) {
        RdfTerms.Fault fault = RdfTerms.prefixFault(HexFormat.of().parseHex("6578" + hex + "61"));
        assertEquals(2, fault.at());
        assertEquals("a prefix with the character " + (character.length() == 1 ? "'" + character + "'" : character), fault.found());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ex", "a-b.c_d", "!", "~", "é", "日本"})
    void whatTurtleCouldWriteIsAPrefix(String name) {
        assertNull(RdfTerms.prefixFault(utf8(name)));
    }
}
