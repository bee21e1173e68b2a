package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where frames end and restart points come, at the limits themselves; that all of it is read back, others show. */
class FrameWriterTest {
    private static final PatchOptions FLAT = Streams.QUADS.withStreamType(StreamType.FLAT);

    private static WriteOptions cut(int frameRows, int maxFrameBytes, int restartBytes) {
        return new WriteOptions(frameRows, true, maxFrameBytes, restartBytes);
    }

    /** A row of its own: literals need no entries. */
    private static void header(PatchHandler<byte[]> to, int length) {
        to.header(utf8("k"), utf8("\"" + "x".repeat(length) + "\""));
    }

    private static Consumer<PatchWriter<byte[]>> headers(int count, int length) {
        return to -> {
            for (int i = 0; i < count; i++) {
                header(to, length);
            }
        };
    }

    private static List<DynamicMessage> frames(byte[] stream) {
        return IndependentStream.frames(IndependentReader.FRAME, stream, true);
    }

    private static List<Integer> rows(byte[] stream) {
        return frames(stream).stream().map(frame -> IndependentStream.messages(frame, "rows").size()).toList();
    }

    private static List<Integer> sizes(byte[] stream) {
        return frames(stream).stream().map(Message::getSerializedSize).toList();
    }

    @Test
    void aFrameEndsWithTheRowWithWhichItHasAsManyAsItShould() {
        assertEquals(List.of(10, 10, 10, 1), rows(Streams.write(FLAT, cut(10, 1 << 20, 0), headers(30, 5))));
        assertEquals(List.of(10, 10, 10), rows(Streams.write(FLAT, cut(10, 1 << 20, 0), headers(29, 5))));
        assertEquals(List.of(2, 1), rows(Streams.write(FLAT, cut(1, 1 << 20, 0), headers(2, 5))), "options end none");
        PatchOptions frame = Streams.QUADS.withStreamType(StreamType.FRAME);
        assertEquals(List.of(31), rows(Streams.write(frame, cut(10, 1 << 20, 0), headers(30, 5))), "a patch is a frame");
    }

    /** Rows that would make a frame too large together go into one each, without empty ones between. */
    @Test
    void aFrameIsAsLargeAsItMayBeAndNoLarger() {
        byte[] roomy = Streams.write(FLAT, cut(1024, 1 << 20, 0), headers(2, 500));
        int both = sizes(roomy).get(0);
        assertEquals(List.of(3), rows(Streams.write(FLAT, cut(1024, both, 0), headers(2, 500))), "the limit itself");
        byte[] tight = Streams.write(FLAT, cut(1024, both - 1, 0), headers(2, 500));
        assertEquals(List.of(2, 1), rows(tight));
        assertEquals(Streams.read(roomy), Streams.read(tight));
        int one = sizes(tight).get(1);
        byte[] smallest = Streams.write(FLAT, cut(1024, one, 0), headers(3, 500));
        assertEquals(List.of(1, 1, 1, 1), rows(smallest), "options, and a frame for each row");
        Streams.write(FLAT, cut(1024, one - 1, 0), to -> {
            for (int i = 0; i < 2; i++) {
                FormatException e = assertThrows(FormatException.class, () -> header(to, 500));
                assertEquals("P-04", e.rule());
                assertTrue(e.getMessage().contains("maxFrameBytes is " + (one - 1)), e.getMessage());
            }
            header(to, 499);
        });
    }

    @Test
    void rowsOfMoreThanAMegabyteHaveAFrameEachAndNoneIsEmpty() {
        byte[] stream = Streams.write(FLAT, cut(1024, 16 << 20, 0), headers(3, 1_100_000));
        assertEquals(List.of(1, 1, 1, 1), rows(stream));
    }

    /** Where the next restart point comes: with the first frame that begins so many bytes after the last one. */
    @Test
    void aRestartPointComesAsSoonAsItIsDueAndNoSooner() {
        Consumer<PatchWriter<byte[]>> calls = headers(60, 20);
        List<Long> restarts = restarts(Streams.write(FLAT, cut(1, 1 << 20, 390), calls));
        int distance = (int) (restarts.get(1) - restarts.get(0));
        assertEquals(restarts, restarts(Streams.write(FLAT, cut(1, 1 << 20, distance), calls)), "due at that byte");
        assertTrue(restarts(Streams.write(FLAT, cut(1, 1 << 20, distance + 1), calls)).get(1) > restarts.get(1));
        for (int i = 1; i < restarts.size(); i++) {
            long between = restarts.get(i) - restarts.get(i - 1);
            assertTrue(between >= 390 && between < 500, "every distance is alike: " + restarts);
        }
        assertTrue(restarts.size() > 4);
    }

