package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.jellybridge.wire.WireWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Broken bytes of Jelly-RDF: a typed error with its place, or other legal statements; never a hang. */
class RdfDamageTest {
    private static final WriteOptions SMALL_FRAMES = new WriteOptions(3, true, 16 << 20);
    /** Of a loop over all inputs: so long only a hang takes. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static byte[] stream(PhysicalType type) throws IOException {
        RdfOptions options = RdfOptions.DEFAULT.withTypes(type, type == PhysicalType.TRIPLES ? 1 : 2)
                .withRdfStar(true).withNamespaceDeclarations(true).withTableSizes(16, 4, 4);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RdfWriter<byte[]> to = new RdfWriter<>(out, "test", new Utf8Terms(), options, SMALL_FRAMES)) {
            byte[] graph = type == PhysicalType.TRIPLES ? null : utf8("_:g");
            for (int part = 0; part < 3; part++) {
                to.namespace(utf8("ex"), utf8("<http://example.org/>"));
                if (type == PhysicalType.GRAPHS) {
                    to.startGraph(part == 1 ? null : graph);
                }
                for (int i = 0; i < 4; i++) {
                    byte[] of = utf8("<http://example.org/p>");
                    to.statement(utf8("<http://example.org/s" + i + ">"), of, utf8("\"é" + part + "\"@pl"), graph);
                    to.statement(utf8("<< <urn:a> <urn:b> \"1\"^^<urn:int> >>"), of, utf8("_:b" + i),
                            type == PhysicalType.GRAPHS ? graph : null);
                }
                if (type == PhysicalType.GRAPHS) {
                    to.endGraph();
                }
                to.endFrame(Map.of("c", new byte[] {(byte) part, -1}));
            }
        }
        return StreamSplitTest.withoutChecksums(out.toByteArray()); // or hardly any damage would be read as far as its row
    }

    /** What a reader hands over before it fails; the ends of frames count. */
    private static final class Calls implements RdfHandler<byte[]> {
        private final List<String> lines = new ArrayList<>();
        private boolean graphOpen;

        private void add(String what, byte[]... terms) {
            StringBuilder line = new StringBuilder(what);
            for (byte[] term : terms) {
                line.append(' ').append(term == null ? null : new String(term, UTF_8));
            }
            lines.add(line.toString());
        }

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            add("NS", name, namespace);
        }

        @Override
        public void startGraph(byte[] graph) {
            assertTrue(!graphOpen, "graphs nest");
            graphOpen = true;
            add("GS", graph);
        }

        @Override
        public void endGraph() {
            assertTrue(graphOpen, "a graph ends that did not start");
            graphOpen = false;
            add("GE");
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            add("S", subject, predicate, object, graph);
        }

