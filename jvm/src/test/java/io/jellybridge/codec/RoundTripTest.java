package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is written is read back, by our reader and by an independent one that checks the producer's rules, over random
 * patches × stream types × statement types × table sizes × frame sizes ×
 * distances of restart points. {@code -Djellybridge.seeds=N} runs more seeds.
 */
class RoundTripTest {
    private static final int SEEDS = Integer.getInteger("jellybridge.seeds", 60);
    private static final int[] FRAME_ROWS = {1, 2, 7, 100, 1024, 100_000};
    private static final int[][] TABLES = {{8, 0, 1}, {8, 1, 1}, {9, 2, 2}, {16, 0, 0}, {100, 3, 3}, {4000, 150, 32}};
    private static final int[] RESTART_BYTES = {0, 1, 50, 1000, 4 << 20};
    /** What a row may be refused for although RDF allows it: it does not fit into tables this small. */
    private static final Set<String> TOO_SMALL = Set.of("P-64");

    static Stream<Arguments> streams() {
        return Stream.of(StreamType.values()).flatMap(stream -> Stream.of(StatementType.values())
                .flatMap(statement -> Stream.of(true, false).map(delimited -> Arguments.of(stream, statement, delimited))));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void whatIsWrittenIsReadBack(StreamType stream, StatementType statement, boolean delimited) throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int[] sizes = TABLES[random.nextInt(TABLES.length)];
            PatchOptions options = new PatchOptions(stream, statement, random.nextBoolean(), random.nextBoolean(),
                    sizes[0], sizes[1], sizes[2]);
            WriteOptions cut = new WriteOptions(FRAME_ROWS[random.nextInt(FRAME_ROWS.length)], delimited, 16 << 20,
                    RESTART_BYTES[random.nextInt(RESTART_BYTES.length)], TermRules.ANY);
            roundTrip(seed, options, cut, onlyOnePatch(stream, delimited) ? 1 : random.nextInt(6));
        }
    }

    private static boolean onlyOnePatch(StreamType stream, boolean delimited) {
        return stream == StreamType.FLAT || !delimited;
    }

    private static void roundTrip(long seed, PatchOptions options, WriteOptions cut, int patches) throws IOException {
        String what = "seed " + seed + ", " + options + ", " + cut;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Recorder written = new Recorder();
        try (PatchWriter<byte[]> writer = new PatchWriter<>(out, "test", new Utf8Terms(), options, cut)) {
            RandomPatches random = new RandomPatches(seed, options);
            random.patches(new Accepted(writer, written), patches, () -> {
                FormatException refused =
                        assertThrows(FormatException.class, () -> random.illegalCall(writer), what);
                assertTrue(refused.getMessage().contains(refused.advice()), what);
            });
            assertEquals(patches, writer.patches(), what);
        }
        if (patches == 0 && options.streamType() == StreamType.FRAME) {
            written.endPatch(); // the options need a frame, and each frame is a patch
        }
        byte[] bytes = out.toByteArray();
        assertEquals(written.lines, Streams.read(bytes), what);
        assertEquals(written.lines, IndependentReader.read(bytes, cut.delimited()), what);
    }

    /** Passes calls on, and records those that the writer took. */
    record Accepted(PatchWriter<byte[]> writer, Recorder recorder) implements PatchHandler<byte[]> {

        private void call(java.util.function.Consumer<PatchHandler<byte[]>> event) {
            try {
                event.accept(writer);
            } catch (FormatException e) {
                assertTrue(TOO_SMALL.contains(e.rule()), e.getMessage());
                return;
            }
            event.accept(recorder);
        }

        @Override
        public void header(byte[] key, byte[] value) {
            call(to -> to.header(key, value));
        }

        @Override
        public void transaction(Op op) {
            call(to -> to.transaction(op));
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            call(to -> to.prefix(op, name, namespace, graph));
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            call(to -> to.statement(op, subject, predicate, object, graph));
        }

        @Override
        public void endPatch() {
            call(PatchHandler::endPatch);
        }
    }
}
