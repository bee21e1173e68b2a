package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The one grammar of terms, in its dialects; that of whole terms is for {@link Utf8TermsTest}. */
class TermGrammarTest {
    private static final TermDialect LINES = TermDialect.ofLines(false, true, false);
    private static final TermDialect STAR = TermDialect.ofLines(true, true, false);
    private static final TermDialect ROWS = TermDialect.ofRows(TermRules.RDF, false, true, 2);

    /** Reads the term that stands between others, and shows it; null is one that is not read to its end. */
    private static String read(TermDialect dialect, TermPosition position, String text) {
        TermScanner scanner = new TermScanner();
        TermGrammar grammar = new TermGrammar(scanner, dialect);
        TermAssembler<byte[]> assembler = new TermAssembler<>(new Utf8Terms());
        byte[] bytes = utf8("\"" + text + " .\"");
        scanner.reset(bytes, 1, bytes.length - 2);
        grammar.read(position);
        boolean canonical = grammar.isCanonical();
        grammar.show(assembler);
        String read = new String(bytes, 1, scanner.position() - 1, UTF_8);
        assertEquals(text, read, "all of it, and not what is behind");
        String made = new String(assembler.term(), UTF_8);
        if (text.startsWith("<<") || text.contains("\\")) {
            assertFalse(canonical, "of a triple term, and of escapes, that takes a closer look");
        } else {
            assertEquals(made.equals(text), canonical, text);
        }
        return made;
    }

    private static TermSyntaxException refused(TermDialect dialect, TermPosition position, String text) {
        TermSyntaxException e = assertThrows(TermSyntaxException.class, () -> read(dialect, position, text), text);
        assertTrue(e.getMessage().contains(e.found()) && e.getMessage().endsWith(e.advice()) && e.getMessage().contains(e.text()));
        return e;
    }

    @ParameterizedTest
    @ValueSource(strings = {"<http://e/a>", "<http://e/äöü>", "_:b", "_:b.c", "_:é", "\"\"", "\"a b\"", "\"é\"", "\"\uFFFD\"",
        "\"a\\\"b\"", "\"\\\\\"", "\"\\n\\t\\r\\b\\f\"", "\"\\u0000\"", "\"\\u007F\"", "\"\\uFFFE\"", "\"a\"@en", "\"a\"@en--ltr",
        "\"1\"^^<http://e/int>", "\"long enough for words of eight\"", "<http://e/long/enough/for/words/of/eight>",
        "\"long enough \\\"for words\\\" of eight\"@en-gb"})
    void whatIsCanonicalIsReadAsItStands(String text) {
        for (TermDialect dialect : new TermDialect[] {LINES, STAR, ROWS, TermDialect.ofTerms(3)}) {
            assertEquals(text, read(dialect, TermPosition.OBJECT, text));
        }
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {
        "<http://e/\\u0061>, <http://e/a>", "<http://e/\\U000000e9>, <http://e/é>", "\"\\u0061\", \"a\"", "\"\\'\", \"'\"",
        "\"\\U0001F600\", \"😀\"", "\"\u0001\", \"\\u0001\"", "\"\u007f\", \"\\u007F\"", "\"\uFFFE\", \"\\uFFFE\"",
        "\"\uFFFF\", \"\\uFFFF\"", "\"\\u00e9\", \"é\"", "\"\\u0000\", \"\\u0000\"",
        "\"a\"^^<http://www.w3.org/2001/XMLSchema#string>, \"a\"", "\"a\"  ^^ <http://e/d>, \"a\"^^<http://e/d>",
        "\"a\" @en, \"a\"@en", "\"a\" ^^<http://e/d>, \"a\"^^<http://e/d>", "\"a\"^^ <http://e/d>, \"a\"^^<http://e/d>",
        "\"a\"^^<http://e/\\u0064>, \"a\"^^<http://e/d>"})
    void everyOtherWayToWriteATermIsMadeCanonical(String text, String canonical) {
        assertEquals(canonical, read(LINES, TermPosition.OBJECT, text));
        assertEquals(canonical, read(ROWS, TermPosition.OBJECT, text));
    }

    /** A tag of capitals is canonical only for who keeps tags as they are. */
    @Test
    void languageTagsAreLoweredOrKeptAndMendedWhereTheDialectDoes() {
        TermScanner scanner = new TermScanner();
        for (String tag : new String[] {"en", "en-z", "en-gb", "EN", "en-A", "en-Z", "en-GB"}) {
            for (boolean keeps : new boolean[] {true, false}) {
                byte[] text = utf8("\"a\"@" + tag);
                scanner.reset(text, 0, text.length);
                TermGrammar grammar = new TermGrammar(scanner, TermDialect.ofLines(false, keeps, false));
                grammar.read(TermPosition.OBJECT);
                assertEquals(keeps || tag.equals(tag.toLowerCase(Locale.ROOT)), grammar.isCanonical(), tag);
            }
        }
        TermDialect mending = TermDialect.ofLines(false, true, true);
        assertEquals("\"a\"@en-us-x", read(mending, TermPosition.OBJECT, "\"a\"@en_us_x"));
        assertEquals(9, refused(mending, TermPosition.OBJECT, "\"a\"@en_us--x").offset());
        assertEquals(6, refused(LINES, TermPosition.OBJECT, "\"a\"@en_us").offset());
        assertEquals(4, refused(mending, TermPosition.OBJECT, "\"a\"@_en").offset());
    }