        @Override
        public void endFrame(Map<String, byte[]> metadata) {
            add("F " + metadata.keySet());
        }
    }

    private static void read(byte[] stream, ReadOptions options, RdfHandler<byte[]> handler) {
        try (RdfReader<byte[]> reader =
                new RdfReader<>(new ByteArrayInputStream(stream), "test", new Utf8Terms(), options)) {
            reader.readAll(handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> readOrNull(byte[] stream, ReadOptions options, String what) {
        Calls calls = new Calls();
        try {
            read(stream, options, calls);
            assertTrue(!calls.graphOpen, what);
            return calls.lines;
        } catch (FormatException e) {
            assertTrue(e.rule().startsWith("R-") || List.of("restart", "checksum").contains(e.rule()), e.getMessage());
            assertTrue(e.offset() >= 0 && e.offset() <= stream.length, e.getMessage());
            return null;
        } catch (RuntimeException e) {
            return fail(what, e);
        }
    }

    @ParameterizedTest
    @EnumSource(PhysicalType.class)
    void aStreamThatIsCutAnywhereIsAnErrorOrWholeFramesOutsideOfAGraph(PhysicalType type) throws IOException {
        byte[] whole = stream(type);
        List<String> events = readOrNull(whole, ReadOptions.STRICT, "whole");
        assertTimeoutPreemptively(LIMIT, () -> {
            for (int length = 0; length < whole.length; length++) {
                List<String> lines = readOrNull(Arrays.copyOf(whole, length), ReadOptions.DEFAULT, "cut at " + length);
                if (lines != null) {
                    assertEquals(events.subList(0, lines.size()), lines, "cut at " + length);
                    assertTrue(lines.get(lines.size() - 1).startsWith("F "), "cut at " + length);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(PhysicalType.class)
    void aFlippedByteIsATypedErrorOrAnotherLegalStream(PhysicalType type) throws IOException {
        byte[] whole = stream(type);
        assertTimeoutPreemptively(LIMIT, () -> {
            for (int at = 0; at < whole.length; at++) {
                for (int flip : new int[] {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF}) {
                    byte[] damaged = whole.clone();
                    damaged[at] ^= (byte) flip;
                    readsOrFails(damaged, "byte " + at + " flipped by " + flip);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(PhysicalType.class)
    void randomDamageNeverEscapesTheTypedError(PhysicalType type) throws IOException {
        byte[] whole = stream(type);
        assertTimeoutPreemptively(LIMIT, () -> {
            for (int seed = 0; seed < 20_000; seed++) {
                Random random = new Random(seed);
                byte[] damaged = Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
                for (int changes = random.nextInt(6); changes >= 0; changes--) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
                }
                if (random.nextBoolean()) {
                    Checksums.renewSome(damaged);
                }
                readsOrFails(damaged, "seed " + seed);
            }
        });
    }

    /** Reads, tolerantly and strictly; what strict reading lets pass, tolerant reading reads the same. */
    private static void readsOrFails(byte[] stream, String what) {
        List<String> tolerant = readOrNull(stream, ReadOptions.DEFAULT, what);
        List<String> strict = readOrNull(stream, ReadOptions.STRICT, what);
        if (strict != null) {
            assertEquals(strict, tolerant, what);
        }
    }

    @Test
    void metadataThatAFrameHasNoRoomForIsRefusedAndTheFrameStaysAsItWas() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WriteOptions small = new WriteOptions(1024, true, 2048);
        byte[] s = utf8("<urn:s>");
        try (RdfWriter<byte[]> writer = new RdfWriter<>(out, "test", new Utf8Terms(), RdfOptions.DEFAULT, small)) {
            writer.statement(s, s, s, null);
            FormatException refused = assertThrows(FormatException.class,
                    () -> writer.endFrame(Map.of("k", new byte[4096])));
            assertEquals("R-03", refused.rule());
            writer.endFrame(Map.of("k", new byte[16]));
        }
        Calls calls = new Calls();
        read(out.toByteArray(), ReadOptions.STRICT, calls);
        assertEquals(List.of("S <urn:s> <urn:s> <urn:s> null", "F [k]"), calls.lines);
    }

    /** There is nothing in it yet; what a later version puts there is passed over, and what is no message is damage. */
    @Test
    void theEndOfAGraphMayHoldFieldsAndNoHalfOfOne() throws IOException {
        Calls calls = new Calls();
        read(graphThatEndsWith(Raw.bytes(end -> end.add(9, "later").add(10, 1))), ReadOptions.STRICT, calls);
        assertEquals(List.of("GS null", "GE", "F []"), calls.lines);
        for (byte[] half : new byte[][] {{0x0A, 5, 'c', 'u', 't'}, {0x0F}, {0x0B}, {(byte) 0x80}}) {
            FormatException damage = assertThrows(FormatException.class,
                    () -> read(graphThatEndsWith(half), ReadOptions.DEFAULT, new Calls()), Arrays.toString(half));
            assertEquals("R-92", damage.rule());
        }
    }

    private static byte[] graphThatEndsWith(byte[] content) {
        WireWriter frame = new WireWriter(100);
        for (byte[] row : List.of(
                Raw.bytes(row -> row.add(1, options -> options.add(2, 3).add(9, 8).add(14, 2).add(15, 1))),
                Raw.bytes(row -> row.add(4, start -> start.add(3, graph -> { }))),
                Raw.bytes(row -> row.add(5, content)))) {
            frame.bytesField(1, row, 0, row.length);
        }
        return Streams.delimited(frame);
    }
}
