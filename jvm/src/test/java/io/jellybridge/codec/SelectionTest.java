package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.Selection.StatementFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is selected is what a full read has of it, over random patches × selections × table sizes × frame sizes × distances
 * of restart points: terms that are made late come from frames that are gone, and from entries that were overwritten.
 * {@code -Djellybridge.seeds=N} runs more seeds.
 */
class SelectionTest {
    private static final int SEEDS = Integer.getInteger("jellybridge.seeds", 200);
    private static final int[] FRAME_ROWS = {1, 2, 7, 100, 100_000};
    private static final int[][] TABLES = {{8, 0, 1}, {8, 1, 1}, {9, 2, 2}, {100, 3, 3}, {4000, 150, 32}};
    private static final int[] RESTART_BYTES = {0, 1, 50, 1000};

    /** Takes statements by op, and perhaps by the bytes of predicate and graph; about half of them each. */
    record HalfOf(boolean additions, boolean deletions, boolean needsTerms) implements StatementFilter<byte[]> {

        @Override
        public boolean isAccepted(Op op) {
            return op == Op.A ? additions : deletions;
        }

        @Override
        public boolean isAccepted(Op op, byte[] predicate, byte[] graph) {
            return isAccepted(op) && (!needsTerms || (Arrays.hashCode(predicate) + Arrays.hashCode(graph) & 1) == 0);
        }
    }

    /** Selects from all that a full read hands over. */
    record Selecting(Selection<byte[]> selection, PatchHandler<byte[]> to) implements PatchHandler<byte[]> {

        @Override
        public void header(byte[] key, byte[] value) {
            to.header(key, value);
        }

        @Override
        public void transaction(Op op) {
            to.transaction(op);
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            to.prefix(op, name, namespace, graph);
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            if (selection.filter() == null || selection.filter().isAccepted(op, predicate, graph)) {
                boolean filters = selection.filtersByTerms();
                to.statement(op, selection.subject() ? subject : null,
                        selection.predicate() || filters ? predicate : null, selection.object() ? object : null,
                        selection.graph() || filters ? graph : null);
            }
        }

        @Override
        public void endPatch() {
            to.endPatch();
        }
    }

