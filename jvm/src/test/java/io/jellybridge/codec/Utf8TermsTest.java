package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Terms as canonical text, made and taken apart. */
class Utf8TermsTest {
    private static final String XSD = "http://www.w3.org/2001/XMLSchema#";

    private final Utf8Terms terms = new Utf8Terms();

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    private byte[] iri(String iri) {
        return terms.iri(new byte[0], utf8(iri));
    }

    private byte[] blankNode(String label) {
        return terms.blankNode(utf8(label), 0, utf8(label).length);
    }

    private byte[] literal(String lexical) {
        return terms.literal(utf8(lexical), 0, utf8(lexical).length);
    }

    private byte[] langLiteral(String lexical, String tag) {
        byte[] both = utf8(lexical + tag);
        int length = utf8(lexical).length;
        return terms.langLiteral(both, 0, length, length, both.length - length);
    }

    private byte[] typedLiteral(String lexical, String datatype) {
        return terms.typedLiteral(utf8(lexical), 0, utf8(lexical).length, iri(datatype));
    }

    /** What {@code visit} shows, as a line: each part between brackets, unescaped. */
    private String shown(String term) {
        Shown shown = new Shown();
        terms.visit(utf8(term), shown);
        return shown.line.toString();
    }

    private static class Shown implements TermVisitor {
        final StringBuilder line = new StringBuilder();

        private Shown add(String kind, byte[] bytes, int offset, int length) {
            line.append(kind).append('[').append(new String(bytes, offset, length, UTF_8)).append(']');
            return this;
        }

        @Override
        public void iri(byte[] bytes, int offset, int length) {
            add("iri", bytes, offset, length);
        }

        @Override
        public void blankNode(byte[] bytes, int offset, int length) {
            add("blank", bytes, offset, length);
        }

        @Override
        public void literal(byte[] bytes, int offset, int length) {
            add("lit", bytes, offset, length);
        }

        @Override
        public void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength) {
            add("lit", bytes, offset, length).add("@", lang, langOffset, langLength);
        }

        @Override
        public void typedLiteral(byte[] bytes, int offset, int length, byte[] datatype, int dtOffset, int dtLength) {
            add("lit", bytes, offset, length).add("^", datatype, dtOffset, dtLength);
        }

        @Override
        public void startTriple() {
            line.append("(");
        }

