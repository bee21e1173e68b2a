package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jellybridge.convert.QuadSorter.Quad;
import io.jellybridge.convert.QuadSorter.Quads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuadSorterTest {

    /** From all in memory, over some runs, to more runs than are read at a time. */
    @ParameterizedTest
    @ValueSource(longs = {1 << 30, 100_000, 5_000, 500})
    void quadsComeOnceEachInTheirOrderHoweverLittleMemoryThereIs(long memory) throws IOException {
        Random random = new Random(7);
        TreeSet<Quad> expected = new TreeSet<>();
        try (QuadSorter sorter = new QuadSorter(memory)) {
            for (int i = 0; i < 3000; i++) {
                Quad quad = new Quad(term(random, 9), term(random, 2), term(random, 9),
                        random.nextBoolean() ? null : term(random, 3));
                expected.add(quad);
                sorter.add(quad);
            }
            assertEquals(texts(expected), texts(read(sorter.sorted())));
        }
    }

    @Test
    void theDefaultGraphComesFirstAndBytesCountAsUnsigned() throws IOException {
        try (QuadSorter sorter = new QuadSorter(1 << 20)) {
            Quad last = new Quad(utf8("é"), utf8("p"), utf8("o"), utf8("a"));
            Quad middle = new Quad(utf8("z"), utf8("p"), utf8("o"), utf8("a"));
            Quad first = new Quad(utf8("é"), utf8("p"), utf8("o"), null);
            sorter.add(last);
            sorter.add(middle);
            sorter.add(first);
            assertEquals(texts(List.of(first, middle, last)), texts(read(sorter.sorted())));
        }
    }

    @Test
    void nothingAddedIsNothingSorted() throws IOException {
        try (QuadSorter sorter = new QuadSorter(1)) {
            assertNull(sorter.sorted().next());
        }
    }

    private static byte[] term(Random random, int variety) {
        return utf8("<http://example.org/" + random.nextInt(variety) + "é>");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    private static List<Quad> read(Quads quads) throws IOException {
        List<Quad> all = new ArrayList<>();
        for (Quad quad = quads.next(); quad != null; quad = quads.next()) {
            all.add(quad);
        }
        return all;
    }

    private static List<String> texts(Iterable<Quad> quads) {
        List<String> texts = new ArrayList<>();
        for (Quad quad : quads) {
            texts.add(new String(quad.subject(), UTF_8) + ' ' + new String(quad.predicate(), UTF_8) + ' '
                    + new String(quad.object(), UTF_8) + ' '
                    + (quad.graph() == null ? "-" : new String(quad.graph(), UTF_8)));
        }
        return texts;
    }
}