    @ParameterizedTest
    @EnumSource(StatementType.class)
    void whatIsSelectedIsWhatAFullReadHasOfIt(StatementType statements) throws IOException {
        long lines = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            byte[] stream = stream(statements, random);
            Selection<byte[]> selection = new Selection<>(random.nextBoolean(), random.nextBoolean(),
                    random.nextBoolean(), random.nextBoolean(), filter(random));
            Recorder expected = new Recorder();
            Streams.readInto(stream, ReadOptions.DEFAULT, new Selecting(selection, expected));
            Recorder selected = new Recorder();
            try (PatchReader<byte[]> reader = reader(stream)) {
                reader.select(selection);
                reader.readAll(selected);
            }
            assertEquals(expected.lines, selected.lines, "seed " + seed + ", " + selection);
            lines += selected.lines.size();
        }
        assertTrue(lines > 10L * SEEDS, lines + " events only");
    }

    @ParameterizedTest
    @EnumSource(StatementType.class)
    void whatWasPassedOverMayBeRepeated(StatementType statements) throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            byte[] stream = stream(statements, new Random(seed));
            Recorder all = new Recorder();
            Recorder afterOne = new Recorder();
            Recorder expected = new Recorder();
            try (PatchReader<byte[]> full = reader(stream); PatchReader<byte[]> late = reader(stream)) {
                assertTrue(late.select(Selection.notYet()));
                while (full.numbers().patches() == 0 && full.next(all)) {
                    // to the end of the first patch
                }
                while (late.numbers().patches() == 0 && late.next(afterOne)) {
                    // likewise
                }
                all.lines.removeIf(line -> line.startsWith("A ") || line.startsWith("D "));
                assertEquals(all.lines, afterOne.lines, "seed " + seed);
                late.select(Selection.all());
                full.readAll(expected);
                afterOne.lines.clear();
                late.readAll(afterOne);
                assertEquals(expected.lines, afterOne.lines, "seed " + seed);
            }
        }
    }

    /** The statements, and whether a frame ended. */
    private static final class Statements implements RdfHandler<byte[]> {
        private PatchHandler<byte[]> to;
        private boolean frameEnded;

        Statements(PatchHandler<byte[]> to) {
            this.to = to;
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            to.statement(Op.A, subject, predicate, object, graph);
        }

        @Override
        public void endFrame(Map<String, byte[]> metadata) {
            frameEnded = true;
        }

        /** Reads to the end of the first frame. */
        void begin(RdfReader<byte[]> reader) throws IOException {
            boolean more = true;
            while (!frameEnded && more) {
                more = reader.next(this);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(PhysicalType.class)
    void statementsThatWerePassedOverMayBeRepeatedAndFewerTermsAskedForThen(PhysicalType type) throws IOException {
        long lines = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            byte[] stream = stream(type, random);
            Selection<byte[]> selection = new Selection<>(random.nextBoolean(), random.nextBoolean(), random.nextBoolean(),
                    type == PhysicalType.GRAPHS || random.nextBoolean(), null);
            Recorder before = new Recorder();
            Recorder expected = new Recorder();
            Recorder selected = new Recorder();
            Statements full = new Statements(new Recorder());
            Statements late = new Statements(before);
            try (RdfReader<byte[]> fully = rdfReader(stream); RdfReader<byte[]> lately = rdfReader(stream)) {
                full.begin(fully);
                lately.select(Selection.notYet());
                late.begin(lately);
                assertEquals(List.of(), before.lines);
                full.to = new Selecting(selection, expected);
                fully.readAll(full);
                lately.select(selection);
                late.to = selected;
                lately.readAll(late);
            }
            assertEquals(expected.lines, selected.lines, "seed " + seed + ", " + selection);
            lines += selected.lines.size();
        }
        assertTrue(lines > 10L * SEEDS, lines + " statements only");
    }

    private static RdfReader<byte[]> rdfReader(byte[] stream) {
        return new RdfReader<>(new ByteArrayInputStream(stream), "test", new Utf8Terms(), ReadOptions.DEFAULT);
    }

    /** Counts the events of Jelly-RDF. */
    private static final class Counter implements RdfHandler<byte[]> {
        private int events;

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            events++;
        }

        @Override
        public void startGraph(byte[] graph) {
            events++;
        }

        @Override
        public void endGraph() {
            events++;
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            events++;
        }

        @Override
        public void endFrame(Map<String, byte[]> metadata) {
            events++;
        }
    }

    /** Who reads row by row counts on it. */
    @ParameterizedTest
    @EnumSource(StreamType.class)
    void eachCallHandsOverOneEventUntilThereIsNone(StreamType streamType) throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            StatementFilter<byte[]> filter = filter(random);
            Selection<byte[]> selection = new Selection<>(true, true, true, true, filter);
            Recorder patches = new Recorder();
            try (PatchReader<byte[]> reader = reader(stream(streamType, StatementType.QUADS, random))) {
                reader.select(selection);
                for (int events = 1; reader.next(patches); events++) {
                    assertEquals(events, patches.lines.size(), "seed " + seed);
                }
                int all = patches.lines.size();
                assertFalse(reader.next(patches));
                assertEquals(all, patches.lines.size());
            }
            for (PhysicalType type : PhysicalType.values()) {
                Counter counted = new Counter();
                try (RdfReader<byte[]> reader = rdfReader(stream(type, random))) {
                    reader.select(selection);
                    for (int events = 1; reader.next(counted); events++) {
                        assertEquals(events, counted.events, "seed " + seed + " " + type);
                    }
                }
            }
        }
    }

    private static PatchReader<byte[]> reader(byte[] stream) {
        return new PatchReader<>(new ByteArrayInputStream(stream), "test", new Utf8Terms(), ReadOptions.DEFAULT);
    }

    /** All statements of Jelly-RDF count as additions. */
    @ParameterizedTest
    @EnumSource(PhysicalType.class)
    void whatIsSelectedOfStatementsIsWhatAFullReadHasOfIt(PhysicalType type) throws IOException {
        long lines = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            byte[] stream = stream(type, random);
            Selection<byte[]> selection = new Selection<>(random.nextBoolean(), random.nextBoolean(),
                    random.nextBoolean(), random.nextBoolean(), filter(random));
            Recorder expected = new Recorder();
            // In a GRAPHS stream a statement's graph is that of its start, which is there whether it is selected or not.
            Selection<byte[]> handed = new Selection<>(selection.subject(), selection.predicate(), selection.object(),
                    selection.graph() || type == PhysicalType.GRAPHS, selection.filter());
            readRdf(stream, Selection.all(), ReadOptions.DEFAULT, new Selecting(handed, expected));
            Recorder selected = new Recorder();
            Recorder strictly = new Recorder();
            readRdf(stream, selection, ReadOptions.DEFAULT, selected);
            assertEquals(expected.lines, selected.lines, "seed " + seed + ", " + selection);
            readRdf(stream, selection, ReadOptions.STRICT, strictly);
            assertEquals(expected.lines.size(), strictly.lines.size(), "a strict reader selects all the same");
            lines += selected.lines.size();
        }
        assertTrue(lines > 10L * SEEDS, lines + " statements only");
    }

    private static byte[] stream(PhysicalType type, Random random) throws IOException {
        int[] sizes = TABLES[random.nextInt(TABLES.length)];
        RdfOptions options = new RdfOptions("", type, type == PhysicalType.TRIPLES ? 1 : 2, false, false, sizes[0], sizes[1],
                sizes[2], 1);
        WriteOptions cut = new WriteOptions(FRAME_ROWS[random.nextInt(FRAME_ROWS.length)], true, 16 << 20,
                RESTART_BYTES[random.nextInt(RESTART_BYTES.length)], TermRules.ANY);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RdfWriter<byte[]> writer = new RdfWriter<>(out, "test", new Utf8Terms(), options, cut)) {
            new RandomStatements(random.nextLong(), options).frames(writer, 1 + random.nextInt(5), () -> { });
        }
        return out.toByteArray();
    }

    private static void readRdf(byte[] stream, Selection<byte[]> selection, ReadOptions options, PatchHandler<byte[]> to)
            throws IOException {
        try (RdfReader<byte[]> reader =
                new RdfReader<>(new ByteArrayInputStream(stream), "test", new Utf8Terms(), options)) {
            reader.select(selection);
            reader.readAll((subject, predicate, object, graph) -> to.statement(Op.A, subject, predicate, object, graph));
        }
    }

    /**
     * Terms that repeat for long, while the entries that they are made of are replaced, and the bytes that they are read from
     * make room for others.
     */
    @Test
    void whatIsRepeatedIsKeptWhenItsEntriesAndItsBytesAreGone() throws IOException {
        byte[] stream = Streams.write(
                Streams.QUADS.withGeneralizedStatements(true).withRdfStar(true).withTableSizes(8, 2, 1),
                new WriteOptions(5, true, 16 << 20, 0, TermRules.ANY), to -> {
                    String[] terms = {"<http://e/iri>", "_:blank", "\"literal\"", "\"literal\"@en", "\"literal\"^^<urn:d>",
                        "<<( <http://e/s> <http://e/p> _:o )>>"};
                    for (int i = 0; i < 3_000; i++) {
                        String text = Integer.toString(i);
                        Streams.add(to, i % 3 == 0 ? terms[i / 90 % 6].replace("i", text.substring(0, 1)) : "<http://e/s" + i / 30 + ">",
                                terms[i / 41 % 6], i % 7 < 3 ? terms[i / 77 % 6] : "<http://o/" + text + "x".repeat(50) + ">",
                                i % 50 < 25 ? null : terms[i / 100 % 5]);
                        if (i % 11 == 0) {
                            Streams.bind(to, "p", "<http://b/" + i + ">", "<http://e/g" + i / 30 + ">");
                            to.header(Streams.utf8("k"), Streams.utf8("\"v\"^^<urn:d" + i % 2 + ">"));
                        }
                    }
                });
        assertTrue(stream.length > 2 << 16, "more than is in memory at once");
        for (int wanted = 0; wanted < 32; wanted++) {
            boolean[] is = {(wanted & 1) != 0, (wanted & 2) != 0, (wanted & 4) != 0, (wanted & 8) != 0};
            Selection<byte[]> selection = new Selection<>(is[0], is[1], is[2], is[3],
                    wanted < 16 ? null : new HalfOf(true, true, wanted % 2 == 0));
            Recorder expected = new Recorder();
            Streams.readInto(stream, ReadOptions.DEFAULT, new Selecting(selection, expected));
            assertEquals(expected.lines, read(stream, ReadOptions.DEFAULT, selection, 0), selection.toString());
        }
    }

    /** Each frame takes the place of the one before, and the row that repeats a term is the first in it. */
    @Test
    void aTermThatTheNextFrameRepeatsIsKeptWhereThatOverwritesItsBytes() throws IOException {
        Selection<byte[]> objects = new Selection<>(false, false, true, false, null);
        List<String> expected = new ArrayList<>();
        List<byte[][]> rows = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String object = i / 4 % 2 == 0 ? "\"object " + i / 2 + "\"" : "_:o" + i / 2;
            String subject = "_:s" + "x".repeat(100_000 - (i % 2 == 0 ? 100 : 0)) + i;
            rows.add(new byte[][] {Streams.utf8(subject), Streams.utf8("<urn:p>"), Streams.utf8(object)});
            expected.add("A null null " + object + " null");
        }
        WriteOptions aRowEach = new WriteOptions(1, true, 16 << 20, 0, TermRules.ANY);
        byte[] patch = Streams.write(Streams.QUADS, aRowEach,
                to -> rows.forEach(row -> to.statement(Op.A, row[0], row[1], row[2], null)));
        assertEquals(expected, read(patch, ReadOptions.DEFAULT, objects, 0).subList(0, rows.size()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RdfWriter<byte[]> writer = new RdfWriter<>(out, "test", new Utf8Terms(),
                RdfOptions.DEFAULT.withTypes(PhysicalType.QUADS, 2), aRowEach)) {
            rows.forEach(row -> writer.statement(row[0], row[1], row[2], null));
        }
        Recorder recorder = new Recorder();
        readRdf(out.toByteArray(), objects, ReadOptions.DEFAULT, recorder);
        assertEquals(expected, recorder.lines);
    }

    private static List<String> read(byte[] stream, ReadOptions options, Selection<byte[]> selection, int first)
            throws IOException {
        Recorder selected = new Recorder();
        try (PatchReader<byte[]> reader =
                new PatchReader<>(new ByteArrayInputStream(stream), "test", new Utf8Terms(), options)) {
            for (int i = 0; i < first; i++) {
                assertTrue(reader.next(selected));
            }
            reader.select(selection);
            reader.readAll(selected);
        }
        return selected.lines;
    }

    @Test
    void aSelectionThatChangesHoldsForTheRowsToCome() throws IOException {
        byte[] stream = Streams.write(Streams.QUADS, to -> {
            for (int i = 0; i < 12; i++) {
                Streams.add(to, i < 6 ? "_:s" : "<http://e/s>", "<http://e/p" + i / 5 + ">", "\"" + i / 3 + "\"",
                        i % 4 < 2 ? null : "<http://e/g>");
            }
        });
        List<String> whole = Streams.read(stream);
        Selection<byte[]> none = new Selection<>(false, false, false, false, null);
        Selection<byte[]> objects = new Selection<>(false, false, true, false, null);
        for (int first = 0; first < 12; first++) {
            List<String> lines = read(stream, ReadOptions.DEFAULT, none, first);
            assertEquals(whole.subList(0, first), lines.subList(0, first));
            assertEquals("A null null null null", lines.get(11));
            lines = read(stream, ReadOptions.DEFAULT, objects, first);
            if (first < 11 && first % 3 == 0) { // an object that comes again, and not one that was left behind
                assertEquals("A null null \"" + first / 3 + "\" null", lines.get(first));
            }
        }
    }

    /** A typed literal that is repeated is of the datatype that its id had when it came. */
    @Test
    void aRepeatedLiteralKeepsTheDatatypeThatAnotherTookThePlaceOf() throws IOException {
        byte[] stream = Raw.bytes(raw -> raw.add(1, frame -> {
            frame.add(1, row -> row.add(1, options -> options.add(1, 1).add(2, 2).add(9, 8).add(11, 1).add(15, 1)));
            frame.add(1, row -> row.add(11, name -> name.add(2, "urn:x")));
            frame.add(1, row -> row.add(13, datatype -> datatype.add(1, 1).add(2, "urn:first")));
            frame.add(1, row -> row.add(2, triple -> triple.add(1, iri -> iri.add(2, 1)).add(5, iri -> iri.add(2, 1))
                    .add(11, literal -> literal.add(1, "text").add(3, 1))));
            frame.add(1, row -> row.add(13, datatype -> datatype.add(1, 1).add(2, "urn:second")));
            frame.add(1, row -> row.add(2, triple -> triple.add(2, "b")));
        }));
        byte[] delimited = Arrays.copyOfRange(stream, 1, stream.length);
        for (boolean subject : new boolean[] {true, false}) {
            List<String> lines = read(delimited, ReadOptions.DEFAULT, new Selection<>(subject, true, true, true, null), 0);
            assertEquals("A " + (subject ? "_:b" : null) + " <urn:x> \"text\"^^<urn:first> null", lines.get(1));
        }
    }

    /** What only shows in making a term goes unnoticed where it is not made, and a strict reader makes all. */
    @Test
    void aStrictReaderFindsTheFaultsOfWhatIsNotSelectedToo() throws IOException {
        byte[] stream = Raw.bytes(raw -> raw.add(1, frame -> {
            frame.add(1, row -> row.add(1, options -> options.add(1, 1).add(2, 2).add(9, 8).add(15, 1)));
            frame.add(1, row -> row.add(11, name -> name.add(2, "urn:x")));
            frame.add(1, row -> row.add(2, triple -> triple.add(1, iri -> iri.add(2, 1)).add(5, iri -> iri.add(2, 1))
                    .add(10, new byte[] {'o', (byte) 0xFF})));
        }));
        byte[] delimited = Arrays.copyOfRange(stream, 1, stream.length);
        Selection<byte[]> others = new Selection<>(true, true, false, true, null);
        Selection<byte[]> deletions = new Selection<>(true, true, true, true, new HalfOf(false, true, false));
        assertEquals(List.of("A <urn:x> <urn:x> null null", "---"), read(delimited, ReadOptions.DEFAULT, others, 0));
        for (Selection<byte[]> selection : List.of(others, deletions)) {
            FormatException e = assertThrows(FormatException.class, () -> read(delimited, ReadOptions.STRICT, selection, 0));
            assertEquals("P-125", e.rule());
            assertEquals(2, e.row(), "where it stands, and not where its frame ends");
        }
        assertThrows(FormatException.class, () -> read(delimited, ReadOptions.DEFAULT, Selection.all(), 0));
    }

    private static byte[] stream(StatementType statements, Random random) {
        return stream(StreamType.PUNCTUATED, statements, random);
    }

    private static byte[] stream(StreamType type, StatementType statements, Random random) {
        int[] sizes = TABLES[random.nextInt(TABLES.length)];
        PatchOptions options = new PatchOptions(type, statements, random.nextBoolean(),
                random.nextBoolean(), sizes[0], sizes[1], sizes[2]);
        WriteOptions cut = new WriteOptions(FRAME_ROWS[random.nextInt(FRAME_ROWS.length)], true, 16 << 20,
                RESTART_BYTES[random.nextInt(RESTART_BYTES.length)], TermRules.ANY);
        return Streams.write(options, cut, writer -> new RandomPatches(random.nextLong(), options)
                .patches(new RoundTripTest.Accepted(writer, new Recorder()),
                        type == StreamType.FLAT ? 1 : 1 + random.nextInt(5), () -> { }));
    }

    private static StatementFilter<byte[]> filter(Random random) {
        return random.nextInt(3) == 0 ? null
                : new HalfOf(random.nextBoolean(), random.nextBoolean(), random.nextBoolean());
    }
}
