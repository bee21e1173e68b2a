package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.text.RdfPatchDialect;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events become RDF Patch text and the same events again; damaged text is a typed error or other legal text. */
class RdfPatchTextTest {
    private static final int SEEDS = Integer.getInteger("jellybridge.seeds", 200);
    /** Of a loop over all inputs: so long only a hang takes. */
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final RdfPatchWriteOptions ALL_OUT =
            RdfPatchWriteOptions.DEFAULT.withGeneralized(true).withRelativeIris(true);
    private static final RdfPatchReadOptions ALL_IN =
            RdfPatchReadOptions.DEFAULT.withGeneralized(true).withRelativeIris(true);
    /** What random patches hold and no RDF Patch text can. */
    private static final List<String> NO_TEXT_FOR = List.of("which is not well-formed", "which starts as a blank node",
            "a character that no IRI has");

    private static byte[] write(RdfPatchWriteOptions options, Consumer<RdfPatchWriter<byte[]>> calls) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RdfPatchWriter<byte[]> writer = new RdfPatchWriter<>(out, "test", new Utf8Terms(), options)) {
            calls.accept(writer);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private static List<String> read(InputStream in, RdfPatchReadOptions options) {
        Recorder recorder = new Recorder();
        try (RdfPatchReader<byte[]> reader = new RdfPatchReader<>(in, "test", new Utf8Terms(), options)) {
            reader.readAll(recorder);
            assertEquals(recorder.patches(), reader.numbers().patches());
            assertEquals(recorder.lines.size() - recorder.patches(), reader.numbers().row() + 1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return recorder.lines;
    }

    private static List<String> read(byte[] text, RdfPatchReadOptions options) {
        return read(new ByteArrayInputStream(text), options);
    }

    // --- round trip

    @ParameterizedTest
    @EnumSource(RdfPatchDialect.class)
    void whatIsWrittenIsReadBackInEveryDialect(RdfPatchDialect dialect) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            PatchOptions options = PatchOptions.DEFAULT
                    .withGeneralizedStatements(random.nextBoolean()).withRdfStar(random.nextBoolean())
                    .withStatementType(random.nextBoolean() ? StatementType.QUADS : StatementType.TRIPLES);
            RandomPatches patches = new RandomPatches(seed, options);
            Recorder written = new Recorder();
            byte[] text = write(ALL_OUT.withGeneralized(options.generalizedStatements()), writer ->
                    patches.patches(new Accepted(writer, written), random.nextInt(6), () -> refuseOne(writer, random)));
            RdfPatchReadOptions reading = ALL_IN.withDialect(dialect).withGeneralized(options.generalizedStatements());
            assertEquals(written.lines, read(text, reading), "seed " + seed);
            assertEquals(written.lines, read(new Trickle(text, random), reading), "seed " + seed);
            int events = written.lines.size();
            boolean lastHasRows = events > 1 && !written.lines.get(events - 2).equals(Recorder.END_PATCH);
            assertEquals(lines(text), events - (lastHasRows ? 1 : 0), "a line for each event but the last mark, seed " + seed);
        }
    }

    private static long lines(byte[] text) {
        return new String(text, UTF_8).chars().filter(c -> c == '\n').count();
    }

    /** A refused call leaves the text as if it had not been made. */
    private static void refuseOne(RdfPatchWriter<byte[]> writer, Random random) {
        byte[] iri = utf8("<x:i>");
        assertThrows(FormatException.class, () -> {
            switch (random.nextInt(8)) {
                case 0 -> writer.statement(Op.A, iri, iri, null, null);
                case 1 -> writer.statement(Op.A, iri, iri, utf8("?variable"), null);
                case 2 -> writer.statement(Op.D, iri, utf8("<unfinished"), iri, null);
                case 3 -> writer.statement(Op.A, iri, iri, iri, utf8("<<( <x:a> <x:b> <x:c> )>>"));
                case 4 -> writer.prefix(Op.PA, utf8("ex"), null, null);
                case 5 -> writer.prefix(Op.PA, utf8("a:b"), iri, null);
                case 6 -> writer.header(utf8("k"), new byte[] {'"', (byte) 0xFF, '"'});
                default -> writer.prefix(Op.PD, utf8("ex"), utf8("\"no IRI\""), null);
            }
        });
    }

    /** Passes calls on, and records those that the writer took, without what text has no place for. */
    private record Accepted(RdfPatchWriter<byte[]> writer, Recorder recorder) implements PatchHandler<byte[]> {

        private void call(Consumer<PatchHandler<byte[]>> event) {
            try {
                event.accept(writer);
            } catch (FormatException e) {
                assertTrue(NO_TEXT_FOR.stream().anyMatch(e.found()::contains), e.getMessage());
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
            call(to -> to.prefix(op, name, op == Op.PD && to == recorder ? null : namespace, graph));
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

    /** A stream that gives a few bytes at a time. */
    private static final class Trickle extends ByteArrayInputStream {
        private final Random random;

        Trickle(byte[] bytes, Random random) {
            super(bytes);
            this.random = random;
        }

        @Override
        public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, 1 + random.nextInt(7)));
        }
    }

    /** The buffer is no larger than the largest token, so that here it is filled again at every place of the text. */
    @Test
    void whereTheBufferEndsIsNoMatter() {
        String text = new String(sample(), UTF_8) + "Z .\n"
                + "A <x:s> <x:p> \"a\\\\\\\"\" \t @en . A _:a.b <x:p> \"1\"  ^^\t <x:d> _:c.\r\n"
                + "TB .TC . A 1.5 <x:p> -.5e1 # why\r. PD p: <x:n> .";
        List<String> events = read(utf8(text), ALL_IN);
        assertEquals(3 * 8 + 7, events.size());
        for (int limit = 24; limit < 64; limit++) {
            for (int pad = 0; pad < limit; pad++) {
                byte[] padded = utf8("#".repeat(pad) + "\n" + text);
                assertEquals(events, read(padded, ALL_IN.withMaxTokenBytes(limit)), "limit " + limit + ", pad " + pad);
            }
        }
    }

    @Test
    void aTermOfAnySizeIsReadUpToTheLimitAcrossBuffers() {
        for (int length : new int[] {60_000, 65_530, 65_536, 70_000, 200_000}) {
            String object = '"' + "é".repeat(length / 2) + "\\n\"@en";
            byte[] text = utf8("A <x:s> <x:p> <x:o> . # " + "c".repeat(length) + "\nA <x:s> <x:p> " + object + " .\n"
                    + "A <x:s> <x:p> <x:o" + "o".repeat(length) + "> .\nZ .\n");
            assertEquals(List.of("A <x:s> <x:p> <x:o> null", "A <x:s> <x:p> " + object + " null",
                    "A <x:s> <x:p> <x:o" + "o".repeat(length) + "> null", Recorder.END_PATCH), read(text, ALL_IN));
            FormatException e = assertThrows(FormatException.class,
                    () -> read(text, ALL_IN.withMaxTokenBytes(length - 10)));
            assertTrue(e.found().startsWith("a token of more than"), e.getMessage());
            assertEquals(2, e.line());
            assertEquals(15, e.column());
        }
    }

    @Test
    void anErrorFarInTheTextHasItsPlace() {
        String row = "A <x:s> <x:p> \"é😀\" . ";
        byte[] text = utf8("\uFEFF" + (row.repeat(9_999) + "\r\n").repeat(3) + row.repeat(9_999) + "A <x:s> ? .");
        FormatException e = assertThrows(FormatException.class, () -> read(text, ALL_IN));
        assertEquals(4, e.line());
        assertEquals(row.codePoints().count() * 9_999 + 9, e.column());
        assertEquals(text.length - 3, e.offset());
    }

    /** Each of a few bytes, of which there could be any number. */
    @Test
    void prefixedNamesOfALongNamespaceAreCounted() {
        byte[] text = utf8("PA \"p\" <x:" + "n".repeat(1 << 14) + "> .\n" + "A p:a p:b p:c .\n".repeat(1_500));
        FormatException e = assertThrows(FormatException.class, () -> {
            try (RdfPatchReader<byte[]> reader = new RdfPatchReader<>(new ByteArrayInputStream(text), "test", new Utf8Terms(), ALL_IN)) {
                reader.readAll(new PatchAdapter<>());
            }
        });
        assertTrue(e.found().startsWith("prefixed names of ") && e.line() > 500, e.getMessage());
    }

    /** Each of its tokens may be shorter than the limit. */
    @Test
    void aTripleTermIsLimitedAsAWhole() {
        String half = "<x:" + "s".repeat(ReadOptions.MAX_TERM_BYTES / 2) + ">";
        FormatException e = assertThrows(FormatException.class,
                () -> read(utf8("A <x:s> <x:p> <<( " + half + " <x:p> " + half + " )>> .\n"), ALL_IN));
        assertTrue(e.found().startsWith("a triple term of more than ") && e.line() == 1, e.getMessage());
        byte[] triple = utf8("<<( " + half + " <x:p> " + half + " )>>");
        write(ALL_OUT, writer -> {
            FormatException refused = assertThrows(FormatException.class,
                    () -> writer.statement(Op.A, utf8("<x:s>"), utf8("<x:p>"), triple, null));
            assertTrue(refused.found().startsWith("a triple term of "), refused.getMessage());
        });
        assertEquals(3, read(utf8(("A " + half + " <x:p> " + half + " .\n").repeat(2)), ALL_IN).size());
    }

    // --- damage

    private static byte[] sample() {
        return write(ALL_OUT.withMarks(true), writer -> {
            for (int patch = 0; patch < 3; patch++) {
                writer.header(utf8("id"), utf8("<x:id:" + patch + ">"));
                writer.transaction(Op.TX);
                writer.prefix(Op.PA, utf8("ex"), utf8("<x:n>"), utf8("<x:g>"));
                writer.prefix(Op.PD, utf8(""), null, null);
                writer.statement(Op.A, utf8("<x:s>"), utf8("<x:p>"), utf8("\"é\\n" + patch + "\"@pl"), utf8("_:g"));
                writer.statement(Op.D, utf8("_:a b"), utf8("<x:p>"), utf8("<<( <x:a> <x:b> \"1\"^^<x:d> )>>"), null);
                writer.transaction(patch == 1 ? Op.TA : Op.TC);
                writer.endPatch();
            }
        });
    }

    @Test
    void textThatIsCutAnywhereIsAnErrorOrWholeRowsOutsideOfTransactions() {
        byte[] whole = sample();
        List<String> events = read(whole, ALL_IN);
        assertTimeoutPreemptively(LIMIT, () -> {
            for (int length = 0; length < whole.length; length++) {
                String what = "cut at " + length;
                Recorder recorder = new Recorder();
                boolean failed = false;
                try (RdfPatchReader<byte[]> reader = new RdfPatchReader<>(
                        new ByteArrayInputStream(whole, 0, length), "test", new Utf8Terms(), ALL_IN)) {
                    reader.readAll(recorder);
                    assertTrue(!reader.numbers().transactionOpen(), what);
                } catch (FormatException e) {
                    failed = true;
                    assertTrue(e.offset() >= 0 && e.offset() <= length, e.getMessage());
                }
                List<String> lines = recorder.lines;
                if (!failed && !lines.isEmpty()) {
                    assertEquals(Recorder.END_PATCH, lines.remove(lines.size() - 1), what);
                }
                assertEquals(events.subList(0, lines.size()), lines, what);
            }
        });
    }

    @Test
    void aFlippedByteIsATypedErrorOrOtherLegalText() {
        byte[] whole = sample();
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

    @Test
    void garbageIsTextOrATypedErrorAndNothingElse() {
        String[] tokens = {
            "A", "D", "H", "TX", "TC", "TA", "TB", "Z", "PA", "PD", "<x:a>", "<_:b>", "_:c", "\"d\"", "\"", "\\",
            "\\u0041", "@en", "^^", "<x:", ">", "<<(", ")>>", "<<", ">>", ".", ".", ".", "1", "-", "1.5e", ":", "x:",
            "é", "#", "\n", "\r", "\t", " ", " ", "true", "?v", "\u0000", "word", "a.b", "'", "(", "[", "\uFEFF"};
        assertTimeoutPreemptively(LIMIT, () -> {
            for (int seed = 0; seed < 60_000; seed++) {
                Random random = new Random(seed);
                StringBuilder text = new StringBuilder();
                for (int n = random.nextInt(16); n > 0; n--) {
                    text.append(tokens[random.nextInt(tokens.length)]).append(random.nextInt(3) == 0 ? " " : "");
                }
                byte[] bytes = utf8(text.toString());
                if (bytes.length > 0 && random.nextInt(4) == 0) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                readsOrFails(bytes, "seed " + seed);
            }
        });
    }

    /**
     * Reads in every dialect. What one reads, AUTO reads the same; what is read is written, and read again, but for IRIs
     * with an escaped character that no IRI has.
     */
    private static void readsOrFails(byte[] text, String what) {
        List<String> auto = readOrNull(text, ALL_IN, what);
        for (RdfPatchDialect dialect : RdfPatchDialect.values()) {
            List<String> read = readOrNull(text, ALL_IN.withDialect(dialect), what);
            if (read != null) {
                assertEquals(auto, read, what);
            }
        }
        if (auto != null) {
            byte[] written;
            try {
                written = write(ALL_OUT, writer -> {
                    try (RdfPatchReader<byte[]> reader =
                            new RdfPatchReader<>(new ByteArrayInputStream(text), "test", new Utf8Terms(), ALL_IN)) {
                        reader.readAll(writer);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
            } catch (FormatException e) {
                assertTrue(e.found().contains("a character that no IRI has"), what + ": " + e.getMessage());
                return;
            }
            List<String> expected = auto.stream().map(RdfPatchTextTest::withoutNamespaceOfPd).toList();
            assertEquals(expected, read(written, ALL_IN), what);
        }
    }

    private static String withoutNamespaceOfPd(String event) {
        String[] parts = event.split(" ");
        if (!parts[0].equals("PD")) {
            return event;
        }
        parts[2] = "null";
        return String.join(" ", parts);
    }

    private static List<String> readOrNull(byte[] text, RdfPatchReadOptions options, String what) {
        try {
            return read(text, options);
        } catch (FormatException e) {
            assertTrue(e.offset() >= 0 && e.offset() <= text.length, what + ": " + e.getMessage());
            assertTrue(e.line() > 0 && e.column() > 0, what + ": " + e.getMessage());
            return null;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(what + ": " + Arrays.toString(text), e);
        }
    }
}