    private static List<Long> restarts(byte[] stream) {
        List<Long> restarts = new ArrayList<>();
        long at = 0;
        for (int size : sizes(stream)) {
            if (restarts.isEmpty() || stream[(int) at + 1 + (size > 127 ? 1 : 0)] == (byte) 0xC2) {
                restarts.add(at);
            }
            at += size + (size > 127 ? 2 : 1);
        }
        return restarts;
    }

    @Test
    void aRefusalSaysTheFrameTheRowAndTheByteThatItWouldHaveBeenAt() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int[] before = new int[1];
        FormatException[] refused = new FormatException[1];
        try (PatchWriter<byte[]> writer = new PatchWriter<>(out, "test", new Utf8Terms(), FLAT, cut(4, 1 << 20, 0))) {
            headers(6, 5).accept(writer);
            before[0] = out.size();
            refused[0] = assertThrows(FormatException.class, () -> writer.transaction(Op.TC));
        }
        assertEquals(1, refused[0].frame());
        assertEquals(3, refused[0].row());
        assertEquals(out.size() - 1 - FrameChecksum.BYTES, refused[0].offset(),
                "all that there is but the last frame's length and checksum");
        assertTrue(before[0] > 0);
    }

    @Test
    void aWriterThatIsClosedOrBrokenSaysWhichOfTheTwoItIs() throws IOException {
        PatchWriter<byte[]> closed = new PatchWriter<>(new ByteArrayOutputStream(), "f", new Utf8Terms(), FLAT, cut(9, 99, 0));
        closed.close();
        closed.close();
        assertEquals("the writer is closed",
                assertThrows(IllegalStateException.class, () -> closed.transaction(Op.TX)).getMessage());
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space left");
            }
        };
        PatchWriter<byte[]> broken = new PatchWriter<>(full, null, new Utf8Terms(), FLAT, cut(1, 99, 0));
        assertEquals("can't write: no space left",
                assertThrows(UncheckedIOException.class, () -> broken.transaction(Op.TX)).getMessage());
        assertEquals("the writer is broken by an I/O error",
                assertThrows(IllegalStateException.class, () -> broken.transaction(Op.TX)).getMessage());
    }

    /** What is known of metadata before it is written: its text, and what each entry may take beside. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void metadataThatMakesTheFrameTooLargeIsRefusedAndTheFrameIsAsItWas(boolean delimited) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RdfOptions grouped = RdfOptions.DEFAULT.withTypes(PhysicalType.QUADS, 4);
        try (RdfWriter<byte[]> writer = new RdfWriter<>(out, "test", new Utf8Terms(), grouped,
                new WriteOptions(1024, delimited, 1000, 0))) {
            writer.statement(utf8("_:s"), utf8("<urn:p>"), utf8("_:o"), null);
            for (Map<String, byte[]> large : List.of(Map.of("key", new byte[1000]), Map.of("k".repeat(400), new byte[0]))) {
                FormatException e = assertThrows(FormatException.class, () -> writer.endFrame(large));
                assertEquals("R-03", e.rule());
                assertTrue(e.advice().contains("metadata"), e.advice());
            }
            writer.endFrame(Map.of("key", new byte[800], "k".repeat(10), new byte[] {1}));
        }
        IndependentRdfReader read = IndependentRdfReader.read(out.toByteArray(), delimited);
        assertEquals(1, read.events().size());
        assertTrue(out.size() > 800 && out.size() <= 1002);
    }

    @ParameterizedTest
    @EnumSource(PhysicalType.class)
    void noFrameIsEndedThatHasNoRows(PhysicalType type) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RdfOptions options = RdfOptions.DEFAULT.withTypes(type, type == PhysicalType.TRIPLES ? 1 : 2);
        try (RdfWriter<byte[]> writer = new RdfWriter<>(out, "test", new Utf8Terms(), options, cut(1024, 1000, 0))) {
            writer.endFrame(Map.of());
        }
        assertEquals(1, IndependentStream.frames(IndependentRdfReader.FRAME, out.toByteArray(), true).size());
        assertFalse(out.size() == 0);
    }
}
