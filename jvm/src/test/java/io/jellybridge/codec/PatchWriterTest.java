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

import io.jellybridge.jena.NodeTerms;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
