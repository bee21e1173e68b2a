package io.jellybridge.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuadPackingTest {
    private static final int MORE_THAN_NUMBERS = 40_000;
    private static final String LONG = "x".repeat(300);
    /** Terms of all kinds, and those that look alike in a part. */
    private static final List<String> TERMS = List.of("<>", "</>", "<#>", "<a>", "<a/>", "<a/b>", "<a/b/>", "<a/b#c>", "<a/b#>", "<urn:x>",
            "<http://e/" + LONG + "/c>", "<http://e/c#" + LONG + ">", "_:a", "_:a/b", "\"\"", "\"a\"", "\"a/b#c\"", "\"<a/b>\"", "\"a\\\"\"",
            "\"a\\\"@en\"", "\"a\"@en", "\"a\"@en-gb", "\"a\"@" + LONG, "\"\"^^<a/b>", "\"a\"^^<a/b#c>", "\"" + LONG + "\"",
            "<<( <a/b> <a/b#c> \"a\"@en )>>", "<<( _:a <a/b> _:a )>>", "\"\u00e4/\u20ac\"", "<a/\u00e4>");

    private static byte[][] random(Random random, String namespace) {
        byte[][] terms = new byte[4][];
        for (int i = 0; i < terms.length; i++) {
            String term = random.nextInt(4) == 0 ? "<" + namespace + "/" + random.nextInt(3) + ">" : TERMS.get(random.nextInt(TERMS.size()));
            terms[i] = term.getBytes(UTF_8);
        }
        terms[3] = random.nextBoolean() ? null : terms[3];
        return terms;
    }

    private static String line(byte[][] terms) {
        return Arrays.stream(terms).map(term -> term == null ? "" : new String(term, UTF_8)).collect(Collectors.joining(" "));
    }

    /** Each quad is read as it was, at any offset, and one quad has one form: for both threads, and before and after the numbers are out. */
    @ParameterizedTest
    @ValueSource(ints = {10, MORE_THAN_NUMBERS})
    void equalQuadsHaveEqualFormsInAllThreads(int namespaces) throws Exception {
        QuadPacking packing = new QuadPacking();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Map<String, ByteBuffer>>> packers = new ArrayList<>();
            for (long seed : new long[] {1, 2}) {
                packers.add(() -> {
                    Random random = new Random(seed);
                    QuadPacking.Packer packer = packing.new Packer();
                    Map<String, ByteBuffer> forms = new HashMap<>();
                    for (int i = 0; i < 3 * MORE_THAN_NUMBERS; i++) {
                        byte[][] terms = random(random, "n" + random.nextInt(namespaces));
                        byte[] form = packer.pack(terms[0], terms[1], terms[2], terms[3]);
                        ByteBuffer before = forms.put(line(terms), ByteBuffer.wrap(form));
                        assertTrue(before == null || before.equals(ByteBuffer.wrap(form)));
                        byte[] padded = new byte[form.length + 10];
                        System.arraycopy(form, 0, padded, 7, form.length);
                        assertArrayEquals(terms, packing.unpack(padded, 7));
                    }
                    return forms;
                });
            }
            Map<String, ByteBuffer> all = new HashMap<>();
            for (Future<Map<String, ByteBuffer>> forms : threads.invokeAll(packers)) {
                forms.get().forEach((line, form) -> assertEquals(form, all.getOrDefault(line, form)));
                all.putAll(forms.get());
            }
            assertEquals(all.size(), all.values().stream().distinct().count());
        } finally {
            threads.shutdown();
        }
    }

    /** Two threads come to the last number at one time. */
    @Test
    void theLastNumberIsTakenOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 20; i++) {
                QuadPacking packing = new QuadPacking();
                List<Callable<Void>> packers = new ArrayList<>();
                for (String name : List.of("a", "b")) {
                    packers.add(() -> {
                        QuadPacking.Packer packer = packing.new Packer();
                        for (int n = 0; n < MORE_THAN_NUMBERS / 2; n++) {
                            byte[] term = ("<" + name + n + "/>").getBytes(UTF_8);
                            assertArrayEquals(term, packing.unpack(packer.pack(term, term, term, null), 0)[0]);
                        }
                        return null;
                    });
                }
                for (Future<Void> done : threads.invokeAll(packers)) {
                    done.get();
                }
            }
        } finally {
            threads.shutdown();
        }
    }

    /** Two bytes for the number and the length of what is left, once a namespace, a datatype or a language has a number. */
    @Test
    void ofANamespaceADatatypeAndALanguageOnlyTheNumberIsWritten() {
        QuadPacking packing = new QuadPacking();
        QuadPacking.Packer packer = packing.new Packer();
        for (int i = 0; i < 10; i++) {
            assertEquals(4 * 2 + "s0".length() + "p".length() + "x".length() + "g".length(), packed(packer, "<http://example.org/s" + i + ">",
                    "<http://example.org/terms#p>", "\"x\"^^<http://www.w3.org/2001/XMLSchema#token>", "<http://example.org/g>"));
            assertEquals(4 * 2 + "_:b".length() + "x".length(),
                    packed(packer, "_:b", "<http://example.org/terms#>", "\"x\"@en-GB-oxendict", "<http://example.org/>"));
            assertEquals(3 * 2 + "<urn:s>".length() + "<<urn/>".length() + "x".length() + 1,
                    packed(packer, "<urn:s>", "<<urn/>", "\"x\"", null));
        }
    }

    private static int packed(QuadPacking.Packer packer, String subject, String predicate, String object, String graph) {
        return packer.pack(subject.getBytes(UTF_8), predicate.getBytes(UTF_8), object.getBytes(UTF_8),
                graph == null ? null : graph.getBytes(UTF_8)).length;
    }

    @Test
    void aLongTermIsRoomEnough() {
        QuadPacking packing = new QuadPacking();
        byte[] large = ("\"" + "y".repeat(1 << 20) + "\"").getBytes(UTF_8);
        byte[] form = packing.new Packer().pack(large, large, large, large);
        assertArrayEquals(new byte[][] {large, large, large, large}, packing.unpack(form, 0));
    }
}
