package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.add;
import static io.jellybridge.codec.Streams.bind;
import static io.jellybridge.codec.Streams.read;
import static io.jellybridge.codec.Streams.utf8;
import static io.jellybridge.codec.Streams.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sparql.core.Quad;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The producer's rules of the checklist that are not shown by {@link RoundTripTest}. */
class PatchWriterTest {

    private static FormatException refused(PatchOptions options, Consumer<PatchWriter<byte[]>> call) {
        FormatException[] thrown = new FormatException[1];
        write(options.withStreamType(StreamType.FLAT),
                to -> thrown[0] = assertThrows(FormatException.class, () -> call.accept(to)));
        return thrown[0];
    }

    private static PatchOptions optionsOf(byte[] stream) throws IOException {
        try (PatchReader<byte[]> reader = new PatchReader<>(
                new ByteArrayInputStream(stream), "test", new Utf8Terms(), ReadOptions.STRICT)) {
            reader.readAll(new Recorder());
            return reader.options();
        }
    }

    /** Whatever it is: by position, what comes again, and what comes before and behind it in the row. */
    @Test
    void aTermThatComesAgainIsNotWrittenAgain() {
        String text = "x".repeat(500);
        for (String term : List.of("<http://e/" + text + ">", "_:" + text, "\"" + text + "\"", "\"" + text + "\"@en",
                "\"" + text + "\"^^<urn:d>")) {
            for (int position = term.charAt(0) == '"' ? 2 : 0; position < 4; position += 2) {
                int at = position;
                byte[] stream = write(Streams.QUADS, to -> {
                    for (int i = 0; i < 10; i++) {
                        String[] row = {"<urn:s" + i + ">", "<urn:p" + i + ">", "\"" + i + "\"", null};
                        row[at] = term;
                        add(to, row[0], row[1], row[2], row[3]);
                    }
                });
                assertTrue(stream.length < 1_200, term.charAt(0) + " in position " + at + ": " + stream.length + " bytes");
                assertEquals(11, Streams.read(stream).stream().filter(line -> line.contains(text) || line.equals("---")).count());
            }
        }
    }

