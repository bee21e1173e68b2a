package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.TermSyntaxException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of N-Triples and N-Quads, read into canonical terms. */
class NQuadsParserTest {

    private final NQuadsParser parser = new NQuadsParser(false);
    private final NQuadsParser star = new NQuadsParser(true);

    private static boolean parse(NQuadsParser parser, String line) {
        // In the middle of an array, so that a mix-up of offsets shows.
        byte[] bytes = ("\"" + line + "\" .").getBytes(UTF_8);
        return parser.parse(bytes, 1, bytes.length - 4);
    }

    /** The canonical line, or the empty string for a line without a statement. */
    private static String canonical(NQuadsParser parser, String line) {
        if (!parse(parser, line)) {
            return "";
        }
        StringBuilder canonical = new StringBuilder();
        for (int position = 0; position < NQuadsParser.POSITIONS; position++) {
            if (parser.isPresent(position)) {
                canonical.append(new String(parser.copyTerm(position), UTF_8)).append(' ');
            }
        }
        return canonical.append('.').toString();
    }

    private String canonical(String line) {
        return canonical(parser, line);
    }

    private TermSyntaxException refusal(String line) {
        return assertThrows(TermSyntaxException.class, () -> parse(parser, line), line);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "<x:s> <x:p> <x:o> .",
        "<x:s> <x:p> <x:o> <x:g> .",
        "_:s <x:p> _:o _:g .",
        "<x:s> <x:p> \"o\" .",
        "<x:s> <x:p> \"\" <x:g> .",
        "<x:s> <x:p> \"o\\t\\\"\\\\\\u0000\\u007F\\uFFFE\" .",
        "<x:s> <x:p> \"o\"@en-gb <x:g> .",
        "<x:s> <x:p> \"o\"@ar--rtl .",
        "<x:s> <x:p> \"1\"^^<x:int> <x:g> .",
        "<x:s> <x:p> <<( _:s <x:p> \"o\"@en )>> .",
        "<x:s> <x:p> <<( _:s <x:p> <<( _:s <x:p> \"\\n\" )>> )>> <x:g> .",
        "<x:é> <x:p> \"é😀\" .",
    })
    void canonicalLineIsReadAsItIs(String line) {
        assertEquals(line, canonical(line));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "\t<x:s>\t<x:p>\t<x:o>\t.\t# c            | <x:s> <x:p> <x:o> .",
        "<x:s><x:p><x:o>.                         | <x:s> <x:p> <x:o> .",
        "<x:s><x:p>_:a.                           | <x:s> <x:p> _:a .",
        "<x:s><x:p>_:a.b _:g.#c                   | <x:s> <x:p> _:a.b _:g .",
        "<x:s><x:p>\"o\"<x:g>.                    | <x:s> <x:p> \"o\" <x:g> .",
        "<x:s><x:p>\"o\"@EN-GB--ltr<x:g>.         | <x:s> <x:p> \"o\"@en-gb--ltr <x:g> .",
        "<x:s> <x:p> \"o\" @en .                  | <x:s> <x:p> \"o\"@en .",
        "<x:s> <x:p> \"2\" ^^ <x:i> .             | <x:s> <x:p> \"2\"^^<x:i> .",
        "<x:s> <x:p> \"2\"^^<http://www.w3.org/2001/XMLSchema#string> <x:g>. | <x:s> <x:p> \"2\" <x:g> .",
        "<x:\\u0053> <x:p> \"\\u0041\\'\"@EN .    | <x:S> <x:p> \"A'\"@en .",
        "<x:s> <x:p> \"\\U0001F600\"^^<x:\\u0041>.| <x:s> <x:p> \"😀\"^^<x:A> .",
        "<x:s> <x:p> <<(<x:a><x:b>_:c)>>.         | <x:s> <x:p> <<( <x:a> <x:b> _:c )>> .",
        "<x:s> <x:p> <<( <x:a><x:b> \"c\" )>> _:g.| <x:s> <x:p> <<( <x:a> <x:b> \"c\" )>> _:g .",
    })
    void everyOtherWayToWriteALineIsMadeCanonical(String line, String expected) {
        assertEquals(expected, canonical(line));
    }

    @Test
    void rawControlsAreEscaped() {
        assertEquals("<x:s> <x:p> \"\\u0000\\t\\u007F\\uFFFF\" .", canonical("<x:s> <x:p> \"\0\t\u007F\uFFFF\" ."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \t ", "# a comment", "  # a comment", "VERSION \"1.2\"", " VERSION\t\"1.1\" # old"})
    void linesWithoutStatementsAreNone(String line) {
        assertEquals("", canonical(line));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "\"s\" <x:p> <x:o> .|0|a literal as the subject",
        "<x:s> _:p <x:o> .|6|a blank node as the predicate",
        "<x:s> \"p\" <x:o> .|6|a literal as the predicate",
        "<x:s> <x:p> <x:o> \"g\" .|18|a literal as the graph",
        "<<( <x:a> <x:b> <x:c> )>> <x:p> <x:o> .|0|a triple term as the subject",
        "<x:s> <<( <x:a> <x:b> <x:c> )>> <x:o> .|6|a triple term as the predicate",
        "<x:s> <x:p> <x:o> <<( <x:a> <x:b> <x:c> )>> .|18|a triple term as the graph",
        "<x:s> <x:p> <<( \"a\" <x:b> <x:c> )>> .|16|a literal as the subject",
        "<x:s> <x:p> <<( <x:a> _:b <x:c> )>> .|22|a blank node as the predicate",
        "<x:s> <x:p> << <x:a> <x:b> <x:c> >> .|12|'<<' without '('",
        "<s> <x:p> <x:o> .|0|without a scheme",
        "<//e/s> <x:p> <x:o> .|0|without a scheme",
        "<:s> <x:p> <x:o> .|0|without a scheme",
        "<1x:s> <x:p> <x:o> .|0|without a scheme",
        "<x:s> <x:p> \"o\"^^<dt> .|17|without a scheme",
        "<x:s> <x:p> <x:o>|17|the end where the statement should end",
        "<x:s> <x:p> <x:o> # .|18|'#' where the statement should end",
        "<x:\\u0020> <x:p> <x:o> .|0|U+0020, a character that no IRI has",
        "<x:s> <x:p> <x:\\U0000003e> .|12|U+003E, a character that no IRI has",
        "<x:s> <x:p> \"o\"^^<x:\\u0022> .|17|U+0022, a character that no IRI has",
        "<x:s> <x:p> <x:o> <x:g>|23|where the statement should end",
        "<x:s> <x:p> <x:o> <x:g> <x:h> .|24|where the statement should end",
        "<x:s> <x:p> .|12|'.' as the object",
        "<x:s> <x:p> <x:o> . <x:s> <x:p> <x:o> .|20|after the end of a statement",
        "@prefix x: <http://e/> .|0|'@' as the subject",
        "<x:s> <x:p> 1 .|12|'1' as the object",
        "<x:s> <x:p> 'o' .|12|''' as the object",
        "<x:s> <x:p> ?o .|12|'?' as the object",
        "<x:s> <x:p> \"o\"@1 .|16|not well-formed",
        "<x:s> <x:p> \"o\"@ .|16|an empty language tag",
        "<x:s> <x:p> \"o\"@en_us .|18|not well-formed",
        "<x:s> <x:p> \"o\"@en- .|19|not well-formed",
        "<x:s> <x:p> \"o\"@-en .|16|not well-formed",
        "<x:s> <x:p> \"o\"@cantbethislong .|16|not well-formed",
        "<x:s> <x:p> \"o\"@en-cantbethislong .|19|not well-formed",
        "<x:s> <x:p> \"o\"@en--LTR .|18|not well-formed",
        "<x:s> <x:p> \"o\"@en--ltrx .|18|not well-formed",
        "<x:s> <x:p> \"o\"@en-- .|18|not well-formed",
        "<x:s> <x:p> \"o\"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> .|17|no language tag",
        "_: <x:p> <x:o> .|2|where the label of a blank node should start",
        "_:-a <x:p> <x:o> .|2|where the label of a blank node should start",
        "_:.a <x:p> <x:o> .|2|where the label of a blank node should start",
        "_:a:b <x:p> <x:o> .|3|':' as the predicate",
        "VERSION 1.2|8|after VERSION",
        "VERSION \"1.2\" .|14|after the end of a statement",
    })
    void lineThatIsNotNQuadsIsRefusedAtItsByte(String line, int offset, String found) {
        TermSyntaxException e = refusal(line);
        assertEquals(offset, e.offset(), e.getMessage());
        assertTrue(e.found().contains(found), e.getMessage());
    }

    @Test
    void labelsMayHoldWhatTheGrammarHas() {
        String label = "_:0a-\u00B7.\u0300\u203F.\uD800\uDC00";
        assertEquals("<x:s> <x:p> " + label + " .", canonical("<x:s><x:p>" + label + "."));
    }

    @Test
    void nestingIsReadUpToItsLimitAndRefusedBeyond() {
        canonical("<x:s> <x:p> " + nested(64) + " .");
        assertTrue(refusal("<x:s> <x:p> " + nested(65) + " .").found().contains("inside 64 others"));
        refusal("<x:s> <x:p> " + nested(100_000) + " .");
    }

    private static String nested(int levels) {
        return "<<( <x:s> <x:p> ".repeat(levels) + "<x:o>" + " )>>".repeat(levels);
    }

    @Test
    void rdfStarIsReadWhereItIsAskedFor() {
        String expected = "<<( <x:a> <x:b> <x:c> )>> <x:p> <<( <<( _:a <x:b> _:c )>> <x:b> \"c\" )>> .";
        assertEquals(expected, canonical(star, "<< <x:a> <x:b> <x:c> >> <x:p> << <<_:a <x:b> _:c>> <x:b> \"c\">> ."));
        assertEquals(expected, canonical(star, expected));
        assertThrows(TermSyntaxException.class, () -> parse(star, "<x:s> << <x:a> <x:b> <x:c> >> <x:o> ."));
        assertThrows(TermSyntaxException.class, () -> parse(star, "<x:s> <x:p> << <x:a> <x:b> <x:c> )>> ."));
    }

    @Test
    void canonicalTermIsARangeOfTheLine() {
        byte[] line = "<x:s> <x:p> \"o\"@en <x:g> .".getBytes(UTF_8);
        parser.parse(line, 0, line.length);
        for (int position = 0; position < NQuadsParser.POSITIONS; position++) {
            assertSame(line, parser.arrayOf(position));
        }
    }

    @Test
    void defaultGraphIsNoTermAlsoAfterANamedOne() {
        parse(parser, "<x:s> <x:p> <x:o> <x:g> .");
        parse(parser, "<x:s> <x:p> <x:o> .");
        assertNull(parser.copyTerm(NQuadsParser.GRAPH));
    }

    @Test
    void singleTermIsCheckedForItsPosition() {
        parser.parseTerm(NQuadsParser.OBJECT, "\"\\u0041\"".getBytes(UTF_8));
        assertEquals("\"A\"", new String(parser.copyTerm(NQuadsParser.OBJECT), UTF_8));
        assertThrows(TermSyntaxException.class, () -> parser.parseTerm(NQuadsParser.GRAPH, "\"A\"".getBytes(UTF_8)));
        assertThrows(TermSyntaxException.class, () -> parser.parseTerm(NQuadsParser.OBJECT, new byte[0]));
        assertThrows(TermSyntaxException.class, () -> parser.parseTerm(NQuadsParser.OBJECT, "\"A\" ".getBytes(UTF_8)));
        TermSyntaxException e = assertThrows(TermSyntaxException.class,
                () -> parser.parseTerm(NQuadsParser.SUBJECT, "_:a b".getBytes(UTF_8)));
        assertTrue(e.getMessage().contains("in the label of a blank node"), e.getMessage());
    }

    @Test
    void garbageIsAStatementOrRefusedAndNothingElse() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String[] tokens = {"<x:a>", "\"a", "\"", "\\u0041", "\\", "_:a", ".", " ", "\t", "@en", "-", "^^", "<<(", ")>>",
            "<<", ">>", "<", ">", "#", "é", "\u0000", "VERSION", "{|", "1"};
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            for (int i = 0; i < 200_000; i++) {
                StringBuilder line = new StringBuilder();
                for (int n = random.nextInt(14); n > 0; n--) {
                    line.append(tokens[random.nextInt(tokens.length)]);
                }
                byte[] bytes = line.toString().getBytes(UTF_8);
                if (bytes.length > 0 && random.nextInt(4) == 0) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                NQuadsParser any = i % 2 == 0 ? parser : star;
                try {
                    if (any.parse(bytes, 0, bytes.length)) {
                        isCanonicalForEver(any, seed);
                    }
                } catch (TermSyntaxException e) {
                    assertTrue(e.offset() >= 0 && e.offset() <= bytes.length, "seed " + seed);
                }
            }
        });
    }

    /** What was read is canonical: it reads as itself, and in place but for triple terms. */
    private static void isCanonicalForEver(NQuadsParser parser, long seed) {
        StringBuilder line = new StringBuilder();
        for (int position = 0; position < NQuadsParser.POSITIONS; position++) {
            byte[] term = parser.copyTerm(position);
            line.append(term == null ? "" : new String(term, UTF_8) + " ");
        }
        String canonical = line.append('.').toString();
        assertEquals(canonical, canonical(parser, canonical), "seed " + seed);
    }
}
