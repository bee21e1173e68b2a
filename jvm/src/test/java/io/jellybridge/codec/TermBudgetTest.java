package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of few bytes that make many: each limit in bytes is kept, and honest streams don't meet it. */
class TermBudgetTest {
    private static final int LARGE = 1 << 16;
    private static final ReadOptions SMALL = ReadOptions.DEFAULT.withMaxBytes(4 * LARGE, 2 * LARGE);

    /** A stream of quads with a prefix 1, a datatype 1 and a name 1, all that long, then rows. */
    private static byte[] stream(int prefix, int datatype, int name, List<Consumer<Raw>> rows) {
        List<Consumer<Raw>> all = new ArrayList<>(List.of(
                row -> row.add(1, options -> options.add(1, 2).add(2, 2).add(4, 1).add(9, 4000).add(10, 8).add(11, 8).add(15, 1)),
                row -> row.add(12, entry -> entry.add(1, 1).add(2, "urn:" + "p".repeat(prefix))),
                row -> row.add(13, entry -> entry.add(1, 1).add(2, "urn:" + "d".repeat(datatype))),
                row -> row.add(11, entry -> entry.add(1, 1).add(2, "n".repeat(name)))));
        all.addAll(rows);
        WireWriter frame = new WireWriter(LARGE);
        for (Consumer<Raw> row : all) {
            byte[] content = Raw.bytes(row);
            frame.bytesField(1, content, 0, content.length);
        }
        return Streams.delimited(frame);
    }

    private static Consumer<Raw> iri(int prefix, int name) {
        return iri -> iri.add(1, prefix).add(2, name);
    }

    private static FormatException refused(byte[] stream, ReadOptions limits) {
        FormatException refused = assertThrows(FormatException.class, () -> Streams.read(stream, limits));
        assertEquals("P-126", refused.rule());
        return refused;
    }

    private static List<Consumer<Raw>> subjects(int count) {
        List<Consumer<Raw>> rows = new ArrayList<>();
        for (int i = 2; i < count + 2; i++) {
            int name = i;
            rows.add(row -> row.add(11, entry -> entry.add(1, name).add(2, "n" + name)));
            rows.add(row -> row.add(2, quad -> quad.add(1, iri(1, name)).add(5, iri(1, 1)).add(10, "b").add(15, graph -> { })));
        }
        return rows;
    }

    @Test
    void aLongPrefixOfManyNamesIsRefused() {
        assertEquals(7, Streams.read(stream(LARGE, 1, 1, subjects(6)), SMALL).size());
        String found = refused(stream(LARGE, 1, 1, subjects(1000)), SMALL).getMessage();
        assertTrue(found.contains("which the lookups make of") && found.contains("raise maxTableBytes"), found);
        // As bombs were tried from outside: 2,000 names of one prefix of a MiB.
        refused(stream(1 << 20, 1, 1, subjects(2000)), ReadOptions.DEFAULT);
    }