    @Test
    void framesStayBelowAMegabyteWithLongLiterals_P04() {
        byte[] stream = write(Streams.QUADS, to -> {
            for (int i = 0; i < 2_000; i++) {
                add(to, "<urn:s" + i + ">", "<urn:p>", "\"" + "long ".repeat(1_000) + i + "\"", null);
            }
        });
        int at = 0;
        int largest = 0;
        while (at < stream.length) {
            int length = 0;
            int shift = 0;
            byte b;
            do {
                b = stream[at++];
                length |= (b & 0x7F) << shift;
                shift += 7;
            } while (b < 0);
            largest = Math.max(largest, length);
            at += length;
        }
        assertTrue(largest < 1_000_000, "largest frame: " + largest);
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void theOptionsComeFirstAlsoInAnEmptyStream_P40(StreamType type) throws IOException {
        PatchOptions options = Streams.TRIPLES.withStreamType(type);
        assertEquals(options, optionsOf(write(options, to -> { })));
        assertEquals(type == StreamType.PUNCTUATED ? List.of() : List.of("---"), read(write(options, to -> { })));
        assertEquals(List.of("TX", "TC", "---"), read(write(options, to -> {
            to.transaction(Op.TX);
            to.transaction(Op.TC);
        })));
    }

    @Test
    void aGraphNameIsRefusedInATriplesStreamAndTheDefaultGraphIsNot_P33() {
        assertEquals("P-33", refused(Streams.TRIPLES, to -> add(to, "<urn:s>", "<urn:p>", "<urn:o>", "<urn:g>")).rule());
    }

    @Test
    void theDefaultGraphIsWrittenAfterANamedOne_P38() {
        assertEquals(List.of("A <urn:s> <urn:p> <urn:o> <urn:g>", "A <urn:s> <urn:p> <urn:o> null", "---"),
                read(write(Streams.QUADS, to -> {
                    add(to, "<urn:s>", "<urn:p>", "<urn:o>", "<urn:g>");
                    add(to, "<urn:s>", "<urn:p>", "<urn:o>", null);
                })));
    }

    @Test
    void generalizedStatementsAndQuotedTriplesNeedTheirFlag_P44_P46() {
        assertEquals("P-44", refused(Streams.QUADS, to -> add(to, "\"s\"", "<urn:p>", "<urn:o>", null)).rule());
        assertEquals("P-44", refused(Streams.QUADS, to -> add(to, "<urn:s>", "_:p", "<urn:o>", null)).rule());
        assertEquals("P-44", refused(Streams.QUADS, to -> add(to, "<urn:s>", "<urn:p>", "<urn:o>", "\"g\"")).rule());
        assertEquals("P-46", refused(Streams.QUADS,
                to -> add(to, "<urn:s>", "<urn:p>", "<<( <urn:s> <urn:p> <urn:o> )>>", null)).rule());
        assertEquals("P-44", refused(Streams.QUADS.withRdfStar(true),
                to -> add(to, "<urn:s>", "<urn:p>", "<<( <urn:s> \"p\" <urn:o> )>>", null)).rule());
        assertEquals("P-36", refused(Streams.QUADS.withRdfStar(true).withGeneralizedStatements(true),
                to -> add(to, "<urn:s>", "<urn:p>", "<urn:o>", "<<( <urn:s> <urn:p> <urn:o> )>>")).rule());
        assertFalse(PatchOptions.DEFAULT.generalizedStatements() || PatchOptions.DEFAULT.rdfStar(), "P-45");
    }

    @Test
    void aTableBelowItsMinimumIsRefused_P48() {
        String message = assertThrows(IllegalArgumentException.class,
                () -> Streams.QUADS.withTableSizes(7, 0, 0)).getMessage();
        assertTrue(message.contains("maxNameTableSize=7") && message.contains("P-48"), message);
    }

    @Test
    void thePrefixTableMakesTheStreamSmaller_P52() {
        Consumer<PatchWriter<byte[]>> calls = to -> {
            for (int i = 0; i < 100; i++) {
                add(to, "<http://example.org/a/long/namespace/s" + i + ">", "<http://example.org/ns#p>", "\"\"", null);
            }
        };
        assertTrue(write(Streams.QUADS.withTableSizes(4000, 16, 0), calls).length * 2
                < write(Streams.QUADS.withTableSizes(4000, 0, 0), calls).length);
    }

    @Test
    void typedLiteralsNeedADatatypeTableAndPlainStringsDoNot_P53() {
        PatchOptions none = Streams.QUADS.withTableSizes(8, 0, 0);
        assertEquals("P-53", refused(none, to -> add(to, "<urn:s>", "<urn:p>", "\"1\"^^<urn:int>", null)).rule());
        assertEquals(List.of("A <urn:s> <urn:p> \"1\" null", "---"), read(write(none,
                to -> add(to, "<urn:s>", "<urn:p>", "\"1\"^^<http://www.w3.org/2001/XMLSchema#string>", null))));
    }

    @Test
    void aRowThatNeedsMoreNamesThanTheTableHoldsIsRefusedAndTheNextIsWritten_P64() {
        PatchOptions tiny = Streams.QUADS.withRdfStar(true).withTableSizes(8, 0, 1);
        String deep = "<urn:9>";
        for (int i = 8; i > 0; i -= 2) {
            deep = "<<( <urn:" + i + "> <urn:" + (i - 1) + "> " + deep + " )>>";
        }
        String tooMany = deep;
        byte[] stream = write(tiny, to -> {
            assertEquals("P-64", assertThrows(FormatException.class,
                    () -> add(to, "<urn:s>", "<urn:p>", tooMany, null)).rule());
            assertEquals("P-64", assertThrows(FormatException.class, () -> add(to, "<urn:s>", "<urn:p>",
                    "<<( _:a <urn:p> <<( _:a <urn:p> \"1\"^^<urn:d1> )>> )>>"
                            .replace("_:a", "<<( _:a <urn:p> \"2\"^^<urn:d2> )>>"), null)).rule());
            add(to, "<urn:s>", "<urn:p>", "<urn:o>", null);
        });
        assertEquals(List.of("A <urn:s> <urn:p> <urn:o> null", "---"), read(stream));
    }

    @Test
    void aRefusedRowLeavesNoLookupEntryAndNoTermThatIsRepeated() {
        WriteOptions cut = WriteOptions.DEFAULT.withRestartBytes(0);
        Consumer<PatchWriter<byte[]>> first = to ->
                add(to, "<http://e/s>", "<http://e/p>", "\"1\"^^<urn:int>", "<http://e/g>");
        Consumer<PatchWriter<byte[]>> second = to -> add(to, "<http://f/s>", "<http://e/p>", "<http://e/o>", null);
        Consumer<PatchWriter<byte[]>> refused = to -> assertThrows(FormatException.class,
                () -> add(to, "<http://new/s>", "<http://new/p>", "\"1\"^^<urn:new>", "\"no graph\""));
        assertArrayEquals(write(Streams.QUADS, cut, first.andThen(second)),
                write(Streams.QUADS, cut, refused.andThen(first).andThen(refused).andThen(second).andThen(refused)));
    }

    @Test
    void anEntryThatARefusedRowReplacedIsThereAgain() {
        PatchOptions tiny = Streams.QUADS.withTableSizes(8, 2, 1);
        String[][] quads = {{"<http://e/1>", "<http://e/2>", "\"1\"^^<urn:int>", "<http://e/3>"},
            {"<http://f/4>", "<http://f/5>", "\"2\"^^<urn:int>", "<http://e/6>"},
            {"<http://f/7>", "<http://e/8>", "<http://e/1>", "<http://e/2>"}};
        byte[] stream = write(tiny, to -> {
            for (int i = 0; i < 6; i++) {
                String[] quad = quads[i % 3];
                add(to, quad[0], quad[1], quad[2], quad[3]);
                assertThrows(FormatException.class, () -> add(to, "<http://x/a>", "<http://y/b>",
                        "\"1\"^^<urn:other>", "\"no graph\""));
            }
        });
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            expected.add("A " + String.join(" ", quads[i % 3]));
        }
        expected.add("---");
        assertEquals(expected, read(stream));
    }