        @Override
        public void endTriple() {
            line.append(")");
        }
    }

    @Test
    void everyKindOfTermHasItsCanonicalForm() {
        assertEquals("<http://e/a>", text(terms.iri(utf8("http://e/"), utf8("a"))));
        assertEquals("_:b1", text(blankNode("b1")));
        assertEquals("\"x\"", text(literal("x")));
        assertEquals("\"x\"@en-gb", text(langLiteral("x", "en-GB")));
        assertEquals("\"x\"@ar--rtl", text(langLiteral("x", "AR--rtl")));
        assertEquals("\"1\"^^<" + XSD + "integer>", text(typedLiteral("1", XSD + "integer")));
        assertEquals("<<( _:s <http://e/p> \"o\" )>>",
                text(terms.tripleTerm(blankNode("s"), iri("http://e/p"), literal("o"))));
        assertNull(terms.defaultGraph());
    }

    @Test
    void emptyPartsAreKept() {
        assertEquals("<>", text(terms.iri(new byte[0], new byte[0])));
        assertEquals("_:", text(blankNode("")));
        assertEquals("\"\"", text(literal("")));
        assertEquals("iri[]", shown("<>"));
        assertEquals("blank[]", shown("_:"));
        assertEquals("lit[]", shown("\"\""));
        assertEquals("(blank[]iri[]lit[])", shown("<<( _: <> \"\" )>>"));
    }

    @Test
    void xsdStringIsNeverWritten() {
        assertEquals("\"x\"", text(typedLiteral("x", XSD + "string")));
    }

    @ParameterizedTest
    @CsvSource({"8,\\b", "9,\\t", "10,\\n", "12,\\f", "13,\\r", "34,\\\"", "92,\\\\"})
    void shortEscapesAreUsedInLiterals(int character, String escape) {
        assertEquals("\"a" + escape + "z\"", text(literal("a" + (char) character + "z")));
    }

    @Test
    void otherControlsAndNonCharactersAreEscapedInLiterals() {
        for (int c = 0; c <= 0xFFFF; c++) {
            boolean control = c < 0x20 && "\b\t\n\f\r".indexOf(c) < 0;
            if (control || c == 0x7F || c == 0xFFFE || c == 0xFFFF) {
                assertEquals(String.format("\"a\\u%04Xz\"", c), text(literal("a" + (char) c + "z")));
            }
        }
    }

    @Test
    void everyOtherCharacterIsRawInLiterals() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            boolean escaped = c < 0x20 || c == '"' || c == '\\' || c == 0x7F || c == 0xFFFE || c == 0xFFFF;
            boolean surrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
            if (!escaped && !surrogate) {
                byte[] raw = utf8('"' + Character.toString(c) + '"');
                assertArrayEquals(raw, terms.literal(raw, 1, raw.length - 2), "U+" + Integer.toHexString(c));
            }
        }
    }

    @Test
    void charactersThatAnIriMayNotHoldAreEscapedThereAndNoOthers() {
        for (int c = 0; c <= 0xFFFF; c++) {
            if (!Character.isSurrogate((char) c)) {
                boolean forbidden = c <= ' ' || "<>\"{}|^`\\".indexOf(c) >= 0;
                String expected = forbidden ? String.format("\\u%04X", c) : Character.toString(c);
                assertEquals("<x:" + expected + ">", text(iri("x:" + (char) c)));
                assertEquals("iri[x:" + (char) c + "]", shown("<x:" + expected + ">"));
            }
        }
    }

    @Test
    void iriIsEscapedInPrefixAndNameAlike() {
        assertEquals("<a\\u0020b\\u003Ec>", text(terms.iri(utf8("a b"), utf8(">c"))));
    }

    @Test
    void blankNodeLabelIsRawUnlessInsideATripleTerm() {
        String label = "a b\\c\n\u0000)>>";
        byte[] node = blankNode(label);
        assertEquals("_:" + label, text(node));
        assertEquals("blank[" + label + "]", shown("_:" + label));
        String triple = text(terms.tripleTerm(node, iri("x:p"), node));
        String inner = "_:a\\u0020b\\u005Cc\\u000A\\u0000)>>";
        assertEquals("<<( " + inner + " <x:p> " + inner + " )>>", triple);
        assertEquals("(blank[" + label + "]iri[x:p]blank[" + label + "])", shown(triple));
    }

    @Test
    void tripleTermsNestInEveryPosition() {
        byte[] inner = terms.tripleTerm(blankNode("a b"), iri("x:p"), literal("\n"));
        String outer = text(terms.tripleTerm(inner, inner, inner));
        String part = "<<( _:a\\u0020b <x:p> \"\\n\" )>>";
        assertEquals("<<( " + part + " " + part + " " + part + " )>>", outer);
        String shown = "(blank[a b]iri[x:p]lit[\n])";
        assertEquals("(" + shown + shown + shown + ")", shown(outer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "en us", "en\"", "é"})
    void languageTagThatWouldBreakTheTextIsRefused(String tag) {
        assertThrows(IllegalArgumentException.class, () -> langLiteral("x", tag));
    }

    @Test
    void languageTagsOfRealDataAreKept() {
        assertEquals("\"x\"@en_us", text(langLiteral("x", "en_US")));
        assertEquals("lit[x]@[en_US]", shown("\"x\"@en_US"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "<x:\\u0041\\U00000042>|iri[x:AB]",
        "\"\\u0041\\'\"|lit[A']",
        "\"x\"^^<http://www.w3.org/2001/XMLSchema#string>|lit[x]^[http://www.w3.org/2001/XMLSchema#string]",
        "\"x\"@EN-gb--ltr|lit[x]@[EN-gb--ltr]",
        "\"\\U0001F600\"|lit[😀]",
        "<<(<x:s><x:p>\"o\")>>|(iri[x:s]iri[x:p]lit[o])",
        "\"x\" @en|lit[x]@[en]",
        "\"x\"\t^^ <x:y>|lit[x]^[x:y]",
        "<<( <x:s> <x:p> \"x\" ^^\t<x:y>)>>|(iri[x:s]iri[x:p]lit[x]^[x:y])",
        "<< \"x\" <x:p> \"x\" @en >>|(lit[x]iri[x:p]lit[x]@[en])",
    })
    void notCanonicalTextIsReadToo(String term, String expected) {
        assertEquals(expected, shown(term));
    }

    @Test
    void rdfStarFormIsReadAsATripleTerm() {
        assertEquals("(iri[x:s]iri[x:p](iri[x:a]iri[x:b]lit[c]))", shown("<< <x:s> <x:p> <<<x:a> <x:b> \"c\">> >>"));
    }

    @Test
    void escapedContentOfEveryPartComesUnescaped() {
        assertEquals("lit[a\nb]^[x:A]", shown("\"a\\nb\"^^<x:\\u0041>"));
        String longEscapes = "\\u0041".repeat(500);
        String letters = "A".repeat(500);
        assertEquals("(iri[x:" + letters + "]iri[" + letters + "]lit[" + letters + "]^[" + letters + "])",
                shown("<<( <x:" + longEscapes + "> <" + longEscapes + "> \"" + longEscapes + "\"^^<" + longEscapes
                        + "> )>>"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', ignoreLeadingAndTrailingWhitespace = false, value = {
        "``|0|the end where a term should start",
        "?x|0|a variable",
        "http://e/a|0|'h' where a term should start",
        "<http://e/a|0|without its closing '>'",
        "<http://e/ a>|10|the character U+0020 in an IRI",
        "<a<b>|2|'<' in an IRI",
        "<a>b|3|'b' after the end",
        "<a>é|3|'é' after the end",
        "<a\\n>|2|an escape",
        "<a\\u00G0>|2|fewer than 4",
        "\"a|0|without its closing '\"'",
        "\"a\\|2|an escape",
        "\"a\\z\"|2|an escape",
        "\"a\\u12\"|2|fewer than 4",
        "\"a\\U0000004\"|2|fewer than 8",
        "\"a\\U00110000\"|2|above U+10FFFF",
        "\"a\\uD800\"|2|a surrogate",
        "\"a\\uDC00\"|2|a surrogate",
        "\"a\\U0000DFFF\"|2|a surrogate",
        "\"a\"@|4|an empty language tag",
        "\"a\"@en us|6|after the end",
        "\"a\"^^|5|the end where a datatype should be",
        "\"a\"^^x|5|'x' where a datatype should be",
        "\"a\"^x|3|'^' after the end",
        "<<( <a> <b> )>>|12|')' where a term should start",
        "<<( <a> <b> <c> >>|16|where a triple term should end",
        "<< <a> <b> <c> )>>|15|where a triple term should end",
        "<<( <a> <b> <c> <d> )>>|16|where a triple term should end",
        "<<( _:a\\n <b> <c> )>>|7|an escape",
        " <a>|0|the character U+0020 where a term should start",
        "<a> |3|after the end",
        "_|0|'_' where a term should start",
    })
    void textThatIsNoTermIsRefusedAtItsByte(String text, int offset, String found) {
        TermSyntaxException e = assertThrows(TermSyntaxException.class, () -> shown(text));
        assertEquals(offset, e.offset(), e.getMessage());
        assertTrue(e.getMessage().contains(found), e.getMessage());
        assertTrue(e.getMessage().contains("at byte " + offset), e.getMessage());
    }

    @Test
    void rawLineBreaksInLiteralsAreRefused() {
        assertThrows(TermSyntaxException.class, () -> shown("\"a\nb\""));
        assertThrows(TermSyntaxException.class, () -> shown("\"a\rb\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\u00FF\"", "\"\u00C3\"", "\"\u00C0\u0080\"", "\"\u00ED\u00A0\u0080\"",
        "\"\u00F4\u0090\u0080\u0080\"", "_:\u0080", "<\u00E2\u0082>"})
    void bytesThatAreNotUtf8AreRefused(String latin1) {
        TermSyntaxException e = assertThrows(TermSyntaxException.class,
                () -> terms.visit(latin1.getBytes(ISO_8859_1), new Shown()));
        assertTrue(e.found().contains("not UTF-8"), e.getMessage());
    }

    @Test
    void longTermsAreShortenedInMessages() {
        TermSyntaxException e = assertThrows(TermSyntaxException.class, () -> shown("\"" + "é".repeat(100_000)));
        assertTrue(e.getMessage().length() < 300, e.getMessage());
        assertTrue(e.getMessage().contains("éé..."), e.getMessage());
    }

    @Test
    void nestingIsReadUpToItsLimitAndRefusedBeyond() {
        assertEquals(64, shown(nested(64)).chars().filter(c -> c == '(').count());
        TermSyntaxException e = assertThrows(TermSyntaxException.class, () -> shown(nested(65)));
        assertTrue(e.getMessage().contains("inside 64 others"), e.getMessage());
        assertThrows(TermSyntaxException.class, () -> shown(nested(100_000)));
        assertThrows(TermSyntaxException.class, () -> new Utf8Terms(2).visit(utf8(nested(3)), new Shown()));
    }

    private static String nested(int levels) {
        return "<<( <x:s> <x:p> ".repeat(levels) + "<x:o>" + " )>>".repeat(levels);
    }

    @Test
    void plainTermIsShownInPlace() {
        byte[] term = utf8("\"plain\"@en");
        terms.visit(term, new Shown() {
            @Override
            public void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength) {
                assertTrue(bytes == term && lang == term);
            }
        });
    }

    @Test
    void randomTermsComeBackAndAreEqualExactlyWhenTheirTextIs() {
        long seed = new Random().nextLong();
        RandomTerms random = new RandomTerms(seed);
        Map<String, String> textOf = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            StringBuilder said = new StringBuilder();
            byte[] term = random.term(terms, said, 0);
            String shown = shown(text(term));
            assertEquals(said.toString(), shown, "seed " + seed + ", term " + i);
            Rebuild again = new Rebuild();
            terms.visit(term, again);
            assertArrayEquals(term, again.result(), "seed " + seed + ", term " + i);
            String before = textOf.putIfAbsent(shown, text(term));
            assertTrue(before == null || before.equals(text(term)), "seed " + seed + ", term " + i);
        }
        assertEquals(textOf.size(), textOf.values().stream().distinct().count(), "seed " + seed);
    }

    /** Makes the term again of what a visit shows. */
    private static final class Rebuild implements TermVisitor {
        private final Utf8Terms terms = new Utf8Terms();
        private final List<byte[]> stack = new ArrayList<>();

        byte[] result() {
            assertEquals(1, stack.size());
            return stack.get(0);
        }

        @Override
        public void iri(byte[] bytes, int offset, int length) {
            stack.add(terms.iri(new byte[0], Arrays.copyOfRange(bytes, offset, offset + length)));
        }

        @Override
        public void blankNode(byte[] bytes, int offset, int length) {
            stack.add(terms.blankNode(bytes, offset, length));
        }

        @Override
        public void literal(byte[] bytes, int offset, int length) {
            stack.add(terms.literal(bytes, offset, length));
        }

        @Override
        public void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength) {
            byte[] both = new byte[length + langLength];
            System.arraycopy(bytes, offset, both, 0, length);
            System.arraycopy(lang, langOffset, both, length, langLength);
            stack.add(terms.langLiteral(both, 0, length, length, langLength));
        }

        @Override
        public void typedLiteral(byte[] bytes, int offset, int length, byte[] datatype, int dtOffset, int dtLength) {
            iri(datatype, dtOffset, dtLength);
            stack.add(terms.typedLiteral(bytes, offset, length, stack.remove(stack.size() - 1)));
        }

        @Override
        public void startTriple() {
            // its three terms come first
        }

        @Override
        public void endTriple() {
            byte[] object = stack.remove(stack.size() - 1);
            byte[] predicate = stack.remove(stack.size() - 1);
            byte[] subject = stack.remove(stack.size() - 1);
            stack.add(terms.tripleTerm(subject, predicate, object));
        }
    }

    @Test
    void garbageIsATermOrRefusedAndNothingElse() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] alphabet = utf8("<>\"\\_:@^(). \tuU0aAé\n{-");
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            for (int i = 0; i < 200_000; i++) {
                byte[] garbage = new byte[random.nextInt(40)];
                random.nextBytes(garbage);
                if (i % 4 != 0) {
                    for (int b = 0; b < garbage.length; b++) {
                        garbage[b] = alphabet[random.nextInt(alphabet.length)];
                    }
                }
                try {
                    terms.visit(garbage, new Shown());
                } catch (TermSyntaxException e) {
                    assertTrue(e.offset() >= 0 && e.offset() <= garbage.length, "seed " + seed);
                }
            }
        });
    }

    @Test
    void damagedTermsAreTermsOrRefusedAndNothingElse() {
        long seed = new Random().nextLong();
        RandomTerms wellFormed = new RandomTerms(seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] term = wellFormed.term(terms, new StringBuilder(), 0);
            if (term.length > 0) {
                term[random.nextInt(term.length)] = (byte) random.nextInt();
            }
            byte[] cut = Arrays.copyOf(term, random.nextInt(term.length + 1));
            for (byte[] damaged : new byte[][] {term, cut}) {
                try {
                    terms.visit(damaged, new Shown());
                } catch (TermSyntaxException e) {
                    assertTrue(e.offset() <= damaged.length, "seed " + seed);
                }
            }
        }
    }
}
