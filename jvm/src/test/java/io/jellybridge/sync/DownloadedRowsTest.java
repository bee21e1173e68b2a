package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.StoredPosition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.jena.datatypes.TypeMapper;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.rdf.model.Model;
import org.apache.jena.rdf.model.ModelFactory;
import org.apache.jena.rdfpatch.changes.RDFChangesCounter;
import org.apache.jena.rdfpatch.system.DatasetGraphChanges;
import org.apache.jena.rdfs.RDFSFactory;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.system.Txn;
import org.apache.jena.tdb2.DatabaseMgr;
import org.apache.jena.vocabulary.RDFS;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All quads of a server, sent at once: what a query of them gives, or a clear error; and if it can't, by a query. */
class DownloadedRowsTest {
    @TempDir
    Path folder;

    private static final Node[] ODD = {
        NodeFactory.createURI("http://e/a"), NodeFactory.createURI("urn:ü \u0001<>\"{}|^`\\"), NodeFactory.createURI("relative"),
        NodeFactory.createURI(""), NodeFactory.createBlankNode("b"), NodeFactory.createBlankNode("_:x:-. ü"),
        NodeFactory.createLiteralString(""), NodeFactory.createLiteralString("\"\\\n\r\t\b\f\u0000\u007F\uFFFDü😀"),
        NodeFactory.createLiteralLang("x", "en-GB"), NodeFactory.createLiteralDirLang("x", "en", "rtl"),
        NodeFactory.createLiteralDT("042", XSDDatatype.XSDinteger),
        NodeFactory.createLiteralDT("2026-01-01", XSDDatatype.XSDdate),
        NodeFactory.createLiteralDT("x", TypeMapper.getInstance().getSafeTypeByName("urn:type"))
    };

    /** Each odd term as an object, most as another one too, in the default graph and in others. */
    private static void addOddQuads(DatasetGraph dataset) {
        Node p = NodeFactory.createURI("urn:p");
        Txn.executeWrite(dataset, () -> {
            for (Node term : ODD) {
                dataset.add(Quad.defaultGraphIRI, ODD[0], p, term);
                dataset.add(NodeFactory.createBlankNode("g"), p, p, term);
                if (!term.isLiteral()) {
                    dataset.add(Quad.defaultGraphIRI, term, p, p);
                    dataset.add(term, p, p, p);
                    Node triple = NodeFactory.createTripleTerm(term, p, ODD[7]);
                    dataset.add(Quad.defaultGraphIRI, p, p, NodeFactory.createTripleTerm(p, p, triple));
                }
            }
            dataset.add(StoredPosition.GRAPH_NODE, p, p, p);
        });
    }

    private static List<String> lines(QuadCursor rows) {
        List<String> lines = new ArrayList<>();
        try (rows) {
            rows.forEachRemaining(quad -> lines.add(Arrays.stream(quad)
                    .map(term -> term == null ? "null" : new String(term, UTF_8)).collect(Collectors.joining(" "))));
        }
        lines.sort(null);
        return lines;
    }

    /** Whether the server gave them in one piece. */
    private static boolean isWhole(String url) throws IOException {
        try (FusekiDataset dataset = FusekiDataset.open(FusekiOptions.of(url)); QuadCursor rows = dataset.download(false, true)) {
            return rows != null;
        }
    }

    private static List<String> all(String url, boolean positions) throws IOException {
        try (FusekiDataset dataset = FusekiDataset.open(FusekiOptions.of(url), positions)) {
            return lines(dataset.rows());
        }
    }

    private enum Kind {
        MEMORY, TDB2, LOGGED;

        DatasetGraph make() {
            return this == MEMORY ? DatasetGraphFactory.createTxnMem() : this == TDB2 ? DatabaseMgr.createDatasetGraph()
                    : new DatasetGraphChanges(DatasetGraphFactory.createTxnMem(), new RDFChangesCounter());
        }
    }

