package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.StreamSplit.RestartScanner;
import io.jellybridge.wire.WireWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are read in parts, joined, cut and tampered with. */
class StreamSplitTest {
    private static final int SEEDS = Integer.getInteger("jellybridge.seeds", 30);
    static final WriteOptions SMALL_PARTS = new WriteOptions(5, true, 16 << 20, 300, TermRules.ANY);

    /** The events of a stream with their places: patch, transaction, row, frame. */
    private static final class Places implements PatchHandler<byte[]> {
        private final Recorder recorder = new Recorder();
        private final List<String> lines = new ArrayList<>();
        private PatchReader<byte[]> reader;

        private void add() {
            lines.add(reader.patch() + " " + reader.tx() + " " + reader.row() + " " + reader.frame() + " "
                    + recorder.lines.get(recorder.lines.size() - 1));
        }

        @Override
        public void header(byte[] key, byte[] value) {
            recorder.header(key, value);
            add();
        }

        @Override
        public void transaction(Op op) {
            recorder.transaction(op);
            add();
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            recorder.prefix(op, name, namespace, graph);
            add();
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            recorder.statement(op, subject, predicate, object, graph);
            add();
        }

        @Override
        public void endPatch() {
            recorder.endPatch();
            add();
        }
    }

    static List<String> read(byte[] file, long start, long end) throws IOException {
        return read(file, start, end, file.length);
    }

    /** @param atATime how many bytes a read brings at the most */
    private static List<String> read(byte[] file, long start, long end, int atATime) throws IOException {
        StreamSplit part = StreamSplit.of(offset -> new ByteArrayInputStream(file, (int) Math.min(offset, file.length),
                file.length) {
            @Override
            public synchronized int read(byte[] bytes, int from, int length) {
                return super.read(bytes, from, Math.min(length, atATime));
            }
        }, start, end);
        if (part == null) {
            return List.of();
        }
        Places places = new Places();
        try (PatchReader<byte[]> reader = new PatchReader<>(part, "test", new Utf8Terms(), ReadOptions.STRICT)) {
            places.reader = reader;
            reader.readAll(places);
        }
        return places.lines;
    }

    static List<String> readWhole(byte[] file) throws IOException {
        return read(file, 0, Long.MAX_VALUE);
    }

    static List<String> readInParts(byte[] file, long... cuts) throws IOException {
        List<String> lines = new ArrayList<>();
        long start = 0;
        for (long cut : cuts) {
            lines.addAll(read(file, start, cut));
            start = cut;
        }
        lines.addAll(read(file, start, file.length));
        return lines;
    }

    static byte[] randomFile(long seed, StreamType type, WriteOptions cut) {
        PatchOptions options = new PatchOptions(type, StatementType.QUADS, true, true, 16, 8, 4);
        return Streams.write(options, cut,
                to -> new RandomPatches(seed, options).patches(to, type == StreamType.FLAT ? 1 : 12, () -> { }));
    }