    @Test
    void aRefusedRowThatReplacedEntriesLeavesNoTraceInTheNextOne() {
        PatchOptions tiny = Streams.QUADS.withTableSizes(8, 2, 1);
        WriteOptions cut = WriteOptions.DEFAULT.withRestartBytes(0);
        Consumer<PatchWriter<byte[]>> fill = to -> {
            add(to, "<http://e/1>", "<http://e/2>", "\"1\"^^<urn:int>", "<http://e/3>");
            add(to, "<http://f/4>", "<http://f/5>", "<http://e/6>", "<http://f/7>");
            add(to, "<http://f/8>", "<http://f/5>", "<http://e/6>", "<http://f/7>");
        };
        Consumer<PatchWriter<byte[]>> again = to ->
                add(to, "<http://e/2>", "<http://f/4>", "\"2\"^^<urn:int>", "<http://f/8>");
        Consumer<PatchWriter<byte[]>> refused = to -> assertThrows(FormatException.class,
                () -> add(to, "<http://x/a>", "<http://y/b>", "\"1\"^^<urn:other>", "\"no graph\""));
        assertArrayEquals(write(tiny, cut, fill.andThen(again)), write(tiny, cut, fill.andThen(refused).andThen(again)));
    }

    @Test
    void anIriWithoutPrefixAfterOneWithPrefixIsReadBackAsItWas_P68() {
        List<String> expected = List.of("A <http://e/a> <nosep> <http://e/a> <nosep>", "---");
        assertEquals(expected, read(write(Streams.QUADS,
                to -> add(to, "<http://e/a>", "<nosep>", "<http://e/a>", "<nosep>"))));
        assertEquals(expected, read(write(Streams.QUADS.withTableSizes(8, 1, 0),
                to -> add(to, "<http://e/a>", "<nosep>", "<http://e/a>", "<nosep>"))), "more prefixes than the table holds");
    }

