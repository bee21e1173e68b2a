package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.Utf8Terms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The canonical form, and what is refused. */
class RdfPatchWriterTest {
    private static final RdfPatchWriteOptions MARKS = RdfPatchWriteOptions.DEFAULT;
    private static final RdfPatchWriteOptions ONE_PATCH = MARKS.withMarks(false);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private RdfPatchWriter<byte[]> writer(RdfPatchWriteOptions options) {
        return new RdfPatchWriter<>(out, "a.rdfp", new Utf8Terms(), options);
    }

    private static byte[] utf8(String text) {
        return text == null ? null : text.getBytes(UTF_8);
    }

    private static void add(RdfPatchWriter<byte[]> to, String s, String p, String o, String g) {
        to.statement(Op.A, utf8(s), utf8(p), utf8(o), utf8(g));
    }

    private String text() {
        return out.toString(UTF_8);
    }

    @Test
    void rowsAreWrittenInTheCanonicalForm() throws IOException {
        try (RdfPatchWriter<byte[]> writer = writer(MARKS)) {
            writer.header(utf8("id"), utf8("<x:1>"));
            writer.header(utf8("two words"), utf8("\"v\""));
            writer.transaction(Op.TX);
            writer.prefix(Op.PA, utf8("p"), utf8("<x:n>"), null);
            writer.prefix(Op.PD, utf8(""), utf8("<x:n>"), utf8("_:g"));
            add(writer, "_:a b>", "<x:\\u0041>", "\"\\u0041\\u0000\"@en-GB", null);
            add(writer, "<x:s>", "<x:p>", "\"1\"^^<http://www.w3.org/2001/XMLSchema#integer>", "<x:g>");
            add(writer, "<x:s>", "<x:p>", "<< _:a <x:p> \"o\" >>", null);
            writer.transaction(Op.TC);
            writer.endPatch();
            writer.endPatch();
            assertEquals(2, writer.patches());
            assertEquals(9, writer.rows());
        }
        assertEquals("""
                H id <x:1> .
                H "two words" "v" .
                TX .
                PA "p" <x:n> .
                PD "" <_:g> .
                A <_:a\\u0020b\\u003E> <x:A> "A\\u0000"@en-GB .
                A <x:s> <x:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> <x:g> .
                A <x:s> <x:p> <<( <_:a> <x:p> "o" )>> .
                TC .
                Z .
                Z .
                """, text());
    }

    /** The largest that is written is the largest that is read. */
    @ParameterizedTest
    @ValueSource(strings = {"<x:%s>", "_:%s", "\"%s\"", "\"%s\"@en", "\"%s\"^^<x:t>", "<<( <x:s> <x:p> \"%s\" )>>"})
    void aTokenThatReadersRefuseIsRefused(String term) throws IOException {
        int limit = 40;
        // Beside the filling: quotes, brackets, and what is written after a literal's quote.
        String token = term.replaceFirst("<<.*(\".*\") .*>>", "$1").replaceFirst("(_:.*)", "<$1>");
        int room = limit - token.formatted("").length();
        RdfPatchWriteOptions options = MARKS.withMaxTokenBytes(limit);
        try (RdfPatchWriter<byte[]> writer = writer(options)) {
            add(writer, "<x:s>", "<x:p>", term.formatted("a".repeat(room)), null);
            FormatException refused = assertThrows(FormatException.class,
                    () -> add(writer, "<x:s>", "<x:p>", term.formatted("a".repeat(room + 1)), null));
            assertEquals("a token of 41 bytes, where maxTokenBytes is 40", refused.found());
            assertEquals("raise maxTokenBytes, here and for the readers", refused.advice());
            assertThrows(FormatException.class, () -> writer.header(utf8("k".repeat(limit + 1)), utf8("<x:v>")));
            assertThrows(FormatException.class, () -> writer.prefix(Op.PD, utf8("p".repeat(limit - 1)), null, null));
        }
        RdfPatchReadOptions reading = RdfPatchReadOptions.DEFAULT;
        assertEquals(1, rowsRead(reading.withMaxTokenBytes(limit)));
        assertThrows(FormatException.class, () -> rowsRead(reading.withMaxTokenBytes(limit - 1)));
    }

