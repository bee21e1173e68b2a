package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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
        public boolean accepts(Op op) {
            return op == Op.A ? additions : deletions;
        }

        @Override
        public boolean accepts(Op op, byte[] predicate, byte[] graph) {
            return accepts(op) && (!needsTerms || (Arrays.hashCode(predicate) + Arrays.hashCode(graph) & 1) == 0);
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
            if (selection.filter() == null || selection.filter().accepts(op, predicate, graph)) {
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

    private static byte[] stream(StatementType statements, Random random) {
        int[] sizes = TABLES[random.nextInt(TABLES.length)];
        PatchOptions options = new PatchOptions(StreamType.PUNCTUATED, statements, random.nextBoolean(),
                random.nextBoolean(), sizes[0], sizes[1], sizes[2]);
        WriteOptions cut = new WriteOptions(FRAME_ROWS[random.nextInt(FRAME_ROWS.length)], true, 16 << 20,
                RESTART_BYTES[random.nextInt(RESTART_BYTES.length)], TermRules.ANY);
        return Streams.write(options, cut, writer -> new RandomPatches(random.nextLong(), options)
                .patches(new RoundTripTest.Accepted(writer, new Recorder()), 1 + random.nextInt(5), () -> { }));
    }

    private static StatementFilter<byte[]> filter(Random random) {
        return random.nextInt(3) == 0 ? null
                : new HalfOf(random.nextBoolean(), random.nextBoolean(), random.nextBoolean());
    }
}
