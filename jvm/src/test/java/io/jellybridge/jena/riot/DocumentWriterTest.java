package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.convert.Conversion;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.util.IsoMatcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentWriterTest {
    private static final String RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
    private static final String VOCABULARY = """
            @prefix ex: <http://example.org/> .
            @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
            ex:red a skos:Concept ; skos:prefLabel "red"@en-GB , "rot"@de ; skos:broader ex:colour .
            ex:colour skos:member ( ex:red ex:green ( "a" ) ) ; skos:note [ ex:by [ ex:name "x\\r\\n\\ty" ] ] .
            ex:blue ex:count 01 , 1 , 1.50 , 1e0 , true ; ex:a%20b "<&>" .
            [] ex:alone [] .
            """;

    @TempDir
    Path folder;

    private Path convert(String name, String content, String output) throws IOException {
        Path in = Files.writeString(folder.resolve(name), content);
        Path out = folder.resolve(output);
        new Conversion(List.of(new FileLocation(in.toString())), null, new FileLocation(out.toString()), null, ConvertOptions.of(Map.of()),
                new ProgressMeter(), null).run();
        return out;
    }

    private static DatasetGraph read(Path file) {
        return RDFDataMgr.loadDatasetGraph(file.toString());
    }

    private static DatasetGraph parse(String text, Lang lang) {
        DatasetGraph found = DatasetGraphFactory.create();
        RDFParser.create().fromString(text).lang(lang).parse(found);
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ttl", "trig", "rdf", "owl", "jsonld", "rj", "trix", "ttl.gz"})
    void aVocabularyIsTheSameAfterwards(String suffix) throws IOException {
        String safe = suffix.equals("trix") ? VOCABULARY.replace("\\r\\n\\t", "") : VOCABULARY;
        Path out = convert("in.ttl", safe, "out." + suffix);
        assertTrue(IsoMatcher.isomorphic(read(folder.resolve("in.ttl")), read(out)), Files.size(out) + " bytes");
    }

    @Test
    void turtleHasPrefixesNestedNodesAndListsInTheOrderOfTheInput() throws IOException {
        String text = Files.readString(convert("in.ttl", VOCABULARY, "out.ttl")).replaceAll("\\s+", " ");
        assertTrue(text.contains("@prefix skos: <http://www.w3.org/2004/02/skos/core#> ."), text);
        assertTrue(text.contains("skos:prefLabel \"red\"@en-GB , \"rot\"@de"), text);
        assertTrue(text.contains("( ex:red ex:green ( \"a\" ) )"), text);
        assertTrue(text.contains("[ ex:by [ ex:name "), text);
        assertTrue(text.indexOf(" ex:red a ") < text.indexOf(" ex:colour skos:member ")
                && text.indexOf(" ex:colour skos:member ") < text.indexOf(" ex:blue "), text);
    }

    /** Jena's writer of Turtle loses statements of blank nodes in a ring, and writes others twice. */
    @ParameterizedTest
    @ValueSource(strings = {"ttl", "trig", "rdf", "jsonld"})
    void blankNodesInARingAreKept(String suffix) throws IOException {
        Random random = new Random(5);
        for (int i = 0; i < 60; i++) {
            StringBuilder quads = new StringBuilder(i > 0 ? "" : """
                    _:a <http://e.x/p> _:b .
                    _:a <http://e.x/p> _:c .
                    _:b <http://e.x/q> _:a .
                    _:c <http://e.x/q> _:d .
                    _:d <http://e.x/p> "z" .
                    """);
            for (int n = i == 0 ? 0 : 1 + random.nextInt(10); n > 0; n--) {
                quads.append("_:n" + random.nextInt(6) + " <http://e.x/p" + random.nextInt(2) + "> "
                        + (random.nextInt(4) == 0 ? "\"x\"" : "_:n" + random.nextInt(6)) + " .\n");
            }
            Path out = convert(i + ".nq", quads.toString(), i + "." + suffix);
            assertTrue(IsoMatcher.isomorphic(read(folder.resolve(i + ".nq")), read(out)), () -> quads.toString());
        }
    }

    /** Jena's writer looks neither into triple terms nor at names of graphs where it leaves labels out. */
    @ParameterizedTest
    @ValueSource(strings = {
        "_:a <urn:p> \"x\" .\n<urn:r> <urn:q> <<( _:a <urn:q> <urn:o> )>> <urn:g> .\n",
        "<urn:s> <urn:p> _:l .\n_:l <" + RDF + "first> \"1\" .\n_:l <" + RDF + "rest> <" + RDF + "nil> .\n"
                + "<urn:r> <urn:q> <<( <urn:s> <urn:p> _:l )>> .\n",
        "<urn:s> <urn:p> _:l .\n_:l <" + RDF + "first> \"1\" .\n_:l <" + RDF + "rest> <" + RDF + "nil> .\n"
                + "<urn:s> <urn:p> <urn:o> _:l .\n"})
    void aBlankNodeInATripleTermOrANameOfAGraphIsTheSameNode(String quads) throws IOException {
        Path out = convert("in.nq", quads, "out.trig");
        assertTrue(IsoMatcher.isomorphic(read(folder.resolve("in.nq")), read(out)), Files.readString(out));
    }

    @Test
    void nQuadsWithoutGraphsBecomeTurtle() throws IOException {
        String text = Files.readString(convert("in.nq", "<http://e/s> <http://e/p> \"x\"@en-GB .\n", "out.ttl"));
        assertEquals("<http://e/s>  <http://e/p>  \"x\"@en-GB .", text.strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ttl", "rdf", "rj"})
    void aNamedGraphIsRefusedWhereThereIsNone(String suffix) {
        FormatException refused = assertThrows(FormatException.class, () -> convert("in.nq",
                "<http://e/s> <http://e/p> \"x\" .\n<http://e/s> <http://e/p> \"x\" <http://e/g> .\n", "out." + suffix));
        assertTrue(refused.getMessage().contains("the named graph <http://e/g>"), refused.getMessage());
        assertTrue(refused.getMessage().contains("write trig, nquads or jelly"), refused.getMessage());
        assertFalse(Files.exists(folder.resolve("out." + suffix)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"trig", "jsonld", "trix"})
    void namedGraphsAreKept(String suffix) throws IOException {
        String quads = "<http://e/s> <http://e/p> _:b <http://e/g> .\n_:b <http://e/p> \"x\" _:g .\n_:g <http://e/p> \"y\" .\n";
        Path out = convert("in.nq", quads, "out." + suffix);
        assertTrue(IsoMatcher.isomorphic(read(folder.resolve("in.nq")), read(out)), Files.readString(out));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdf", "jsonld", "rj", "trix"})
    void whatASyntaxCanNotHoldIsAnErrorAndNoFileIsMade(String suffix) {
        for (String object : List.of("<<( <http://e/s> <http://e/p> \"x\" )>>", "\"x\"@en--ltr", "\"a\\u0001b\"")) {
            if (object.contains("u0001") && !suffix.equals("rdf") && !suffix.equals("trix")) {
                continue; // JSON has an escape for it
            }
            FormatException refused = assertThrows(FormatException.class,
                    () -> convert("in.nq", "<http://e/s> <http://e/p> " + object + " .\n", "out." + suffix), object);
            assertTrue(refused.getMessage().contains("write turtle, trig, nquads or jelly"), refused.getMessage());
            assertFalse(Files.exists(folder.resolve("out." + suffix)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ttl", "trig"})
    void turtleHoldsAll(String suffix) throws IOException {
        String quads = "<http://e/s> <http://e/p> <<( <http://e/s> <http://e/p> \"x\" )>> .\n<http://e/s> <http://e/p> "
                + "\"x\"@en--ltr .\n<http://e/s> <http://e/p> \"a\\u0001\\r\\u2028b\" .\n_:l <" + "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> _:l .\n";
        Path out = convert("in.nq", quads, "out." + suffix);
        assertTrue(IsoMatcher.isomorphic(read(folder.resolve("in.nq")), read(out)), Files.readString(out));
    }

    /** RDF/XML needs the namespace {@code urn:} for the predicate. The other IRIs are errors for RIOT's reader of RDF/XML. */
    @ParameterizedTest
    @ValueSource(strings = {"rdf", "jsonld", "rj", "trix", "ttl"})
    void anIriOfWhichRiotWarnsIsWritten(String suffix) throws IOException {
        String quads = "<http://e/s> <urn:p> \"x\" .\n"
                + (suffix.equals("rdf") ? "" : "<urn:uuid:123> <http://e/p> \"x\" .\n<http:///x> <urn:p> \"x\" .\n");
        Path out = convert("in.nq", quads, "out." + suffix);
        Path back = convert("out." + suffix, Files.readString(out), "back.nq");
        assertEquals(Set.of(quads.split("\n")), Set.copyOf(Files.readAllLines(back)));
    }

    @Test
    void nothingIsWrittenOfNothing() throws IOException {
        assertEquals("", Files.readString(convert("in.nq", "", "out.ttl")));
        assertTrue(read(convert("in2.nq", "", "out.jsonld")).isEmpty());
    }

    /** As older versions of RDFLib wrote it. */
    @ParameterizedTest
    @ValueSource(strings = {"ttl", "trig"})
    void aPrefixOfXmlThatTurtleDoesNotTakeIsLeftOut(String suffix) throws IOException {
        Path out = convert("in.rdf", "<r:RDF xmlns:r='" + RDF + "' xmlns:_3='http://e/x#'><r:Description r:about='http://e/x#s'>"
                + "<_3:p>o</_3:p></r:Description></r:RDF>", "out." + suffix);
        assertTrue(IsoMatcher.isomorphic(read(folder.resolve("in.rdf")), read(out)), Files.readString(out));
    }

    @Test
    void moreThanFitsIsWrittenSubjectBySubject() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DocumentWriter writer = new DocumentWriter(out, "out.ttl", Lang.TURTLE, 1000);
        DatasetGraph all = parse(VOCABULARY, Lang.TURTLE);
        writer.prefix("ex", "http://example.org/");
        writer.prefix("no name", "http://example.org/");
        writer.prefix("_3", "http://example.org/");
        for (var quads = all.find(); quads.hasNext(); ) {
            Quad quad = quads.next();
            writer.statement(null, quad.getSubject(), quad.getPredicate(), quad.getObject());
        }
        writer.prefix("late", "http://late.example.org/");
        writer.finish();
        String text = out.toString(UTF_8);
        assertTrue(text.contains("ex:red") && text.contains("_:b0"), text);
        assertFalse(text.contains("no name"), text);
        assertTrue(IsoMatcher.isomorphic(all, parse(text, Lang.TURTLE)), text);
    }
}