    private long rowsRead(RdfPatchReadOptions options) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
        ByteArrayOutputStream again = new ByteArrayOutputStream();
        try (RdfPatchReader<byte[]> reader = new RdfPatchReader<>(in, "a.rdfp", new Utf8Terms(), options);
                RdfPatchWriter<byte[]> writer = new RdfPatchWriter<>(again, null, new Utf8Terms(), MARKS)) {
            reader.readAll(writer);
            return writer.rows();
        }
    }

    @Test
    void closingEndsThePatchWhoseRowsWereNotEnded() throws IOException {
        try (RdfPatchWriter<byte[]> writer = writer(MARKS)) {
            add(writer, "<x:s>", "<x:p>", "<x:o>", null);
        }
        assertEquals("A <x:s> <x:p> <x:o> .\n", text());
    }

    @Test
    void marksStandBetweenPatchesAndBehindTheLastOnlyWhereItIsEmpty() throws IOException {
        try (RdfPatchWriter<byte[]> writer = writer(MARKS)) {
            writer.endPatch();
            add(writer, "<x:s>", "<x:p>", "<x:o>", null);
            writer.endPatch();
            FormatException e = assertThrows(FormatException.class, () -> add(writer, "\"s\"", "<x:p>", "<x:o>", null));
            assertEquals(4, e.line(), "the mark is its own line");
            writer.transaction(Op.TX);
            writer.transaction(Op.TC);
            writer.endPatch();
        }
        assertEquals("Z .\nA <x:s> <x:p> <x:o> .\nZ .\nTX .\nTC .\n", text());
        assertEquals(List.of("---", "A <x:s> <x:p> <x:o>", "---", "TX", "TC", "---"), TextEvents.read(text()));
    }

    @Test
    void aHeaderThatWouldBeginTheNextPatchIsRefused() throws IOException {
        try (RdfPatchWriter<byte[]> writer = writer(MARKS)) {
            writer.transaction(Op.TX);
            writer.header(utf8("id"), utf8("<x:1>"));
            writer.transaction(Op.TC);
            for (String key : List.of("id", "prev")) {
                FormatException e = assertThrows(FormatException.class, () -> writer.header(utf8(key), utf8("<x:2>")));
                assertTrue(e.found().contains("the header " + key + " behind a transaction of its patch"), e.getMessage());
            }
            writer.header(utf8("k"), utf8("<x:3>"));
            writer.endPatch();
            writer.header(utf8("id"), utf8("<x:4>"));
        }
        assertEquals("TX .\nH id <x:1> .\nTC .\nH k <x:3> .\nZ .\nH id <x:4> .\n", text());
    }

    @Test
    void withoutMarksTheTextIsOnePatch() throws IOException {
        try (RdfPatchWriter<byte[]> writer = writer(ONE_PATCH)) {
            add(writer, "<x:s>", "<x:p>", "<x:o>", null);
            writer.endPatch();
            FormatException e = assertThrows(FormatException.class,
                    () -> add(writer, "<x:s>", "<x:p>", "<x:o>", null));
            assertTrue(e.found().contains("a second patch"), e.getMessage());
            assertThrows(FormatException.class, writer::endPatch);
        }
        assertEquals("A <x:s> <x:p> <x:o> .\n", text());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "\"s\"|<x:p>|<x:o>||a literal as the subject",
        "<x:s>|_:p|<x:o>||a blank node as the predicate",
        "<x:s>|<<( <x:s> <x:p> <x:o> )>>|<x:o>||a triple term as the predicate",
        "<x:s>|<x:p>|<x:o>|\"g\"|a literal as the graph",
        "<x:s>|<x:p>|<x:o>|<<( <x:s> <x:p> <x:o> )>>|a triple term as the graph",
        "<x:s>|<x:p>|<<( <x:s> \"p\" <x:o> )>>||a literal as the predicate",
        "<s>|<x:p>|<x:o>||the subject: the IRI <s> without a scheme",
        "<x:s>|<x:p>|<_:o>||the object: the IRI <_:o>, which starts as a blank node",
        "<x:s>|<x:p>|\"o\"@en_us||the object: the language tag 'en_us', which is not well-formed",
        "<x:s>|<x:p>|\"o\"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>||no language tag",
        "<x:s>|<x:p>|?o||a variable",
        "<x:s>|<x:p>|||no object",
    })
    void statementThatTextHasNoPlaceForIsRefused(String s, String p, String o, String g, String found)
            throws IOException {
        try (RdfPatchWriter<byte[]> writer = writer(MARKS)) {
            add(writer, "<x:s>", "<x:p>", "<x:o>", null);
            FormatException e = assertThrows(FormatException.class, () -> add(writer, s, p, o, g));
            assertTrue(e.found().contains(found), e.getMessage());
            assertEquals(2, e.line());
            assertEquals("a.rdfp", e.file());
        }
        assertEquals("A <x:s> <x:p> <x:o> .\n", text());
    }

    @Test
    void transactionsBalance() throws IOException {
        try (RdfPatchWriter<byte[]> writer = writer(MARKS)) {
            assertThrows(FormatException.class, () -> writer.transaction(Op.TC));
            assertThrows(FormatException.class, () -> writer.transaction(Op.TA));
            writer.transaction(Op.TX);
            assertThrows(FormatException.class, () -> writer.transaction(Op.TX));
            assertThrows(FormatException.class, writer::endPatch);
            writer.transaction(Op.TA);
        }
        assertEquals("TX .\nTA .\n", text());
    }

    @Test
    void textThatEndsWithinATransactionIsAnErrorAndIsClosed() {
        boolean[] closed = new boolean[1];
        RdfPatchWriter<byte[]> writer = new RdfPatchWriter<>(new OutputStream() {
            @Override
            public void write(int b) {
                // nothing to keep
            }

            @Override
            public void close() {
                closed[0] = true;
            }
        }, null, new Utf8Terms(), MARKS);
        writer.transaction(Op.TX);
        assertThrows(FormatException.class, writer::close);
        assertTrue(closed[0]);
        assertThrows(IllegalStateException.class, () -> writer.transaction(Op.TC));
    }

    @Test
    void afterAnIoErrorNothingMoreIsWritten() throws IOException {
        int[] calls = new int[1];
        RdfPatchWriter<byte[]> writer = new RdfPatchWriter<>(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                calls[0]++;
                throw new IOException("full");
            }
        }, "a.rdfp", new Utf8Terms(), MARKS);
        String large = '"' + "x".repeat(100_000) + '"';
        UncheckedIOException e =
                assertThrows(UncheckedIOException.class, () -> add(writer, "<x:s>", "<x:p>", large, null));
        assertEquals("can't write a.rdfp: full", e.getMessage());
        int before = calls[0];
        assertThrows(IllegalStateException.class, () -> add(writer, "<x:s>", "<x:p>", "<x:o>", null));
        writer.close();
        assertEquals(before, calls[0]);
    }

    @Test
    void nestingThatReadersRefuseIsRefused() throws IOException {
        String deep = "<<( <x:s> <x:p> ".repeat(65) + "<x:o>" + " )>>".repeat(65);
        try (RdfPatchWriter<byte[]> writer =
                new RdfPatchWriter<>(out, null, new Utf8Terms(100), MARKS)) {
            assertThrows(FormatException.class, () -> add(writer, "<x:s>", "<x:p>", deep, null));
        }
        assertEquals("", text());
    }
}