    @Test
    void onlyTrulyEqualTermsAreRepeated_P80() {
        List<String> terms =
                List.of("\"1\"^^<urn:int>", "\"01\"^^<urn:int>", "\"1\"", "\"1\"@en", "_:b", "<b>", "<_:b>", "\"\"");
        List<String> lines = read(write(Streams.QUADS, to -> terms.forEach(o -> add(to, "<urn:s>", "<urn:p>", o, null))));
        for (int i = 0; i < terms.size(); i++) {
            assertEquals("A <urn:s> <urn:p> " + terms.get(i) + " null", lines.get(i));
        }
    }

    @Test
    void anIriThatNeedsEscapesIsRefusedWithoutThemAlsoWhereItIsKnown() {
        byte[] stream = write(Streams.QUADS, to -> {
            for (int i = 0; i < 3; i++) {
                add(to, "<http://e/a\\u0020b>", "<http://e/p>", "<http://e/" + i + ">", null);
                add(to, "<http://e/other>", "<http://e/p>", "<http://e/" + i + ">", null);
                FormatException e = assertThrows(FormatException.class,
                        () -> add(to, "<http://e/a b>", "<http://e/p>", "<http://e/o>", null));
                assertEquals("term", e.rule());
            }
        });
        assertEquals("A <http://e/a\\u0020b> <http://e/p> <http://e/2> null", read(stream).get(4));
    }

    @Test
    void aPrefixNameWithAColonOrASpaceIsRefused_P86() {
        for (String name : new String[] {"ex:", "a b", "\t", "<"}) {
            assertEquals("P-86", refused(Streams.QUADS, to -> bind(to, name, "<urn:ns>", null)).rule());
        }
        assertEquals(List.of("PA  <urn:ns> null", "---"), read(write(Streams.QUADS, to -> bind(to, "", "<urn:ns>", null))));
    }

    @Test
    void aPrefixNameOrAHeaderKeyThatIsNotUtf8IsRefused_P125() {
        byte[] latin1 = {(byte) 0xE9};
        assertEquals("P-125", refused(Streams.QUADS, to -> to.prefix(Op.PD, latin1, null, null)).rule());
        assertEquals("P-125", refused(Streams.QUADS, to -> to.header(latin1, utf8("\"v\""))).rule());
    }

    @Test
    void aPrefixHasItsNameAndItsGraphIsRepeatedByTheRowBehindIt() {
        byte[] stream = write(Streams.QUADS, to -> {
            bind(to, "ex", "<urn:ns>", "<urn:g>");
            add(to, "<urn:s>", "<urn:p>", "<urn:o>", "<urn:g>");
        });
        assertEquals(List.of("PA ex <urn:ns> <urn:g>", "A <urn:s> <urn:p> <urn:o> <urn:g>", "---"), read(stream));
        byte[] other = write(Streams.QUADS, to -> {
            bind(to, "ex", "<urn:ns>", "<urn:h>");
            add(to, "<urn:s>", "<urn:p>", "<urn:o>", "<urn:g>");
        });
        assertTrue(stream.length < other.length, "the graph is written once");
    }

