package io.jellybridge.jena.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jellybridge.jena.dataset.DatasetStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TdbTermsTest {
    private static final String XSD = "http://www.w3.org/2001/XMLSchema#";
    private static final String[] TYPES = {"decimal", "integer", "double", "float", "long", "int", "short", "byte",
        "positiveInteger", "nonPositiveInteger", "negativeInteger", "nonNegativeInteger", "unsignedLong", "unsignedInt",
        "unsignedShort", "unsignedByte", "dateTimeStamp", "dateTime", "date", "boolean", "time", "gYear", "duration", "string"};
    private static final String[] TEXTS = {"0", "-0", "+0", "042", "42", "+42", "-42", " 42 ", "1.5", "1.50", "01.5", "1.", ".5",
        "-1.500", "1.2E-1", "1e0", "1E400", "NaN", "INF", "-INF", "+INF", "0.1", "0.1000000000000000055511151231257827",
        "0.123456789", "1234567890123456.50", "01234567890123456.50", "123456789012345678901234567890.50",
        "36028797018963967", "36028797018963968", "-36028797018963968", "-36028797018963969", "036028797018963968",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "18446744073709551616", "99999999999999999999", "00000000000000000000000042", "+9223372036854775807",
        "10000000000000000000000000000000000000042", "2020-01-01T00:00:00", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000Z",
        "2020-01-01T00:00:00.120+00:00", "2020-01-01T00:00:00.123456Z", "2020-01-01T24:00:00", "2020-01-01T00:00:00-14:00",
        "12020-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "2020-01-01", "2020-01-01Z", "2020-01-01+00:00", "12020-01-01",
        "2020-02-30", "1", "true", "false", " true ", "TRUE", "abc", "", "10:00:00.0", "2020", "P1Y", "1e-320",
        "4.9E-324", "1.7976931348623157E308", "3.4028235e38", "1e39", "1.0000000001", "16777217"};

    @TempDir
    Path folder;

    /** Of what is no number, whether both are none. */
    private static boolean sameNumber(Node term, Node other) {
        return term.isTripleTerm()
                ? sameNumber(term.getTriple().getObject(), other.getTriple().getObject())
                : Objects.equals(number(term), number(other));
    }

    private static Object number(Node term) {
        if (!term.getLiteral().isWellFormed() || !(term.getLiteralValue() instanceof Number number)) {
            return null;
        }
        boolean isBinary = number instanceof Double || number instanceof Float;
        return isBinary ? number : new BigDecimal(number.toString()).stripTrailingZeros();
    }

    @Test
    void whatIsStoredIsWhatTdb2GivesBack() throws IOException {
        List<Node> terms = new ArrayList<>();
        for (String type : TYPES) {
            for (String text : TEXTS) {
                Node term = NodeFactory.createLiteralDT(text, NodeFactory.getType(XSD + type));
                terms.add(term);
                terms.add(NodeFactory.createTripleTerm(NodeFactory.createURI("urn:s"), NodeFactory.createURI("urn:p"), term));
            }
        }
        Map<Node, Node> given = new LinkedHashMap<>();
        try (DatasetStore store = DatasetStore.open("tdb2:" + folder.resolve("db"))) {
            DatasetGraph base = store.dataset();
            base.begin(TxnType.WRITE);
            terms.stream().filter(term -> TdbTerms.findProblem(term) == null).forEach(term -> TdbTerms.keep(base, TdbTerms.asStored(term)));
            for (int i = 0; i < terms.size(); i++) {
                given.put(NodeFactory.createURI("urn:" + i), terms.get(i));
                base.add(Quad.defaultGraphIRI, NodeFactory.createURI("urn:" + i), NodeFactory.createURI("urn:p"), terms.get(i));
            }
            base.commit();
            base.end();
        }
        List<String> wrong = new ArrayList<>();
        try (DatasetStore store = DatasetStore.open("tdb2:" + folder.resolve("db"))) {
            DatasetGraph base = store.dataset();
            base.begin(TxnType.READ);
            base.find().forEachRemaining(quad -> {
                Node term = given.get(quad.getSubject());
                Node shown = quad.getObject();
                Node stored = TdbTerms.asStored(term);
                boolean isKept = TdbTerms.findProblem(term) != null
                        ? stored == term && !sameNumber(term, shown)
                        : stored.equals(shown) && TdbTerms.asStored(stored).equals(stored) && sameNumber(term, shown);
                if (!isKept) {
                    wrong.add(term + " -> " + shown + ", by us " + stored + ", " + TdbTerms.findProblem(term));
                }
            });
            base.end();
        }
        assertEquals(List.of(), wrong);
    }

    /** Terms of one value, in a triple term or too large for an id, are as many as they are by their text. */
    @ParameterizedTest
    @ValueSource(strings = {"\"1\"^^<xsd:%s>", "<<( <urn:s> <urn:p> \"1\"^^<xsd:%s> )>>",
        "<<( <urn:s> <urn:p> <<( <urn:s> <urn:p> \"1\"^^<xsd:%s> )>> )>>", "\"36028797018963969\"^^<xsd:%s>",
        "<<( <urn:s> <urn:p> \"36028797018963969\"^^<xsd:%s> )>>"})
    void termsOfOneValueAndOtherDatatypesAreKeptApart(String form) throws IOException {
        List<String> types = List.of("integer", "int", "long", "short", "byte", "decimal", "double", "float", "unsignedInt",
                "nonNegativeInteger", "string");
        List<String> rows = types.stream().filter(type -> !form.contains("\"36") || type.matches("integer|long|.*Integer|string"))
                .map(type -> "<urn:s> <urn:p> " + form.formatted(type).replace("xsd:", XSD)).toList();
        checkKeptApart(rows);
    }

    @Test
    void formsOfOneValueInTripleTermsAreKeptApart() throws IOException {
        checkKeptApart(Stream.of("\"1.5\"^^<xsd:decimal>", "\"1.50\"^^<xsd:decimal>", "\"1.5\"^^<xsd:double>", "\"1.50\"^^<xsd:double>",
                "\"1.5E0\"^^<xsd:double>", "\"01\"^^<xsd:int>", "\"1\"^^<xsd:int>", "\"+1\"^^<xsd:int>", "\"x\"^^<xsd:int>",
                "\"2020-01-01T00:00:00Z\"^^<xsd:dateTime>", "\"2020-01-01T00:00:00.0Z\"^^<xsd:dateTime>", "\"1\"^^<xsd:boolean>",
                "\"true\"^^<xsd:boolean>").map(term -> "<urn:s> <urn:p> <<( <urn:s> <urn:p> " + term.replace("xsd:", XSD) + " )>>")
                .toList());
    }

    private void checkKeptApart(List<String> rows) throws IOException {
        String location = "tdb2:" + folder.resolve("db");
        for (int i = 0; i < rows.size(); i++) {
            try (DatasetStore store = DatasetStore.open(location)) {
                store.load(Files.writeString(folder.resolve("a.nt"), rows.get(i) + " .\n").toString());
                assertEquals(i + 1, store.size(), rows.get(i));
            }
        }
        try (DatasetStore store = DatasetStore.open(location)) {
            store.load(Files.writeString(folder.resolve("a.nt"), String.join(" .\n", rows) + " .\n").toString());
            assertEquals(rows.size(), store.size());
            store.dump(folder.resolve("dump.nt").toString());
            Set<String> dumped = new TreeSet<>();
            Files.readAllLines(folder.resolve("dump.nt")).forEach(line -> dumped.add(line.substring(0, line.length() - 2)));
            assertEquals(rows.size(), dumped.size());
            if (rows.get(0).contains("<<(")) { // else TDB2 has a form of its own of what it keeps in an id
                assertEquals(rows.stream().map(row -> row.replace("\"^^<" + XSD + "string>", "\""))
                        .collect(Collectors.toCollection(TreeSet::new)), dumped);
            }
            for (int i = 0; i < rows.size(); i++) {
                store.update("DELETE DATA { " + rows.get(i) + " }");
                assertEquals(rows.size() - 1 - i, store.size(), rows.get(i));
            }
        }
    }
}
