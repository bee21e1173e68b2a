package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.jena.nodes.NodeTerms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Entries and terms in every form that protobuf has for them. The usual forms are read in ways of their own; what all mean is
 * the same, and what is broken is refused in each.
 */
class TermFormsTest {
    private static final int[] NAMES = {1, 2, 3, 127, 128, 129, 300, 16_383, 16_384};
    private static final int[] PREFIXES = {1, 2, 127, 128, 129, 200};
    private static final ReadOptions LIMITS = new ReadOptions(false, 1 << 20, 20_000, 300, 8, 64);
    /** With one of these, terms are made as they are read, with the other when they are asked for. */
    private static final List<Selection<byte[]>> SELECTIONS =
            List.of(Selection.all(), new Selection<>(true, true, true, true, new SelectionTest.HalfOf(true, true, false)));

    private static final int MESSAGES = 2_000;
    /** A field that nobody knows, before those of a message: then these are read one by one, whatever their order. */
    private static final byte[] OTHER = hex("f80100");
    /** What tags, lengths, ids and text may be. */
    private static final byte[] LIKELY = {0x0A, 0x12, 0x18, 0x10, 0x2A, 0x52, 0x5A, 0, 1, 2, 3, 4, 'a', 'e', 0x7F, (byte) 0x80,
        (byte) 0x81};

    /** Of which the terms of what is deleted are not made. */
    private static final SelectionTest.HalfOf ADDED = new SelectionTest.HalfOf(true, false, false);