    @Test
    void transactionsDoNotNestAndDoNotSpanPatches_P101_P102_P104_P105() {
        assertEquals("P-101", refused(Streams.QUADS, to -> to.transaction(Op.TC)).rule());
        byte[] stream = write(Streams.QUADS, to -> {
            to.transaction(Op.TX);
            assertEquals("P-102", assertThrows(FormatException.class, () -> to.transaction(Op.TX)).rule());
            assertEquals("P-104", assertThrows(FormatException.class, to::endPatch).rule());
            assertEquals("P-105", assertThrows(FormatException.class, () -> {
                PatchWriter<byte[]> other = new PatchWriter<>(new ByteArrayOutputStream(), null, new Utf8Terms(),
                        Streams.QUADS, WriteOptions.DEFAULT);
                other.transaction(Op.TX);
                other.close();
            }).rule());
            to.transaction(Op.TA);
        });
        assertEquals(List.of("TX", "TA", "---"), read(stream));
    }

    @Test
    void headersKeepTheirPlaceAndAreWrittenInFullEachTime_P111_P115() {
        assertEquals(List.of("A <urn:s> <urn:p> <urn:o> null", "H k <urn:v>", "H k <urn:v>", "---"),
                read(write(Streams.QUADS, to -> {
                    add(to, "<urn:s>", "<urn:p>", "<urn:o>", null);
                    to.header(utf8("k"), utf8("<urn:v>"));
                    to.header(utf8("k"), utf8("<urn:v>"));
                })));
        assertEquals("P-111", refused(Streams.QUADS, to -> to.header(utf8("k"), null)).rule());
    }

    @Test
    void aPatchThatDoesNotFitIntoItsOneFrameIsRefusedRowByRow() {
        byte[] stream = write(Streams.QUADS.withStreamType(StreamType.FRAME), new WriteOptions(1024, true, 1000), to -> {
            add(to, "<urn:s>", "<urn:p>", "\"short\"", null);
            FormatException e = assertThrows(FormatException.class,
                    () -> add(to, "<urn:s>", "<urn:p>", "\"" + "x".repeat(1000) + "\"", null));
            assertTrue(e.getMessage().contains("maxFrameBytes is 1000") && e.getMessage().contains("PUNCTUATED"),
                    e.getMessage());
        });
        assertEquals(List.of("A <urn:s> <urn:p> \"short\" null", "---"), read(stream));
    }

    @Test
    void afterAnIoErrorNothingMoreIsWrittenAndTheStreamIsClosed() {
        boolean[] closed = new boolean[1];
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space left");
            }