    @Test
    void aLongDatatypeOfManyLiteralsIsRefused() {
        List<Consumer<Raw>> rows = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            String lexical = "" + i;
            rows.add(row -> row.add(14, header -> header.add(1, "k").add(4, literal -> literal.add(1, lexical).add(3, 1))));
        }
        assertTrue(refused(stream(1, LARGE, 1, rows), SMALL).getMessage().contains("lookups make"));
    }

    @Test
    void aTripleTermOfLongIrisIsRefused() {
        Consumer<Raw> term = inner -> inner.add(1, iri(1, 1)).add(5, iri(1, 1)).add(9, iri(1, 1));
        for (int depth = 0; depth < 20; depth++) {
            Consumer<Raw> inner = term;
            term = outer -> outer.add(1, iri(1, 1)).add(5, iri(1, 1)).add(12, inner);
        }
        Consumer<Raw> value = term;
        byte[] stream = stream(LARGE, 1, 1, List.of(row -> row.add(14, header -> header.add(1, "k").add(5, value))));
        String found = refused(stream, SMALL).getMessage();
        assertTrue(found.contains("a term of") && found.contains("raise maxTermBytes"), found);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 6, 7})
    void aTermThatIsTooLongIsRefused(int member) {
        String text = "t".repeat(4 * LARGE + 1);
        Consumer<Raw> subject = quad -> quad.add(1, iri(1, 1)).add(5, iri(1, 1)).add(15, graph -> { });
        byte[] stream = stream(1, 1, 1, List.of(row -> row.add(2, quad -> {
            subject.accept(quad);
            if (member == 2) {
                quad.add(10, text);
            } else if (member == 3) {
                quad.add(11, literal -> literal.add(1, text));
            } else {
                quad.add(11, literal -> literal.add(1, text).add(member == 6 ? 2 : 4, "en"));
            }
        })));
        assertTrue(refused(stream, SMALL).getMessage().contains("raise maxTermBytes"));
        assertEquals(2, Streams.read(stream, ReadOptions.DEFAULT).size());
    }

    @Test
    void entriesThatTakeTooManyBytesAreRefusedInEachLookup() {
        for (int kind = 11; kind <= 13; kind++) {
            int field = kind;
            List<Consumer<Raw>> rows = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                int id = i;
                rows.add(row -> row.add(field, entry -> entry.add(1, id).add(2, "e".repeat(LARGE))));
            }
            String found = refused(stream(1, 1, 1, rows), SMALL).getMessage();
            assertTrue(found.contains("lookup, above the limit") && found.contains("raise maxTableBytes"), found);
            // What is overwritten does not count.
            rows.clear();
            for (int i = 0; i < 30; i++) {
                rows.add(row -> row.add(field, entry -> entry.add(1, 1).add(2, "e".repeat(LARGE))));
            }
            assertEquals(1, Streams.read(stream(1, 1, 1, rows), SMALL).size());
        }
    }

    @Test
    void whatIsReadDoesNotDependOnWhatTheCacheOfIrisMayTake() {
        ReadOptions little = ReadOptions.DEFAULT.withMaxBytes(LARGE, 10_000);
        for (int seed = 0; seed < 50; seed++) {
            byte[] file = StreamSplitTest.randomFile(seed, StreamType.PUNCTUATED, StreamSplitTest.SMALL_PARTS);
            assertEquals(Streams.read(file, ReadOptions.DEFAULT), Streams.read(file, little), "seed " + seed);
        }
    }

    @Test
    void aWriterEmptiesLongEntriesBeforeALookupIsLargerThanWhatIsRead() {
        String longText = "l".repeat(3 << 20);
        byte[] stream = Streams.write(PatchOptions.DEFAULT, WriteOptions.DEFAULT.withRestartBytes(0), to -> {
            for (int i = 0; i < 14; i++) {
                Streams.add(to, "<urn:" + longText + i % 7 + ">", "<urn:p>", "<urn:" + "m".repeat(i << 18) + ">", null);
            }
        });
        List<String> rows = Streams.read(stream, ReadOptions.DEFAULT.withMaxBytes(16 << 20, 8 << 20)); // as with a small heap
        for (int i = 0; i < 14; i++) {
            assertEquals("A <urn:" + longText + i % 7 + "> <urn:p> <urn:" + "m".repeat(i << 18) + "> null", rows.get(i));
        }
    }

    @Test
    void aRowOfMoreThanIsReadIsRefusedAndTheNextOneIsNot() {
        String longText = "l".repeat(6 << 20);
        byte[] stream = Streams.write(PatchOptions.DEFAULT, new WriteOptions(100, true, 1 << 26, 0, TermRules.RDF), to -> {
            Streams.add(to, "<urn:" + longText + "0>", "<urn:p>", "<urn:o>", null);
            FormatException refused = assertThrows(FormatException.class, () -> Streams.add(to, "<urn:" + longText + "1>",
                    "<urn:" + longText + "2>", "<urn:" + longText + "3>", null));
            assertEquals("P-126", refused.rule());
            Streams.add(to, "<urn:s>", "<urn:p>", "<urn:" + longText + "0>", null);
        });
        assertTrue(stream.length < 7 << 20, "the name is there again, with its entry");
        assertEquals("A <urn:s> <urn:p> <urn:" + longText + "0> null", Streams.read(stream).get(1));
    }

    @Test
    void aSmallHeapHasLowerLimits() {
        assertEquals(16 << 20, ReadOptions.bytesFor(1L << 30));
        assertEquals(16 << 20, ReadOptions.bytesFor((1L << 30) - (64 << 20)));
        assertEquals(4 << 20, ReadOptions.bytesFor(256L << 20));
        assertEquals(1 << 20, ReadOptions.bytesFor(16L << 20));
        assertTrue(ReadOptions.DEFAULT.allowsTerms(1 << 20, 0) && ReadOptions.DEFAULT.allowsTerms(1L << 40, 1L << 32));
    }
}