    /** A FLAT stream of quads or triples, all allowed, with the names and the prefixes; then the rows. */
    private static byte[] stream(int statementType, byte[]... rows) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(row(1, options -> options.add(1, statementType).add(2, 2).add(3, 1).add(4, 1).add(9, 20_000)
                .add(10, 300).add(11, 8).add(15, 1)));
        for (int id : NAMES) {
            frame.writeBytes(row(11, entry -> entry.add(1, id).add(2, "n" + id)));
        }
        for (int id : PREFIXES) {
            frame.writeBytes(row(12, entry -> entry.add(1, id).add(2, "http://p" + id + "/")));
        }
        Arrays.stream(rows).forEach(frame::writeBytes);
        return delimited(frame.toByteArray());
    }

    private static byte[] delimited(byte[] frame) {
        byte[] field = Raw.bytes(raw -> raw.add(1, frame)); // a key, and then what a delimited frame is
        return Arrays.copyOfRange(field, 1, field.length);
    }

    private static byte[] row(int kind, Consumer<Raw> message) {
        return Raw.bytes(frame -> frame.add(1, row -> row.add(kind, message)));
    }

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static List<String> read(byte[] stream, Selection<byte[]> selection) {
        Recorder recorder = new Recorder();
        try (PatchReader<byte[]> reader =
                new PatchReader<>(new ByteArrayInputStream(stream), "test", new Utf8Terms(), LIMITS)) {
            reader.select(selection);
            reader.readAll(recorder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return recorder.lines;
    }

    private static void checkRefused(byte[] stream, String what) {
        for (Selection<byte[]> selection : SELECTIONS) {
            FormatException e = assertThrows(FormatException.class, () -> read(stream, selection), what);
            assertEquals("P-125", e.rule(), what + ": " + e.getMessage());
        }
    }

    // --- IRIs

    private static String varint(long value, int least) {
        byte[] field = Raw.bytes(raw -> raw.addAlways(1, value));
        StringBuilder text = new StringBuilder(HexFormat.of().formatHex(field, 1, field.length));
        if (text.length() < 2 * least) { // longer than it has to be
            int last = field[field.length - 1] | 0x80;
            text.replace(text.length() - 2, text.length(), "%02x".formatted(last & 0xFF)).append("00");
        }
        return text.toString();
    }

    /** The forms of an RdfIri after one of prefix 1 and name 1, and what each is. */
    private static Map<String, String> iris() {
        Map<String, String> prefixes = new TreeMap<>(Map.of("", "1", "0800", "1"));
        for (int id : PREFIXES) {
            prefixes.put("08" + varint(id, 1), Integer.toString(id));
            prefixes.put("08" + varint(id, 3), Integer.toString(id));
        }
        Map<String, String> names = new TreeMap<>(Map.of("", "2", "1000", "2", "10021003", "3"));
        for (int id : NAMES) {
            names.put("10" + varint(id, 1), Integer.toString(id));
            names.put("10" + varint(id, 4), Integer.toString(id));
        }
        Map<String, String> iris = new TreeMap<>();
        prefixes.forEach((prefix, p) -> names.forEach((name, n) -> {
            String iri = "<http://p" + p + "/n" + n + ">";
            iris.put(prefix + name, iri);
            iris.put(name + prefix, iri);
            iris.put("1805" + prefix + name, iri);
            iris.put(prefix + name + "2201ff", iri);
        }));
        return iris;
    }

    /** In the order of the positions, with the object first, and in a triple term. */
    private static List<byte[]> triples(byte[] iri) {
        byte[] first = hex("08011001");
        byte[] last = hex("08021003");
        Consumer<Raw> triple = raw -> raw.add(1, first).add(5, iri).add(9, last);
        return List.of(row(2, triple), row(2, raw -> raw.add(9, last).add(1, first).add(5, iri)),
                row(2, raw -> raw.add(1, first).add(5, last).add(12, triple)));
    }

    @Test
    void anIriOfAnyFormIsWhatItsIdsSay() {
        List<byte[]> rows = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        iris().forEach((form, iri) -> {
            rows.addAll(triples(hex(form)));
            String triple = "<http://p1/n1> " + iri + " <http://p2/n3>";
            expected.addAll(List.of("A " + triple + " null", "A " + triple + " null",
                    "A <http://p1/n1> <http://p2/n3> <<( " + triple + " )>> null"));
        });
        expected.add(Recorder.END_PATCH);
        for (Selection<byte[]> selection : SELECTIONS) {
            assertEquals(expected, read(stream(1, rows.toArray(byte[][]::new)), selection));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"08", "10", "0885", "1085", "108585", "080110", "08011085", "0801108585", "0885858585858585858585",
        "0a05", "12", "07"})
    void anIriThatBreaksOffIsRefusedInAnyForm(String form) {
        for (byte[] row : triples(hex(form))) {
            checkRefused(stream(1, row), form);
        }
    }

    /** The last IRI of a frame is near the end of what is in memory. */
    @Test
    void anIriIsReadAtTheVeryEndOfTheBuffer() {
        int rest = stream(1, triples(hex("1002")).get(0)).length;
        for (int padding = (1 << 16) - rest - 40; padding < (1 << 16) - rest; padding++) {
            String text = "x".repeat(padding);
            byte[] stream = stream(1, row(14, message -> message.add(1, "k").add(4, value -> value.add(1, text))),
                    triples(hex("1002")).get(0), row(2, raw -> raw.add(1, hex("1001")).add(5, hex("1002")).add(9, hex("1003"))));
            assertEquals("A <http://p2/n1> <http://p2/n2> <http://p2/n3> null",
                    read(stream, Selection.all()).get(2), "stream of " + stream.length);
        }
    }

    @Test
    void anEntryThatIsNotSetIsRefusedWhereverTheTableEnds() {
        for (int set : new int[] {0, 1, 15, 16, 17, 33, 34}) {
            for (int asked = set + 1; asked < set + 36; asked++) {
                for (int kind : new int[] {11, 12}) {
                    int id = asked;
                    Raw frame = new Raw();
                    frame.add(1, row -> row.add(1, options -> options.add(1, 1).add(2, 2).add(9, 40).add(10, 40).add(15, 1)));
                    for (int i = 0; i < set; i++) {
                        frame.add(1, row -> row.add(kind, entry -> entry.add(2, "x")));
                    }
                    frame.add(1, row -> row.add(kind == 11 ? 12 : 11, entry -> entry.add(2, "y")));
                    frame.add(1, row -> row.add(2, triple -> triple.add(1, iri -> iri.add(1, kind == 12 ? id : 1)
                            .add(2, kind == 11 ? id : 1))));
                    for (Selection<byte[]> selection : SELECTIONS) {
                        FormatException e = assertThrows(FormatException.class,
                                () -> read(delimited(frame.toBytes()), selection));
                        assertEquals(id <= 40 ? "P-62" : kind == 11 ? "P-49" : "P-51", e.rule(), e.getMessage());
                    }
                }
            }
        }
    }

    // --- entries

    @Test
    void anEntryOfAnyIdAndAnyLengthIsWhatItSays() {
        List<byte[]> rows = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        List<Integer> ids = new ArrayList<>(List.of(1, 2, 3, 126, 127, 128, 129, 255, 256, 16_383, 16_384, 20_000));
        for (int id = 2_300; id < 2_440; id++) {
            ids.add(id);
        }
        for (int id : ids) {
            for (int length : new int[] {0, 1, 2, 7, 8, 15, 16, 17, 18, 126, 127, 128, 129, 300}) {
                String name = "a".repeat(length);
                rows.add(row(11, entry -> entry.add(1, id).add(2, name)));
                rows.add(row(4, prefix -> prefix.add(2, iri -> iri.add(1, 1).add(2, id))));
                expected.add("PA  <http://p1/" + name + "> null");
            }
        }
        rows.add(row(11, entry -> entry.add(2, "before").add(1, 5).add(2, "after").add(7, 7)));
        rows.add(row(4, prefix -> prefix.add(2, iri -> iri.add(2, 5))));
        expected.add("PA  <http://p1/after> null");
        rows.add(row(11, entry -> { })); // the one after, and empty
        rows.add(row(4, prefix -> prefix.add(2, iri -> iri.add(2, 6))));
        expected.add("PA  <http://p1/> null");
        expected.add(Recorder.END_PATCH);
        for (Selection<byte[]> selection : SELECTIONS) {
            assertEquals(expected, read(stream(1, rows.toArray(byte[][]::new)), selection));
        }
    }

    /** Its usual forms are told by their first bytes. */
    @Test
    void anEntryWhoseTextLooksLikeFieldsIsItsTextAndOneOfOtherFieldsHasNone() {
        List<byte[]> rows = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (String text : new String[] {"\u0012\u0003abc", "\u0011" + "a".repeat(17), "\u0010" + "a".repeat(17),
            "\u0012\u0000", "\u0008\u0001"}) {
            rows.add(row(11, entry -> entry.add(1, 7).add(2, text)));
            rows.add(row(11, entry -> entry.add(2, text)));
            for (int id = 7; id <= 8; id++) {
                int name = id;
                rows.add(row(4, prefix -> prefix.add(2, iri -> iri.add(1, 1).add(2, name))));
                String escaped = text.chars().mapToObj(c -> c < ' ' ? "\\u%04X".formatted(c) : Character.toString(c))
                        .collect(Collectors.joining());
                expected.add("PA  <http://p1/" + escaped + "> null");
            }
        }
        for (int other : new int[] {3, 7}) {
            rows.add(row(11, entry -> entry.add(1, 7).add(other, "other")));
            rows.add(row(11, entry -> entry.add(other, "other")));
            for (int id = 7; id <= 8; id++) {
                int name = id;
                rows.add(row(4, prefix -> prefix.add(2, iri -> iri.add(1, 1).add(2, name))));
                expected.add("PA  <http://p1/> null");
            }
        }
        expected.add(Recorder.END_PATCH);
        for (Selection<byte[]> selection : SELECTIONS) {
            assertEquals(expected, read(stream(1, rows.toArray(byte[][]::new)), selection));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-4, -3, -2, -1, 1, 2, 3, 4, 5, 8, 40})
    void anEntryWhoseTextIsOfAnotherLengthThanItSaysIsRefused(int more) {
        for (int length : new int[] {9, 10, 60}) {
            for (String id : new String[] {"", "0801", "08" + varint(length, 1), "08" + varint(length - 2, 1),
                "08" + varint(length + more, 1), "088001", "08808001"}) {
                byte[] entry = hex(id + "12" + "%02x".formatted(length + more) + "61".repeat(length));
                checkRefused(stream(1, row(11, raw -> { }), Raw.bytes(frame -> frame.add(1, row -> row.add(11, entry))),
                        row(14, header -> header.add(1, "k".repeat(100)).add(3, "b"))), id + ", " + length);
            }
        }
    }

    // --- other terms

    /** A term whose length is another than it says, at the end of its row and not. */
    @ParameterizedTest
    @ValueSource(ints = {-3, -2, -1, 1, 2, 3, 4})
    void aTermOfAnotherLengthThanItSaysIsRefused(int more) {
        String text = "61616161";
        String label = "%02x".formatted(4 + more) + text;
        String lexical = "0a" + label;
        String language = "0a0161" + "12" + "%02x".formatted(2 + Math.max(more, -2)) + "656e";
        String iri = "04" + "08011001";
        String subject = "0a" + iri;
        String predicate = "2a" + iri;
        List<String> triples = new ArrayList<>(List.of(
                "12" + label,
                subject + predicate + "52" + label,
                predicate + subject + "52" + label,
                subject + predicate + "5a" + "%02x".formatted(6) + lexical,
                subject + predicate + "5a" + "%02x".formatted(6 + more) + "0a04" + text));
        if (more != -2) { // or what is left is a field
            triples.add(subject + "520161" + "2a" + "%02x".formatted(4 + more) + "08011001");
            triples.add(subject + predicate + "5a" + "07" + language);
        }
        for (String triple : List.copyOf(triples)) {
            triples.add(subject + predicate + "62" + "%02x".formatted(triple.length() / 2) + triple);
        }
        for (String triple : triples) {
            byte[] bytes = hex(triple);
            byte[] bad = Raw.bytes(frame -> frame.add(1, row -> row.add(2, bytes)));
            checkRefusedForWhatever(stream(1, row(2, raw -> raw.add(1, hex("08011001")).add(5, hex("08011001"))
                    .add(9, hex("08011001"))), bad, row(14, header -> header.add(1, "k".repeat(100)).add(3, "b"))), triple);
        }
    }

    /** With the object first, so that it is read in any order, and in a triple term. */
    @Test
    void whatIsNoTermOfAStatementIsPassedOverWhereverItStands() {
        byte[] iri = hex("08011001");
        String label = "b".repeat(200);
        for (String other : new String[] {"10" + "05", "8a01" + "0161", "a201" + "0161", "2d" + "01020304", "fa01" + "00", "68" + "7f"}) {
            byte[] fields = hex(other);
            byte[] terms = Raw.bytes(raw -> raw.add(10, label).add(1, iri).add(5, iri));
            byte[] first = joined(fields, terms);
            byte[] last = joined(terms, fields);
            String triple = "<http://p1/n1> <http://p1/n1> _:" + label;
            for (Selection<byte[]> selection : SELECTIONS) {
                assertEquals(List.of("A " + triple + " null", "A " + triple + " null",
                        "A <http://p1/n1> <http://p1/n1> <<( " + triple + " )>> null", Recorder.END_PATCH),
                        read(stream(1, row(2, first), row(2, last),
                                row(2, raw -> raw.add(12, last).add(1, iri).add(5, iri))), selection), other);
            }
        }
        checkRefused(stream(1, row(2, joined(Raw.bytes(raw -> raw.add(10, label)), hex("0200")))), "a field 0");
    }

    private static byte[] row(int kind, byte[] message) {
        return Raw.bytes(frame -> frame.add(1, row -> row.add(kind, message)));
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private static void checkRefusedForWhatever(byte[] stream, String what) {
        for (Selection<byte[]> selection : SELECTIONS) {
            assertThrows(FormatException.class, () -> read(stream, selection), what);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', true", "1801, true", "0a00, true", "0a05, false", "18, false", "07, false"})
    void theDefaultGraphIsAMessageToo(String content, boolean sound) {
        byte[] stream = stream(2, row(2, quad -> quad.add(1, hex("08011001")).add(5, hex("1002")).add(9, hex("1003"))
                .add(15, hex(content))));
        if (sound) {
            assertEquals("A <http://p1/n1> <http://p1/n2> <http://p1/n3> null", read(stream, Selection.all()).get(0));
        } else {
            checkRefused(stream, content);
        }
    }

    /** Terms as Strings, by a factory that leaves it to the reader to check their text. */
    private static final class Texts implements TermFactory<String> {

        @Override
        public String iri(byte[] prefix, byte[] name) {
            return new String(prefix, UTF_8) + new String(name, UTF_8);
        }

        @Override
        public String iri(String prefix, byte[] name, int offset, int length) {
            return prefix + new String(name, offset, length, UTF_8);
        }

        @Override
        public String blankNode(byte[] bytes, int offset, int length) {
            return "_:" + new String(bytes, offset, length, UTF_8);
        }

        @Override
        public String literal(byte[] bytes, int offset, int length) {
            return new String(bytes, offset, length, UTF_8);
        }

        @Override
        public String langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength) {
            return literal(bytes, offset, length) + "@" + literal(bytes, langOffset, langLength);
        }

        @Override
        public String typedLiteral(byte[] bytes, int offset, int length, String datatype) {
            return literal(bytes, offset, length) + "^^" + datatype;
        }

        @Override
        public String tripleTerm(String subject, String predicate, String object) {
            return subject + predicate + object;
        }

        @Override
        public String defaultGraph() {
            return null;
        }
    }

    @ParameterizedTest
    @CsvSource({"10, 616263, true", "10, 6162ff, false", "10, ff, false", "11, 0a0161, true", "11, 0a02c3a9, true",
        "11, 0a03616261, true", "11, 0a026180, false", "11, 0a02618012026465, false"})
    void whatIsNotUtf8IsRefusedAlsoWhereTheFactoryDoesNotLook(int field, String content, boolean sound) throws IOException {
        byte[] stream = stream(1, row(2, triple -> triple.add(1, hex("08011001")).add(5, hex("1002")).add(field, hex(content))));
        try (PatchReader<String> reader = new PatchReader<>(new ByteArrayInputStream(stream), "test", new Texts(), LIMITS)) {
            int[] read = {0};
            Runnable all = () -> {
                try {
                    reader.readAll(new PatchAdapter<>() {
                        @Override
                        public void statement(Op op, String subject, String predicate, String object, String graph) {
                            read[0]++;
                        }
                    });
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            };
            if (sound) {
                all.run();
            } else {
                FormatException e = assertThrows(FormatException.class, all::run);
                assertEquals("P-125", e.rule());
                int bad = content.contains("ff") ? content.indexOf("ff") / 2 : content.indexOf("80") / 2;
                assertEquals(stream.length - content.length() / 2 + bad, e.offset());
            }
            assertEquals(sound ? 1 : 0, read[0]);
        }
    }

    // --- the usual forms, against any

    /** What is read of a quad behind another one, or which rule is broken. */
    private static String outcome(byte[] quad, Selection<byte[]> selection) {
        byte[] iri = hex("08011001");
        byte[] stream = stream(2, row(13, type -> type.add(2, "urn:d1")), row(13, type -> type.add(2, "urn:d2")),
                row(2, before -> before.add(1, iri).add(5, iri).add(9, iri).add(13, iri)), row(2, quad));
        try {
            return read(stream, selection).toString();
        } catch (FormatException e) {
            return e.rule();
        }
    }

    private static boolean isReadAsFieldByField(byte[] usual, byte[] otherwise) {
        boolean isRead = false;
        for (Selection<byte[]> selection : SELECTIONS) {
            String expected = outcome(otherwise, selection);
            assertEquals(expected, outcome(usual, selection), () -> HexFormat.of().formatHex(usual));
            isRead = expected.startsWith("[");
        }
        return isRead;
    }

    private static byte[] likely(Random dice, int most) {
        byte[] bytes = new byte[dice.nextInt(most + 1)];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = LIKELY[dice.nextInt(LIKELY.length)];
        }
        return bytes;
    }

    /** A field, most often as it should be. */
    private static byte[] field(Random dice, int tag, byte[] content) {
        int length = Math.max(0, content.length + (dice.nextInt(20) == 0 ? dice.nextInt(5) - 2 : 0));
        byte[] head = hex("%02x".formatted(tag) + varint(length, dice.nextInt(10) == 0 ? 2 : 1));
        return joined(head, content);
    }

    private static byte[] literal(Random dice) {
        if (dice.nextInt(4) == 0) {
            return likely(dice, 9);
        }
        byte[] lexical = field(dice, 0x0A, dice.nextInt(30) == 0 ? likely(dice, 300) : likely(dice, 6));
        return switch (dice.nextInt(4)) {
            case 0 -> lexical;
            case 1 -> joined(lexical, hex("18" + varint(1 + dice.nextInt(3), 1 + dice.nextInt(2))));
            case 2 -> joined(lexical, field(dice, 0x12, dice.nextBoolean() ? hex("656e") : likely(dice, 3)));
            default -> joined(lexical, likely(dice, 4));
        };
    }

    @Test
    void aLiteralIsWhatItIsFieldByField() {
        Random dice = new Random(1);
        byte[] iri = hex("08011001");
        int read = 0;
        for (int i = 0; i < MESSAGES; i++) {
            byte[] literal = literal(dice);
            read += isReadAsFieldByField(Raw.bytes(quad -> quad.add(1, iri).add(11, literal)),
                    Raw.bytes(quad -> quad.add(1, iri).add(11, joined(OTHER, literal)))) ? 1 : 0;
        }
        assertTrue(read > MESSAGES / 10 && read < MESSAGES, read + " were read");
    }

    /** A term of a position, or what looks like one. */
    private static byte[] term(Random dice, int position) {
        int member = dice.nextInt(4);
        byte[] content = switch (dice.nextInt(8)) {
            case 0 -> likely(dice, 4);
            case 1 -> "b".repeat(100 + dice.nextInt(100)).getBytes(UTF_8);
            default -> member == 0 ? hex(dice.nextBoolean() ? "1002" : "08021001") : member == 1 ? hex("62") : hex("0a0161");
        };
        return field(dice, 0x0A + 8 * (4 * position + member) & 0xFF, content);
    }

    @Test
    void aStatementIsWhatItIsFieldByField() {
        Random dice = new Random(2);
        int read = 0;
        for (int i = 0; i < MESSAGES; i++) {
            byte[] terms = {};
            boolean isSorted = dice.nextInt(4) > 0;
            for (int position = 0; position < 4; position++) {
                if (dice.nextInt(3) > 0) {
                    terms = joined(terms, term(dice, isSorted ? position : dice.nextInt(4)));
                }
            }
            byte[] quad = dice.nextInt(10) == 0 ? joined(terms, likely(dice, 3)) : terms;
            read += isReadAsFieldByField(quad, joined(OTHER, quad)) ? 1 : 0;
        }
        assertTrue(read > MESSAGES / 10 && read < MESSAGES, read + " were read");
    }

    /** Where text is not checked as terms are made, since nodes are made of strings. */
    @Test
    void theTextOfANodeIsCheckedFromItsBeginningToItsEnd() throws IOException {
        byte[] iri = hex("08011001");
        for (String label : new String[] {"b", "é", "b".repeat(200)}) {
            byte[] stream = stream(2, row(2, quad -> quad.add(2, label).add(5, iri)
                    .add(11, literal -> literal.add(1, label + "x".repeat(200))).add(15, graph -> { })));
            List<Node> terms = new ArrayList<>();
            try (PatchReader<Node> reader =
                    new PatchReader<>(new ByteArrayInputStream(stream), "test", new NodeTerms(), LIMITS)) {
                reader.readAll(new PatchAdapter<>() {
                    @Override
                    public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
                        terms.addAll(List.of(subject, object));
                    }
                });
            }
            assertEquals(List.of(NodeFactory.createBlankNode(label), NodeFactory.createLiteralString(label + "x".repeat(200))), terms);
        }
        for (byte[] broken : new byte[][] {hex("c3"), hex("62ff"), hex("ff62")}) {
            byte[] stream = stream(2, row(2, quad -> quad.add(2, broken).add(5, iri).add(10, "b").add(15, graph -> { })));
            try (PatchReader<Node> reader =
                    new PatchReader<>(new ByteArrayInputStream(stream), "test", new NodeTerms(), LIMITS)) {
                assertEquals("P-125", assertThrows(FormatException.class, () -> reader.readAll(new PatchAdapter<>())).rule());
            }
        }
    }

    // --- what is made late

    /** In one frame, whose end would have made them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void anIriThatIsRepeatedIsOfTheNameThatItWasReadWith(int position) {
        String[] deleted = new String[4];
        Arrays.fill(deleted, "1003");
        deleted[position] = "1001";
        String[] added = new String[4];
        Arrays.fill(added, "1002");
        added[position] = null;
        for (int wanted = 0; wanted < 16; wanted++) {
            Selection<byte[]> selection = new Selection<>((wanted & 1) != 0, (wanted & 2) != 0, (wanted & 4) != 0,
                    (wanted & 8) != 0, ADDED);
            List<String> lines = read(stream(2, row(3, quad(deleted)), row(11, name -> name.add(1, 1).add(2, "other")),
                    row(2, quad(added))), selection);
            String term = (wanted & 1 << position) == 0 ? "null" : "<http://p200/n1>";
            assertEquals(term, lines.get(0).split(" ")[1 + position], selection.toString());
        }
    }

    private static byte[] quad(String[] iris) {
        return Raw.bytes(quad -> {
            for (int position = 0; position < iris.length; position++) {
                if (iris[position] != null) {
                    quad.add(4 * position + 1, hex("08c801" + iris[position]));
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 13})
    void whatIsRepeatedIsOfThePrefixAndTheDatatypeThatItWasReadWith(int entry) {
        byte[] iri = hex("08011001");
        byte[] stream = stream(2, row(13, type -> type.add(1, 1).add(2, "urn:a")),
                row(3, raw -> raw.add(1, iri).add(5, iri).add(11, literal -> literal.add(1, "x").add(3, 1)).add(15, graph -> { })),
                row(entry, changed -> changed.add(1, 1).add(2, "urn:b")),
                row(2, raw -> raw.add(1, hex("08021002"))));
        assertEquals("A null <http://p1/n1> \"x\"^^<urn:a> null",
                read(stream, new Selection<>(false, true, true, false, ADDED)).get(0));
    }
}
