package io.jellybridge.codec;

import static io.jellybridge.codec.StreamSplitTest.withoutChecksums;
import static io.jellybridge.codec.Streams.add;
import static io.jellybridge.codec.Streams.bind;
import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Broken bytes: a typed error with its place, or right rows; never a hang, and never more memory than the bytes ask for. */
class DamageTest {
    private static final WriteOptions SMALL_FRAMES = new WriteOptions(3, true, 16 << 20);
    /** Of a loop over all inputs: so long only a hang takes. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static byte[] stream(StreamType type) {
        PatchOptions options = Streams.QUADS.withStreamType(type).withRdfStar(true).withTableSizes(16, 4, 4);
        // Or hardly any damage would be read as far as its row.
        return withoutChecksums(Streams.write(options, SMALL_FRAMES, to -> {
            for (int patch = 0; patch < (type == StreamType.FLAT ? 1 : 3); patch++) {
                to.header(utf8("id"), utf8("<urn:id:" + patch + ">"));
                to.transaction(Op.TX);
                bind(to, "ex", "<http://example.org/>", null);
                for (int i = 0; i < 4; i++) {
                    add(to, "<http://example.org/s" + i + ">", "<http://example.org/p>", "\"é" + patch + "\"@pl", "_:g");
                    add(to, "<< <urn:a> <urn:b> \"1\"^^<urn:int> >>", "<http://example.org/p>", "_:b" + i, null);
                }
                to.transaction(patch == 1 ? Op.TA : Op.TC);
                to.endPatch();
            }
        }));
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void aStreamThatIsCutAnywhereIsAnErrorOrWholePatches(StreamType type) {
        byte[] whole = stream(type);
        List<String> events = Streams.read(whole);
        assertTimeoutPreemptively(LIMIT, () -> {
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                Recorder recorder = new Recorder();
                boolean failed = false;
                try {
                    Streams.readInto(cut, ReadOptions.DEFAULT, recorder);
                } catch (FormatException e) {
                    failed = true;
                    assertTrue(e.offset() >= 0 && e.offset() <= length, e.getMessage());
                }
                String what = "cut at " + length + " of " + whole.length;
                List<String> lines = recorder.lines;
                // The first frame may hold no more than options and lookup entries.
                if (!failed && !lines.isEmpty()) {
                    assertEquals(count(lines, "TX"), count(lines, "TC") + count(lines, "TA"),
                            what + ": an open transaction");
                    assertEquals(Recorder.END_PATCH, lines.remove(lines.size() - 1), what);
                    // A FLAT stream does not say where its patch ends; the others do.
                    assertTrue(type == StreamType.FLAT || events.get(lines.size()).equals(Recorder.END_PATCH), what);
                }
                assertEquals(events.subList(0, lines.size()), lines, what);
            }
        });
    }

    private static long count(List<String> lines, String line) {
        return lines.stream().filter(line::equals).count();
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void aFlippedByteIsATypedErrorOrAnotherLegalStream(StreamType type) {
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
    @EnumSource(StreamType.class)
    void randomDamageNeverEscapesTheTypedError(StreamType type) {
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

    private static List<String> readOrNull(byte[] stream, ReadOptions options, String what) {
        try {
            return Streams.read(stream, options);
        } catch (FormatException e) {
            return null;
        } catch (RuntimeException e) {
            return fail(what, e);
        }
    }

    @Test
    void aFrameThatPromisesMoreThanIsThereAllocatesOnlyWhatIsThere() {
        byte[] promise = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07, 0x0A, 0x01}; // 16 MiB - 1, and two bytes
        long before = allocated();
        assertEquals("P-125", assertThrows(FormatException.class, () -> Streams.read(promise)).rule());
        assertTrue(allocated() - before < 4 << 20, "allocated " + (allocated() - before));
    }

    @Test
    void aTableThatIsHugeByDeclarationIsRefusedBeforeItIsAllocated() {
        byte[] huge = Streams.write(Streams.QUADS.withTableSizes(Integer.MAX_VALUE, 0, 0), to -> { });
        long before = allocated();
        assertEquals("P-126", assertThrows(FormatException.class, () -> Streams.read(huge)).rule());
        assertTrue(allocated() - before < 4 << 20, "allocated " + (allocated() - before));
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }
}
