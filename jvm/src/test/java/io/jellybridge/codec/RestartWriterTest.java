package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.WireFormat;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The restart points of what we write, seen by protobuf's own parser. That streams with them are read as any is for
 * {@link RoundTripTest}, {@link RdfRoundTripTest} and {@link JellyPeerTest} to show.
 */
class RestartWriterTest {
    private static final Descriptor RESTART = IndependentStream.descriptor("Restart");
    private static final int SEEDS = Integer.getInteger("jellybridge.seeds", 20);
    private static final int[] RESTART_BYTES = {1, 50, 1000, 4 << 20};
    private static final int[] FRAME_ROWS = {1, 7, 1024};
    private static final byte[] MARK = {-1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    /** A restart point, and the frames from it to the next one. */
    private record Segment(Message restart, List<Message> frames) {

        long number(String field) {
            return ((Number) restart.getField(RESTART.findFieldByName(field))).longValue();
        }

        boolean flag(String field) {
            return (Boolean) restart.getField(RESTART.findFieldByName(field));
        }
    }

    /** Cuts a stream at its restart points; checks their numbers of frames, lengths and marks. */
    private static List<Segment> segments(Descriptor type, byte[] stream) throws IOException {
        List<Segment> segments = new ArrayList<>();
        CodedInputStream in = CodedInputStream.newInstance(stream);
        for (int i = 0; !in.isAtEnd(); i++) {
            long offset = in.getTotalBytesRead();
            byte[] bytes = in.readByteArray();
            Message frame = DynamicMessage.parseFrom(type, bytes);
            ByteString restart = restart(frame);
            if (restart != null) {
                int firstTag = CodedInputStream.newInstance(bytes).readTag();
                assertEquals(IndependentStream.RESTART_FIELD, WireFormat.getTagFieldNumber(firstTag), "first in its frame");
                Segment segment = new Segment(DynamicMessage.parseFrom(RESTART, restart), new ArrayList<>());
                assertEquals(offset, segment.number("offset"));
                assertEquals(i, segment.number("frame"));
                assertEquals(frame.getSerializedSize(), segment.number("frame_length"));
                assertEquals(ByteString.copyFrom(MARK), segment.restart.getField(RESTART.findFieldByName("mark")));
                segments.add(segment);
            }
            assertFalse(segments.isEmpty(), "the first frame is a restart point");
            segments.get(segments.size() - 1).frames.add(frame);
        }
        return segments;
    }

    private static ByteString restart(Message frame) {
        List<ByteString> found = frame.getUnknownFields().getField(IndependentStream.RESTART_FIELD).getLengthDelimitedList();
        assertTrue(found.size() <= 1);
        return found.isEmpty() ? null : found.get(0);
    }

    private static byte[] write(PatchOptions options, WriteOptions cut, Consumer<PatchWriter<byte[]>> calls)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PatchWriter<byte[]> writer = new PatchWriter<>(out, "test", new Utf8Terms(), options, cut, MARK)) {
            calls.accept(writer);
        }
        return out.toByteArray();
    }

    static Stream<Arguments> patchStreams() {
        return Stream.of(StreamType.values())
                .flatMap(stream -> Stream.of(StatementType.values()).map(statement -> Arguments.of(stream, statement)));
    }

    @ParameterizedTest
    @MethodSource("patchStreams")
    void eachPartOfAPatchStreamIsReadAloneAndKnowsItsPlace(StreamType type, StatementType statement) throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            PatchOptions options = new PatchOptions(type, statement, true, true, 4000, 150, 32);
            WriteOptions cut = new WriteOptions(FRAME_ROWS[seed % FRAME_ROWS.length], true, 16 << 20,
                    RESTART_BYTES[seed % RESTART_BYTES.length], TermRules.ANY);
            long of = seed;
            byte[] stream = write(options, cut, writer -> {
                RandomPatches random = new RandomPatches(of, options);
                random.patches(writer, type == StreamType.FLAT ? 1 : 5,
                        () -> assertThrows(FormatException.class, () -> random.illegalCall(writer)));
            });
            String what = "seed " + seed + ", " + cut;
            List<Segment> segments = segments(IndependentReader.FRAME, stream);
            List<String> lines = new ArrayList<>();
            for (Segment segment : segments) {
                checkPlace(segment, lines, what);
                lines.addAll(IndependentReader.readPart(segment.frames));
            }
            if (type == StreamType.FLAT) {
                lines.add(Recorder.END_PATCH);
            }
            assertEquals(Streams.read(stream), lines, what);
            if (cut.restartBytes() == 1) {
                assertEquals(Math.max(1, mostRestarts(lines, type)), segments.size(), what + ": at every chance");
            }
        }
    }

    private static void checkPlace(Segment segment, List<String> before, String what) {
        long patches = count(before, Recorder.END_PATCH);
        long begun = count(before, "TX");
        assertEquals(before.size() - patches, segment.number("row"), what);
        assertEquals(patches, segment.number("patch"), what);
        assertEquals(begun, segment.number("transaction"), what);
        assertEquals(begun > count(before, "TC") + count(before, "TA"), segment.flag("transaction_open"), what);
        assertEquals(!before.isEmpty() && !before.get(before.size() - 1).equals(Recorder.END_PATCH),
                segment.flag("patch_open"), what);
    }

    private static long count(List<String> lines, String line) {
        return lines.stream().filter(line::equals).count();
    }

    /** With each row, but for FRAME streams: with the first row of each patch. Empty patches before it do not count. */
    private static long mostRestarts(List<String> lines, StreamType type) {
        long rows = 0;
        for (int i = 0; i < lines.size(); i++) {
            boolean isRow = !lines.get(i).equals(Recorder.END_PATCH);
            boolean begins = i == 0 || lines.get(i - 1).equals(Recorder.END_PATCH);
            rows += isRow && (begins || type != StreamType.FRAME) ? 1 : 0;
        }
        boolean firstFrameIsAnEmptyPatch = lines.get(0).equals(Recorder.END_PATCH);
        return rows + (firstFrameIsAnEmptyPatch ? 1 : 0);
    }

    @ParameterizedTest
    @EnumSource(PhysicalType.class)
    void eachPartOfAnRdfStreamIsReadAloneAndKnowsItsPlace(PhysicalType type) throws IOException {
        int restarts = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            int logicalType = (type == PhysicalType.TRIPLES ? 1 : 2) + (seed % 2 == 0 ? 2 : 0);
            RdfOptions options = new RdfOptions("näme", type, logicalType, true, true, 4000, 150, 32, 2);
            WriteOptions cut = new WriteOptions(FRAME_ROWS[seed % FRAME_ROWS.length], true, 16 << 20,
                    RESTART_BYTES[seed % RESTART_BYTES.length], TermRules.ANY);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            FrameRecorder written = new FrameRecorder(type);
            try (RdfWriter<byte[]> writer = new RdfWriter<>(out, "test", new Utf8Terms(), options, cut, MARK)) {
                new RandomStatements(seed, options).frames(new Both(writer, written), 5, () -> { });
            }
            String what = "seed " + seed + ", " + cut;
            List<Event> events = new ArrayList<>();
            for (Segment segment : segments(IndependentRdfReader.FRAME, out.toByteArray())) {
                assertEquals(events.stream().filter(event -> !event.op().equals("NS")).count(), segment.number("row"), what);
                events.addAll(IndependentRdfReader.read(segment.frames).events());
                restarts++;
            }
            assertEquals(written.events(), events, what);
        }
        assertTrue(restarts > 2 * SEEDS, restarts + " restart points");
    }

    /** Passes calls on to two handlers. */
    private record Both(RdfHandler<byte[]> first, RdfHandler<byte[]> second) implements RdfHandler<byte[]> {

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            first.namespace(name, namespace);
            second.namespace(name, namespace);
        }

        @Override
        public void startGraph(byte[] graph) {
            first.startGraph(graph);
            second.startGraph(graph);
        }

        @Override
        public void endGraph() {
            first.endGraph();
            second.endGraph();
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            first.statement(subject, predicate, object, graph);
            second.statement(subject, predicate, object, graph);
        }

        @Override
        public void endFrame(Map<String, byte[]> metadata) {
            first.endFrame(metadata);
            second.endFrame(metadata);
        }
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void aRefusedCallWhereARestartPointIsDueLeavesNoTrace(StreamType type) throws IOException {
        PatchOptions options = Streams.QUADS.withStreamType(type);
        WriteOptions cut = WriteOptions.DEFAULT.withRestartBytes(1);
        Consumer<PatchWriter<byte[]>> row = to -> Streams.add(to, "<http://e/s>", "<http://e/p>", "\"o\"", "<http://e/g>");
        Consumer<PatchWriter<byte[]>> refused = to ->
                assertThrows(FormatException.class, () -> Streams.add(to, "<http://e/x>", "<http://e/y>", "?z", null));
        Consumer<PatchWriter<byte[]>> end = to -> {
            if (type != StreamType.FLAT) {
                to.endPatch();
            }
        };
        assertArrayEquals(write(options, cut, row.andThen(end).andThen(row)),
                write(options, cut, row.andThen(refused).andThen(end).andThen(refused).andThen(row).andThen(refused)));
        assertArrayEquals(write(options, cut, row.andThen(end)),
                write(options, cut, row.andThen(end).andThen(refused)), "at the end of the stream");
    }

    @Test
    void aReaderThatDoesNotKnowRestartPointsReadsStreamsOneBehindTheOther() throws IOException {
        byte[] first = write(Streams.QUADS, Streams.ANY_TERMS, to -> {
            Streams.add(to, "<http://e/a/s>", "<http://e/b/p>", "\"1\"^^<http://e/d>", "<http://e/g>");
            to.endPatch();
        });
        byte[] second = write(Streams.QUADS, Streams.ANY_TERMS, to -> {
            Streams.add(to, "<nosep>", "<http://e/c/p>", "\"2\"^^<http://e/d2>", "<http://e/g2>");
            to.endPatch();
        });
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        List<String> lines = new ArrayList<>(Streams.read(first));
        lines.addAll(Streams.read(second));
        assertEquals(lines, IndependentReader.read(both.toByteArray(), true));
    }

    /** Nodes are known by themselves, without their text. */
    @Test
    void aNodeThatStandsBeforeARestartPointIsWrittenAnewBehindIt() throws IOException {
        Node[] nodes = {NodeFactory.createURI("http://e/a"), NodeFactory.createURI("http://e/b"), NodeFactory.createURI("c")};
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Recorder expected = new Recorder();
        try (PatchWriter<Node> writer = new PatchWriter<>(out, "test", new NodeTerms(), Streams.QUADS,
                Streams.ANY_TERMS.withRestartBytes(100), MARK)) {
            for (int i = 0; i < 60; i++) {
                Node[] row = {nodes[i % 3], nodes[i / 3 % 3], nodes[i / 9 % 3], nodes[i % 2]};
                writer.statement(Op.A, row[0], row[1], row[2], row[3]);
                byte[][] texts = Stream.of(row).map(node -> utf8("<" + node.getURI() + ">")).toArray(byte[][]::new);
                expected.statement(Op.A, texts[0], texts[1], texts[2], texts[3]);
            }
        }
        expected.endPatch();
        assertEquals(expected.lines, Streams.read(out.toByteArray()));
        assertTrue(segments(IndependentReader.FRAME, out.toByteArray()).size() > 3);
    }

    @Test
    void aStreamHasNoRestartPointsWhereTheyAreTurnedOffOrItIsNotDelimited() throws IOException {
        for (WriteOptions cut : List.of(new WriteOptions(1, true, 1000, 0), new WriteOptions(1, false, 1000, 1))) {
            byte[] stream = write(Streams.QUADS, cut, to -> {
                to.transaction(Op.TX);
                to.transaction(Op.TC);
            });
            for (Message frame : IndependentStream.frames(IndependentReader.FRAME, stream, cut.delimited())) {
                assertEquals(null, restart(frame));
            }
        }
    }

    @Test
    void aRowThatFitsIntoAFrameButNotBesideARestartPointIsWrittenWithoutOne() throws IOException {
        int maxFrameBytes = 1000;
        byte[] stream = write(Streams.QUADS, new WriteOptions(1024, true, maxFrameBytes, 1), to -> {
            to.transaction(Op.TX);
            to.header(utf8("k"), utf8('"' + "x".repeat(800) + '"'));
            to.transaction(Op.TC);
        });
        assertEquals(List.of("TX", "H k \"" + "x".repeat(800) + '"', "TC", "---"), Streams.read(stream));
        assertEquals(2, segments(IndependentReader.FRAME, stream).size());
        IndependentStream.frames(IndependentReader.FRAME, stream, true)
                .forEach(frame -> assertTrue(frame.getSerializedSize() <= maxFrameBytes));
    }

    @Test
    void eachStreamHasAMarkOfItsOwnThatNoStringHolds() {
        byte[] mark = Restart.newMark();
        assertEquals(Restart.MARK_BYTES, mark.length);
        assertEquals((byte) 0xFF, mark[0]);
        assertFalse(Arrays.equals(mark, Restart.newMark()));
    }
}