    @ParameterizedTest
    @CsvSource({"MEMORY, true", "MEMORY, false", "TDB2, true", "TDB2, false", "LOGGED, true"})
    void theyAreThoseOfAQuery(Kind kind, boolean positions) throws IOException {
        DatasetGraph dataset = kind.make();
        try (TestFuseki stock = TestFuseki.stock(dataset); TestFuseki fuseki = TestFuseki.withModule(dataset)) {
            assertTrue(isWhole(stock.url()));
            assertTrue(isWhole(fuseki.url()));
            assertEquals(List.of(), all(fuseki.url(), positions), "none yet");
            assertEquals(List.of(), all(stock.url(), positions), "none yet");
            addOddQuads(dataset);
            assertFalse(isWhole(stock.url()), "N-Quads have no IRI such as these");
            List<String> asked = all(stock.url(), positions);
            assertTrue(asked.size() > 3 * ODD.length);
            assertEquals(positions, asked.stream().anyMatch(line -> line.endsWith("<urn:jellybridge:sync>")));
            assertEquals(asked, all(fuseki.url(), positions));
        }
    }

    private static final Node[] SHOWN = {
        NodeFactory.createBlankNode("b"), NodeFactory.createBlankNode("B0"), NodeFactory.createBlankNode("X"),
        NodeFactory.createBlankNode("aXX2Db0é0/X41:"), NodeFactory.createBlankNode("\u0000a"), NodeFactory.createBlankNode("_0"),
        NodeFactory.createURI("urn:ü\uFFFD😀"), ODD[6], ODD[7], ODD[8], ODD[9], ODD[11], ODD[12]
    };

    @ParameterizedTest
    @CsvSource({"MEMORY", "TDB2", "LOGGED"})
    void aStockServerSendsThemAsText(Kind kind) throws IOException {
        DatasetGraph dataset = kind.make();
        Node p = NodeFactory.createURI("urn:p");
        Txn.executeWrite(dataset, () -> {
            dataset.prefixes().add("", "urn:");
            dataset.add(StoredPosition.GRAPH_NODE, p, p, p);
            for (Node term : SHOWN) {
                Node triple = NodeFactory.createTripleTerm(p, p, NodeFactory.createTripleTerm(SHOWN[3], p, term));
                for (Node graph : new Node[] {Quad.defaultGraphIRI, p, SHOWN[1]}) {
                    dataset.add(graph, p, p, term);
                    dataset.add(graph, p, p, triple);
                    dataset.add(term.isLiteral() ? p : term, term.isLiteral() ? p : SHOWN[3], p, p);
                }
            }
        });
        try (TestFuseki stock = TestFuseki.stock(dataset); TestFuseki fuseki = TestFuseki.withModule(dataset)) {
            for (boolean positions : new boolean[] {true, false}) {
                assertTrue(isWhole(stock.url()));
                List<String> all = all(stock.url(), positions);
                assertEquals(all(fuseki.url(), positions), all);
                assertEquals(positions, all.stream().anyMatch(line -> line.endsWith("<urn:jellybridge:sync>")));
            }
            try (FusekiDataset open = FusekiDataset.open(FusekiOptions.of(stock.url()))) {
                assertEquals(all(fuseki.url(), false).stream().filter(line -> line.endsWith(" null")).toList(),
                        lines(open.download(true, false)));
            }
        }
    }

    private static Stream<Node> notShown() {
        Stream<Node> iris = Stream.of("relative", "", "urn:a b", "urn:a> <urn:b", "urn:\u0001", "urn:a> .\n<urn:b").map(NodeFactory::createURI);
        Stream<Node> labels = Stream.of("東", "a--b", "\u2F2F", "🚲", "X--").map(NodeFactory::createBlankNode);
        return Stream.concat(iris, labels);
    }

