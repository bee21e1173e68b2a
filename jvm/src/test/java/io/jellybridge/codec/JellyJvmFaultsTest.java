package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.add;
import static io.jellybridge.codec.Streams.bind;
import static io.jellybridge.codec.Streams.read;
import static io.jellybridge.codec.Streams.utf8;
import static io.jellybridge.codec.Streams.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.jena.nodes.NodeTerms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Twelve faults that Jelly-JVM 3.7 has, numbered as they are known, each shown not to be ours. */
class JellyJvmFaultsTest {
    private static final PatchOptions FRAME = Streams.QUADS.withStreamType(StreamType.FRAME);
    private static final WriteOptions BARE = new WriteOptions(1024, false, 16 << 20);

    @Test
    void fault1_aPrefixOfTheDefaultGraphStaysInTheDefaultGraphAfterANamedOne() {
        byte[] stream = write(Streams.QUADS, to -> {
            add(to, "<urn:s>", "<urn:p>", "<urn:o>", "<urn:g>");
            bind(to, "ex", "<urn:ns>", null);
            to.prefix(Op.PD, utf8("ex"), null, null);
        });
        assertEquals(List.of("A <urn:s> <urn:p> <urn:o> <urn:g>", "PA ex <urn:ns> null", "PD ex null null", "---"),
                read(stream));
    }

    @Test
    void fault1_aPrefixThatItWritesWithoutAGraphIsReadAsOfNoGraphWithAWarning() throws IOException {
        byte[] stream = Raw.flat(2, row -> row.add(4, prefix -> prefix.add(1, "ex").add(2, iri -> { })));
        assertEquals("P-90", assertThrows(FormatException.class, () -> read(stream)).rule());
        List<String> warnings = new ArrayList<>();
        List<String> prefixes = new ArrayList<>();
        try (PatchReader<Node> reader =
                new PatchReader<>(new ByteArrayInputStream(stream), "test", new NodeTerms(), ReadOptions.DEFAULT)) {
            reader.onWarning(fault -> warnings.add(fault.rule()));
            reader.readAll(new PatchAdapter<>() {
                @Override
                public void prefix(Op op, byte[] name, Node namespace, Node graph) {
                    prefixes.add(op + " " + namespace + " " + graph);
                }
            });
        }
        assertEquals(List.of("P-90"), warnings);
        assertEquals(List.of("PA urn:name null"), prefixes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"subject", "predicate", "object", "graph", "header", "namespace", "prefix graph"})
    void fault2_aRefusedTermLeavesTheStreamAsIfTheCallHadNotBeenMade(String where) {
        Consumer<PatchWriter<byte[]>> first = to -> add(to, "<http://e/s1>", "<http://e/p>", "<http://e/o>", "<http://e/g>");
        Consumer<PatchWriter<byte[]>> last = to -> add(to, "<http://e/s1>", "<http://e/p>", "<http://e/o2>", "<http://e/g>");
        String bad = "?v";
        WriteOptions cut = WriteOptions.DEFAULT.withRestartBytes(0);
        byte[] expected = write(Streams.QUADS, cut, first.andThen(last));
        byte[] stream = write(Streams.QUADS, cut, first.andThen(to -> assertThrows(FormatException.class, () -> {
            switch (where) {
                case "subject" -> add(to, bad, "<http://n/p>", "<http://n/o>", "<http://n/g>");
                case "predicate" -> add(to, "<http://n/s2>", bad, "<http://n/o>", "<http://n/g>");
                case "object" -> add(to, "<http://n/s2>", "<http://n/p>", bad, "<http://n/g>");
                case "graph" -> add(to, "<http://n/s2>", "<http://n/p>", "\"x\"^^<http://n/d>", bad);
                case "header" -> to.header(utf8("new"), utf8(bad));
                case "namespace" -> bind(to, "new", bad, "<http://n/g>");
                default -> bind(to, "new", "<http://n/>", bad);
            }
        })).andThen(last));
        assertArrayEquals(expected, stream);
    }

    @Test
    void fault3_aReferenceToADatatypeThatIsNotSetIsAnError() {
        FormatException e = assertThrows(FormatException.class, () -> read(Raw.flatTriples(row ->
                row.add(2, statement -> {
                    statement.add(2, "s");
                    statement.add(5, iri -> { });
                    statement.add(11, literal -> literal.add(1, "1").add(3, 2));
                })), ReadOptions.DEFAULT));
        assertEquals("P-62", e.rule());
    }

