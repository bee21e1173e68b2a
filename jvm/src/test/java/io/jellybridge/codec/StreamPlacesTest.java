package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.wire.WireWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a reader says that it is, with its events and in its errors: the frame, the row in it, and the byte. */
class StreamPlacesTest {
    private static final byte[] OPTIONS =
            row(1, options -> options.add(1, 1).add(2, 2).add(9, 8).add(10, 8).add(11, 8).add(15, 1));
    private static final byte[] NAME = row(11, name -> name.add(2, "urn:x"));
    private static final byte[] TRIPLE = triple(1, 1, 1);
    private static final byte[] HEADER = row(14, header -> header.add(1, "key").add(3, "b0"));
    /** Of more than 127 bytes, so that row, message and value take lengths of two. */
    private static final byte[] LONG_HEADER = row(14, header -> header.add(1, "k".repeat(150)).add(3, "b"));

    /** What a frame holds of a row: its field. */
    private static byte[] row(int kind, Consumer<Raw> message) {
        return Raw.bytes(frame -> frame.add(1, row -> row.add(kind, message)));
    }

    private static byte[] rowOf(byte[] content) {
        return Raw.bytes(frame -> frame.add(1, content));
    }

    private static byte[] triple(int subject, int predicate, int object) {
        return row(2, triple -> triple.add(1, iri -> iri.add(2, subject)).add(5, iri -> iri.add(2, predicate))
                .add(9, iri -> iri.add(2, object)));
    }

    private static byte[][] frame(byte[]... rows) {
        return rows;
    }

    /** A stream, and where each row of each frame begins in it. */
    private record RawStream(byte[] bytes, List<Integer> frames, List<List<Integer>> rows) {

        static RawStream of(byte[][]... frames) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            RawStream stream = new RawStream(null, new ArrayList<>(), new ArrayList<>());
            for (byte[][] rows : frames) {
                stream.frames.add(out.size());
                WireWriter head = new WireWriter(10);
                head.writeVarint(Arrays.stream(rows).mapToInt(row -> row.length).sum());
                byte[] length = new byte[head.size()];
                head.copyTo(length, 0, length.length);
                out.writeBytes(length);
                List<Integer> starts = new ArrayList<>();
                for (byte[] row : rows) {
                    starts.add(out.size());
                    out.writeBytes(row);
                }
                stream.rows.add(starts);
            }
            return new RawStream(out.toByteArray(), stream.frames, stream.rows);
        }

