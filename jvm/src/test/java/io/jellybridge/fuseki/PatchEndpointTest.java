package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import io.jellybridge.sync.LateBody;
import io.jellybridge.sync.TestFuseki;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.jena.atlas.json.JSON;
import org.apache.jena.atlas.json.JsonObject;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.DatasetFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.rdf.model.Model;
import org.apache.jena.rdf.model.ModelFactory;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.shared.AddDeniedException;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.exec.UpdateExec;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The patch endpoint as HTTP clients see it, in a Fuseki that found the module by itself. */
@ResourceLock(LoggedLines.LOCK)
class PatchEndpointTest {
    private static final String JELLY = "application/x-jelly-rdf-patch";
    private static final String TEXT = "application/rdf-patch";

    private HttpClient http = HttpClient.newHttpClient();
    private TestFuseki fuseki;

    @BeforeEach
    void start() {
        fuseki = TestFuseki.withModule();
    }

    @AfterEach
    void stop() {
        fuseki.close();
    }

    private static byte[] term(String term) {
        return term.getBytes(UTF_8);
    }

    private static byte[] jelly(StreamType type, String... objects) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PatchWriter<byte[]> writer = new PatchWriter<>(out, null, new Utf8Terms(),
                PatchOptions.DEFAULT.withStreamType(type), WriteOptions.DEFAULT)) {
            writer.transaction(Op.TX);
            for (String object : objects) {
                writer.statement(Op.A, term("<urn:s>"), term("<urn:p>"), term(object), null);
            }
            writer.transaction(Op.TC);
        }
        return out.toByteArray();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private HttpResponse<String> send(String method, String path, String type, String encoding, byte[] body)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(fuseki.url() + path))
                .method(method, BodyPublishers.ofByteArray(body));
        if (type != null) {
            request.header("Content-Type", type);
        }
        if (encoding != null) {
            request.header("Content-Encoding", encoding);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private HttpResponse<String> text(String... lines) throws IOException {
        return send("POST", "/patch", TEXT, null, String.join("\n", lines).getBytes(UTF_8));
    }

    private static JsonObject json(int status, HttpResponse<String> answer) {
        assertEquals(status, answer.statusCode(), answer.body());
        assertTrue(answer.headers().firstValue("Content-Type").orElse("").startsWith("application/json"));
        return JSON.parse(answer.body());
    }

    private static String string(JsonObject json, String name) {
        return json.get(name).isNull() ? null : json.get(name).getAsString().value();
    }

    private static long number(JsonObject json, String name) {
        return json.get(name).getAsNumber().value().longValue();
    }

    private long size() {
        DatasetGraph dataset = fuseki.dataset();
        dataset.begin(TxnType.READ);
        try {
            return dataset.stream().count();
        } finally {
            dataset.end();
        }
    }

    @ParameterizedTest
    @CsvSource({"POST,/patch", "PATCH,/patch", "POST,''", "PATCH,''"})
    void jellyIsTakenAtEveryAddressAndCounted(String method, String path) throws IOException {
        JsonObject json = json(200, send(method, path, JELLY, null, jelly(StreamType.PUNCTUATED, "\"1\"", "\"2\"")));
        assertTrue(json.get("applied").getAsBoolean().value());
        assertEquals(1, number(json, "patches"));
        assertEquals(1, number(json, "transactions"));
        assertEquals(2, number(json, "added"));
        assertEquals(0, number(json, "deleted"));
        assertEquals(0, number(json, "aborted"));
        assertFalse(json.hasKey("position"));
        assertEquals(2, size());
    }

    @ParameterizedTest
    @ValueSource(strings = {TEXT, TEXT + "; charset=utf-8", TEXT + ";charset=UTF-8;x=y", "APPLICATION/RDF-PATCH"})
    void textIsTakenWithParameters(String type) throws IOException {
        byte[] body = "A <urn:s> <urn:p> <_:a> .".getBytes(UTF_8);
        json(200, send("POST", "/patch", type, null, body));
        assertEquals(1, size());
    }

    /** A page of any site may make a browser post these, in its user's name. */
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "", ";"})
    void whatAPageMayPostIsRefused(String type) throws IOException {
        for (String method : new String[] {"POST", "PATCH"}) {
            HttpResponse<String> answer = send(method, "/patch", type, null, "A <urn:s> <urn:p> _:a .".getBytes(UTF_8));
            assertEquals("media-type", string(json(415, answer), "error"));
        }
        assertEquals(0, size());
    }

    @Test
    void bareLabelsOfBlankNodesAreKept() throws IOException {
        json(200, text("A <urn:s> <urn:p> _:a ."));
        DatasetGraph dataset = fuseki.dataset();
        assertEquals("a", dataset.calculateRead(() -> dataset.find().next().getObject().getBlankNodeLabel()));
    }

    @ParameterizedTest
    @ValueSource(strings = {JELLY, JELLY + ";v=1"})
    void compressedBodiesAreTaken(String type) throws IOException {
        json(200, send("POST", "/patch", type, "gzip", gzip(jelly(StreamType.FLAT, "\"1\""))));
        assertEquals(1, size());
    }

    @Test
    void typesThatAreNoneAreRefused() throws IOException {
        byte[] body = jelly(StreamType.FLAT, "\"1\"");
        for (String type : new String[] {"text/turtle", TEXT + "; charset=latin1", TEXT + "; charset=none-such",
            "application/rdf-patch+thrift"}) {
            assertEquals("media-type", string(json(415, send("POST", "/patch", type, null, body)), "error"));
        }
        assertEquals("media-type", string(json(415, send("POST", "/patch", JELLY, "br", body)), "error"));
        assertEquals(0, size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE", "TRACE", "MOVE", "post"})
    void methodsThatAreNoneAreRefused(String method) throws IOException {
        RawRequest.Answer answer = RawRequest.send(fuseki.port(), method + " /ds/patch", new byte[0], "X-Secret: unheard");
        assertEquals(405, answer.status(), answer.text());
        assertTrue(answer.head().contains("\r\nAllow: OPTIONS,POST,PATCH"), answer.head());
        assertTrue(answer.head().contains("\r\nContent-Type: application/json"), answer.head());
        assertFalse(answer.text().contains("unheard"), answer.text());
    }

    /** A server that closes a connection whose client still sends makes the client lose the answer, or its next request. */
    @ParameterizedTest
    @CsvSource({"POST,text/turtle,identity,415", "POST,application/rdf-patch; charset=latin1,identity,415",
        "POST,application/rdf-patch; charset=none-such,identity,415", "POST,application/rdf-patch,br,415",
        "POST,application/rdf-patch,gzip,400", "PUT,application/rdf-patch,identity,405"})
    void refusalsLeaveTheConnectionOpen(String method, String type, String encoding, String status) throws IOException {
        assertEquals(List.of(status, "200"), LateBody.statuses(fuseki.port(), "/ds/query?query=ASK%7B%7D",
                method + " /ds/patch HTTP/1.1", "Content-Type: " + type, "Content-Encoding: " + encoding));
        assertEquals(0, size());
    }

    @Test
    void optionsNameTheTypes() throws IOException {
        HttpResponse<String> answer = send("OPTIONS", "/patch", null, null, new byte[0]);
        assertEquals(200, answer.statusCode());
        for (String header : new String[] {"Accept-Post", "Accept-Patch"}) {
            assertEquals(TEXT + ", " + JELLY, answer.headers().firstValue(header).orElse(null));
        }
    }

    @Test
    void aBrokenJellyBodyNamesRuleAndPlaceAndChangesNothing() throws IOException {
        byte[] whole = jelly(StreamType.FLAT, "\"1\"", "\"2\"");
        byte[] cut = Arrays.copyOf(whole, whole.length - 1);
        JsonObject json = json(400, send("POST", "/patch", JELLY, null, cut));
        assertEquals("format", string(json, "error"));
        assertEquals("P-125", string(json, "rule"));
        assertTrue(number(json, "offset") >= 0);
        byte[] packed = gzip(whole);
        assertEquals("request", string(json(400, send("POST", "/patch", JELLY, "gzip",
                Arrays.copyOf(packed, packed.length - 9))), "error"));
        assertEquals(0, size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"A <urn:s> <urn:p> .", "TX .\nA <urn:s> <urn:p> 2 .", "TC .", "A <urn:s> <urn:p> 2",
        "A <urn:s> <urn:p> 2 <urn:x-arq:UnionGraph> .", "A <urn:s> \"p\" 2 .", "H id <urn:1> .\nH prev <urn:1> .",
        "H prev <urn:1> .\nA <urn:s> <urn:p> 2 .", "H id <urn:1> .\nZ .\nH id <urn:2> .", "H id _:b .",
        "H id <urn:1> .\nH id <urn:2> ."})
    void whatStockFusekiAnswersWith200IsRefused(String broken) throws IOException {
        JsonObject json = json(400, text("A <urn:s> <urn:p> 1 .", "Z .", broken));
        assertEquals("format", string(json, "error"));
        assertTrue(number(json, "line") >= 3, json.toString());
        assertEquals(0, size());
        json(200, text("A <urn:s> <urn:p> 1 ."));
    }

    @Test
    void anAbortedBlockUndoesItselfAlone() throws IOException {
        JsonObject json = json(200, text("A <urn:s> <urn:p> 1 .", "TX .", "A <urn:s> <urn:p> 2 .", "TA .",
                "TX .", "A <urn:s> <urn:p> 3 .", "TC ."));
        assertEquals(2, number(json, "added"));
        assertEquals(1, number(json, "aborted"));
        assertEquals(2, size());
    }

    @Test
    void patchesWithIdsFormAChain() throws IOException {
        String[] first = {"H id <urn:uuid:1> .", "A <urn:s> <urn:p> 1 ."};
        String[] second = {"H id <urn:uuid:2> .", "H prev <urn:uuid:1> .", "A <urn:s> <urn:p> 2 .", "Z .",
            "H prev <urn:uuid:2> .", "H id <urn:uuid:3> .", "D <urn:s> <urn:p> 1 ."};
        JsonObject early = json(409, text(second));
        assertEquals("<urn:uuid:1>", string(early, "expected"));
        assertEquals(null, string(early, "found"));
        JsonObject json = json(200, text(first));
        assertEquals("<urn:uuid:1>", string(json, "position"));
        assertEquals("urn:jellybridge:log", string(json, "key"));
        assertEquals("<urn:uuid:3>", string(json(200, text(second)), "position"));
        assertEquals(2, size());
        JsonObject again = json(200, text(second));
        assertFalse(again.get("applied").getAsBoolean().value());
        assertEquals(0, number(again, "added"));
        JsonObject late = json(409, text("H id <urn:uuid:4> .", "H prev <urn:uuid:1> ."));
        assertEquals("<urn:uuid:1>", string(late, "expected"));
        assertEquals("<urn:uuid:3>", string(late, "found"));
        json(409, text(first));
        json(200, text("A <urn:s> <urn:p> \"without an id\" ."));
        assertEquals(3, size());
    }

    @Test
    void aStepInTheAddressIsComparedAndStored() throws IOException {
        byte[] body = jelly(StreamType.FLAT, "\"1\"");
        String step = "/patch?key=urn:k&next=%3Curn:1%3E";
        assertEquals("<urn:1>", string(json(200, send("POST", step, JELLY, null, body)), "position"));
        assertEquals("<urn:1>", string(json(409, send("POST", step, JELLY, null, body)), "found"));
        String other = "/patch?key=urn:other&next=%3Curn:1%3E";
        assertEquals("<urn:1>", string(json(200, send("POST", other, JELLY, null, body)), "position"));
        String next = "/patch?key=urn:k&expected=%3Curn:1%3E&next=%2212%22";
        assertEquals("\"12\"", string(json(200, send("POST", next, JELLY, null, body)), "position"));
        assertEquals(3, size());
    }

    @Test
    void aStepOfAVersionIsOfThatVersionAlone() throws IOException {
        byte[] body = jelly(StreamType.FLAT, "\"1\"");
        String step = "/patch?key=urn:k&next=%3Curn:1%3E&expected-version=";
        assertTrue(string(json(409, send("POST", step + "any", JELLY, null, body)), "message").contains("changed after it was read"),
                "a dataset without versions");
        fuseki.close();
        fuseki = TestFuseki.withModule(DatabaseMgr.createDatasetGraph());
        String old = version();
        assertEquals(old, version());
        json(200, text("A <urn:s> <urn:p> <urn:o> ."));
        String now = version();
        assertFalse(now.equals(old));
        JsonObject refused = json(409, send("POST", step + old, JELLY, null, body));
        assertEquals("conflict", string(refused, "error"));
        assertEquals(1, size());
        assertEquals("<urn:1>", string(json(200, send("POST", step + now, JELLY, null, body)), "position"));
        assertEquals("<urn:1>", string(json(409, send("POST", step + now, JELLY, null, body)), "found"));
        assertEquals(3, size());
    }

    private String version() throws IOException {
        try {
            return http.send(HttpRequest.newBuilder(URI.create(fuseki.url())).header("Accept", QuadsProtocol.JELLY).build(),
                    BodyHandlers.discarding()).headers().firstValue(QuadsProtocol.DATASET_VERSION).orElseThrow();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void aPatchThatTouchesPositionsIsRefused() throws IOException {
        JsonObject refused = json(400, text("A <urn:s> <urn:p> <urn:o> .",
                "A <urn:jellybridge:log> <urn:jellybridge:position> <urn:id:1> <urn:jellybridge:sync> ."));
        assertEquals("format", string(refused, "error"));
        assertTrue(string(refused, "message").contains("in which each dataset keeps its own positions"));
        assertEquals(0, size());
    }

    @Test
    void tdb2IsGivenWhatItGivesBack() throws IOException {
        fuseki.close();
        fuseki = TestFuseki.withModule(DatabaseMgr.createDatasetGraph());
        String number = "A <urn:s> <urn:p> \"%s\"^^<http://www.w3.org/2001/XMLSchema#%s> .";
        JsonObject refused = json(400, text(number.formatted("1.50", "decimal"), number.formatted("99999999999999999999", "integer")));
        assertTrue(string(refused, "message").contains("more than 64 bits"), string(refused, "message"));
        assertEquals(0, size());
        JsonObject done = json(200, text(number.formatted("1.50", "decimal"), number.formatted("1.5", "decimal")));
        assertEquals(1, done.get("changed").getAsNumber().value().intValue());
        DatasetGraph dataset = fuseki.dataset();
        Txn.executeWrite(dataset, () -> UpdateExec.dataset(dataset).update("DELETE WHERE { ?s ?p ?o }").execute());
        assertEquals(0, size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"key=urn:k", "next=%3Curn:1%3E", "expected=%3Curn:1%3E", "key=k&next=%3Curn:1%3E",
        "key=urn:k&next=urn:1", "key=urn:k&next=%3Curn:1%3E&expected=%3Curn:1%3E", "graph=urn:g", "key",
        "key=urn:k&key=urn:k", "expected-version=1"})
    void parametersThatAreNoneAreRefused(String query) throws IOException {
        assertEquals("request", string(json(400, send("POST", "/patch?" + query, JELLY, null,
                jelly(StreamType.FLAT, "\"1\""))), "error"));
        assertEquals(0, size());
    }

    @Test
    void aDatasetThatFailsIsRolledBackAndSaysSo() throws IOException {
        DatasetGraph failing = new DatasetGraphWrapper(DatasetGraphFactory.createTxnMem()) {

            @Override
            public void add(Node graph, Node subject, Node predicate, Node object) {
                if (object.isLiteral() && object.getLiteralLexicalForm().equals("2")) {
                    throw new AddDeniedException("the disk is full in /var/lib");
                }
                super.add(graph, subject, predicate, object);
            }
        };
        fuseki.close();
        fuseki = TestFuseki.withModule(failing);
        try (LoggedLines log = new LoggedLines()) {
            JsonObject json = json(500, text("PA \"ex\" <urn:ex:> .", "A <urn:s> <urn:p> 1 .", "A <urn:s> <urn:p> 2 ."));
            assertEquals("dataset", string(json, "error"));
            assertTrue(string(json, "message").startsWith("patch 0 failed in the dataset /ds"), json.toString());
            assertFalse(string(json, "message").contains("the disk is full"), "only the server's log says why");
            List<String> lines = log.with(string(json, "incident"));
            assertTrue(lines.get(0).contains("the disk is full in /var/lib"), lines.toString());
        }
        assertEquals(0, size());
        json(200, text("A <urn:s> <urn:p> 1 ."));
        assertEquals(1, size());
    }

    @Test
    void anErrorThatIsNoExceptionIsAnAnswerInJsonTooAndTheServerGoesOn() throws IOException {
        Error[] thrown = {new OutOfMemoryError("Java heap space"), new StackOverflowError()};
        int[] next = {0};
        DatasetGraph failing = new DatasetGraphWrapper(DatasetGraphFactory.createTxnMem()) {

            @Override
            public void add(Node graph, Node subject, Node predicate, Node object) {
                if (object.isLiteral() && object.getLiteralLexicalForm().equals("2")) {
                    throw thrown[next[0]++];
                }
                super.add(graph, subject, predicate, object);
            }
        };
        fuseki.close();
        fuseki = TestFuseki.withModule(failing);
        String body = "A <urn:s> <urn:p> 1 .\nA <urn:s> <urn:p> 2 .";
        JsonObject memory = json(507, text(body));
        assertEquals("limit", string(memory, "error"));
        assertTrue(string(memory, "message").contains("more memory than the server has"), memory.toString());
        try (LoggedLines log = new LoggedLines()) {
            JsonObject stack = json(500, text(body));
            assertEquals("dataset", string(stack, "error"));
            assertFalse(log.with(string(stack, "incident")).isEmpty());
        }
        assertEquals(0, size());
        json(200, text("A <urn:s> <urn:p> 1 ."));
        assertEquals(1, size());
    }

    /** A dataset with an inference model as its default graph, as an assembler file describes it. */
    private static DatasetGraph inference() {
        Model assembler = ModelFactory.createDefaultModel();
        RDFParser.fromString("""
                PREFIX : <urn:jellybridge:test:>
                PREFIX ja: <http://jena.hpl.hp.com/2005/11/Assembler#>
                :dataset a ja:RDFDataset ; ja:defaultGraph :inferred .
                :inferred a ja:InfModel ; ja:baseModel [ a ja:MemoryModel ] ;
                    ja:reasoner [ ja:reasonerURL <http://jena.hpl.hp.com/2003/RDFSExptRuleReasoner> ] .
                """, Lang.TURTLE).parse(assembler);
        return DatasetFactory.assemble(assembler.getResource("urn:jellybridge:test:dataset")).asDatasetGraph();
    }

    @ParameterizedTest
    @ValueSource(strings = {"inference", "general"})
    void aDatasetThatCannotAbortKeepsTheStockPatchOperation(String kind) throws IOException {
        fuseki.close();
        try (LoggedLines log = new LoggedLines()) {
            fuseki = TestFuseki.withModule(kind.equals("general") ? DatasetGraphFactory.create() : inference());
            assertEquals(1, log.with("/ds has no transactions that can abort").size());
            assertStockPatches();
            assertEquals(1, log.with("/ds has no transactions that can abort").size());
        }
    }

    private void assertStockPatches() throws IOException {
        String patch = "A <urn:s> <urn:p> 1 .";
        for (String path : new String[] {"/patch", ""}) {
            HttpResponse<String> answer = send("POST", path, TEXT, null, patch.getBytes(UTF_8));
            assertEquals(200, answer.statusCode(), answer.body());
            assertEquals(415, send("POST", path, JELLY, null, jelly(StreamType.FLAT, "\"1\"")).statusCode());
            // Fuseki's own operation leaves the body that it refuses unread, and Jetty may close the connection then.
            http = HttpClient.newHttpClient();
        }
        assertTrue(fuseki.dataset().contains(null, NodeFactory.createURI("urn:s"), null, null));
        assertTrue(send("OPTIONS", "/patch", null, null, new byte[0]).headers().firstValue("Accept-Post").isEmpty(),
                "a client that looks for Jelly finds none");
    }

    @Test
    void otherServicesOfTheDatasetStayAsTheyAre() throws IOException {
        assertEquals(200, send("POST", "/update", "application/sparql-update", null,
                "INSERT DATA { <urn:s> <urn:p> 1 }".getBytes(UTF_8)).statusCode() / 100 * 100);
        assertEquals(200, send("POST", "", "application/n-quads", null,
                "<urn:s> <urn:p> <urn:o> .".getBytes(UTF_8)).statusCode() / 100 * 100);
        assertEquals(2, size());
    }
}