    @ParameterizedTest
    @ValueSource(longs = {9, 0x7FFFFFFFL, 0x80000000L, 0xFFFFFFFEL, 0xFFFFFFFFL})
    void fault4_anIdBeyondTheTableIsAnErrorAlsoAbove2To31(long id) {
        for (int entry : new int[] {11, 12, 13}) {
            byte[] set = Raw.flatTriples(row -> row.add(entry, e -> e.add(1, id).add(2, "x")));
            String rule = assertThrows(FormatException.class, () -> read(set, ReadOptions.DEFAULT)).rule();
            assertEquals(entry == 11 ? "P-49" : entry == 12 ? "P-51" : "P-54", rule);
        }
        for (int field = 1; field <= 2; field++) {
            int reference = field;
            byte[] get = Raw.flatTriples(row -> row.add(14, header -> header.add(1, "k")
                    .add(2, iri -> iri.add(reference, id).add(3 - reference, 1))));
            assertThrows(FormatException.class, () -> read(get, ReadOptions.DEFAULT));
        }
        byte[] datatype = Raw.flatTriples(row -> row.add(14, header -> header.add(1, "k")
                .add(4, literal -> literal.add(1, "1").add(3, id))));
        assertThrows(FormatException.class, () -> read(datatype, ReadOptions.DEFAULT));
    }