        String place(int frame, int row) {
            return frame + "/" + row + " at " + rows.get(frame).get(row);
        }
    }

    private static PatchReader<byte[]> reader(byte[] stream, ReadOptions options) {
        return new PatchReader<>(new ByteArrayInputStream(stream), "test", new Utf8Terms(), options);
    }

    private static String place(FormatException e) {
        return e.frame() + "/" + e.row() + " at " + e.offset();
    }

    private static FormatException fault(byte[] stream, ReadOptions options) {
        FormatException e = assertThrows(FormatException.class, () -> Streams.read(stream, options));
        assertEquals("test", e.file());
        return e;
    }

    @Test
    void everyEventIsAtItsFrameItsRowAndItsByte() throws IOException {
        RawStream stream = RawStream.of(frame(OPTIONS, NAME, TRIPLE, HEADER), frame(), frame(NAME, LONG_HEADER, TRIPLE, HEADER), frame(NAME));
        Recorder recorder = new Recorder();
        List<String> places = new ArrayList<>();
        try (PatchReader<byte[]> reader = reader(stream.bytes(), ReadOptions.STRICT)) {
            assertEquals("0/0 at 0, 0 frames", where(reader), "before anything was read");
            while (reader.next(recorder)) {
                places.add(where(reader));
                assertEquals(places.size(), recorder.lines.size(), "one event a call");
            }
            assertFalse(reader.next(recorder));
            assertEquals("3/0 at " + stream.bytes().length + ", 4 frames", where(reader), "at the end");
        }
        assertEquals(List.of(stream.place(0, 2) + ", 1 frames", stream.place(0, 3) + ", 1 frames",
                stream.place(2, 1) + ", 3 frames", stream.place(2, 2) + ", 3 frames", stream.place(2, 3) + ", 3 frames",
                "3/0 at " + stream.bytes().length + ", 4 frames"), places);
    }

    private static String where(StreamReader<?, ?> reader) {
        return reader.frame() + "/" + reader.frameRow() + " at " + reader.offset() + ", " + reader.frames() + " frames";
    }

    @Test
    void everyEventOfJellyRdfIsAtItsFrameItsRowAndItsByte() throws IOException {
        byte[] options = row(1, fields -> fields.add(2, 3).add(9, 8).add(10, 1).add(15, 2));
        byte[] name = row(9, entry -> entry.add(2, "urn:x"));
        byte[] namespace = row(6, fields -> fields.add(1, "ex").add(2, iri -> iri.add(2, 1)));
        byte[] start = row(4, graph -> graph.add(3, nothing -> { }));
        byte[] end = row(5, nothing -> { });
        RawStream stream = RawStream.of(frame(), frame(options, name, namespace, start, TRIPLE),
                frame(TRIPLE, end, start, TRIPLE, end), frame(name));
        List<String> events = new ArrayList<>();
        RdfHandler<byte[]> handler = new RdfHandler<>() {
            @Override
            public void namespace(byte[] prefix, byte[] iri) {
                events.add("namespace");
            }

            @Override
            public void startGraph(byte[] graph) {
                events.add("start");
            }

            @Override
            public void endGraph() {
                events.add("end");
            }

            @Override
            public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                events.add("triple");
            }

            @Override
            public void endFrame(Map<String, byte[]> metadata) {
                events.add("frame");
            }
        };
        List<String> places = new ArrayList<>();
        try (RdfReader<byte[]> reader = new RdfReader<>(
                new ByteArrayInputStream(stream.bytes()), "test", new Utf8Terms(), ReadOptions.STRICT)) {
            assertEquals(List.of(), reader.tables());
            while (reader.next(handler)) {
                assertEquals(places.size() + 1, events.size(), "one event a call");
                places.add(events.get(events.size() - 1) + " " + reader.frame() + "/" + reader.frameRow());
            }
            assertFalse(reader.next(handler));
            assertEquals(4, reader.frames());
            assertEquals(List.of(new TableUse(8, 2, 2, 0), new TableUse(1, 0, 0, 0), new TableUse(0, 0, 0, 0)), reader.tables());
        }
        assertEquals(List.of("frame 0/0", "namespace 1/2", "start 1/3", "triple 1/4", "frame 1/4", "triple 2/0", "end 2/1",
                "start 2/2", "triple 2/3", "end 2/4", "frame 2/4", "frame 3/0"), places);
    }

    @Test
    void howTheTablesAreUsedIsCounted() throws IOException {
        byte[] options = row(1, fields -> fields.add(1, 1).add(2, 2).add(9, 20).add(10, 30).add(11, 2).add(15, 1));
        byte[] datatype = row(13, entry -> entry.add(1, 1).add(2, "urn:d"));
        byte[][] rows = new byte[26][];
        rows[0] = options;
        Arrays.fill(rows, 1, 21, NAME);
        Arrays.fill(rows, 21, 23, row(12, entry -> entry.add(1, 30).add(2, "urn:")));
        Arrays.fill(rows, 23, 26, datatype);
        try (PatchReader<byte[]> reader = reader(RawStream.of(rows).bytes(), ReadOptions.STRICT)) {
            assertEquals(List.of(), reader.tables(), "before the options");
            reader.readAll(new Recorder());
            assertEquals(List.of(new TableUse(20, 20, 20, 0), new TableUse(30, 1, 2, 1), new TableUse(2, 1, 3, 2)),
                    reader.tables());
        }
    }

    /** Rows that can't be read, and which byte of each the error is at. */
    @ParameterizedTest
    @CsvSource({
        "a name that is not set, P-62, 0",
        "the same in a row of an unusual form, P-62, 0",
        "the same in a row whose terms come in another order, P-62, 0",
        "no kind, P-07, 0",
        "a kind that the format does not have, P-07, 0",
        "a row that ends within its message, P-125, 3",
        "a message that ends within a number, P-125, 7",
        "a string that is not UTF-8, P-125, 9",
        "a short row that ends within its key, P-125, 4"
    })
    void aRowThatCanNotBeReadIsNamedByItsPlace(String what, String rule, int at) {
        byte[] bad = bad(what);
        for (int before = 0; before < 3; before++) {
            byte[][] frame = new byte[before + 3][];
            Arrays.fill(frame, NAME);
            frame[before] = bad;
            for (byte[] next : List.of(TRIPLE, LONG_HEADER, NAME)) {
                frame[before + 1] = next;
                RawStream stream = RawStream.of(frame(OPTIONS, NAME, TRIPLE), frame(), frame, frame(TRIPLE));
                for (ReadOptions options : List.of(ReadOptions.DEFAULT, ReadOptions.STRICT)) {
                    FormatException e = fault(stream.bytes(), options);
                    assertEquals(rule, e.rule(), e.getMessage());
                    assertEquals("2/" + before + " at " + (stream.rows().get(2).get(before) + at), place(e), e.getMessage());
                }
            }
            RawStream last = RawStream.of(frame(OPTIONS, NAME, TRIPLE), Arrays.copyOf(frame, before + 1));
            assertEquals("1/" + before + " at " + (last.rows().get(1).get(before) + at),
                    place(fault(last.bytes(), ReadOptions.DEFAULT)), "at the end of the stream");
        }
    }

    private static byte[] bad(String what) {
        return switch (what) {
            case "a name that is not set" -> triple(1, 7, 1);
            case "the same in a row of an unusual form" ->
                    Raw.bytes(frame -> frame.add(1, row -> row.add(20, 1).add(2, triple -> triple.add(1, iri -> iri.add(2, 7)))));
            case "the same in a row whose terms come in another order" -> row(2, triple ->
                    triple.add(9, iri -> iri.add(2, 1)).add(5, iri -> iri.add(2, 7)).add(1, iri -> iri.add(2, 1)));
            case "no kind" -> rowOf(new byte[] {});
            case "a kind that the format does not have" -> row(9, name -> name.add(2, "urn:x"));
            case "a row that ends within its message" -> rowOf(new byte[] {0x12, 9, 0x0A, 0});
            case "a message that ends within a number" -> rowOf(new byte[] {0x5A, 3, 0x08, (byte) 0x80, (byte) 0x80});
            case "a string that is not UTF-8" -> rowOf(new byte[] {0x5A, 6, 0x12, 4, 'a', 'b', 'c', (byte) 0xFF});
            case "a short row that ends within its key" -> rowOf(new byte[] {(byte) 0xD2, (byte) 0x80});
            default -> throw new IllegalArgumentException(what);
        };
    }

    @Test
    void aStreamThatIsCutOffIsSaidToBeWhereItEnds() {
        RawStream stream = RawStream.of(frame(OPTIONS, NAME, TRIPLE), frame(TRIPLE, LONG_HEADER, HEADER), frame(TRIPLE));
        for (int length = 3; length < stream.bytes().length; length++) {
            int end = length;
            long frame = stream.frames().stream().filter(start -> start < end).count() - 1;
            byte[] cut = Arrays.copyOf(stream.bytes(), length);
            if (stream.frames().contains(length)) {
                assertTrue(Streams.read(cut).contains(Recorder.END_PATCH), "whole frames are a stream");
                continue;
            }
            FormatException e = fault(cut, ReadOptions.DEFAULT);
            assertEquals("P-125", e.rule());
            assertEquals(frame + "/0 at " + length, place(e), e.getMessage());
        }
    }

    @Test
    void aFrameAboveTheLimitIsNamedWithTheOptionThatRaisesIt() {
        RawStream stream = RawStream.of(frame(OPTIONS, NAME, TRIPLE), frame(LONG_HEADER));
        int size = LONG_HEADER.length;
        ReadOptions limits = new ReadOptions(false, size, 8, 8, 8, 64);
        assertEquals(3, Streams.read(stream.bytes(), limits).size(), "the limit itself");
        FormatException e = fault(stream.bytes(), new ReadOptions(false, size - 1, 8, 8, 8, 64));
        assertEquals("P-126", e.rule());
        assertEquals("1/0 at " + stream.rows().get(1).get(0), place(e));
        assertTrue(e.advice().contains("maxFrameBytes"), e.advice());
    }

    /** Options at their limits, one beyond, and the options' names. */
    @ParameterizedTest
    @CsvSource({"9, 8, maxNameTableSize", "10, 3, maxPrefixTableSize", "11, 2, maxDatatypeTableSize"})
    void aLookupAboveItsLimitIsNamedWithTheOptionThatRaisesIt(int field, int limit, String option) {
        ReadOptions limits = new ReadOptions(true, 1000, 8, 3, 2, 64);
        for (int size = limit; size <= limit + 1; size++) {
            int asked = size;
            byte[] options = row(1, fields -> fields.add(1, 1).add(2, 2).add(9, field == 9 ? asked : 8)
                    .add(field == 9 ? 10 : field, field == 9 ? 0 : asked).add(15, 1));
            byte[] stream = RawStream.of(frame(options)).bytes();
            if (size == limit) {
                assertEquals(List.of(Recorder.END_PATCH), Streams.read(stream, limits));
            } else {
                FormatException e = fault(stream, limits);
                assertEquals("P-126", e.rule());
                assertTrue(e.found().contains(option + "=" + size + ", above the limit of " + limit), e.found());
                assertTrue(e.advice().contains(option), e.advice());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void tripleTermsNestAsDeepAsTheLimitAllows(int limit) {
        ReadOptions limits = new ReadOptions(true, 1000, 8, 8, 8, limit);
        for (int depth = limit; depth <= limit + 1; depth++) {
            String object = "<urn:x>";
            for (int i = 0; i < depth; i++) {
                object = "<<( <urn:x> <urn:x> " + object + " )>>";
            }
            String nested = object;
            byte[] stream = Streams.write(Streams.TRIPLES.withRdfStar(true).withTableSizes(8, 8, 8),
                    to -> Streams.add(to, "<urn:x>", "<urn:x>", nested, null));
            if (depth == limit) {
                assertEquals("A <urn:x> <urn:x> " + nested + " null", Streams.read(stream, limits).get(0));
            } else {
                FormatException e = fault(stream, limits);
                assertEquals("P-126", e.rule());
                assertTrue(e.found().endsWith("deeper than " + limit) && e.advice().contains("maxNesting"), e.getMessage());
            }
        }
    }

    @Test
    void whatIsGotOverIsToldWithItsPlaceAndAStrictReaderRefusesTheFirstOfIt() throws IOException {
        byte[] literal = row(2, triple -> triple.add(3, text -> text.add(1, "s")));
        byte[] graph = row(4, prefix -> prefix.add(1, "ex").add(2, iri -> iri.add(2, 1)).add(4, "g"));
        RawStream stream = RawStream.of(frame(OPTIONS, NAME, TRIPLE), frame(literal, TRIPLE), frame(graph, literal));
        List<String> told = new ArrayList<>();
        List<String> events = new ArrayList<>();
        try (PatchReader<byte[]> reader = reader(stream.bytes(), ReadOptions.DEFAULT)) {
            reader.onWarning(fault -> told.add(fault.rule() + " " + place(fault)));
            Recorder recorder = new Recorder();
            reader.readAll(recorder);
            events.addAll(recorder.lines);
        }
        assertEquals(6, events.size());
        assertEquals(List.of("P-44 " + stream.place(1, 0), "P-33 " + stream.place(2, 0), "P-44 " + stream.place(2, 1)), told);
        FormatException refused = fault(stream.bytes(), ReadOptions.STRICT);
        assertEquals(told.get(0), refused.rule() + " " + place(refused));
        assertTrue(refused.advice().contains("strict"), refused.advice());
        try (PatchReader<byte[]> reader = reader(stream.bytes(), ReadOptions.DEFAULT)) {
            reader.onWarning(fault -> {
                throw fault;
            });
            assertEquals(told.get(0).substring(5),
                    place(assertThrows(FormatException.class, () -> reader.readAll(new Recorder()))));
        }
    }

    /** Also of the events that have no row: the ends of patches. */
    @ParameterizedTest
    @CsvSource({"1, '--- --- --- TX TC ---', ''", "2, 'TX TC ---', ''", "3, 'TX TC ---', 'P-24'"})
    void eachCallHandsOverOneEventAndTheEndNone(int streamType, String events, String told) throws IOException {
        byte[] options = row(1, fields -> fields.add(1, 1).add(2, streamType).add(9, 8).add(15, 1));
        byte[][] transaction = frame(row(6, raw -> { }), row(7, raw -> { }));
        byte[] stream = RawStream.of(frame(), frame(), frame(options), transaction).bytes();
        List<String> faults = new ArrayList<>();
        Recorder recorder = new Recorder();
        try (PatchReader<byte[]> reader = reader(stream, ReadOptions.DEFAULT)) {
            reader.onWarning(fault -> faults.add(fault.rule()));
            int calls = 0;
            while (reader.next(recorder)) {
                assertEquals(++calls, recorder.lines.size());
            }
            assertFalse(reader.next(recorder));
            assertEquals(calls, recorder.lines.size());
        }
        assertEquals(events, String.join(" ", recorder.lines));
        assertEquals(told, String.join(" ", faults));
    }

    /** Unknown fields are passed over, and bytes that are none are damage, also where nothing is asked for. */
    @ParameterizedTest
    @ValueSource(ints = {6, 7, 8, 15})
    void aRowThatSaysAllByItsKindHasWholeFieldsAllTheSame(int kind) throws IOException {
        byte[] tx = row(6, raw -> { });
        byte[] options = row(1, fields -> fields.add(1, 1).add(2, 3).add(9, 8).add(15, 1));
        boolean ends = kind == 7 || kind == 8;
        for (boolean whole : new boolean[] {true, false}) {
            byte[] tested = whole ? row(kind, raw -> raw.add(20, "new"))
                    : rowOf(new byte[] {(byte) (kind << 3 | 2), 2, 0x0A, 9});
            byte[] stream = RawStream.of(ends ? frame(options, tx, tested) : frame(options, tested)).bytes();
            try (PatchReader<byte[]> reader = reader(stream, ReadOptions.DEFAULT)) {
                Recorder recorder = new Recorder();
                if (ends) {
                    assertTrue(reader.next(recorder));
                }
                if (whole) {
                    assertTrue(reader.next(recorder));
                } else {
                    assertEquals("P-125", assertThrows(FormatException.class, () -> reader.next(recorder)).rule());
                }
            }
        }
    }

    @Test
    void aRowBeforeTheOptionsAndAStreamWithoutAnyAreRefusedAtTheirPlaces() {
        RawStream first = RawStream.of(frame(), frame(NAME, OPTIONS));
        FormatException e = fault(first.bytes(), ReadOptions.DEFAULT);
        assertEquals("P-40 " + first.place(1, 0), e.rule() + " " + place(e));
        FormatException none = fault(RawStream.of(frame(), frame()).bytes(), ReadOptions.DEFAULT);
        assertEquals("P-40 1/0 at 2", none.rule() + " " + place(none));
    }
}