    /** Its text is no N-Quads, or is that of another term too. */
    @ParameterizedTest
    @MethodSource("notShown")
    void aTermThatTextDoesNotShowIsAskedFor(Node term) throws IOException {
        Node p = NodeFactory.createURI("urn:p");
        for (int position = 0; position < 4; position++) {
            DatasetGraph dataset = DatasetGraphFactory.createTxnMem();
            Quad quad = Quad.create(position == 0 ? term : p, position == 1 ? term : p, p, position == 2 ? term
                    : position == 3 ? NodeFactory.createTripleTerm(p, p, term) : p);
            Txn.executeWrite(dataset, () -> {
                dataset.add(p, p, p, p);
                dataset.add(quad);
            });
            try (TestFuseki stock = TestFuseki.stock(dataset); TestFuseki fuseki = TestFuseki.withModule(dataset)) {
                assertFalse(isWhole(stock.url()), quad.toString());
                assertEquals(all(fuseki.url(), false), all(stock.url(), false));
            }
        }
    }

    /** Another server may write them. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "BX", "BaX2", "BX2g", "BX-1", "BX41X42"})
    void aLabelThatJenaDoesNotWriteIsAskedFor(String label) throws IOException {
        Path file = Files.writeString(folder.resolve("rows.nq"), "<urn:s> <urn:p> _:" + label + " .\n");
        assertNull(DownloadedRows.ofNQuads(file, URI.create("http://host/ds"), false));
    }

    @Test
    void ofManyQuadsNoneIsMissing() throws IOException {
        DatasetGraph dataset = DatabaseMgr.createDatasetGraph();
        int quads = 50_000;
        Txn.executeWrite(dataset, () -> IntStream.range(0, quads).forEach(i -> dataset.add(
                i % 3 == 0 ? Quad.defaultGraphIRI : NodeFactory.createURI("urn:g" + i % 7), NodeFactory.createURI("http://e/" + i / 5),
                NodeFactory.createURI("urn:p" + i % 4), NodeFactory.createLiteralString("text " + i))));
        try (TestFuseki fuseki = TestFuseki.withModule(dataset)) {
            assertTrue(isWhole(fuseki.url()));
            List<String> all = all(fuseki.url(), false);
            assertEquals(quads, all.size());
            assertEquals(quads, all.stream().distinct().count());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTermThatIsLargeIsGivenAndOneThatIsDeepIsAskedFor(boolean isDeep) throws Exception {
        Node p = NodeFactory.createURI("urn:p");
        Node large = NodeFactory.createLiteralString("x".repeat(20 << 20));
        Node deep = p;
        for (int level = 0; level < 100; level++) {
            deep = NodeFactory.createTripleTerm(p, p, deep);
        }
        Node term = isDeep ? deep : large;
        try (TestFuseki fuseki = TestFuseki.withModule(); TestFuseki stock = TestFuseki.stock(fuseki.dataset())) {
            Txn.executeWrite(fuseki.dataset(), () -> fuseki.dataset().add(Quad.defaultGraphIRI, p, p, term));
            assertEquals(isDeep, !isWhole(fuseki.url()));
            assertEquals(all(stock.url(), false), all(fuseki.url(), false));
            if (isDeep) {
                HttpResponse<byte[]> answer = get("GET", fuseki.url(), QuadsProtocol.JELLY);
                assertEquals(500, answer.statusCode());
                String message = new String(answer.body(), UTF_8);
                assertTrue(message.contains("can't be written as Jelly-RDF; a query gives them"), message);
                assertTrue(answer.headers().firstValue(QuadsProtocol.QUADS).isEmpty());
            }
        }
    }

    @Test
    void anAnswerSaysHowLongItIs() throws Exception {
        try (TestFuseki fuseki = TestFuseki.withModule()) {
            addOddQuads(fuseki.dataset());
            HttpResponse<byte[]> answer = get("GET", fuseki.url(), QuadsProtocol.JELLY);
            assertEquals(answer.body().length, answer.headers().firstValueAsLong("Content-Length").orElse(-1));
        }
    }

    /** What they show is not what is in them, or not to everybody: so Fuseki itself sends it. */
    @ParameterizedTest
    @ValueSource(strings = {"inference", "wrapper"})
    void aDatasetOfWhichNothingIsKnownIsNotSentInJelly(String kind) throws IOException {
        DatasetGraph base = DatasetGraphFactory.createTxnMem();
        Model schema = ModelFactory.createDefaultModel();
        schema.add(schema.createResource("urn:p"), RDFS.domain, schema.createResource("urn:C"));
        DatasetGraph dataset = kind.equals("wrapper") ? new DatasetGraphWrapper(base)
                : RDFSFactory.datasetRDFS(base, schema.getGraph());
        Txn.executeWrite(base, () -> base.add(Quad.defaultGraphIRI, NodeFactory.createURI("urn:s"),
                NodeFactory.createURI("urn:p"), NodeFactory.createURI("urn:o")));
        try (TestFuseki fuseki = TestFuseki.withModule(dataset); TestFuseki stock = TestFuseki.stock(dataset);
                FusekiDataset asked = FusekiDataset.open(FusekiOptions.of(stock.url()))) {
            assertNull(new FusekiClient(FusekiOptions.of(fuseki.url())).fetchQuads(folder.resolve("no.jelly")));
            List<String> rows = all(fuseki.url(), false);
            assertEquals(kind.equals("wrapper") ? 1 : 2, rows.size());
            assertEquals(rows.size(), asked.size(), "by a query");
            assertEquals(rows, lines(asked.rows()));
        }
    }

