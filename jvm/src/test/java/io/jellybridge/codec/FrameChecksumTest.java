package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.wire.FrameReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames end with a checksum, see docs/checksums.md; here over what our writers write. The vectors have the rules. */
class FrameChecksumTest {
    private static final int FIELD = 6;

    /** Kinds of files. */
    enum Kind {
        PUNCTUATED, FLAT, FRAME, WITHOUT_RESTARTS, BARE, RDF, RDF_GRAPHS, RDF_GROUPED, RDF_BARE;

        boolean isRdf() {
            return name().startsWith("RDF");
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    private static WriteOptions cut(Kind kind) {
        boolean bare = kind == Kind.BARE || kind == Kind.RDF_BARE;
        return new WriteOptions(8, !bare, 1 << 20, kind == Kind.WITHOUT_RESTARTS ? 0 : 600);
    }

    private static byte[] file(Kind kind) throws IOException {
        return kind.isRdf() ? rdf(kind) : patch(kind);
    }

    private static byte[] patch(Kind kind) throws IOException {
        StreamType type = kind == Kind.FLAT ? StreamType.FLAT : kind == Kind.FRAME ? StreamType.FRAME : StreamType.PUNCTUATED;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PatchWriter<byte[]> writer = new PatchWriter<>(out, "f", new Utf8Terms(),
                PatchOptions.DEFAULT.withStreamType(type), cut(kind))) {
            int patches = kind == Kind.FLAT || kind == Kind.BARE ? 1 : 3;
            for (int patch = 0; patch < patches; patch++) {
                writer.header(utf8("id"), utf8("<urn:uuid:6f1c4a30-0000-4000-8000-00000000000" + patch + ">"));
                writer.transaction(Op.TX);
                writer.prefix(Op.PA, utf8("ex"), utf8("<urn:ex:>"), null);
                for (int row = 0; row < 9; row++) {
                    writer.statement(row % 3 == 0 ? Op.D : Op.A, utf8("<urn:ex:s" + row + ">"), utf8("<urn:p>"),
                            utf8(row % 2 == 0 ? "\"value " + row + "\"@en" : "\"" + row + "\"^^<urn:dt>"),
                            row % 4 == 0 ? null : utf8("<urn:g" + row % 2 + ">"));
                }
                writer.transaction(Op.TC);
                writer.endPatch();
            }
        }
        return out.toByteArray();
    }

    private static byte[] rdf(Kind kind) throws IOException {
        PhysicalType physical = kind == Kind.RDF_GRAPHS ? PhysicalType.GRAPHS : PhysicalType.QUADS;
        LogicalType logical = kind == Kind.RDF_GROUPED ? LogicalType.DATASETS : LogicalType.FLAT_QUADS;
        RdfOptions options = RdfOptions.DEFAULT.withTypes(physical, logical.number());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RdfWriter<byte[]> writer = new RdfWriter<>(out, "f", new Utf8Terms(), options, cut(kind))) {
            for (int group = 0; group < (kind == Kind.RDF_BARE ? 1 : 3); group++) {
                byte[] graph = utf8("<urn:g" + group + ">");
                if (physical == PhysicalType.GRAPHS) {
                    writer.startGraph(graph);
                }
                for (int row = 0; row < 9; row++) {
                    writer.statement(utf8("<urn:ex:s" + row + ">"), utf8("<urn:p>"), utf8("\"value " + row + "\"@en"),
                            physical == PhysicalType.GRAPHS ? null : graph);
                }
                if (physical == PhysicalType.GRAPHS) {
                    writer.endGraph();
                }
                if (kind == Kind.RDF_GROUPED) {
                    writer.endFrame(Map.of("c", new byte[] {1, 2, 3}));
                }
            }
        }
        return out.toByteArray();
    }

    /** All events of a file, with the frames' ends and metadata. */
    private static List<String> read(Kind kind, byte[] bytes) throws IOException {
        List<String> events = new ArrayList<>();
        if (kind.isRdf()) {
            try (RdfReader<byte[]> reader = new RdfReader<>(
                    new ByteArrayInputStream(bytes), "f", new Utf8Terms(), ReadOptions.DEFAULT)) {
                reader.readAll(new TextOfRdf(events));
            }
        } else {
            try (PatchReader<byte[]> reader = new PatchReader<>(
                    new ByteArrayInputStream(bytes), "f", new Utf8Terms(), ReadOptions.DEFAULT)) {
                reader.readAll(new TextOfPatches(events));
            }
        }
        return events;
    }

    private static String text(byte[] term) {
        return term == null ? "-" : new String(term, UTF_8);
    }

    private record TextOfPatches(List<String> events) implements PatchHandler<byte[]> {
        @Override
        public void header(byte[] key, byte[] value) {
            events.add("H " + text(key) + " " + text(value));
        }

        @Override
        public void transaction(Op op) {
            events.add(op.name());
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            events.add(op + " " + text(name) + " " + text(namespace) + " " + text(graph));
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            events.add(op + " " + text(subject) + text(predicate) + text(object) + text(graph));
        }

        @Override
        public void endPatch() {
            events.add("---");
        }
    }