    static byte[] join(byte[]... files) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] file : files) {
            joined.writeBytes(file);
        }
        return joined.toByteArray();
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void thePartsOfAnyRangesAreTheFile(StreamType type) throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            byte[] file = randomFile(seed, type, SMALL_PARTS);
            List<String> whole = readWhole(file);
            assertEquals(Streams.read(file).size(), whole.size());
            long[] cuts = new Random(seed).longs(seed % 7, 0, file.length + 1).sorted().toArray();
            assertEquals(whole, readInParts(file, cuts), "seed " + seed + ", cuts " + Arrays.toString(cuts));
        }
    }

    /** Who looks for a restart point and who reads up to it look alike: what neither found would be lost unseen. */
    @Test
    void partsAreTheFileHoweverFewBytesAReadBrings() throws IOException {
        byte[] file = randomFile(5, StreamType.PUNCTUATED, SMALL_PARTS);
        List<String> whole = readWhole(file);
        List<Integer> restarts = restarts(file);
        for (int atATime : new int[] {1, 2, 7, 40, 41, 100}) {
            int inSecond = 0;
            for (int cut : new int[] {1, file.length / 3, restarts.get(2), restarts.get(2) + 1, file.length / 2}) {
                List<String> second = read(file, cut, file.length, atATime);
                List<String> both = new ArrayList<>(read(file, 0, cut, atATime));
                both.addAll(second);
                assertEquals(whole, both, atATime + " bytes at a time, cut at " + cut);
                inSecond += second.isEmpty() ? 0 : 1;
            }
            assertEquals(5, inSecond, atATime + " bytes at a time: a restart point was not found");
        }
    }

    @Test
    void aRestartPointIsFoundFarBehindWhereARangeBegins() throws IOException {
        WriteOptions largeParts = new WriteOptions(1000, true, 16 << 20, 300_000, TermRules.ANY);
        byte[] file = Streams.write(Streams.QUADS, largeParts, to -> {
            for (int i = 0; i < 20_000; i++) {
                Streams.add(to, "<urn:s>", "<urn:p>", "\"" + "x".repeat(40) + i + "\"", null);
            }
            to.endPatch();
        });
        List<String> whole = readWhole(file);
        List<Integer> restarts = restarts(file);
        assertTrue(restarts.size() > 3 && restarts.get(1) > 3 << 16, restarts.toString());
        for (int cut = 1; cut < restarts.get(2); cut += 29_989) {
            List<String> second = read(file, cut, file.length);
            int first = whole.size() - second.size();
            assertTrue(first > 0 && !second.isEmpty(), "cut at " + cut);
            assertEquals(whole.subList(first, whole.size()), second, "cut at " + cut);
            assertEquals(whole.subList(0, first), read(file, 0, cut), "cut at " + cut);
        }
    }

    @Test
    void aFileWithoutRestartPointsIsOnePart() throws IOException {
        byte[] file = randomFile(3, StreamType.PUNCTUATED, SMALL_PARTS.withRestartBytes(0));
        assertEquals(readWhole(file), read(file, 0, 10));
        assertEquals(List.of(), read(file, 10, file.length));
    }

    /** As other writers may make it. */
    @ParameterizedTest
    @EnumSource(StreamType.class)
    void aFileWithRestartPointsAndWithoutChecksumsIsReadInParts(StreamType type) throws IOException {
        byte[] file = randomFile(4, type, SMALL_PARTS);
        byte[] without = withoutChecksums(file);
        assertTrue(without.length < file.length && restarts(without).size() == restarts(file).size());
        assertEquals(readWhole(file), readWhole(without));
        assertEquals(readWhole(file), readInParts(without, file.length / 4, file.length / 2));
        assertEquals(2 * readWhole(file).size(), readWhole(join(file, without)).size());
        assertEquals(2 * readWhole(file).size(), readWhole(join(without, file)).size());
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void joinedFilesAreReadAsOne(StreamType type) throws IOException {
        byte[][] files = {randomFile(1, type, SMALL_PARTS), randomFile(2, type, SMALL_PARTS),
            randomFile(3, StreamType.FRAME, Streams.ANY_TERMS)};
        byte[] joined = join(files);
        List<String> whole = readWhole(joined);
        List<String> expected = new ArrayList<>();
        for (byte[] file : files) {
            expected.addAll(Streams.read(file));
        }
        assertEquals(expected, whole.stream().map(line -> line.split(" ", 5)[4]).toList());
        long rows = -1;
        long patches = 0;
        for (String line : whole) {
            boolean endsPatch = line.endsWith(" " + Recorder.END_PATCH);
            rows += endsPatch ? 0 : 1;
            assertTrue(line.startsWith(patches + " ") && line.split(" ")[2].equals(Long.toString(rows)), line);
            patches += endsPatch ? 1 : 0;
        }
        for (int cut = 0; cut <= joined.length; cut += 101) {
            assertEquals(whole, readInParts(joined, cut), "cut at " + cut);
        }
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void emptyFramesBeforeTheFirstFileCountForThatFileOnly(StreamType type) throws IOException {
        byte[] foreign = withoutChecksums(randomFile(1, type, SMALL_PARTS.withRestartBytes(0)));
        byte[] ours = randomFile(2, StreamType.FRAME, SMALL_PARTS);
        byte[] first = join(new byte[1], foreign);
        List<String> expected = new ArrayList<>(Streams.read(first));
        expected.addAll(Streams.read(ours));
        assertEquals(expected, readWhole(join(first, ours)).stream().map(line -> line.split(" ", 5)[4]).toList());
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void thePartsOfFilesThatAreJoinedInAnyOrderAndMoreThanOnceAreAllOfThem(StreamType type) throws IOException {
        byte[][] files = {randomFile(1, type, SMALL_PARTS), randomFile(2, type, SMALL_PARTS),
            randomFile(3, StreamType.FRAME, new WriteOptions(1024, true, 16 << 20).withTerms(TermRules.ANY))};
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            byte[][] chosen = random.ints(1 + random.nextInt(4), 0, files.length)
                    .mapToObj(file -> files[file]).toArray(byte[][]::new);
            byte[] joined = join(chosen);
            List<String> whole = readWhole(joined);
            List<String> expected = new ArrayList<>();
            for (byte[] file : chosen) {
                expected.addAll(Streams.read(file));
            }
            assertEquals(expected, whole.stream().map(line -> line.split(" ", 5)[4]).toList());
            long[] cuts = random.longs(random.nextInt(10), 0, joined.length + 1).sorted().toArray();
            assertEquals(whole, readInParts(joined, cuts), "seed " + seed + ", cuts " + Arrays.toString(cuts));
        }
    }

    @Test
    void aFieldOfTheNumberOfARestartPointThatIsNoneIsPassedOver() throws IOException {
        byte[] file = withoutChecksums(randomFile(2, StreamType.PUNCTUATED, SMALL_PARTS.withRestartBytes(0)));
        for (byte[] content : new byte[][] {{}, {1, 2, (byte) 0xFF}, {0x0A, 1, 1}}) {
            WireWriter others = new WireWriter(10);
            others.bytesField(Restart.FIELD, content, 0, content.length);
            assertEquals(readWhole(file), readWhole(withField(file, frameEnd(file, 0), others, false)));
            assertEquals(readWhole(file), readWhole(withField(file, frameEnd(file, 0), others, true)));
        }
    }

    @Test
    void aRestartPointThatDoesNotBeginItsFrameIsRefused() {
        byte[] file = withoutChecksums(randomFile(2, StreamType.PUNCTUATED, SMALL_PARTS.withRestartBytes(0)));
        int second = frameEnd(file, 0);
        WireWriter late = new WireWriter(100);
        int index = new Restart(Restart.newMark(), 0, 0, 0, 0, 0, false, false).writeField(late);
        late.setFixed32(index, frameEnd(file, second) - frameStart(file, second) + late.size());
        byte[] spoofed = withField(file, second, late, false);
        FormatException e = assertThrows(FormatException.class, () -> readWhole(spoofed));
        assertEquals("restart", e.rule());
        assertTrue(e.getMessage().contains("begin"), e.getMessage());
    }

    /** What stands before a restart point is not known behind it: entries, terms, and which ids came last. */
    @ParameterizedTest
    @CsvSource({
        "a name, P-62", "a prefix, P-62", "a datatype, P-62", "a subject, P-71",
        "a graph, P-72", "the ids that come first, restart", "options, P-40", "other options, P-43"
    })
    void behindARestartPointNothingIsKnown(String what, String rule) throws IOException {
        Consumer<Raw> options = row -> row.add(1, fields ->
                fields.add(1, 2).add(2, 2).add(9, 8).add(10, what.equals("other options") ? 7 : 8).add(11, 8).add(15, 1));
        Consumer<Raw> name = row -> row.add(11, entry -> entry.add(1, 1).add(2, "x"));
        Consumer<Raw> prefix = row -> row.add(12, entry -> entry.add(1, 1).add(2, "urn:"));
        Consumer<Raw> quad = row -> row.add(2, fields -> fields.add(1, iri -> iri.add(1, 1).add(2, 1))
                .add(5, iri -> iri.add(2, 1)).add(9, iri -> iri.add(2, 1)).add(15, graph -> { }));
        byte[] mark = Restart.newMark();
        byte[] first = frame(new Restart(mark, 0, 0, 0, 0, 0, false, false), List.of(
                row -> row.add(1, fields -> fields.add(1, 2).add(2, 2).add(9, 8).add(10, 8).add(11, 8).add(15, 1)), name,
                prefix, row -> row.add(13, entry -> entry.add(1, 1).add(2, "urn:d")), quad));
        List<Consumer<Raw>> rows = new ArrayList<>(List.of(options));
        switch (what) {
            case "a name" -> rows.addAll(List.of(prefix, quad));
            case "a prefix" -> rows.addAll(List.of(name, quad));
            case "a datatype" -> rows.add(row -> row.add(14, header -> header.add(1, "k")
                    .add(4, literal -> literal.add(1, "1").add(3, 1))));
            case "a subject" -> rows.addAll(List.of(name, prefix, row -> row.add(2, fields -> fields
                    .add(5, iri -> iri.add(1, 1).add(2, 1)).add(9, iri -> iri.add(2, 1)).add(15, graph -> { }))));
            case "a graph" -> rows.addAll(List.of(name, prefix, row -> row.add(2, fields -> fields
                    .add(1, iri -> iri.add(1, 1).add(2, 1)).add(5, iri -> iri.add(2, 1)).add(9, iri -> iri.add(2, 1)))));
            case "the ids that come first" -> rows.addAll(List.of(name, prefix, row -> row.add(2, fields ->
                    fields.add(1, iri -> iri.add(2, 1)).add(6, "b").add(10, "b").add(15, graph -> { }))));
            case "options" -> rows.set(0, name);
            default -> { }
        }
        byte[] second = frame(new Restart(mark, first.length, 1, 1, 0, 0, false, true), rows);
        byte[] file = join(first, second);
        assertEquals(rule, assertThrows(FormatException.class, () -> readWhole(file)).rule());
    }

    /** As {@link #behindARestartPointNothingIsKnown}, of Jelly-RDF; and what comes without one is another writer's. */
    @ParameterizedTest
    @CsvSource({"a name, R-", "a subject, R-", "options, restart", "nothing, "})
    void behindARestartPointOfStatementsNothingIsKnown(String what, String rule) throws IOException {
        Consumer<Raw> options = row -> row.add(1, fields -> fields.add(2, 1).add(9, 8).add(14, 1).add(15, 1));
        Consumer<Raw> name = row -> row.add(9, entry -> entry.add(1, 1).add(2, "urn:x"));
        Consumer<Raw> triple = row -> row.add(2, fields -> fields.add(1, iri -> iri.add(2, 1)).add(5, iri -> iri.add(2, 1))
                .add(9, iri -> iri.add(2, 1)));
        byte[] mark = Restart.newMark();
        byte[] first = frame(new Restart(mark, 0, 0, 0, 0, 0, false, false), List.of(options, name, triple));
        List<Consumer<Raw>> rows = new ArrayList<>(List.of(options, name));
        switch (what) {
            case "a name" -> rows.set(1, triple);
            case "a subject" -> rows.add(row -> row.add(2, fields -> fields.add(5, iri -> iri.add(2, 1))
                    .add(9, iri -> iri.add(2, 1))));
            default -> rows.add(triple);
        }
        byte[] second = frame(
                what.equals("options") ? null : new Restart(mark, first.length, 1, 1, 0, 0, false, false), rows);
        byte[] file = join(first, second);
        if (rule == null) {
            assertEquals(2, statements(file, 0, file.length).stream().filter(line -> line.contains("urn:x")).count());
        } else {
            String broken = assertThrows(FormatException.class, () -> statements(file, 0, file.length)).rule();
            assertTrue(broken.startsWith(rule), broken);
        }
    }

    /** @param restart null: without */
    private static byte[] frame(Restart restart, List<Consumer<Raw>> rows) {
        WireWriter frame = new WireWriter(200);
        int length = restart == null ? 0 : restart.writeField(frame);
        for (Consumer<Raw> row : rows) {
            byte[] content = Raw.bytes(row);
            frame.bytesField(1, content, 0, content.length);
        }
        if (restart != null) {
            frame.setFixed32(length, frame.size());
        }
        return Streams.delimited(frame);
    }

    /** Whose numbers are others than those of the place. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void aRestartPointThatSaysAnotherPlaceIsRefusedWithBoth(int wrong) {
        byte[] mark = Restart.newMark();
        Consumer<Raw> options = row -> row.add(1, fields -> fields.add(1, 2).add(2, 3).add(9, 8).add(15, 1));
        Consumer<Raw> begin = row -> row.add(6, nothing -> { });
        Consumer<Raw> end = row -> row.add(7, nothing -> { });
        byte[] first = frame(new Restart(mark, 0, 0, 0, 0, 0, false, false), List.of(options, begin, end,
                row -> row.add(15, nothing -> { }), begin));
        long[] numbers = {first.length, 1, 3, 1, 2, 1, 1};
        numbers[wrong] += wrong < 5 ? 1 : -1;
        Restart said = new Restart(mark, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5] != 0,
                numbers[6] != 0);
        byte[] second = frame(said, List.of(options, end));
        FormatException e = assertThrows(FormatException.class, () -> readWhole(join(first, second)));
        assertEquals("restart", e.rule());
        assertTrue(e.found().contains("of " + said + " where byte " + first.length
                + ", frame 1, row 3, patch 1, transaction 2 (open) is due"), e.found());
    }

    @Test
    void anotherWritersFileBehindOursIsRefused() {
        byte[] ours = randomFile(1, StreamType.PUNCTUATED, SMALL_PARTS);
        byte[] foreign = randomFile(2, StreamType.PUNCTUATED, SMALL_PARTS.withRestartBytes(0));
        byte[] joined = join(ours, foreign);
        assertEquals("restart", assertThrows(FormatException.class, () -> readWhole(joined)).rule());
        assertEquals("restart",
                assertThrows(FormatException.class, () -> readInParts(joined, ours.length / 2)).rule());
    }

    @Test
    void aMissingBeginningOrMiddleIsAnError() {
        byte[] file = randomFile(5, StreamType.PUNCTUATED, SMALL_PARTS);
        List<Integer> restarts = restarts(file);
        assertTrue(restarts.size() > 5);
        byte[] beheaded = Arrays.copyOfRange(file, restarts.get(1), file.length);
        assertEquals("restart", assertThrows(FormatException.class, () -> readWhole(beheaded)).rule());
        byte[] gap = join(Arrays.copyOf(file, restarts.get(2)), Arrays.copyOfRange(file, restarts.get(4), file.length));
        assertEquals("restart", assertThrows(FormatException.class, () -> readWhole(gap)).rule());
        // Who reads a part can't see that the one before it ends early; who reads that one can.
        assertEquals("restart",
                assertThrows(FormatException.class, () -> readInParts(gap, restarts.get(2) + 1)).rule());
    }

    /** Patches of one row each; the first two begin with a restart point, and so does the last one of four. */
    private static byte[] fewPatches(int patches) {
        WriteOptions cut = new WriteOptions(1024, true, 16 << 20, 150, TermRules.RDF);
        return withoutChecksums(Streams.write(PatchOptions.DEFAULT, cut, to -> {
            for (int i = 0; i < patches; i++) {
                String name = "<urn:" + i + ".".repeat(i == 0 || i == 2 ? 150 : 1) + ">";
                to.statement(Op.A, name.getBytes(UTF_8), "<urn:p>".getBytes(UTF_8), "<urn:o>".getBytes(UTF_8), null);
                to.endPatch();
            }
        }));
    }

    private static List<Integer> frames(byte[] file) {
        List<Integer> frames = new ArrayList<>();
        for (int at = 0; at < file.length; at = frameEnd(file, at)) {
            frames.add(at);
        }
        return frames;
    }

    /** Whoever reads the range that begins in the fake takes it for real, and nothing there is wrong. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void onlyTheReaderOfThePartBeforeSeesThatARestartPointIsInTheBytesOfAFrame(int patches) throws IOException {
        byte[] file = fewPatches(patches);
        List<Integer> frames = frames(file);
        assertEquals(patches, frames.size());
        byte[] fake = Arrays.copyOfRange(file, frames.get(1), frames.get(2));
        WireWriter field = new WireWriter(1024);
        field.bytesField(2000, fake, 0, fake.length);
        byte[] spoofed = withField(file, frames.get(2), field, false);
        int at = frameEnd(spoofed, frames.get(2)) - fake.length;
        setOffset(spoofed, at);
        // It counts as the frame after that in which it stands.
        int numbers = frameStart(spoofed, at) + Restart.FIRST_BYTES;
        for (int number = 0; number < 3; number++) {
            assertEquals(1, spoofed[numbers + 2 * number + 1]);
            spoofed[numbers + 2 * number + 1] = 2;
        }
        if (patches == 4) {
            setOffset(spoofed, frames(spoofed).get(3));
        }
        assertEquals(readWhole(file), readWhole(spoofed));
        assertEquals(readWhole(file), readInParts(spoofed, frames.get(1)));
        assertEquals(patches - 2, read(spoofed, at, spoofed.length).stream().filter(line -> line.contains("urn:")).count());
        FormatException refused = assertThrows(FormatException.class, () -> read(spoofed, 0, at));
        assertEquals("restart", refused.rule());
        assertTrue(refused.getMessage().contains("look like a restart point"), refused.getMessage());
    }

    /** Also where a frame is missing that ends a part, and all that is there says its own place. */
    @Test
    void aMissingFrameIsSeenByTheReaderOfItsPart() throws IOException {
        byte[] file = fewPatches(4);
        List<Integer> frames = frames(file);
        byte[] without = join(Arrays.copyOf(file, frames.get(2)), Arrays.copyOfRange(file, frames.get(3), file.length));
        setOffset(without, frames.get(2));
        assertEquals(2, read(without, frames.get(2), without.length).size());
        for (int end : new int[] {frames.get(2), frames.get(1) + 1}) {
            FormatException refused = assertThrows(FormatException.class, () -> read(without, 0, end));
            assertEquals("restart", refused.rule());
            assertTrue(refused.getMessage().contains("row 3, patch 3") && refused.getMessage().contains("row 2, patch 2"),
                    refused.getMessage());
        }
    }

    /** Its restart points say the first one's mark, and no file before it has that. */
    @Test
    void aFileWithoutItsBeginningBehindAnotherIsRefused() {
        byte[] file = fewPatches(4);
        byte[] rest = Arrays.copyOfRange(file, frames(file).get(1), file.length);
        FormatException refused = assertThrows(FormatException.class, () -> readWhole(join(fewPatches(2), rest)));
        assertEquals("restart", refused.rule());
        assertTrue(refused.getMessage().contains("what comes before is missing"), refused.getMessage());
    }

    @Test
    void aStringCanNotHoldWhatLooksLikeARestartPoint() {
        assertTrue(new String(new byte[] {(byte) 0xC2, 0x3E}, java.nio.charset.StandardCharsets.UTF_8).contains("\uFFFD"),
                "the key of the field is not UTF-8");
    }

    @Test
    void partsOfStatementsAreTheFile() throws IOException {
        for (PhysicalType type : PhysicalType.values()) {
            for (int seed = 0; seed < SEEDS; seed++) {
                byte[] once = randomStatements(seed, type);
                byte[] file = seed % 3 > 0 ? once : join(once, randomStatements(seed + 1, type), once);
                List<String> whole = statements(file, 0, Long.MAX_VALUE);
                long[] cuts = new Random(seed).longs(seed % 7, 0, file.length + 1).sorted().toArray();
                List<String> parts = new ArrayList<>();
                long start = 0;
                for (long cut : cuts) {
                    parts.addAll(statements(file, start, cut));
                    start = cut;
                }
                parts.addAll(statements(file, start, file.length));
                assertEquals(whole, parts, type + ", seed " + seed);
            }
        }
    }

    private static byte[] randomStatements(long seed, PhysicalType type) throws IOException {
        RdfOptions options = new RdfOptions("", type, type == PhysicalType.TRIPLES ? 1 : 2, false, false, 16, 8, 4, 1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Random random = new Random(seed);
        try (StatementWriter<byte[]> writer = new StatementWriter<>(out, "test", new Utf8Terms(), options, SMALL_PARTS)) {
            for (int i = 0; i < 200; i++) {
                byte[] graph = type == PhysicalType.TRIPLES || i % 50 < 10 ? null : Streams.utf8("<http://g/" + i / 7 + ">");
                writer.statement(Streams.utf8("<http://s/" + random.nextInt(20) + ">"), Streams.utf8("<http://p>"),
                        Streams.utf8("\"" + random.nextInt() + "\""), graph);
            }
        }
        return out.toByteArray();
    }

    private static List<String> statements(byte[] file, long start, long end) throws IOException {
        List<String> lines = new ArrayList<>();
        StreamSplit part = StreamSplit.of(offset -> new ByteArrayInputStream(file, (int) Math.min(offset, file.length),
                file.length), start, end);
        if (part != null) {
            try (RdfReader<byte[]> reader = new RdfReader<>(part, "test", new Utf8Terms(), ReadOptions.DEFAULT)) {
                reader.readAll(new RdfHandler<>() {
                    @Override
                    public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                        lines.add(reader.frame() + " " + new String(subject) + new String(object)
                                + (graph == null ? "" : new String(graph)));
                    }

                    @Override
                    public void endFrame(Map<String, byte[]> metadata) {
                        assertTrue(metadata.isEmpty());
                    }
                });
            }
        }
        return lines;
    }

    // --- counting

    /** Counts rows as Spark does: those that are skipped, and those that are read. */
    private static long count(byte[] file, long start, long end, long tail) throws IOException {
        StreamSplit part = StreamSplit.of(offset -> new ByteArrayInputStream(file, (int) offset, file.length), start, end, tail);
        if (part == null) {
            return 0;
        }
        try (PatchReader<byte[]> reader = new PatchReader<>(part, "test", new Utf8Terms(), ReadOptions.DEFAULT)) {
            long before = reader.skippedRows();
            long[] rows = {0};
            ChangeRows<byte[]> counted = new ChangeRows<>(reader, (patch, tx, row, op, s, p, o, g, key, v) -> rows[0]++);
            while (reader.next(counted)) {
                // counted
            }
            return before + rows[0];
        }
    }

    @Test
    void rowsAreCountedByRestartPoints() throws IOException {
        int skipping = 0;
        for (int seed = 0; seed < 40; seed++) {
            byte[] one = randomFile(seed, StreamType.PUNCTUATED, SMALL_PARTS);
            byte[] file = seed % 3 == 0 ? join(one, randomFile(seed + 1L, StreamType.PUNCTUATED, SMALL_PARTS)) : one;
            Random random = new Random(seed);
            long all = count(file, 0, file.length, Long.MAX_VALUE);
            for (int round = 0; round < 10; round++) {
                long tail = 1 + random.nextInt(300);
                long cut = 1 + random.nextInt(file.length - 1);
                assertEquals(all, count(file, 0, cut, tail) + count(file, cut, file.length, tail), seed + ", cut at " + cut);
                StreamSplit part = StreamSplit.of(
                        offset -> new ByteArrayInputStream(file, (int) offset, file.length), 0, file.length, tail);
                skipping += part.skippedRows() > 0 ? 1 : 0;
            }
        }
        assertTrue(skipping > 100, skipping + " of 400 skip rows");
        byte[] plain = withoutChecksums(randomFile(1, StreamType.PUNCTUATED, SMALL_PARTS));
        assertEquals(0, StreamSplit.of(offset -> new ByteArrayInputStream(plain, (int) offset, plain.length), 0, plain.length, 1)
                .skippedRows());
    }

    @Test
    void aWrongNumberOfARestartPointIsFoundWhileCounting() throws IOException {
        byte[] file = randomFile(3, StreamType.PUNCTUATED, SMALL_PARTS);
        long all = count(file, 0, file.length, Long.MAX_VALUE);
        int found = 0;
        for (int restart : restarts(file)) {
            for (int bit = 0; bit < 8 * 64; bit += 3) {
                byte[] damaged = file.clone();
                damaged[restart + bit / 8] ^= (byte) (1 << bit % 8);
                try {
                    // Two splits, since a restart point between them is the end of one and the beginning of the other.
                    long cut = Math.max(1, restart - 1);
                    assertEquals(all, count(damaged, 0, cut, 1) + count(damaged, cut, file.length, 1), restart + ", bit " + bit);
                } catch (FormatException e) {
                    found++;
                }
            }
        }
        assertTrue(found > 0);
    }

    // --- bytes

    /** Where the frames with restart points begin. */
    static List<Integer> restarts(byte[] file) {
        List<Integer> found = new ArrayList<>();
        for (int at = 0; at < file.length; at = frameEnd(file, at)) {
            if (Restart.markOfHead(Arrays.copyOfRange(file, at, Math.min(file.length, at + 64))) != null
                    || new RestartScanner(Restart.markOfHead(Arrays.copyOf(file, 64)), at)
                            .scan(file, at, frameEnd(file, at) - at) == at) {
                found.add(at);
            }
        }
        return found;
    }

    static int frameStart(byte[] file, int at) {
        int start = at;
        while (file[start] < 0) {
            start++;
        }
        return start + 1;
    }

    static int frameEnd(byte[] file, int at) {
        int start = frameStart(file, at);
        int length = 0;
        for (int i = start - 1; i >= at; i--) {
            length = length << 7 | file[i] & 0x7F;
        }
        return start + length;
    }

    /** Puts a field into the frame that begins at {@code at}: as its first or its last one. */
    static byte[] withField(byte[] file, int at, WireWriter field, boolean first) {
        int end = frameEnd(file, at);
        byte[] content = Arrays.copyOfRange(file, frameStart(file, at), end);
        byte[] bytes = new byte[field.size()];
        field.copyTo(bytes, 0, bytes.length);
        WireWriter head = new WireWriter(10);
        head.writeVarint(content.length + bytes.length);
        byte[] length = new byte[head.size()];
        head.copyTo(length, 0, length.length);
        return join(Arrays.copyOf(file, at), length, first ? bytes : content, first ? content : bytes,
                Arrays.copyOfRange(file, end, file.length));
    }

    /** The same file as another writer may make it: with restart points, and without checksums. */
    static byte[] withoutChecksums(byte[] file) {
        byte[] made = new byte[0];
        for (int at = 0; at < file.length; at = frameEnd(file, at)) {
            byte[] content = Arrays.copyOfRange(file, frameStart(file, at), frameEnd(file, at) - FrameChecksum.BYTES);
            boolean restart = Restart.mayBegin(content, 0, content.length);
            if (restart) {
                int end = 3 + content[2];
                content[2] -= 2; // the last of its fields says that there are checksums
                content = join(Arrays.copyOf(content, end - 2), Arrays.copyOfRange(content, end, content.length));
                ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).putInt(3 + 2 + Restart.MARK_BYTES + 1, content.length);
            }
            WireWriter frame = new WireWriter(content.length);
            frame.bytesField(1, content, 0, content.length);
            byte[] delimited = new byte[frame.size() - 1];
            frame.removeFirst(1); // the key, before the length
            frame.copyTo(delimited, 0, delimited.length);
            int start = made.length;
            made = join(made, delimited);
            if (restart) {
                setOffset(made, start);
            }
        }
        return made;
    }

    /** Has the restart point that begins at an offset say that it does. */
    static void setOffset(byte[] file, int at) {
        int offset = frameStart(file, at) + 3 + 2 + Restart.MARK_BYTES + 1 + Integer.BYTES + 1;
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putLong(offset, at);
    }
}