    @Test
    void fault5_aSecondOptionsRowCannotTurnTriplesIntoQuads() {
        byte[] stream = Raw.flatTriples(row -> row.add(1, options ->
                options.add(1, 2).add(2, 2).add(9, 8).add(10, 8).add(11, 8).add(15, 1)));
        assertEquals("P-43", assertThrows(FormatException.class, () -> read(stream, ReadOptions.DEFAULT)).rule());
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void fault6_aSecondPatchIsRefusedWhereOnlyOneHasRoomNeverMerged(StreamType type) {
        PatchOptions options = Streams.QUADS.withStreamType(type);
        List<String> expected = List.of("A <urn:s> <urn:p> <urn:o> null", "---");
        for (WriteOptions cut : type == StreamType.FLAT ? List.of(BARE, WriteOptions.DEFAULT) : List.of(BARE)) {
            byte[] stream = write(options, cut, to -> {
                add(to, "<urn:s>", "<urn:p>", "<urn:o>", null);
                to.endPatch();
                assertThrows(FormatException.class, () -> add(to, "<urn:s>", "<urn:p>", "<urn:o2>", null));
                assertThrows(FormatException.class, to::endPatch);
            });
            assertEquals(expected, read(stream));
        }
    }

    @Test
    void fault7_anEmptyFirstPatchOfAFrameStreamIsNotLostAndTheOptionsComeFirst() {
        byte[] stream = write(FRAME, to -> {
            to.endPatch();
            add(to, "<urn:s>", "<urn:p>", "<urn:o>", null);
            to.endPatch();
        });
        assertEquals(List.of("---", "A <urn:s> <urn:p> <urn:o> null", "---"), read(stream));
        assertEquals(List.of("---", "A <urn:s> <urn:p> <urn:o> null", "---"), IndependentReader.read(stream, true));
    }

    @Test
    void fault8_aMarkIsTheLastRowOfItsFrame() {
        byte[] stream = write(Streams.QUADS, to -> {
            for (int patch = 0; patch < 3; patch++) {
                add(to, "<urn:s>", "<urn:p>", "\"" + patch + "\"", null);
                to.endPatch();
            }
        });
        // the independent reader fails on a mark that stands elsewhere
        assertEquals(3, IndependentReader.read(stream, true).stream().filter("---"::equals).count());
    }

    @Test
    void fault9_aTriplesStreamNamesNoGraphInPrefixesEither() {
        byte[] stream = write(Streams.TRIPLES, to -> {
            bind(to, "ex", "<urn:ns>", null);
            FormatException e =
                    assertThrows(FormatException.class, () -> bind(to, "ex", "<urn:ns>", "<urn:g>"));
            assertEquals("P-33", e.rule());
        });
        assertEquals(List.of("PA ex <urn:ns> null", "---"), IndependentReader.read(stream, true));
        byte[] fromOthers = Raw.flatTriples(row -> row.add(4, prefix -> prefix.add(1, "ex")
                .add(2, iri -> { }).add(4, "g")));
        assertEquals(List.of("PA ex <urn:name> null", "---"), read(fromOthers, ReadOptions.DEFAULT));
    }

    @Test
    void fault10_asManyPatchesAreReadAsWereWrittenWithAndWithoutAnEndOfTheLast() {
        for (boolean ended : new boolean[] {true, false}) {
            long[] written = new long[1];
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (PatchWriter<byte[]> writer =
                    new PatchWriter<>(out, "test", new Utf8Terms(), FRAME, WriteOptions.DEFAULT)) {
                add(writer, "<urn:s>", "<urn:p>", "\"1\"", null);
                writer.endPatch();
                add(writer, "<urn:s>", "<urn:p>", "\"2\"", null);
                if (ended) {
                    writer.endPatch();
                }
                writer.close();
                written[0] = writer.patches();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            assertEquals(2, written[0]);
            assertEquals(2, read(out.toByteArray()).stream().filter("---"::equals).count());
        }
    }

    @ParameterizedTest
    @CsvSource({"8, 100, 100, 8", "100, 100, 8, 8", "100, 8, 100, 20"})
    void fault11_aRowIsRefusedOrWrittenRightThatNeedsMoreEntriesThanATableHolds(
            int names, int prefixes, int datatypes, int most) throws IOException {
        // An IRI may do without a prefix of its own, so that the rows which need too many prefixes are written all the same.
        String entry = names == 8 ? "<http://e/%d>" : prefixes == 8 ? "<http://e/%d/0>" : "\"1\"^^<urn:%d>";
        String predicate = prefixes == 8 ? "<http://e/0/0>" : "<http://e/0>";
        PatchOptions patches = Streams.QUADS.withRdfStar(true).withTableSizes(names, prefixes, datatypes);
        RdfOptions statements =
                new RdfOptions("", PhysicalType.QUADS, 2, false, true, names, prefixes, datatypes, 1);
        Recorder taken = new Recorder();
        ByteArrayOutputStream patch = new ByteArrayOutputStream();
        ByteArrayOutputStream rdf = new ByteArrayOutputStream();
        try (PatchWriter<byte[]> patchWriter =
                        new PatchWriter<>(patch, "test", new Utf8Terms(), patches, WriteOptions.DEFAULT);
                RdfWriter<byte[]> rdfWriter =
                        new RdfWriter<>(rdf, "test", new Utf8Terms(), statements, WriteOptions.DEFAULT)) {
            String object = "_:b";
            for (int needed = 1; needed <= 20; needed++) {
                object = "<<( " + object + " " + predicate + " " + entry.formatted(needed - 1) + " )>>";
                byte[][] row = {utf8("_:b"), utf8(predicate), utf8(object)};
                if (needed <= most) {
                    patchWriter.statement(Op.A, row[0], row[1], row[2], null);
                    rdfWriter.statement(row[0], row[1], row[2], null);
                    taken.statement(Op.A, row[0], row[1], row[2], null);
                } else {
                    assertEquals("P-64", assertThrows(FormatException.class,
                            () -> patchWriter.statement(Op.A, row[0], row[1], row[2], null)).rule());
                    assertEquals("R-45", assertThrows(FormatException.class,
                            () -> rdfWriter.statement(row[0], row[1], row[2], null)).rule());
                }
            }
        }
        taken.endPatch();
        assertEquals(taken.lines, read(patch.toByteArray()));
        assertEquals(taken.lines, IndependentReader.read(patch.toByteArray(), true));
        assertEquals(most, IndependentRdfReader.read(rdf.toByteArray(), true).events().size());
    }

    @Test
    void fault12_aBaseDirectionIsWrittenAndReadBackInBothFormats() throws IOException {
        Node literal = NodeFactory.createLiteralDirLang("x", "ar", "rtl");
        Node name = NodeFactory.createURI("urn:name");
        ByteArrayOutputStream patch = new ByteArrayOutputStream();
        ByteArrayOutputStream rdf = new ByteArrayOutputStream();
        try (PatchWriter<Node> patchWriter =
                        new PatchWriter<>(patch, "test", new NodeTerms(), Streams.TRIPLES, WriteOptions.DEFAULT);
                StatementWriter<Node> rdfWriter = new StatementWriter<>(rdf, "test", new NodeTerms(),
                        new RdfOptions("", PhysicalType.TRIPLES, 1, false, false, 8, 0, 0, 1), WriteOptions.DEFAULT)) {
            patchWriter.statement(Op.A, name, name, literal, null);
            rdfWriter.statement(name, name, literal, null);
        }
        String inText = "A <urn:name> <urn:name> \"x\"@ar--rtl null";
        assertEquals(List.of(inText, "---"), read(patch.toByteArray()));
        assertEquals(List.of(inText, "---"), IndependentReader.read(patch.toByteArray(), true));
        EventTerm withDirection = new EventTerm.Literal("x", "ar--rtl", null);
        assertEquals(withDirection, EventRecorder.read(new ByteArrayInputStream(patch.toByteArray()), new NodeTerms(),
                ReadOptions.STRICT, EventTerms::ofNode).get(0).terms().get(2));
        assertEquals(withDirection, RdfEventRecorder.read(new ByteArrayInputStream(rdf.toByteArray()), new NodeTerms(),
                ReadOptions.STRICT, EventTerms::ofNode).events().get(0).terms().get(2));
        assertEquals(withDirection,
                IndependentRdfReader.read(rdf.toByteArray(), true).events().get(0).terms().get(2));
    }
}