            @Override
            public void close() {
                closed[0] = true;
            }
        };
        PatchWriter<byte[]> writer =
                new PatchWriter<>(full, "file", new Utf8Terms(), Streams.QUADS, new WriteOptions(1, true, 1 << 20));
        UncheckedIOException e = assertThrows(UncheckedIOException.class, () -> writer.transaction(Op.TX));
        assertTrue(e.getMessage().contains("file") && e.getMessage().contains("no space left"), e.getMessage());
        assertThrows(IllegalStateException.class, writer::endPatch);
        try {
            writer.close();
        } catch (IOException unexpected) {
            throw new AssertionError(unexpected);
        }
        assertTrue(closed[0]);
    }

    @Test
    void aStatementThatRepeatsTheOneBeforeTakesFourBytes() {
        Consumer<PatchWriter<byte[]>> row = to ->
                add(to, "<http://e/s>", "_:p", "\"1\"^^<urn:int>", "<http://e/g>");
        PatchOptions options = Streams.QUADS.withGeneralizedStatements(true);
        assertEquals(write(options, row).length + 2 * 4, write(options, row.andThen(row).andThen(row)).length);
    }

    @Test
    void rowsAndPatchesAreCounted() {
        write(Streams.QUADS, to -> {
            assertEquals("0 0 false", counts(to));
            to.transaction(Op.TX);
            add(to, "<urn:s>", "<urn:p>", "<urn:o>", null);
            assertEquals("2 0 true", counts(to));
            assertThrows(FormatException.class, () -> to.transaction(Op.TX));
            to.transaction(Op.TC);
            to.endPatch();
            assertEquals("3 1 false", counts(to));
            bind(to, "ex", "<urn:ns>", null);
            assertEquals("4 1 true", counts(to));
        });
    }

    private static String counts(PatchWriter<?> writer) {
        return writer.rows() + " " + writer.patches() + " " + writer.patchHasRows();
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void aSecondPatchIsRefusedByTheRuleThatLeavesNoRoomForIt_P02_P16(StreamType type) {
        write(Streams.QUADS.withStreamType(type), new WriteOptions(1024, false, 1 << 20), to -> {
            to.transaction(Op.TX);
            to.transaction(Op.TC);
            to.endPatch();
            assertEquals(type == StreamType.FLAT ? "P-16" : "P-02",
                    assertThrows(FormatException.class, () -> to.transaction(Op.TX)).rule());
        });
    }

    /** A term in each position, of each kind; the same again takes no bytes, and another in between is no repetition. */
    @ParameterizedTest
    @ValueSource(strings = {"<http://e/x>", "_:x", "\"x\"", "\"x\"@en", "\"x\"^^<urn:d>", "<<( <urn:s> <urn:p> _:o )>>", "LONG"})
    void aTermOfAnyKindIsRepeatedWhereItComesAgainAndNowhereElse(String text) {
        String long300 = "\"" + "x".repeat(300) + "\"";
        String term = text.equals("LONG") ? long300 : text;
        PatchOptions options = Streams.QUADS.withGeneralizedStatements(true).withRdfStar(true);
        for (int position = 0; position < 4; position++) {
            if (position == 3 && term.startsWith("<<")) {
                continue;
            }
            String[] first = {"_:s", "_:p", "_:o", "_:g"};
            first[position] = term;
            String[] other = first.clone();
            other[position] = term.equals(long300) ? "\"short\"" : long300;
            int at = position;
            Consumer<PatchWriter<byte[]>> row = to -> add(to, first[0], first[1], first[2], first[3]);
            Consumer<PatchWriter<byte[]>> another = to -> add(to, other[0], other[1], other[2], other[3]);
            assertEquals(bytes(options, row) + 4, bytes(options, row.andThen(row)), "position " + at);
            List<String> expected = List.of("A " + String.join(" ", first), "A " + String.join(" ", other),
                    "A " + String.join(" ", first), "A " + String.join(" ", first), "---");
            byte[] stream = write(options, row.andThen(another).andThen(row).andThen(row));
            assertEquals(expected, read(stream));
            assertEquals(expected, IndependentReader.read(stream, true));
        }
    }

    /** The bytes of all frames, without their lengths. */
    private static int bytes(PatchOptions options, Consumer<PatchWriter<byte[]>> calls) {
        return IndependentStream.frames(IndependentReader.FRAME, write(options, calls), true).stream()
                .mapToInt(Message::getSerializedSize).sum();
    }

    @Test
    void theDefaultGraphIsRepeatedToo() {
        Consumer<PatchWriter<byte[]>> row = to -> add(to, "_:s", "<urn:p>", "_:o", null);
        assertEquals(write(Streams.QUADS, row).length + 4, write(Streams.QUADS, row.andThen(row)).length);
    }

    /** Both literals have the same text and the same id for their datatype. */
    @Test
    void aLiteralIsNotRepeatedByOneOfADatatypeThatTookThePlaceOfItsOwn() {
        PatchOptions tiny = Streams.QUADS.withTableSizes(8, 8, 1);
        byte[] stream = write(tiny, to -> {
            add(to, "_:s", "<urn:p>", "\"1\"^^<urn:a>", null);
            add(to, "_:s", "<urn:p>", "\"1\"^^<urn:b>", null);
        });
        assertEquals(List.of("A _:s <urn:p> \"1\"^^<urn:a> null", "A _:s <urn:p> \"1\"^^<urn:b> null", "---"), read(stream));
    }

    @Test
    void aQuotedTripleStandsWhereRdfHasItUnlessStatementsAreGeneralized_P44() {
        String quoted = "<<( <urn:s> <urn:p> _:o )>>";
        PatchOptions star = Streams.QUADS.withRdfStar(true);
        assertEquals("P-44", refused(star, to -> add(to, "<urn:s>", quoted, "_:o", null)).rule());
        assertEquals("A " + quoted + " <urn:p> " + quoted + " null",
                read(write(star, to -> add(to, quoted, "<urn:p>", quoted, null))).get(0));
        assertEquals("A <urn:s> " + quoted + " _:o null", read(write(star.withGeneralizedStatements(true),
                to -> add(to, "<urn:s>", quoted, "_:o", null))).get(0));
    }

    private static void checkNodes(PatchOptions options, Consumer<PatchWriter<Node>> calls, int rows) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PatchWriter<Node> writer = new PatchWriter<>(out, "test", new NodeTerms(), options, WriteOptions.DEFAULT)) {
            calls.accept(writer);
            assertEquals(rows, writer.rows());
        }
        read(out.toByteArray());
    }

    /** Terms of Jena may be none that RDF has; a part that is known from elsewhere does not make them right. */
    @Test
    void aNodeThatIsNoRdfTermIsRefusedWhateverCameBefore() throws IOException {
        Node p = NodeFactory.createURI("http://e/p");
        Node s = NodeFactory.createURI("http://e/s");
        List<Node> wrong = List.of(NodeFactory.createURI("s"), NodeFactory.createURI("p"), NodeFactory.createURI(""),
                NodeFactory.createURI("http://e/a b"), NodeFactory.createURI("_:b"), NodeFactory.createURI("http://e/<"),
                NodeFactory.createLiteralLang("x", "abcdefghi"),
                NodeFactory.createLiteralDT("x", NodeFactory.getType("int")),
                NodeFactory.createLiteralDT("x", NodeFactory.getType("http://e/a b")), NodeFactory.createVariable("v"), Node.ANY);
        checkNodes(Streams.QUADS, to -> {
            to.statement(Op.A, s, p, s, null);
            for (int time = 0; time < 2; time++) {
                for (Node node : wrong) {
                    FormatException e = assertThrows(FormatException.class, () -> to.statement(Op.A, s, p, node, null),
                            node.toString());
                    assertEquals("term", e.rule());
                    assertTrue(e.found().contains("object"), e.found());
                }
                to.statement(Op.A, s, p, s, null);
            }
        }, 3);
    }

    @Test
    void aNodeThatSaysTheDefaultGraphNamesNoGraph_P33() throws IOException {
        Node s = NodeFactory.createURI("http://e/s");
        checkNodes(Streams.TRIPLES, to -> {
            to.statement(Op.A, s, s, s, Quad.defaultGraphIRI);
            to.statement(Op.A, s, s, s, Quad.defaultGraphNodeGenerated);
            to.statement(Op.A, s, s, s, null);
            for (Node graph : List.of(s, NodeFactory.createURI("http://e/g"), NodeFactory.createBlankNode("g"))) {
                assertEquals("P-33", assertThrows(FormatException.class, () -> to.statement(Op.A, s, s, s, graph)).rule());
            }
            to.statement(Op.A, s, s, s, Quad.defaultGraphIRI);
        }, 4);
    }

    /** However large its parts are, a row that fits is written, and with a restart point only where both fit. */
    @Test
    void aRowIsWrittenOrRefusedAsWithoutRestartPointsHoweverLargeItsPartsAre() {
        for (int length = 600; length < 1000; length += 7) {
            String text = "x".repeat(length);
            String tag = "en" + "-abcdefgh".repeat(length / 9);
            List<Consumer<PatchWriter<byte[]>>> rows = List.of(
                    to -> to.header(utf8(text), utf8("<urn:v>")),
                    to -> to.header(utf8("k"), utf8("\"" + text + "\"")),
                    to -> add(to, "_:" + text, "<urn:p>", "_:o", null),
                    to -> add(to, "_:s", "<http://" + text + "/p>", "_:o", null),
                    to -> add(to, "_:s", "<http://e/" + text + ">", "_:o", null),
                    to -> add(to, "_:s", "<urn:p>", "\"1\"^^<urn:" + text + ">", null),
                    to -> add(to, "_:s", "<urn:p>", "\"\"@" + tag, null),
                    to -> bind(to, text, "<urn:" + "y".repeat(20) + ">", null));
            for (Consumer<PatchWriter<byte[]>> row : rows) {
                List<List<String>> found = new ArrayList<>();
                for (int restartBytes : new int[] {0, 1}) {
                    byte[] stream = write(Streams.QUADS, new WriteOptions(1024, true, 1000, restartBytes), to -> {
                        add(to, "_:s", "<urn:p>", "_:o", null);
                        try {
                            row.accept(to);
                        } catch (FormatException e) {
                            assertEquals("P-04", e.rule());
                        }
                        add(to, "_:s", "<urn:p>", "_:o", null);
                    });
                    found.add(read(stream, new ReadOptions(true, 1000, 4000, 150, 32, 64)));
                }
                assertEquals(found.get(0), found.get(1), "length " + length);
            }
        }
    }

    @Test
    void theMarkThatEndsAPatchHasToFitToo_P04() {
        ReadOptions limits = new ReadOptions(true, 1000, 4000, 150, 32, 64);
        for (int length = 940; length < 1000; length++) {
            String text = "\"" + "x".repeat(length) + "\"";
            Consumer<PatchWriter<byte[]>> patch = to -> {
                try {
                    to.header(utf8("k"), utf8(text));
                } catch (FormatException e) {
                    assertEquals("P-04", e.rule());
                }
            };
            for (int restartBytes : new int[] {0, 1}) {
                byte[] stream = write(Streams.QUADS, new WriteOptions(1024, true, 1000, restartBytes),
                        patch.andThen(PatchWriter::endPatch).andThen(patch));
                assertEquals(read(stream), read(stream, limits));
            }
            try {
                assertTrue(write(Streams.QUADS, new WriteOptions(1024, false, 1000), patch).length <= 1000);
            } catch (FormatException e) {
                assertEquals("P-04", e.rule(), "there is no other frame to put it into");
            }
        }
    }

    /** Nodes are known by themselves; so many that each of the slots for them is taken, and most more than once. */
    @Test
    void nodesAreWrittenAsTheirTextsAre() throws IOException {
        for (int[] sizes : new int[][] {{8, 1, 1}, {8, 0, 1}, {16, 4, 1}, {4000, 150, 32}}) {
            PatchOptions options = Streams.QUADS.withStreamType(StreamType.FLAT).withTableSizes(sizes[0], sizes[1], sizes[2]);
            WriteOptions cut = Streams.ANY_TERMS.withRestartBytes(0);
            Random random = new Random(5);
            List<Node> nodes = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                nodes.add(NodeFactory.createURI(i % 7 == 0 ? "n" + i : "http://e" + i % 5 + "/" + i));
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Recorder expected = new Recorder();
            try (PatchWriter<Node> writer = new PatchWriter<>(out, "test", new NodeTerms(), options, cut)) {
                for (int i = 0; i < 2_000; i++) {
                    Node[] row = random.ints(4, 0, i % 100 < 50 ? 6 : 200).mapToObj(nodes::get).toArray(Node[]::new);
                    writer.statement(Op.A, row[0], row[1], row[2], row[3]);
                    add(expected, "<" + row[0] + ">", "<" + row[1] + ">", "<" + row[2] + ">", "<" + row[3] + ">");
                }
            }
            expected.endPatch();
            assertEquals(expected.lines, read(out.toByteArray()));
        }
    }

    @Test
    void aRefusalSaysRulePlaceAndWhatToDo() {
        FormatException e = refused(Streams.QUADS, to -> add(to, "<urn:s>", "<urn:p>", null, null));
        assertEquals("[P-71] test, frame 0, row 1, byte " + e.offset() + ": no object; give the term", e.getMessage());
    }
}