    private record TextOfRdf(List<String> events) implements RdfHandler<byte[]> {
        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            events.add(text(subject) + text(predicate) + text(object) + text(graph));
        }

        @Override
        public void startGraph(byte[] graph) {
            events.add("{ " + text(graph));
        }

        @Override
        public void endGraph() {
            events.add("}");
        }

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            events.add("@ " + text(name) + text(namespace));
        }

        @Override
        public void endFrame(Map<String, byte[]> metadata) {
            metadata.forEach((key, value) -> events.add("M " + key + Arrays.toString(value)));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void eachFrameEndsWithTheChecksumOfItsBytes(Kind kind) throws IOException {
        byte[] bytes = file(kind);
        int frames = 0;
        try (FrameReader reader = new FrameReader(new ByteArrayInputStream(bytes), 1 << 20)) {
            while (reader.next()) {
                frames++;
                CRC32C sum = new CRC32C();
                int end = reader.end() - FIELD;
                sum.update(reader.bytes(), reader.start(), end - reader.start());
                ByteBuffer field = ByteBuffer.wrap(reader.bytes(), end, FIELD).order(ByteOrder.LITTLE_ENDIAN);
                assertEquals((short) 0x3ECD, field.getShort());
                assertEquals((int) sum.getValue(), field.getInt());
            }
        }
        boolean bare = kind == Kind.BARE || kind == Kind.RDF_BARE;
        assertTrue(bare ? frames == 1 : frames >= 3, kind + ": " + frames);
    }

    /**
     * Of a flip in a file with restart points nothing is read without an error. Without them, the key of the checksum in the
     * only frame may be damaged: then no row is another.
     */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFlippedBitIsAnErrorOrChangesNoRow(Kind kind) throws IOException {
        byte[] bytes = file(kind);
        List<String> events = read(kind, bytes);
        int unnoticed = 0;
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                assertEquals(events, read(kind, damaged), kind + ": bit " + bit + " of " + 8 * bytes.length);
                unnoticed++;
            } catch (FormatException e) {
                // as it must be
            }
        }
        boolean declared = kind != Kind.BARE && kind != Kind.RDF_BARE;
        assertTrue(declared ? unnoticed == 0 : unnoticed <= 16, kind + ": " + unnoticed);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFileThatIsCutIsAnErrorUnlessBetweenFrames(Kind kind) throws IOException {
        byte[] bytes = file(kind);
        List<String> events = read(kind, bytes);
        List<Integer> ends = new ArrayList<>();
        try (FrameReader reader = new FrameReader(new ByteArrayInputStream(bytes), 1 << 20)) {
            while (reader.next()) {
                ends.add((int) reader.offsetOf(reader.end()));
            }
        }
        boolean bare = kind == Kind.BARE || kind == Kind.RDF_BARE;
        for (int length = 1; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            List<String> read;
            try {
                read = read(kind, cut);
            } catch (FormatException e) {
                continue;
            }
            // Of one bare frame, the end can't be seen.
            assertTrue(bare || ends.contains(length), kind + ": " + length + " of " + bytes.length);
            assertTrue(read.size() <= events.size(), "no row is another");
        }
    }

    @Test
    void anErrorNamesTheFileTheFrameAndWhatToDo() throws IOException {
        byte[] bytes = file(Kind.PUNCTUATED);
        bytes[bytes.length - FIELD - 4] ^= 1;
        FormatException e = assertThrows(FormatException.class, () -> read(Kind.PUNCTUATED, bytes));
        assertEquals("checksum", e.rule());
        assertTrue(e.getMessage().matches("\\[checksum\\] f, frame \\d+, .*byte \\d+.*: a checksum of [0-9a-f]{8} in a frame whose "
                + "bytes have [0-9a-f]{8}; the file is damaged.*"), e.getMessage());
    }

    @Test
    void joinedFilesAreReadWithTheChecksumsOfEach() throws IOException {
        byte[] one = file(Kind.PUNCTUATED);
        byte[] both = Arrays.copyOf(one, 2 * one.length);
        byte[] other = file(Kind.PUNCTUATED);
        System.arraycopy(other, 0, both, one.length, other.length);
        assertEquals(2 * read(Kind.PUNCTUATED, one).size(), read(Kind.PUNCTUATED, both).size());
        both[both.length - FIELD - 2] ^= 4;
        assertThrows(FormatException.class, () -> read(Kind.PUNCTUATED, both));
    }

    /** What a frame may take is with its checksum. */
    @Test
    void aFrameWithItsChecksumIsNotLargerThanItMayBe() throws IOException {
        for (int most = 200; most < 260; most++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (PatchWriter<byte[]> writer = new PatchWriter<>(out, "f", new Utf8Terms(),
                    PatchOptions.DEFAULT, new WriteOptions(1024, true, most, 0))) {
                for (int row = 0; row < 200; row++) {
                    writer.statement(Op.A, utf8("<urn:s" + row + ">"), utf8("<urn:p>"), utf8("\"" + row + "\""), null);
                }
            }
            try (FrameReader reader = new FrameReader(new ByteArrayInputStream(out.toByteArray()), most)) {
                while (reader.next()) {
                    assertTrue(reader.end() - reader.start() <= most);
                }
            }
        }
    }
}
