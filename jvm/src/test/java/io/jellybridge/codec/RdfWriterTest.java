package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The producer's rules of Jelly-RDF that are not shown by {@link RdfRoundTripTest}. */
class RdfWriterTest {
    private static final WriteOptions CUT = WriteOptions.DEFAULT.withRestartBytes(0);

    private static RdfOptions options(PhysicalType type) {
        return RdfOptions.DEFAULT.withTypes(type, type == PhysicalType.TRIPLES ? 1 : 2);
    }

    private static byte[] write(RdfOptions options, WriteOptions cut, Consumer<RdfWriter<byte[]>> calls) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RdfWriter<byte[]> writer = new RdfWriter<>(out, "test", new Utf8Terms(), options, cut)) {
            calls.accept(writer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static Consumer<RdfWriter<byte[]>> statement(String subject, String predicate, String object, String graph) {
        return to -> to.statement(utf8(subject), utf8(predicate), utf8(object), utf8(graph));
    }

    private static Consumer<RdfWriter<byte[]>> refused(String rule, Consumer<RdfWriter<byte[]>> call) {
        return to -> assertEquals(rule, assertThrows(FormatException.class, () -> call.accept(to)).rule());
    }

    @ParameterizedTest
    @CsvSource({"TRIPLES, R-11", "QUADS, R-12"})
    void onlyAStreamOfGraphsHasTheirStartsAndEnds(PhysicalType type, String rule) {
        write(options(type), CUT, refused(rule, to -> to.startGraph(utf8("<urn:g>"))).andThen(refused(rule, RdfHandler::endGraph)));
    }

    @Test
    void graphsStartOneAfterTheOtherAndEndOnceAndTriplesStandWithinThem() {
        Consumer<RdfWriter<byte[]>> triple = statement("<urn:s>", "<urn:p>", "<urn:o>", null);
        Consumer<RdfWriter<byte[]>> start = to -> to.startGraph(utf8("<urn:g>"));
        write(options(PhysicalType.GRAPHS), CUT, refused("R-65", triple).andThen(refused("R-67", RdfHandler::endGraph))
                .andThen(start).andThen(triple).andThen(refused("R-66", start)).andThen(RdfHandler::endGraph)
                .andThen(refused("R-67", RdfHandler::endGraph)).andThen(refused("R-65", triple)));
        assertEquals("R-67", assertThrows(FormatException.class,
                () -> write(options(PhysicalType.GRAPHS), CUT, start)).rule(), "at the end of the stream");
    }

    @Test
    void aNamespaceIsDeclaredOnlyInAStreamThatAnnouncesThem() {
        Consumer<RdfWriter<byte[]>> namespace = to -> to.namespace(utf8("ex"), utf8("<urn:ns>"));
        write(RdfOptions.DEFAULT, CUT, refused("R-29", namespace));
        write(RdfOptions.DEFAULT.withNamespaceDeclarations(true), CUT, namespace);
    }

    @Test
    void aSecondFrameIsRefusedInAStreamThatIsNotDelimited() {
        Consumer<RdfWriter<byte[]>> triple = statement("<urn:s>", "<urn:p>", "<urn:o>", null);
        Consumer<RdfWriter<byte[]>> end = to -> to.endFrame(Map.of());
        byte[] stream = write(options(PhysicalType.TRIPLES), new WriteOptions(1, false, 1000),
                triple.andThen(end).andThen(refused("R-02", triple)).andThen(refused("R-02", end)));
        assertEquals(1, IndependentRdfReader.read(stream, false).events().size());
    }

    @Test
    void aClosedWriterTakesNothingMore() throws IOException {
        RdfWriter<byte[]> writer = new RdfWriter<>(new ByteArrayOutputStream(), "test", new Utf8Terms(), RdfOptions.DEFAULT, CUT);
        writer.close();
        assertThrows(IllegalStateException.class, () -> writer.endFrame(Map.of()));
        assertThrows(IllegalStateException.class, () -> statement("<urn:s>", "<urn:p>", "<urn:o>", null).accept(writer));
    }

    @ParameterizedTest
    @EnumSource(PhysicalType.class)
    void aRefusedRowLeavesNoTrace(PhysicalType type) {
        Consumer<RdfWriter<byte[]>> start = to -> {
            if (type == PhysicalType.GRAPHS) {
                to.startGraph(utf8("<http://e/g>"));
            }
        };
        Consumer<RdfWriter<byte[]>> end = to -> {
            if (type == PhysicalType.GRAPHS) {
                to.endGraph();
            }
        };
        Consumer<RdfWriter<byte[]>> first = statement("<http://e/s>", "<http://e/p>", "\"1\"^^<urn:int>", null);
        Consumer<RdfWriter<byte[]>> second = statement("<http://f/s>", "<http://e/p>", "<http://e/o>", null);
        Consumer<RdfWriter<byte[]>> no = refused("R-24", statement("<http://new/s>", "<http://new/p>", "<<( _:a <urn:p> _:b )>>",
                null));
        assertArrayEquals(write(options(type), CUT, start.andThen(first).andThen(second).andThen(end)),
                write(options(type), CUT, start.andThen(no).andThen(first).andThen(no).andThen(second).andThen(end).andThen(
                        type == PhysicalType.GRAPHS ? refused("R-65", second) : no)));
    }

    /** Beside the options, which are the first row. */
    @Test
    void aStatementThatRepeatsTheOneBeforeTakesFourBytes() {
        Consumer<RdfWriter<byte[]>> row = statement("<http://e/s>", "_:p", "\"1\"^^<urn:int>", "<http://e/g>");
        RdfOptions options = options(PhysicalType.QUADS).withGeneralizedStatements(true);
        byte[] once = write(options, CUT, row);
        byte[] thrice = write(options, CUT, row.andThen(row).andThen(row));
        assertEquals(once.length + 2 * 4, thrice.length);
    }

    @Test
    void statementsAreCounted() {
        write(options(PhysicalType.GRAPHS), CUT, to -> {
            to.startGraph(null);
            assertEquals(0, to.statements());
            for (int i = 1; i < 4; i++) {
                statement("<urn:s>", "<urn:p>", "<urn:o>", null).accept(to);
                assertEquals(i, to.statements());
            }
            to.endGraph();
            assertEquals(3, to.statements());
        });
    }

    @Test
    void aReaderThatDoesNotKnowRestartPointsReadsStreamsOneBehindTheOther() {
        byte[] first = write(RdfOptions.DEFAULT, WriteOptions.DEFAULT,
                statement("<http://e/a/s>", "<http://e/b/p>", "\"1\"^^<http://e/d>", "<http://e/g>"));
        byte[] second = write(RdfOptions.DEFAULT, Streams.ANY_TERMS,
                statement("<nosep>", "<http://e/c/p>", "\"2\"^^<http://e/d2>", "<http://e/g2>"));
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        List<Event> events = new ArrayList<>(IndependentRdfReader.read(first, true).events());
        events.addAll(IndependentRdfReader.read(second, true).events());
        assertEquals(events, IndependentRdfReader.read(both.toByteArray(), true).events());
    }

    /** The statements of a GRAPHS stream, with starts and ends between them. */
    @ParameterizedTest
    @EnumSource(PhysicalType.class)
    void statementsAreWrittenGraphByGraphWhereTheStreamHasGraphs(PhysicalType type) throws IOException {
        String[] graphs = type == PhysicalType.TRIPLES ? new String[8]
                : new String[] {null, null, "<urn:g>", "<urn:g>", "<urn:h>", null, "<urn:g>", "<urn:g>"};
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FrameRecorder expected = new FrameRecorder(type);
        RdfOptions options = options(type).withNamespaceDeclarations(true).withTypes(type, type == PhysicalType.TRIPLES ? 3 : 4);
        try (StatementWriter<byte[]> writer = new StatementWriter<>(out, "test", new Utf8Terms(), options, CUT)) {
            writer.namespace(utf8("ex"), utf8("<urn:ns>"));
            expected.namespace(utf8("ex"), utf8("<urn:ns>"));
            for (int i = 0; i < graphs.length; i++) {
                byte[][] row = {utf8("_:s" + i), utf8("<urn:p>"), utf8("_:o"), utf8(graphs[i])};
                writer.statement(row[0], row[1], row[2], row[3]);
                expected.statement(row[0], row[1], row[2], row[3]);
                if (i == 6) {
                    writer.endElement();
                    expected.endFrame(Map.of());
                }
            }
        }
        expected.endFrame(Map.of());
        RdfEventRecorder<byte[]> read = RdfEventRecorder.read(new ByteArrayInputStream(out.toByteArray()), new Utf8Terms(),
                ReadOptions.STRICT, EventTerms::ofText);
        assertEquals(expected.frames(), read.frames);
        assertEquals(options, read.options);
        if (type == PhysicalType.GRAPHS) {
            int starts = IndependentStream.frames(IndependentRdfReader.FRAME, out.toByteArray(), true).stream()
                    .flatMap(frame -> IndependentStream.messages(frame, "rows").stream())
                    .mapToInt(row -> row.hasField(row.getDescriptorForType().findFieldByName("graph_start")) ? 1 : 0).sum();
            assertEquals(6, starts, "one for each change of the graph, and one for the frame that begins in it");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, false", "2, false", "3, true", "4, true", "13, true", "14, true", "114, true", "30, false"})
    void aStreamOfGraphsOrDatasetsIsGrouped(int logicalType, boolean grouped) {
        assertEquals(grouped, RdfOptions.DEFAULT.withTypes(PhysicalType.QUADS, logicalType).grouped());
    }

    @Test
    void eachOptionIsSetByItself() {
        RdfOptions all = RdfOptions.DEFAULT.withTypes(PhysicalType.GRAPHS, 4).withGeneralizedStatements(true).withRdfStar(true)
                .withNamespaceDeclarations(true).withTableSizes(9, 2, 1);
        assertEquals(new RdfOptions("", PhysicalType.GRAPHS, 4, true, true, 9, 2, 1, 2), all);
        assertEquals(new RdfOptions("", PhysicalType.GRAPHS, 4, true, true, 9, 2, 1, 1), all.withNamespaceDeclarations(false));
        for (int version : new int[] {0, 3}) {
            assertThrows(IllegalArgumentException.class,
                    () -> new RdfOptions("", PhysicalType.GRAPHS, 4, true, true, 9, 2, 1, version));
        }
        assertThrows(IllegalArgumentException.class, () -> all.withTypes(PhysicalType.GRAPHS, -1));
    }

    @Test
    void eachOptionComesBackByItself() throws IOException {
        RdfOptions plain = RdfOptions.DEFAULT.withTypes(PhysicalType.GRAPHS, 4);
        for (RdfOptions set : List.of(plain, plain.withGeneralizedStatements(true), plain.withRdfStar(true),
                plain.withNamespaceDeclarations(true), plain.withTableSizes(9, 2, 1),
                new RdfOptions("имя", PhysicalType.GRAPHS, 4, false, false, 4000, 150, 32, 1))) {
            try (RdfReader<byte[]> reader = new RdfReader<>(new ByteArrayInputStream(write(set, CUT, to -> { })), "test", new Utf8Terms(), ReadOptions.STRICT)) {
                reader.readAll((subject, predicate, object, graph) -> { });
                assertEquals(set, reader.options());
            }
        }
    }

    @Test
    void aNameOfAPrefixThatNoSyntaxHasIsRefused() {
        write(RdfOptions.DEFAULT.withNamespaceDeclarations(true), CUT,
                refused("R-82", to -> to.namespace(utf8("a b"), utf8("<urn:ns>"))));
    }

    @Test
    void metadataHasToFitIntoItsFrame() {
        WriteOptions small = new WriteOptions(100, true, 1000).withRestartBytes(0);
        Consumer<RdfWriter<byte[]>> much = to -> to.endFrame(Map.of("k", new byte[900], "l", new byte[100]));
        write(options(PhysicalType.TRIPLES), small, refused("R-03", much)
                .andThen(to -> to.endFrame(Map.of("k", new byte[600]))));
    }

    @Test
    void metadataIsReadBackWithItsFrameAlsoUnderAnEmptyKey() throws IOException {
        byte[] value = {0, -1};
        byte[] stream = write(RdfOptions.DEFAULT.withTypes(PhysicalType.TRIPLES, 3), CUT, to -> {
            to.endFrame(Map.of("ключ", value, "", new byte[0]));
            to.endFrame(Map.of());
        });
        List<Map<String, byte[]>> found = RdfEventRecorder.read(new ByteArrayInputStream(stream), new Utf8Terms(),
                ReadOptions.STRICT, EventTerms::ofText).metadata;
        assertEquals(2, found.size());
        assertEquals(2, found.get(0).size());
        assertArrayEquals(value, found.get(0).get("ключ"));
        assertArrayEquals(new byte[0], found.get(0).get(""));
        assertEquals(Map.of(), found.get(1));
    }
}
