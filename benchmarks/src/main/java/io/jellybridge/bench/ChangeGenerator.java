package io.jellybridge.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import java.time.LocalDate;
import java.util.SplittableRandom;

/**
 * Makes changes that look like those of a real dataset, the same ones for the same seed. Terms are canonical UTF-8.
 *
 * <ul>
 *   <li>Namespaces: 40; 24 of subjects, 15 of predicates and one of classes.
 *   <li>Subjects: 400,000 entities, Zipf-distributed (exponent 1), and blank nodes (3 in 100). Rows about one subject come
 *       together, 5 on average.
 *   <li>Predicates: 200, Zipf-distributed (exponent 1).
 *   <li>Objects, of 100: 35 entities, 10 of 500 classes, 20 strings, 12 language-tagged strings, 18 literals of seven
 *       datatypes, 5 blank nodes. Texts are of 5 words on average, 1 in 50 of 30 to 90 words; 1 in 10 has characters
 *       beyond ASCII, 1 in 100 quotes, 1 in 200 a line break. IRIs are ASCII.
 *   <li>Graphs: the default graph and 20 named ones, Zipf-distributed (exponent 1); an entity has one of them.
 *   <li>Operations: of 100 statements 80 are added and 20 deleted.
 *   <li>Transactions: 1,000 rows on average (500 to 1,500); ten make a patch, which begins with its {@code id} and, but for
 *       the first, its {@code prev}.
 * </ul>
 */
final class ChangeGenerator {
    private static final int ENTITIES = 400_000;
    private static final int ENTITY_NAMESPACES = 24;
    private static final int PREDICATES = 200;
    private static final int PREDICATE_NAMESPACES = 15;
    private static final int CLASSES = 500;
    private static final int NAMED_GRAPHS = 20;
    private static final int WORDS = 5_000;
    private static final int TRANSACTIONS = 10;
    private static final String XSD = "http://www.w3.org/2001/XMLSchema#";
    private static final String[] LANGUAGES = {"en", "de", "fr", "es", "en-gb", "ja", "pt-br", "nl"};
    private static final String[] SYLLABLES = {"ka", "lo", "mi", "ren", "sa", "tor", "ver", "an", "is", "bel", "du", "ge",
            "hol", "in", "jo", "ner", "os", "pra", "qui", "st", "te", "ul", "wo", "xi"};
    private static final String[] BEYOND_ASCII = {"é", "ü", "ñ", "ø", "λόγος", "日本", "слово", "–", "’", "😀"};

    private final SplittableRandom random;
    private final boolean texts;
    private final Zipf entities = new Zipf(ENTITIES, 1);
    private final Zipf predicateRanks = new Zipf(PREDICATES, 1);
    private final Zipf graphRanks = new Zipf(NAMED_GRAPHS + 1, 1);
    private final Zipf wordRanks = new Zipf(WORDS, 1);
    private final byte[][] predicates = new byte[PREDICATES][];
    private final byte[][] classes = new byte[CLASSES][];
    private final byte[][] graphs = new byte[NAMED_GRAPHS + 1][];
    private final String[] words = new String[WORDS];
    private final StringBuilder text = new StringBuilder();

    private byte[] lastPatchId;
    private byte[] subject;
    private byte[] graph;
    private int rowsOfSubject;

    /**
     * @param texts make all objects strings, longer ones: of 12 words, half of them with characters beyond ASCII, 1 in 20
     *              escaped
     */
    ChangeGenerator(long seed, boolean texts) {
        this.texts = texts;
        random = new SplittableRandom(seed);
        for (int i = 0; i < WORDS; i++) {
            words[i] = word();
        }
        for (int i = 0; i < PREDICATES; i++) {
            int namespace = i % PREDICATE_NAMESPACES;
            predicates[i] = utf8("<http://vocabulary" + namespace + ".example.org/" + (namespace % 2 == 0 ? "terms#" : "ns/")
                    + "has" + words[i] + i + ">");
        }
        for (int i = 0; i < CLASSES; i++) {
            classes[i] = utf8("<http://classes.example.org/ontology#Class" + words[i] + i + ">");
        }
        for (int i = 1; i <= NAMED_GRAPHS; i++) {
            graphs[i] = utf8("<https://example.org/graph/" + words[i] + i + ">");
        }
    }

    /** Hands over one patch, the end of it included; the number of its rows. */
    long patch(PatchHandler<byte[]> handler) {
        long rows = headers(handler);
        for (int i = 0; i < TRANSACTIONS; i++) {
            int statements = random.nextInt(500, 1_501) - 2;
            handler.transaction(Op.TX);
            for (int j = 0; j < statements; j++) {
                statement(handler);
            }
            handler.transaction(Op.TC);
            rows += statements + 2;
        }
        handler.endPatch();
        return rows;
    }