    @ParameterizedTest
    @EnumSource(TermPosition.class)
    void aTermStandsWhereTheDialectHasIt(TermPosition position) {
        boolean object = position == TermPosition.OBJECT || position == TermPosition.HEADER_VALUE;
        boolean node = position != TermPosition.PREDICATE && position != TermPosition.NAMESPACE;
        for (TermDialect dialect : new TermDialect[] {LINES, STAR, ROWS, TermDialect.ofRows(TermRules.RDF, true, true, 2)}) {
            boolean any = dialect.generalized() && position != TermPosition.NAMESPACE;
            read(dialect, position, "<urn:x>");
            check(node || any, dialect, position, "_:b", "a blank node");
            check(object || any, dialect, position, "\"x\"", "a literal");
            check(object || (position == TermPosition.SUBJECT ? dialect != LINES : any) && position != TermPosition.GRAPH, dialect,
                    position, "<<( <urn:s> <urn:p> \"o\" )>>", "a triple term");
            check(dialect != LINES && (object || position == TermPosition.SUBJECT || any) && position != TermPosition.GRAPH,
                    dialect, position, "<< <urn:s> <urn:p> \"o\" >>", dialect == LINES ? "'<<' without '('" : "a triple term");
        }
        check(node, ROWS, position, "<_:b>", "a blank node");
        assertEquals(TermPosition.PREDICATE, TermPosition.SUBJECT.next());
        assertEquals(TermPosition.OBJECT, TermPosition.PREDICATE.next());
    }

    private static void check(boolean allowed, TermDialect dialect, TermPosition position, String text, String what) {
        if (allowed) {
            read(dialect, position, text);
        } else {
            TermSyntaxException e = refused(dialect, position, text);
            assertEquals(0, e.offset());
            assertTrue(e.found().startsWith(what), e.getMessage());
            if (e.found().contains(" as the ") && !what.equals("a triple term")) {
                assertTrue(e.found().endsWith(" as the " + position), e.found());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "<http://e/a b> | 11", "<http://e/a | 11", "<rel> | 0", "<_:b> | 0", "<http://e/<> | 10", "<http://e/\\x> | 10",
        "<http://e/\\u00> | 10", "\"a | 0", "\"\\x\" | 1", "\"\\uD800\" | 1", "\"\\U00110000\" | 1",
        "\"\\u12\" | 1", "\"a\"@ | 4", "\"a\"@1 | 4", "\"a\"^^int | 5", "\"a\"^^<int> | 5", "\"a\"^^_:b | 5",
        "\"a\"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> | 5", "_: | 2", "_:-b | 2", "_:. | 2", "?v | 0", "word | 0", "' | 0",
        "<<( <urn:s> <urn:p> )>> | 20", "<<( <urn:s> \"p\" <urn:o> )>> | 12", "<<( <urn:s> <urn:p> <urn:o> | 28",
        "<<( <urn:s> <urn:p> <urn:o> >> | 28"})
    void whatIsNoTermIsRefusedAtItsByte(String text, int offset) {
        assertEquals(offset, refused(LINES, TermPosition.OBJECT, text.strip()).offset(), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r"})
    void aLineEndsNoLiteral(String end) {
        assertEquals(2, refused(LINES, TermPosition.OBJECT, "\"a" + end + "b\"").offset());
    }

    @Test
    void tripleTermsNestAsDeepAsTheDialectHasIt() {
        String two = "<<( <urn:s> <urn:p> <<( <urn:s> <urn:p> _:o )>> )>>";
        assertEquals(two, read(ROWS, TermPosition.OBJECT, two));
        TermSyntaxException e = refused(ROWS, TermPosition.OBJECT, "<<( <urn:s> <urn:p> " + two + " )>>");
        assertTrue(e.found().contains("inside 2 others"), e.found());
    }

    /** The end of a text may be anywhere, and what is behind it in the array is of another. */
    @Test
    void aTextThatIsCutAnywhereIsRefusedOrAnotherTerm() {
        String[] texts = {"<http://e/abcdefgh>", "\"abc\\u0041defgh\\n\"@en-gb", "\"x\"^^<http://e/d>", "<<( <urn:s> <urn:p> \"o\"@en )>>",
            "\"\uFFFE\uFFFD\uFFFF\""};
        for (String text : texts) {
            byte[] bytes = utf8(text);
            for (int length = 1; length < bytes.length; length++) {
                TermScanner scanner = new TermScanner();
                TermGrammar grammar = new TermGrammar(scanner, LINES);
                int to = length;
                try {
                    scanner.reset(bytes, 0, to);
                    grammar.read(TermPosition.OBJECT);
                    grammar.show(new TermAssembler<>(new Utf8Terms()));
                    assertTrue(scanner.position() <= to && text.startsWith("\"") && text.lastIndexOf('"') < to, text);
                } catch (TermSyntaxException e) {
                    assertTrue(e.offset() <= to, text + ", " + to + ": " + e.getMessage());
                }
            }
        }
    }

    @Test
    void anIriIsKnownByItsText() {
        TermScanner scanner = new TermScanner();
        TermGrammar grammar = new TermGrammar(scanner, LINES);
        byte[] text = utf8("<urn:a>");
        scanner.reset(text, 0, text.length);
        grammar.read(TermPosition.OBJECT);
        assertTrue(grammar.isIri(utf8("urn:a")));
        assertFalse(grammar.isIri(utf8("urn:b")) || grammar.isIri(utf8("urn:")));
        byte[] literal = utf8("\"urn:a\"");
        scanner.reset(literal, 0, literal.length);
        grammar.read(TermPosition.OBJECT);
        assertFalse(grammar.isIri(utf8("urn:a")));
        assertArrayEquals(utf8("urn:a"), Arrays.copyOfRange(scanner.content(), scanner.contentOffset(),
                scanner.contentOffset() + scanner.contentLength()));
    }
}