    // --- other clients

    private static HttpResponse<byte[]> get(String method, String url, String accept) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).method(method, BodyPublishers.noBody());
        if (accept != null) {
            request.header("Accept", accept);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
    }

    @Test
    void whoeverPrefersJellyGetsAStreamOfQuadsAndOthersGetWhatFusekiGives() throws Exception {
        try (TestFuseki fuseki = TestFuseki.withModule(); TestFuseki stock = TestFuseki.stock(fuseki.dataset())) {
            addOddQuads(fuseki.dataset());
            String jelly = QuadsProtocol.JELLY;
            for (String path : new String[] {"", "/data", "/get"}) {
                for (String accept : new String[] {jelly, "text/html, " + jelly + ";q=0.9", jelly + ", application/trig;q=0.1"}) {
                    HttpResponse<byte[]> answer = get("GET", fuseki.url() + path, accept);
                    assertEquals(200, answer.statusCode());
                    assertEquals(jelly, answer.headers().firstValue("Content-Type").orElse(""), accept);
                    List<String> rows = new ArrayList<>();
                    try (RdfReader<byte[]> reader = new RdfReader<>(new ByteArrayInputStream(answer.body()), "test",
                            new Utf8Terms(), ReadOptions.STRICT)) {
                        reader.readAll((s, p, o, g) -> rows.add(new String(o, UTF_8)));
                    }
                    assertEquals(all(stock.url(), true).size(), rows.size());
                    assertEquals(jelly, get("HEAD", fuseki.url() + path, accept).headers().firstValue("Content-Type").orElse(""));
                }
                for (String accept : new String[] {null, "*/*", "application/trig", "application/n-quads, " + jelly + ";q=0.5"}) {
                    for (String method : new String[] {"GET", "HEAD"}) {
                        HttpResponse<byte[]> answer = get(method, fuseki.url() + path, accept);
                        HttpResponse<byte[]> asEver = get(method, stock.url() + path, accept);
                        assertEquals(asEver.statusCode(), answer.statusCode());
                        assertEquals(asEver.headers().firstValue("Content-Type"), answer.headers().firstValue("Content-Type"));
                        assertTrue(answer.headers().firstValue(QuadsProtocol.QUADS).isEmpty());
                    }
                }
                HttpResponse<byte[]> graph = get("GET", fuseki.url() + path + "?default", jelly);
                assertFalse(graph.headers().firstValue("Content-Type").orElse("").equals(jelly), "of a graph, Fuseki's own");
            }
        }
    }

    // --- other servers

    /** Says that it gives quads, where a test does, and then gives what the test says. */
    private static HttpServer server(Answer quads) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/ds", exchange -> {
            try (exchange) {
                if (!exchange.getRequestMethod().equals("HEAD")) {
                    quads.to(exchange);
                } else {
                    if (quads instanceof Quads) {
                        exchange.getResponseHeaders().set(QuadsProtocol.QUADS, QuadsProtocol.VERSION);
                    }
                    exchange.sendResponseHeaders(200, -1);
                }
            }
        });
        server.start();
        return server;
    }

    /** What a server answers that says that it gives quads. */
    private interface Quads extends Answer {
    }

    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private static FusekiDataset at(HttpServer server) {
        return new FusekiDataset(FusekiOptions.of("http://localhost:" + server.getAddress().getPort() + "/ds")
                .withHttp(http -> http.withAttempts(1)));
    }

    /** As a server that fails in the middle, and ends its answer. */
    @Test
    void anAnswerThatEndsBeforeItsEndIsAnError() throws Exception {
        byte[] whole;
        try (TestFuseki fuseki = TestFuseki.withModule()) {
            Txn.executeWrite(fuseki.dataset(), () -> IntStream.range(0, 3000).forEach(i -> fuseki.dataset().add(
                    Quad.defaultGraphIRI, ODD[0], NodeFactory.createURI("urn:p"), NodeFactory.createLiteralString("" + i))));
            whole = get("GET", fuseki.url(), QuadsProtocol.JELLY).body();
        }
        List<Integer> ends = new ArrayList<>();
        for (int at = 0; at < whole.length; ) {
            ends.add(at);
            at += 2 + (whole[at] & 0x7F | whole[at + 1] << 7); // frames of 128 to 16,383 bytes
        }
        assertTrue(ends.size() > 2, ends.toString());
        for (int end : Stream.concat(ends.stream(), Stream.of(1, 100, whole.length - 1)).toList()) {
            HttpServer server = server((Quads) exchange -> {
                exchange.getResponseHeaders().set(QuadsProtocol.QUADS, QuadsProtocol.VERSION);
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write(whole, 0, end);
            });
            try (FusekiDataset dataset = at(server); QuadCursor rows = dataset.rows()) {
                UncheckedIOException failure = assertThrows(UncheckedIOException.class,
                        () -> rows.forEachRemaining(quad -> { }), end + " bytes");
                HttpException cut = assertInstanceOf(HttpException.class, failure.getCause());
                assertTrue(cut.getMessage().contains("/ds: the answer ends in the middle"), cut.getMessage());
            } finally {
                server.stop(0);
            }
        }
    }

    /** As a Fuseki of an old Jena, or another server. */
    @Test
    void ofAServerThatSendsAllInAnotherFormatLittleIsRead() throws Exception {
        int most = 256 << 20;
        AtomicInteger sent = new AtomicInteger();
        HttpServer server = server(exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/trig");
            exchange.sendResponseHeaders(200, 0);
            byte[] piece = new byte[1 << 16];
            while (sent.get() < most) {
                exchange.getResponseBody().write(piece); // fails when the client has closed the connection
                sent.addAndGet(piece.length);
            }
        });
        try (FusekiDataset dataset = at(server)) {
            assertNull(dataset.download(false, false));
        } finally {
            server.stop(0);
        }
        assertTrue(sent.get() < most, sent.toString());
    }

    /** Between the question and the answer. */
    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 406, 500})
    void aRefusalLeavesItToAQuery(int status) throws Exception {
        HttpServer server = server((Quads) exchange -> exchange.sendResponseHeaders(status, -1));
        try (FusekiDataset dataset = at(server)) {
            assertNull(dataset.download(false, false));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void theTemporaryFileGoesWithTheRows() throws Exception {
        Path file = folder.resolve("rows.jelly");
        try (TestFuseki fuseki = TestFuseki.withModule()) {
            addOddQuads(fuseki.dataset());
            assertNotNull(new FusekiClient(FusekiOptions.of(fuseki.url())).fetchQuads(file));
        }
        DownloadedRows rows = DownloadedRows.ofJelly(file, URI.create("http://host/ds"), false, null);
        assertNotNull(rows.next());
        assertTrue(Files.exists(file));
        rows.close();
        assertFalse(Files.exists(file));
    }
}
