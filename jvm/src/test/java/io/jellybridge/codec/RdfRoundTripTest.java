package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is written as Jelly-RDF is read back, by our reader and by an independent one that checks the producer's rules, over
 * random statements × physical types × flat or grouped × table sizes × frame sizes ×
 * distances of restart points. {@code -Djellybridge.seeds=N} runs
 * more seeds.
 */
class RdfRoundTripTest {
    private static final int SEEDS = Integer.getInteger("jellybridge.seeds", 60);
    private static final int[] FRAME_ROWS = {1, 2, 7, 100, 1024, 100_000};
    private static final int[][] TABLES = {{8, 0, 1}, {8, 1, 1}, {9, 2, 2}, {16, 0, 0}, {100, 3, 3}, {4000, 150, 32}};
    private static final int[] RESTART_BYTES = {0, 1, 50, 1000, 4 << 20};
    /** What a row may be refused for although RDF allows it: it does not fit into tables this small. */
    private static final Set<String> TOO_SMALL = Set.of("R-45");

    static Stream<Arguments> streams() {
        return Stream.of(PhysicalType.values()).flatMap(type -> Stream.of(true, false)
                .flatMap(grouped -> Stream.of(true, false).map(delimited -> Arguments.of(type, grouped, delimited))));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void whatIsWrittenIsReadBack(PhysicalType type, boolean grouped, boolean delimited) throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int[] sizes = TABLES[random.nextInt(TABLES.length)];
            RdfOptions options = new RdfOptions(random.nextBoolean() ? "" : "a näme\n", type, logicalType(type, grouped),
                    random.nextBoolean(), random.nextBoolean(), sizes[0], sizes[1], sizes[2], 1 + random.nextInt(2));
            WriteOptions cut = new WriteOptions(FRAME_ROWS[random.nextInt(FRAME_ROWS.length)], delimited, 16 << 20,
                    RESTART_BYTES[random.nextInt(RESTART_BYTES.length)], TermRules.ANY);
            roundTrip(seed, options, cut, delimited ? random.nextInt(6) : 1);
        }
    }

    private static int logicalType(PhysicalType type, boolean grouped) {
        return (type == PhysicalType.TRIPLES ? 1 : 2) + (grouped ? 2 : 0);
    }

    private static void roundTrip(long seed, RdfOptions options, WriteOptions cut, int frames) throws IOException {
        String what = "seed " + seed + ", " + options + ", " + cut;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FrameRecorder written = new FrameRecorder(options.physicalType());
        try (RdfWriter<byte[]> writer = new RdfWriter<>(out, "test", new Utf8Terms(), options, cut)) {
            RandomStatements random = new RandomStatements(seed, options);
            random.frames(new Accepted(writer, written), frames, () -> {
                FormatException refused =
                        assertThrows(FormatException.class, () -> random.illegalCall(writer), what);
                assertTrue(refused.getMessage().contains(refused.advice()), what);
            });
        }
        byte[] bytes = out.toByteArray();
        RdfEventRecorder<byte[]> read = RdfEventRecorder.read(
                new ByteArrayInputStream(bytes), new Utf8Terms(), ReadOptions.STRICT, EventTerms::ofText);
        IndependentRdfReader independent = IndependentRdfReader.read(bytes, cut.delimited());
        assertEquals(options, read.options, what);
        assertEquals(options, independent.options(), what);
        assertEquals(written.events(), read.events(), what);
        assertEquals(read.frames, independent.frames(), what);
        if (options.grouped() && frames > 0) {
            assertEquals(written.frames(), read.frames, what);
        }
    }

    /** Passes calls on, and records those that the writer took. */
    private record Accepted(RdfWriter<byte[]> writer, RdfHandler<byte[]> recorder) implements RdfHandler<byte[]> {

        private void call(Consumer<RdfHandler<byte[]>> event) {
            try {
                event.accept(writer);
            } catch (FormatException e) {
                assertTrue(TOO_SMALL.contains(e.rule()), e.getMessage());
                return;
            }
            event.accept(recorder);
        }

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            call(to -> to.namespace(name, namespace));
        }

        @Override
        public void startGraph(byte[] graph) {
            call(to -> to.startGraph(graph));
        }

        @Override
        public void endGraph() {
            call(RdfHandler::endGraph);
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            call(to -> to.statement(subject, predicate, object, graph));
        }

        @Override
        public void endFrame(Map<String, byte[]> metadata) {
            call(to -> to.endFrame(metadata));
        }
    }
}
