package io.jellybridge.jena.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.jena.datatypes.DatatypeFormatException;
import org.apache.jena.datatypes.RDFDatatype;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.datatypes.xsd.XSDDateTime;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.impl.LiteralLabel;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class PlainLiteralsTest {
    /** In each datatype. */
    private static final int TEXTS = 2_000;
    private static final List<XSDDatatype> HANDLED = List.of(XSDDatatype.XSDinteger, XSDDatatype.XSDdate,
            XSDDatatype.XSDdateTime, XSDDatatype.XSDdecimal, XSDDatatype.XSDint, XSDDatatype.XSDlong,
            XSDDatatype.XSDnonNegativeInteger);
    /** Datatypes whose values Jena itself finds as quickly. */
    private static final List<RDFDatatype> LEFT_TO_JENA =
            List.of(XSDDatatype.XSDboolean, XSDDatatype.XSDdouble, XSDDatatype.XSDgYear);
    private static final List<String> ODD_ONES = List.of("", " ", "+", "-", ".", "-.", "+1", "-0", "+0", "00", "-00",
            "007", "-007", " 1", "1 ", "1\n", "\t1", "1_000", "0x1", "\u0661\u0662", "\uff11", "1.", ".1", "-.1", "-0.0",
            "0.00", "1.10", "100.0", "00.10", "1.2.3", "1..2", "--1", "1-", "2147483647", "2147483648", "-2147483648",
            "-2147483649", "999999999999999999", "-999999999999999999", "1000000000000000000", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "0000000000000000001", "0.000000000000000001",
            "12345678901234567890.5", "123456789.123456789", "1234567890.123456789",
            "9999999999.999999999", "true", "false", "TRUE", "True", "1",
            "0", "true ", "NaN", "INF", "-INF", "+INF", "Infinity", "1e3", "1E3", "1E+3", "1E-3", "1E", "E1", "1E-",
            "1E400", "-0E0", "1E-400", "1.E3", ".5E3", "1d", "1f", "1D", "0x1p3", "2024", "0000", "-0044", "02024",
            "12024", "2024Z", "2024z", "2024+00:00", "2024-14:00", "2024+14:01", "20240", "202", "2024-02-29",
            "2023-02-29", "1900-02-29", "2000-02-29", "2024-02-30", "2024-04-31", "2024-12-31", "2024-13-01", "2024-00-01",
            "2024-01-00", "2024-01-32", "0000-01-01", "0001-01-01", "-0001-01-01", "2024-1-1", "2024-01-01Z",
            "2024-01-01+02:00", "2024-01-01-00:00", "2024-01-01z", "2024-01-01ZZ", "2024-01-01T00:00:00",
            "2024-01-01T24:00:00", "2024-12-31T24:00:00Z", "2024-01-01T24:00:01", "2024-01-01T23:59:60",
            "2024-01-01T23:60:00", "2024-01-01T25:00:00", "2024-01-01T00:00:00.", "2024-01-01T00:00:00.Z",
            "2024-01-01T00:00:00.0", "2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.120", "2024-01-01T00:00:00.012Z",
            "2024-01-01T00:00:00.123456789", "2024-01-01T00:00:00.1234567891", "2024-01-01T00:00:00.12345678901234567890",
            "2024-01-01T00:00:00.1000000000000", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00+05:30",
            "2024-01-01T00:00:00.5-08:00", "2024-01-01T00:00", "2024-01-01t00:00:00", "2024-01-01 00:00:00",
            "2024-01-01T0:00:00", "-2024-01-01T00:00:00", "12024-01-01T00:00:00", "2024-01-01T00:00:00.1.1",
            "2024-01-01T00:00:0\u0660", "\u0662024-01-01");
    private static final String NEARLY = "0123456789999000+-.:TZE e\u00e9\u0660";

    private final SplittableRandom random = new SplittableRandom(7);
    private final NodeTerms terms = new NodeTerms();

    private List<String> texts() {
        List<String> texts = new ArrayList<>(ODD_ONES);
        while (texts.size() < TEXTS) {
            String text = plain();
            texts.add(text);
            texts.add(changed(text));
        }
        return texts;
    }

    /** A text that is plain, or would be if it were shorter, in one or more datatypes. */
    private String plain() {
        String sign = random.nextInt(4) == 0 ? "-" : "";
        return switch (random.nextInt(8)) {
            case 0 -> sign + digits(random.nextInt(1, 21));
            case 1 -> sign + digits(random.nextInt(1, 11));
            case 2 -> sign + digits(random.nextInt(1, 12)) + "." + digits(random.nextInt(1, 10));
            case 3 -> sign + digits(1) + "." + digits(random.nextInt(1, 18)) + "E" + random.nextInt(-320, 320);
            case 4 -> random.nextBoolean() ? "true" : "false";
            case 5 -> digits(4) + zone();
            case 6 -> day() + zone();
            default -> day() + "T" + two(24) + ":" + two(60) + ":" + two(60)
                    + (random.nextBoolean() ? "" : "." + digits(random.nextInt(1, 11))) + zone();
        };
    }

    private String day() {
        return digits(4) + "-" + two(13) + "-" + two(32);
    }

    private String two(int bound) {
        return "%02d".formatted(random.nextInt(bound));
    }

    private String zone() {
        return switch (random.nextInt(4)) {
            case 0 -> "Z";
            case 1 -> (random.nextBoolean() ? "+" : "-") + two(15) + ":" + two(60);
            default -> "";
        };
    }

    /** Many zeros, for those at the begin and the end. */
    private String digits(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(random.nextInt(3) == 0 ? 0 : random.nextInt(10));
        }
        return text.toString();
    }

    private String changed(String text) {
        int at = random.nextInt(text.length());
        char c = NEARLY.charAt(random.nextInt(NEARLY.length()));
        return switch (random.nextInt(3)) {
            case 0 -> text.substring(0, at) + c + text.substring(at);
            case 1 -> text.substring(0, at) + c + text.substring(at + 1);
            default -> text.substring(0, at) + text.substring(at + 1);
        };
    }

    @TestFactory
    Stream<DynamicTest> aLiteralIsAsJenaMakesIt() {
        List<String> texts = texts();
        return Stream.concat(HANDLED.stream(), LEFT_TO_JENA.stream()).map(type -> DynamicTest.dynamicTest(type.getURI(), () -> {
            Node datatype = NodeFactory.createURI(type.getURI());
            int wellFormed = 0;
            int plain = 0;
            for (String text : texts) {
                byte[] bytes = text.getBytes(UTF_8);
                Node expected = jenas(text, type);
                if (expected == null) {
                    assertThrows(IllegalTermException.class, () -> terms.typedLiteral(bytes, 0, bytes.length, datatype));
                    continue;
                }
                Node actual = terms.typedLiteral(bytes, 0, bytes.length, datatype);
                if (jenaFailsOnTheValue(expected)) {
                    assertEquals(expected, actual);
                    assertTrue(jenaFailsOnTheValue(actual), text);
                    continue;
                }
                assertIndistinguishable(expected, actual);
                wellFormed += expected.getLiteral().isWellFormed() ? 1 : 0;
                plain += PlainLiterals.valueOf(text, type) == null ? 0 : 1;
            }
            assertTrue(wellFormed > TEXTS / 25, wellFormed + " are well-formed");
            assertTrue(LEFT_TO_JENA.contains(type) ? plain == 0 : plain > wellFormed / 3, plain + " are plain, of " + wellFormed);
            assertTrue(wellFormed < TEXTS * 3 / 4, wellFormed + " are well-formed");
        }));
    }

    /** Null where Jena 5 fails: on fractions of a second with more digits than fit into an int. */
    private static Node jenas(String text, RDFDatatype type) {
        try {
            return NodeFactory.createLiteralDT(text, type);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** On the same ones Jena 6 fails, but only when it is asked for their value. */
    private static boolean jenaFailsOnTheValue(Node literal) {
        try {
            literal.getLiteral().isWellFormed();
            return false;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    @Test
    void aStringIsAsJenaMakesIt() {
        List<String> texts = new ArrayList<>(ODD_ONES);
        texts.addAll(List.of("a", "a  b", "\r\n\t", "\u0000\u0001\uFFFE", "\ud83d\ude00", "<a/>", "\u0130"));
        for (String text : texts) {
            byte[] bytes = text.getBytes(UTF_8);
            assertIndistinguishable(NodeFactory.createLiteralString(text), terms.literal(bytes, 0, bytes.length));
        }
    }

    @Test
    void ofOtherDatatypesNothingIsSaid() {
        for (RDFDatatype type : List.of(XSDDatatype.XSDbyte, XSDDatatype.XSDgMonth, XSDDatatype.XSDtime,
                XSDDatatype.XSDdateTimeStamp, XSDDatatype.XSDpositiveInteger)) {
            for (String text : ODD_ONES) {
                assertNull(PlainLiterals.valueOf(text, type));
            }
        }
    }

    /** For the sake of speed: what is on the border of being plain is plain still. */
    @Test
    void whatIsWrittenAsNearlyAllAreIsPlain() {
        assertPlain(XSDDatatype.XSDinteger, "0", "-0", "7", "2147483648", "999999999999999999", "-999999999999999999");
        assertPlain(XSDDatatype.XSDlong, "999999999999999999", "-999999999999999999");
        assertPlain(XSDDatatype.XSDint, "2147483647", "-2147483648");
        assertPlain(XSDDatatype.XSDnonNegativeInteger, "0", "999999999999999999");
        assertPlain(XSDDatatype.XSDdecimal, "0", "0.0", "1.5", "-1.5", "123456789.123456789", "-123456789.123456789",
                "0.00000000000000001", "100.0");
        assertPlain(XSDDatatype.XSDdate, "2024-01-01", "2024-12-31Z", "2024-02-28", "2024-02-29", "2023-02-28");
        assertPlain(XSDDatatype.XSDdateTime, "2024-01-01T00:00:00", "2024-12-31T23:59:59Z", "2024-01-01T00:00:00.123456789Z",
                "2024-01-01T00:00:00.000");
        assertNull(PlainLiterals.valueOf("1000000000000000000", XSDDatatype.XSDinteger));
        assertNull(PlainLiterals.valueOf("1234567890.123456789", XSDDatatype.XSDdecimal));
    }

    private static void assertPlain(RDFDatatype type, String... texts) {
        for (String text : texts) {
            assertNotNull(PlainLiterals.valueOf(text, type), text + " of " + type.getURI());
        }
    }

    private static void assertIndistinguishable(Node expected, Node actual) {
        String what = expected.toString();
        LiteralLabel expectedLabel = expected.getLiteral();
        LiteralLabel actualLabel = actual.getLiteral();
        assertEquals(expected, actual);
        assertEquals(actual, expected);
        assertSame(expected.getClass(), actual.getClass());
        assertEquals(expected.hashCode(), actual.hashCode(), what);
        assertEquals(what, actual.toString());
        assertEquals(expected.getLiteralLexicalForm(), actual.getLiteralLexicalForm());
        assertSame(expected.getLiteralDatatype(), actual.getLiteralDatatype(), what);
        assertEquals(expected.getLiteralLanguage(), actual.getLiteralLanguage(), what);
        assertEquals(expected.getLiteralBaseDirection(), actual.getLiteralBaseDirection(), what);
        assertEquals(expectedLabel.isWellFormed(), actualLabel.isWellFormed(), what);
        assertEquals(expectedLabel.getValueHashCode(), actualLabel.getValueHashCode(), what);
        assertTrue(expectedLabel.sameValueAs(actualLabel), what);
        assertTrue(actualLabel.sameValueAs(expectedLabel), what);
        assertEquals(expected.getIndexingValue(), actual.getIndexingValue(), what);
        assertEquals(actual.getIndexingValue(), expected.getIndexingValue(), what);
        if (expectedLabel.isWellFormed()) {
            assertSameValue(expected.getLiteralValue(), actual.getLiteralValue(), what);
        } else {
            assertThrows(DatatypeFormatException.class, actual::getLiteralValue, what);
        }
    }

    private static void assertSameValue(Object expected, Object actual, String what) {
        assertSame(expected.getClass(), actual.getClass(), what);
        assertEquals(expected, actual, what);
        assertEquals(actual, expected, what);
        assertEquals(expected.toString(), actual.toString(), what);
        if (expected instanceof XSDDateTime expectedTime && actual instanceof XSDDateTime actualTime) {
            // Equality of these leaves out which parts there are, and the fraction as a number.
            assertEquals(expectedTime.getNarrowedDatatype(), actualTime.getNarrowedDatatype(), what);
            assertEquals(expectedTime.asCalendar(), actualTime.asCalendar(), what);
            assertEquals(0, expectedTime.compare(actualTime), what);
            if (expectedTime.getNarrowedDatatype() == XSDDatatype.XSDdateTime) {
                assertEquals(expectedTime.getSeconds(), actualTime.getSeconds(), what);
            }
        }
    }
}
