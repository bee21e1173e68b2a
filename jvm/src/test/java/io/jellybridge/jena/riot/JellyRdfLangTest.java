package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jellybridge.SharedFiles;
import io.jellybridge.codec.Checksums;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.jena.atlas.RuntimeIOException;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.LangBuilder;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.riot.RDFFormat;
import org.apache.jena.riot.RDFLanguages;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.RDFParserRegistry;
import org.apache.jena.riot.RDFWriterRegistry;
import org.apache.jena.riot.ReaderRIOTFactory;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.system.ErrorHandler;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFLib;
import org.apache.jena.riot.system.StreamRDFOps;
import org.apache.jena.riot.system.StreamRDFWriter;
import org.apache.jena.riot.tokens.Token;
import org.apache.jena.riot.tokens.TokenType;
import org.apache.jena.riot.tokens.Tokenizer;
import org.apache.jena.riot.tokens.TokenizerText;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.graph.GraphFactory;
import org.apache.jena.sparql.util.IsoMatcher;
import org.apache.jena.sys.JenaSubsystemLifecycle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JellyRdfLangTest {
    private static final String DATA = """
            PREFIX ex: <http://e/>
            PREFIX : <http://other/#>
            ex:s ex:p ex:o , "x"@en , "x"@ar--rtl , 42 , "042"^^ex:type , "" , "tab\\tNUL" , <http://e/a/../%41?q#é> .
            ex:s ex:p <<( ex:a ex:b <<( _:x ex:p "t" )>> )>> .
            _:x ex:p _:y .
            ex:g { ex:s ex:p _:x . :t :p 1.5 }
            _:y { ex:s ex:p ex:o }
            """;

    private static ReaderRIOTFactory before;

    @TempDir
    Path folder;

    /** Where another library of Jelly is on the class path too, that one reads; here ours is tested. */
    @BeforeAll
    static void readWithOurs() {
        before = RDFParserRegistry.getFactory(JellyRdfLang.JELLY);
        RDFParserRegistry.registerLangQuads(JellyRdfLang.JELLY, JellyRdfParser::new);
    }

    @AfterAll
    static void readAsBefore() {
        RDFParserRegistry.registerLangQuads(JellyRdfLang.JELLY, before);
    }

    private static DatasetGraph data() {
        DatasetGraph data = DatasetGraphFactory.create();
        RDFParser.fromString(DATA, Lang.TRIG).parse(data);
        return data;
    }

    private static DatasetGraph read(byte[] stream) {
        DatasetGraph found = DatasetGraphFactory.create();
        RDFParser.source(new ByteArrayInputStream(stream)).lang(JellyRdfLang.JELLY).parse(found);
        return found;
    }

    private static byte[] write(DatasetGraph dataset, RDFFormat format) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RDFDataMgr.write(out, dataset, format);
        return out.toByteArray();
    }

    private static RdfOptions options(byte[] stream) throws IOException {
        try (RdfReader<Node> reader = new RdfReader<>(
                new ByteArrayInputStream(stream), null, new NodeTerms(), ReadOptions.STRICT)) {
            reader.readAll((subject, predicate, object, graph) -> { });
            return reader.options();
        }
    }

    private static void assertSameData(DatasetGraph expected, DatasetGraph found) {
        assertTrue(IsoMatcher.isomorphic(expected, found), () -> "expected " + expected + " but found " + found);
    }

    // --- registration

    @Test
    void jenaFindsTheLanguageByItselfByNameTypeAndSuffix() {
        assertTrue(ServiceLoader.load(JenaSubsystemLifecycle.class).stream()
                .anyMatch(provider -> provider.type() == JellyRdfSubsystem.class));
        assertEquals(JellyRdfLang.JELLY, RDFLanguages.nameToLang("jelly"));
        assertEquals(JellyRdfLang.JELLY, RDFLanguages.contentTypeToLang("application/x-jelly-rdf"));
        assertEquals(JellyRdfLang.JELLY, RDFLanguages.pathnameToLang("dir/all.jelly"));
        assertEquals(JellyRdfLang.JELLY, RDFLanguages.pathnameToLang("http://e/all.jelly.gz"));
        assertTrue(RDFLanguages.isTriples(JellyRdfLang.JELLY) && RDFLanguages.isQuads(JellyRdfLang.JELLY));
        assertTrue(RDFWriterRegistry.contains(JellyRdfLang.JELLY) && StreamRDFWriter.registered(JellyRdfLang.JELLY));
    }

    @Test
    void registeringAgainChangesNothingAndWhatAnotherLibraryRegisteredStays() {
        ReaderRIOTFactory ours = RDFParserRegistry.getFactory(JellyRdfLang.JELLY);
        RDFFormat format = RDFWriterRegistry.defaultSerialization(JellyRdfLang.JELLY);
        ReaderRIOTFactory theirs = (lang, profile) -> null;
        RDFParserRegistry.registerLangQuads(JellyRdfLang.JELLY, theirs);
        try {
            new JellyRdfSubsystem().start();
            assertSame(theirs, RDFParserRegistry.getFactory(JellyRdfLang.JELLY));
            assertSame(format, RDFWriterRegistry.defaultSerialization(JellyRdfLang.JELLY));
        } finally {
            RDFParserRegistry.registerLangQuads(JellyRdfLang.JELLY, ours);
        }
    }

    @Test
    void aLanguageOfAnotherLibraryThatIsTheSameIsNoConflict() {
        Lang theirs = LangBuilder.create("Jelly", "application/x-jelly-rdf")
                .addAltNames("JELLY").addFileExtensions("jelly").build();
        RDFLanguages.register(theirs);
        assertEquals(JellyRdfLang.JELLY, theirs);
    }

    // --- writing and reading

    static List<RDFFormat> datasetFormats() {
        return List.of(JellyRdfLang.JELLY_ALL, JellyRdfLang.JELLY_GRAPHS, JellyRdfLang.JELLY_PLAIN);
    }

    @ParameterizedTest
    @MethodSource("datasetFormats")
    void aDatasetIsReadAsItWasWritten(RDFFormat format) throws IOException {
        DatasetGraph data = data();
        if (format == JellyRdfLang.JELLY_PLAIN) {
            List<Quad> star = new ArrayList<>();
            Iter.asStream(data.find()).filter(quad -> quad.getObject().isTripleTerm()).forEach(star::add);
            star.forEach(data::delete);
        }
        byte[] written = write(data, format);
        DatasetGraph found = read(written);
        assertSameData(data, found);

        boolean plain = format == JellyRdfLang.JELLY_PLAIN;
        RdfOptions options = options(written);
        assertEquals(format == JellyRdfLang.JELLY_GRAPHS ? PhysicalType.GRAPHS : PhysicalType.QUADS,
                options.physicalType());
        assertEquals(!plain, options.rdfStar());
        assertEquals(plain ? RdfOptions.VERSION_1 : RdfOptions.VERSION_2, options.version());
        assertEquals(plain ? 0 : 2, found.prefixes().size());
        assertEquals(plain ? null : "http://other/#", found.prefixes().get(""));
    }

    static List<RDFFormat> graphFormats() {
        return List.of(JellyRdfLang.JELLY_ALL, JellyRdfLang.JELLY_TRIPLES);
    }

    @ParameterizedTest
    @MethodSource("graphFormats")
    void aGraphIsWrittenAsTriplesAndReadIntoGraphsAndDatasets(RDFFormat format) throws IOException {
        Graph data = data().getDefaultGraph();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RDFDataMgr.write(out, data, format);
        assertEquals(PhysicalType.TRIPLES, options(out.toByteArray()).physicalType());

        Graph found = GraphFactory.createDefaultGraph();
        RDFDataMgr.read(found, new ByteArrayInputStream(out.toByteArray()), JellyRdfLang.JELLY);
        assertTrue(IsoMatcher.isomorphic(data, found));
        assertTrue(IsoMatcher.isomorphic(data, read(out.toByteArray()).getDefaultGraph()));
        assertEquals("http://e/", found.getPrefixMapping().getNsPrefixURI("ex"));
    }

    @Test
    void theQuadsOfTheDefaultGraphAreReadIntoAGraph() {
        Graph found = GraphFactory.createDefaultGraph();
        RDFDataMgr.read(found, new ByteArrayInputStream(write(data(), JellyRdfLang.JELLY_ALL)), JellyRdfLang.JELLY);
        assertTrue(IsoMatcher.isomorphic(data().getDefaultGraph(), found));
    }

    static List<RDFFormat> streamFormats() {
        return List.of(JellyRdfLang.JELLY_ALL, JellyRdfLang.JELLY_GRAPHS);
    }

    @ParameterizedTest
    @MethodSource("streamFormats")
    void aStreamOfTriplesAndQuadsIsReadAsItWasWritten(RDFFormat format) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StreamRDF stream = StreamRDFWriter.getWriterStream(out, format);
        DatasetGraph data = data();
        StreamRDFOps.datasetToStream(data, stream);
        assertSameData(data, read(out.toByteArray()));
    }

    @Test
    void theOutputStaysOpenAfterAStreamAndWasFlushed() {
        boolean[] seen = new boolean[2];
        OutputStream out = new ByteArrayOutputStream() {
            @Override
            public void flush() {
                seen[0] = true;
            }

            @Override
            public void close() {
                seen[1] = true;
            }
        };
        StreamRDFOps.datasetToStream(data(), StreamRDFWriter.getWriterStream(out, JellyRdfLang.JELLY_ALL));
        assertTrue(seen[0]);
        assertFalse(seen[1]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"data.jelly", "data.jelly.gz"})
    void anyJenaProgramReadsAFileByItsName(String name) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(Files.newOutputStream(file))
                : Files.newOutputStream(file)) {
            out.write(write(data(), JellyRdfLang.JELLY_ALL));
        }
        assertSameData(data(), RDFDataMgr.loadDatasetGraph(file.toString()));
        assertSameData(data(), RDFParser.source(file.toString()).toDatasetGraph());
    }

    @Test
    void anIriIsNotResolvedNorNormalised() {
        Triple triple = Triple.create(NodeFactory.createURI("relative"), NodeFactory.createURI("http://E/a/./../%7e"),
                NodeFactory.createURI(""));
        Graph data = GraphFactory.createDefaultGraph();
        data.add(triple);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RDFDataMgr.write(out, data, JellyRdfLang.JELLY_TRIPLES);
        assertEquals(triple, read(out.toByteArray()).getDefaultGraph().find().next());
    }

    // --- blank nodes

    @Test
    void labelsBelongToTheirDocumentUnlessTheParserIsBuiltToKeepThem() {
        Node label = NodeFactory.createBlankNode("my label");
        Graph data = GraphFactory.createDefaultGraph();
        data.add(label, NodeFactory.createURI("http://e/p"), label);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RDFDataMgr.write(out, data, JellyRdfLang.JELLY_TRIPLES);

        List<Node> subjects = new ArrayList<>();
        for (LabelToNode policy : Arrays.asList(null, null, LabelToNode.createUseLabelAsGiven())) {
            Graph found = GraphFactory.createDefaultGraph();
            RDFParser.source(new ByteArrayInputStream(out.toByteArray())).lang(JellyRdfLang.JELLY)
                    .labelToNode(policy == null ? LabelToNode.createScopeByDocumentHash() : policy).parse(found);
            Triple triple = found.find().next();
            assertEquals(triple.getSubject(), triple.getObject());
            subjects.add(triple.getSubject());
        }
        assertNotEquals(label, subjects.get(0));
        assertNotEquals(subjects.get(0), subjects.get(1));
        assertEquals(label, subjects.get(2));
    }

    // --- what is no plain RDF

    @Test
    void generalizedStatementsThatTheStreamAnnouncesAreRead() {
        Node literal = NodeFactory.createLiteralString("x");
        DatasetGraph data = DatasetGraphFactory.create();
        data.add(Quad.create(NodeFactory.createURI("http://e/g"), literal, NodeFactory.createBlankNode("p"), literal));
        assertSameData(data, read(write(data, JellyRdfLang.JELLY_ALL)));
    }

    @Test
    void generalizedStatementsThatTheStreamDoesNotAnnounceAreRefusedAsInAnyReaderOfRiot() {
        DatasetGraph data = DatasetGraphFactory.create();
        Node iri = NodeFactory.createURI("http://e/x");
        data.add(Quad.create(iri, NodeFactory.createLiteralString("x"), iri, iri));
        byte[] stream = write(data, JellyRdfLang.JELLY_ALL);
        int announced = new String(stream, ISO_8859_1).indexOf("\u0018\u0001\u0020\u0001"); // the last is of rdfStar
        stream[announced + 1] = 0;
        String message = assertThrows(RiotException.class, () -> read(Checksums.renewed(stream))).getMessage();
        assertTrue(message.contains("literal"), message);
    }

    @Test
    void thePlainFormatRefusesTripleTermsAndGeneralizedStatements() {
        DatasetGraph star = DatasetGraphFactory.create();
        Node iri = NodeFactory.createURI("http://e/x");
        star.add(Quad.create(Quad.defaultGraphIRI, iri, iri, NodeFactory.createTripleTerm(iri, iri, iri)));
        DatasetGraph generalized = DatasetGraphFactory.create();
        generalized.add(Quad.create(Quad.defaultGraphIRI, NodeFactory.createLiteralString("s"), iri, iri));
        for (DatasetGraph data : List.of(star, generalized)) {
            RiotException refused =
                    assertThrows(RiotException.class, () -> write(data, JellyRdfLang.JELLY_PLAIN));
            assertEquals("R-24", assertInstanceOf(FormatException.class, refused.getCause()).rule());
        }
    }

    @Test
    void theTriplesFormatRefusesANamedGraph() {
        StreamRDF stream = StreamRDFWriter.getWriterStream(new ByteArrayOutputStream(), JellyRdfLang.JELLY_TRIPLES);
        Node iri = NodeFactory.createURI("http://e/x");
        stream.quad(Quad.create(Quad.defaultGraphNodeGenerated, iri, iri, iri));
        RiotException refused = assertThrows(RiotException.class, () -> stream.quad(Quad.create(iri, iri, iri, iri)));
        assertEquals("R-11", assertInstanceOf(FormatException.class, refused.getCause()).rule());
    }

    // --- errors

    @Test
    void aBrokenStreamEndsInARiotExceptionWithRuleAndPlaceAndTheHandlerIsTold() {
        byte[] whole = write(data(), JellyRdfLang.JELLY_ALL);
        List<String> told = new ArrayList<>();
        ErrorHandler handler = new ErrorHandler() {
            @Override
            public void warning(String message, long line, long col) {
                told.add("warning: " + message);
            }

            @Override
            public void error(String message, long line, long col) {
                told.add("error: " + message);
            }

            @Override
            public void fatal(String message, long line, long col) {
                told.add("fatal: " + message);
            }
        };
        RiotException thrown = assertThrows(RiotException.class,
                () -> RDFParser.source(new ByteArrayInputStream(whole, 0, whole.length - 7)).lang(JellyRdfLang.JELLY)
                        .base("http://e/data.jelly").errorHandler(handler).parse(StreamRDFLib.sinkNull()));
        FormatException cause = assertInstanceOf(FormatException.class, thrown.getCause());
        assertEquals("R-92", cause.rule());
        assertEquals("http://e/data.jelly", cause.file());
        assertEquals(cause.getMessage(), thrown.getMessage());
        assertEquals(List.of("fatal: " + cause.getMessage()), told);
    }

    @Test
    void aLiteralThatJenaFailsOnIsRefusedByRule() {
        DatasetGraph data = DatasetGraphFactory.create();
        Node iri = NodeFactory.createURI("http://e/x");
        data.add(Quad.create(Quad.defaultGraphIRI, iri, iri, TestPatches.LONG_TIME));
        byte[] stream = write(data, JellyRdfLang.JELLY_ALL);
        // Jena 6 can hold it, but RIOT looks at the value, and fails then.
        RiotException refused = assertThrows(RiotException.class, () -> read(stream));
        assertEquals("term", assertInstanceOf(FormatException.class, refused.getCause()).rule());
        assertTrue(refused.getMessage().contains(TestPatches.LONG_TIME.getLiteralLexicalForm()), refused.getMessage());
    }

    @Test
    void whatIsNotJellyIsRefusedByRule() {
        for (String text : List.of("", "<http://e/s> <http://e/p> <http://e/o> .\n")) {
            RiotException thrown = assertThrows(RiotException.class, () -> read(text.getBytes(UTF_8)));
            assertTrue(thrown.getMessage().startsWith("[R-"), thrown.getMessage());
        }
    }

    @Test
    void anInputThatFailsIsAnInputOutputErrorAsInAllOfRiot() {
        ByteArrayInputStream failing = new ByteArrayInputStream(new byte[0]) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                throw new RuntimeIOException(new IOException("gone"));
            }
        };
        assertThrows(RuntimeIOException.class, () -> RDFParser.source(failing).lang(JellyRdfLang.JELLY)
                .parse(StreamRDFLib.sinkNull()));
    }

    @Test
    void charactersAreNoInputAndNoOutput() {
        assertTrue(assertThrows(RiotException.class, () -> RDFParser.fromString("x", JellyRdfLang.JELLY)
                .parse(StreamRDFLib.sinkNull())).getMessage().contains("binary"));
        assertTrue(assertThrows(RiotException.class, () -> new JellyRdfLang.Writers(JellyRdfLang.JELLY_ALL)
                .write(new StringWriter(), data(), null, null, null)).getMessage().contains("binary"));
    }

    // --- conformance

    @TestFactory
    Stream<DynamicTest> everyGoodStreamOfTheConformanceDataIsReadAsTheDatasetThatItIs() throws IOException {
        Path data = SharedFiles.folder("conformance");
        return Files.readString(data.resolve("cases.tsv")).lines()
                .map(line -> line.split("\t", -1))
                .filter(cells -> cells[1].equals("rdf-from-jelly-pos"))
                .map(cells -> dynamicTest(cells[0], () -> check(data, cells)));
    }

    private static void check(Path data, String[] cells) throws IOException {
        DatasetGraph found = RDFDataMgr.loadDatasetGraph(data.resolve(cells[3]).toUri().toString());
        DatasetGraph expected = DatasetGraphFactory.create();
        for (String file : cells[5].split(",")) {
            Tokenizer tokens = TokenizerText.fromString(Files.readString(data.resolve(file)));
            while (tokens.hasNext()) {
                expected.add(statement(tokens));
            }
        }
        assertSameData(expected, found);
    }

    /** A line of the files, whose RDF-star and generalized statements Jena's own parsers do not take. */
    private static Quad statement(Tokenizer tokens) {
        List<Node> terms = new ArrayList<>();
        for (Token token = tokens.next(); !token.hasType(TokenType.DOT); token = tokens.next()) {
            terms.add(term(token, tokens));
        }
        return Quad.create(terms.size() > 3 ? terms.get(3) : Quad.defaultGraphIRI,
                terms.get(0), terms.get(1), terms.get(2));
    }

    private static Node term(Token token, Tokenizer tokens) {
        if (!token.hasType(TokenType.LT2)) {
            return token.asNode();
        }
        Node triple = NodeFactory.createTripleTerm(
                term(tokens.next(), tokens), term(tokens.next(), tokens), term(tokens.next(), tokens));
        assertTrue(tokens.next().hasType(TokenType.GT2));
        return triple;
    }

    @Test
    void aJenaThatIsTooOldIsRefusedWithTheJarThatItIsIn() {
        JellyRdfSubsystem.requireTripleTerms(NodeFactory.class);
        IllegalStateException refusal =
                assertThrows(IllegalStateException.class, () -> JellyRdfSubsystem.requireTripleTerms(Test.class));
        assertTrue(refusal.getMessage().matches(".*needs Apache Jena .* in file:.*junit.*\\.jar; .*"), refusal.getMessage());
    }
}
