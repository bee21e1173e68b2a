package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFLanguages;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.riot.rowset.RowSetWriterRegistry;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFLib;
import org.apache.jena.riot.system.StreamRDFWriter;
import org.apache.jena.sparql.core.Var;
import org.apache.jena.sparql.engine.binding.BindingFactory;
import org.apache.jena.sparql.exec.RowSet;
import org.apache.jena.sparql.exec.RowSetStream;
import org.apache.jena.sparql.graph.GraphFactory;
import org.apache.jena.sparql.util.Context;
import org.apache.jena.sys.JenaSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryResponseTest {
    private static final Var X = Var.alloc("x");
    private static final String NAME = "Köln, 東京, 🚲";
    private static final String XML = "<?xml version=\"1.0\" encoding=\"%s\"?><sparql xmlns=\"http://www.w3.org/2005/"
            + "sparql-results#\"><head><variable name=\"x\"/></head><results><result><binding name=\"x\"><literal>%s"
            + "</literal></binding></result></results></sparql>";

    static {
        JenaSystem.init();
    }

    private static byte[] rows(Lang lang, String value) {
        RowSet rows = RowSetStream.create(List.of(X),
                List.of(BindingFactory.binding(X, NodeFactory.createLiteralString(value))).iterator());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RowSetWriterRegistry.getFactory(lang).create(lang).write(out, rows, new Context());
        return out.toByteArray();
    }

    private static byte[] graph(Lang lang, String value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StreamRDF stream = StreamRDFWriter.getWriterStream(out, lang);
        stream.start();
        stream.triple(Triple.create(NodeFactory.createURI("urn:s"), NodeFactory.createURI("urn:p"),
                NodeFactory.createLiteralString(value)));
        stream.finish();
        return out.toByteArray();
    }

    /** One byte of two: what was UTF-8 is UTF-8 no more. */
    private static byte[] broken(byte[] answer) {
        String latin = new String(answer, ISO_8859_1);
        assertTrue(latin.contains("KÃ¶ln"), latin);
        return latin.replace("KÃ¶ln", "KÃÃln").getBytes(ISO_8859_1);
    }

    private static String value(Lang lang, boolean namesUtf8, byte[] answer) {
        RowSet rows = new QueryResponse(lang, namesUtf8, "http://h/q").readResult(new ByteArrayInputStream(answer)).rowSet();
        String value = rows.next().get(X).getLiteralLexicalForm();
        assertFalse(rows.hasNext());
        return value;
    }

    private static String object(Lang lang, byte[] answer) {
        Graph graph = GraphFactory.createDefaultGraph();
        new QueryResponse(lang, false, "http://h/q").readStatements(new ByteArrayInputStream(answer), StreamRDFLib.graph(graph));
        return graph.find().next().getObject().getLiteralLexicalForm();
    }

    private static String refused(Executable reading) {
        return assertThrows(RiotException.class, reading).getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SPARQL-Results-JSON", "SPARQL-Results-XML", "TSV", "SPARQL-Results-Thrift",
        "SPARQL-Results-Protobuf"})
    void rowsThatAreNotUtf8AreRefused(String name) {
        Lang lang = RDFLanguages.nameToLang(name);
        byte[] answer = rows(lang, NAME);
        assertEquals(NAME, value(lang, false, answer));
        assertEquals(NAME, value(lang, true, answer));
        for (boolean namesUtf8 : new boolean[] {true, false}) {
            String refused = refused(() -> value(lang, namesUtf8, broken(answer)));
            assertTrue(refused.startsWith("the answer is no result of a query: "), refused);
            assertTrue(refused.matches("(?is).*(UTF-?8|byte).*"), refused);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"N-Triples", "N-Quads", "Turtle", "RDF-THRIFT", "RDF-PROTO"})
    void statementsThatAreNotUtf8AreRefused(String name) {
        Lang lang = RDFLanguages.nameToLang(name);
        byte[] answer = graph(lang, NAME);
        assertEquals(NAME, object(lang, answer));
        String refused = refused(() -> object(lang, broken(answer)));
        assertTrue(refused.startsWith("the answer is no result of a query: "), refused);
    }

    /** The rows are read one by one: one that is wrong is found after others were handed out. */
    @Test
    void aRowThatIsNotUtf8IsRefusedWhenItIsReached() {
        String first = "{\"head\":{\"vars\":[\"x\"]},\"results\":{\"bindings\":["
                + "{\"x\":{\"type\":\"literal\",\"value\":\"a\"}},".repeat(10_000);
        byte[] answer = (first + "{\"x\":{\"type\":\"literal\",\"value\":\"\u00F6\"}}]}}").getBytes(ISO_8859_1);
        RowSet rows = new QueryResponse(ResultSetLang.RS_JSON, false, "http://h/q")
                .readResult(new ByteArrayInputStream(answer)).rowSet();
        assertEquals("\"a\"", rows.next().get(X).toString());
        assertEquals("the answer is no result of a query: byte " + (first.length() + 32)
                + " is not UTF-8; have the server answer in UTF-8", refused(() -> rows.forEachRemaining(row -> { })));
    }

    @Test
    void xmlIsInTheEncodingThatItNames() {
        assertEquals("Köln", value(ResultSetLang.RS_XML, false, XML.formatted("iso-8859-1", "Köln").getBytes(ISO_8859_1)));
        assertEquals("Köln", value(ResultSetLang.RS_XML, false, XML.formatted("utf-16", "Köln").getBytes(UTF_16)));
        assertEquals("Köln", value(ResultSetLang.RS_XML, true, XML.formatted("UTF-8", "Köln").getBytes(UTF_8)));
    }

    /** The header goes before the document, whose parser knows nothing of it. */
    @Test
    void xmlThatNamesAnotherEncodingThanItsServerIsRefused() {
        byte[] answer = XML.formatted("iso-8859-1", "Köln").getBytes(UTF_8);
        assertEquals("the answer is no result of a query: its server says that it is in UTF-8, and it says iso-8859-1",
                refused(() -> value(ResultSetLang.RS_XML, true, answer)));
    }

    /** An IRI would come out as a literal. */
    @Test
    void formsThatDoNotSayWhatTermsAreAreRefused() {
        assertEquals("the answer is no result of a query: it is in CSV",
                refused(() -> value(ResultSetLang.RS_CSV, false, "x\r\nurn:s\r\n".getBytes(UTF_8))));
        assertEquals("the answer is no result of a query: it is in Turtle",
                refused(() -> value(Lang.TURTLE, false, "<urn:s> <urn:p> 1 .".getBytes(UTF_8))));
        assertEquals("the answer is no result of a query: it is in SPARQL-Results-JSON",
                refused(() -> object(ResultSetLang.RS_JSON, "{}".getBytes(UTF_8))));
    }

    @ParameterizedTest
    @CsvSource({"JSON, '{\"head\":{\"vars\":[\"x\"]},\"results\":{\"bindings\":[{\"x\":'", "Thrift, ''"})
    void whatEndsInTheMiddleSaysSo(String name, String answer) {
        assertEquals("the answer ends in the middle", refused(
                () -> value(RDFLanguages.nameToLang("SPARQL-Results-" + name), false, answer.getBytes(UTF_8))));
    }

    @Test
    void whatIsNestedTooDeepIsRefused() {
        String term = "{\"x\":" + "{\"type\":\"triple\",\"value\":{\"subject\":".repeat(100_000);
        assertTrue(refused(() -> value(ResultSetLang.RS_JSON, false,
                ("{\"head\":{\"vars\":[\"x\"]},\"results\":{\"bindings\":[" + term).getBytes(UTF_8))).startsWith("the answer"));
        assertTrue(refused(() -> object(Lang.TURTLE, ("<urn:s> <urn:p> " + "(".repeat(200_000)).getBytes(UTF_8)))
                .startsWith("the answer"));
    }

    /** Whoever answers could have us ask any address of our network. */
    @Test
    void nothingButTheAnswerIsRead() {
        String refused = refused(() -> object(Lang.JSONLD,
                "{\"@context\":\"http://localhost:1/context\",\"@id\":\"urn:a\",\"name\":\"x\"}".getBytes(UTF_8)));
        assertTrue(refused.contains("http://localhost:1/context"), refused);
    }

    @Test
    void relativeIrisGoFromTheService() {
        Graph graph = GraphFactory.createDefaultGraph();
        new QueryResponse(Lang.TURTLE, false, "http://h/q")
                .readStatements(new ByteArrayInputStream("<s> <p> <o> .".getBytes(UTF_8)), StreamRDFLib.graph(graph));
        assertEquals("http://h/s", graph.find().next().getSubject().getURI());
    }
}