    private int headers(PatchHandler<byte[]> handler) {
        byte[] id = utf8(String.format("<urn:uuid:%016x%016x>", random.nextLong(), random.nextLong())
                .replaceFirst("(.{18})(.{4})(.{4})(.{4})(.{12})>", "$1-$2-$3-$4-$5>"));
        handler.header(utf8("id"), id);
        if (lastPatchId != null) {
            handler.header(utf8("prev"), lastPatchId);
        }
        int headers = lastPatchId == null ? 1 : 2;
        lastPatchId = id;
        return headers;
    }

    private void statement(PatchHandler<byte[]> handler) {
        if (rowsOfSubject == 0) {
            nextSubject();
        }
        rowsOfSubject--;
        Op op = random.nextInt(100) < 80 ? Op.A : Op.D;
        handler.statement(op, subject, predicates[predicateRanks.rank(random.nextDouble())], object(), graph);
    }

    private void nextSubject() {
        int entity = entities.rank(random.nextDouble());
        subject = random.nextInt(100) < 3 ? blankNode() : entity(entity);
        graph = graphs[graphRanks.rank((scatter(entity) >>> 11) * 0x1p-53)];
        rowsOfSubject = geometric(5);
    }

    private byte[] object() {
        int kind = texts ? random.nextInt(45, 77) : random.nextInt(100);
        if (kind < 35) {
            return entity(entities.rank(random.nextDouble()));
        }
        if (kind < 45) {
            return classes[random.nextInt(CLASSES)];
        }
        if (kind < 65) {
            return utf8('"' + sentence() + '"');
        }
        if (kind < 77) {
            return utf8('"' + sentence() + "\"@" + LANGUAGES[random.nextInt(LANGUAGES.length)]);
        }
        return kind < 95 ? typedLiteral() : blankNode();
    }

    private byte[] entity(int index) {
        int namespace = (int) (scatter(index) & Integer.MAX_VALUE) % ENTITY_NAMESPACES;
        String place = "<https://data" + namespace + ".example.org/";
        return utf8(switch (namespace % 3) {
            case 0 -> place + "entity/Q" + index + ">";
            case 1 -> place + "resource/" + words[index % WORDS] + "_" + words[index / WORDS] + "_" + index + ">";
            default -> place + "id#" + Long.toHexString(scatter(~index)) + ">";
        });
    }

    private byte[] blankNode() {
        return utf8("_:b" + random.nextInt(ENTITIES));
    }

    private byte[] typedLiteral() {
        return switch (random.nextInt(9)) {
            case 0, 1, 2 -> literal(Integer.toString(random.nextInt(1 << random.nextInt(1, 24))), "integer");
            case 3, 4 -> literal(day(), "date");
            case 5 -> literal(day() + "T" + two(24) + ":" + two(60) + ":" + two(60) + "Z", "dateTime");
            case 6 -> literal(random.nextInt(10_000) + "." + two(100), "decimal");
            case 7 -> literal(random.nextBoolean() ? "true" : "false", "boolean");
            default -> random.nextBoolean()
                    ? literal(random.nextInt(1, 10) + "." + two(100) + "E" + random.nextInt(-5, 6), "double")
                    : literal(Integer.toString(random.nextInt(1900, 2030)), "gYear");
        };
    }

    private static byte[] literal(String lexical, String datatype) {
        return utf8('"' + lexical + "\"^^<" + XSD + datatype + ">");
    }

    private String day() {
        return LocalDate.ofEpochDay(random.nextInt(0, 20_000)).toString();
    }

    private String two(int bound) {
        int number = random.nextInt(bound);
        return number < 10 ? "0" + number : Integer.toString(number);
    }

    private String sentence() {
        int count = random.nextInt(50) == 0 ? random.nextInt(30, 91) : geometric(texts ? 12 : 5);
        int oddity = random.nextInt(texts ? 60 : 200);
        int beyondAscii = random.nextInt(texts ? 2 : 10) == 0 ? random.nextInt(count) : -1;
        text.setLength(0);
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(words[wordRanks.rank(random.nextDouble())]);
            if (i == beyondAscii) {
                text.append(BEYOND_ASCII[random.nextInt(BEYOND_ASCII.length)]);
            }
        }
        if (oddity < 2) {
            text.insert(0, "\\\"").append("\\\"");
        } else if (oddity == 2) {
            text.append("\\n").append(words[random.nextInt(WORDS)]);
        }
        return text.toString();
    }

    private String word() {
        int syllables = random.nextInt(1, 5);
        text.setLength(0);
        for (int i = 0; i < syllables; i++) {
            text.append(SYLLABLES[random.nextInt(SYLLABLES.length)]);
        }
        return text.toString();
    }

    /** A number of at least 1, with this mean. */
    private int geometric(int mean) {
        return 1 + (int) (Math.log1p(-random.nextDouble()) / Math.log1p(-1.0 / mean));
    }

    /** Spreads an index over 64 bits: the mixing function of {@link SplittableRandom}. */
    private static long scatter(long index) {
        long z = (index + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    private static byte[] utf8(String term) {
        return term.getBytes(UTF_8);
    }
}
