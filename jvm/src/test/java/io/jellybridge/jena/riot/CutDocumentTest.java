package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.jena.nodes.DatasetTerms;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.system.StreamRDFBase;
import org.apache.jena.sparql.core.Quad;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that end too early, whose last statement RIOT would end. */
class CutDocumentTest {
    private static final String TURTLE = """
            @prefix ex: <http://example.org/> . # a comment. with "quotes" and <brackets
            @prefix v1.0: <http://example.org/v1.0/> .
            PREFIX sh: <http://www.w3.org/ns/shacl#>
            BASE <http://example.org/base/>
            ex:Shape a sh:NodeShape ;
                sh:property [ sh:path ex:a.b.c ; sh:minInclusive 0.5 ; sh:maxInclusive 1.5E+3 ; sh:order 12 ] ;
                sh:in ( "a#b" 'c.d' true false ex:e\\.f v1.0:g.h _:b.c 1.0e5 -.5 ) ;
                sh:message "colour. \\"x\\""@en-GB , \"""long. "quoted" text # no comment
            . over lines\"""@en , 'été.'@fr--ltr ; ;
                sh:value "1"^^ex:int.5 , <rel.5> , <http://example.org/#x.y> .
            ex:s ex:p <<( ex:s ex:p 1.25 )>> {| ex:certainty 0.9 |} ~ ex:r.1 .
            << ex:s ex:q 7.5 >> ex:said ex:bob.smith .
            [ ex:p 1.5 ] .
            ex:last ex:p true .
            ex:é ex:p ex:ü.ö, 3.14 .
            """;
    private static final String TRIG = TURTLE + """
            ex:g.1 { ex:s ex:p 1.5 . ex:s ex:p 2.5 }
            GRAPH _:g.2 { ex:s ex:p ex:o.1, ex:o.2 }
            { ex:s ex:p 3.5 }
            """;

    /** The statements of a text, blank nodes without labels. */
    private static List<String> read(String syntax, byte[] text, int length, List<String> into) throws IOException {
        RdfFile file = new RdfFile("a", "a." + syntax, "http://example.org/", syntax, false);
        InputStream in = new ByteArrayInputStream(text, 0, length);
        new RiotReader(file, new DatasetTerms()::findProblem).read(in, LabelToNode.createUseLabelAsGiven(), new StreamRDFBase() {
            @Override
            public void triple(Triple triple) {
                into.add(name(triple.getSubject()) + " " + name(triple.getPredicate()) + " " + name(triple.getObject()));
            }

            @Override
            public void quad(Quad quad) {
                triple(quad.asTriple());
                into.add(into.remove(into.size() - 1) + " " + name(quad.getGraph()));
            }

            @Override
            public void prefix(String prefix, String iri) {
                into.add("prefix " + prefix + " " + iri);
            }
        });
        return into;
    }

    private static String name(Node node) {
        return node.isBlank() ? "_:" : node.isTripleTerm() ? node.getTriple().toString() : node.toString();
    }

    private static void cutEverywhere(String syntax, String document) throws IOException {
        byte[] text = document.getBytes(UTF_8);
        Set<String> whole = new HashSet<>(read(syntax, text, text.length, new ArrayList<>()));
        int refused = 0;
        for (int length = 0; length < text.length; length++) {
            List<String> found = new ArrayList<>();
            try {
                read(syntax, text, length, found);
            } catch (FormatException | IOException e) {
                refused++;
            }
            found.removeAll(whole);
            assertTrue(found.isEmpty(), "cut to " + length + ": " + found);
        }
        assertTrue(refused > text.length / 2, refused + " refused of " + text.length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ttl", "n3"})
    void aCutOfTurtleNeverSaysWhatTheWholeDoesNot(String syntax) throws IOException {
        cutEverywhere(syntax, TURTLE);
    }

    @Test
    void aCutOfTrigNeverSaysWhatTheWholeDoesNot() throws IOException {
        cutEverywhere("trig", TRIG);
    }

    @Test
    void aCutOfTheOtherSyntaxesNeverSaysWhatTheWholeDoesNot() throws IOException {
        cutEverywhere("nt", """
                <urn:s> <urn:p> "a.b"@en-GB . # a comment.
                _:b.c <urn:p> "1"^^<urn:int.5> .
                """);
        cutEverywhere("nq", """
                <urn:s> <urn:p> "a.b"@en-GB <urn:g> .
                _:b.c <urn:p> <urn:o> _:g.h .
                """);
        cutEverywhere("rj", """
                {"urn:s": {"urn:p": [{"type": "literal", "value": "1", "lang": "en"}, {"type": "uri", "value": "urn:o"}]}}
                """);
        cutEverywhere("jsonld", """
                [{"@id": "urn:s", "urn:p": [{"@value": "12"}, {"@id": "urn:o"}]}, {"@id": "urn:t", "urn:p": [1.5]}]
                """);
        cutEverywhere("rdf", """
                <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:"><rdf:Description rdf:about="urn:s">
                <e:p>12.5</e:p><e:q rdf:resource="urn:o"/></rdf:Description></rdf:RDF>
                """);
        cutEverywhere("trix", """
                <TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><uri>urn:g</uri><triple><uri>urn:s</uri>
                <uri>urn:p</uri><plainLiteral>12</plainLiteral></triple></graph></TriX>
                """);
    }

    private static String refusal(String syntax, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return assertThrows(FormatException.class, () -> read(syntax, bytes, bytes.length, new ArrayList<>())).getMessage();
    }

    @Test
    void theErrorSaysThatTheFileEndsAndWhere() {
        String advice = "within a statement; get the file again if it was cut off, else end the statement";
        assertEquals("[Turtle] a.ttl, line 2, column 21: the end of the file " + advice,
                refusal("ttl", "# a comment\n<urn:s> <urn:p> 1234"));
        assertEquals("[TriG] a.trig, line 1, column 36: the end of the file " + advice,
                refusal("trig", "<urn:g> { <urn:s> <urn:p> <urn:o> ;"));
        assertEquals("[Turtle] a.ttl, line 3, column 1: the end of the file " + advice,
                refusal("ttl", "<urn:s> <urn:p> \"\"\"a\nb\n"));
        assertEquals("[Turtle] a.ttl, line 1, column 20: the end of the file at a dot right behind a name or number, which may "
                + "be cut off there; get the file again if it was cut off, else end it with a line break",
                refusal("ttl", "<urn:s> <urn:p> 12."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# no statement", "<urn:s> <urn:p> <urn:o>.", "<urn:s> <urn:p> \"o\".", "<urn:s> <urn:p> 'o'@en-GB.",
        "<urn:s> <urn:p> true.", "<urn:s> <urn:p> [].", "<urn:s> <urn:p> ().", "<urn:s> <urn:p> 1.\n", "<urn:s> <urn:p> 1 .",
        "<urn:s> <urn:p> 1 . # by J. Doe.", "BASE <urn:x>", "PREFIX a: <urn:a:>\r\n", "VERSION \"1.2\"", "<urn:s> <urn:p> 1 .\r",
        "<urn:s> <urn:p> \"a\\\"\".", "PREFIX e: <urn:e:> <urn:s> <urn:p> 1.\t", "@prefix a: <urn:a:>."})
    void whatIsWholeIsRead(String text) throws IOException {
        for (String syntax : Arrays.asList("ttl", "trig", "n3")) {
            byte[] bytes = text.getBytes(UTF_8);
            int expected = text.contains("<urn:s>") || text.contains("a:") ? 1 : 0;
            assertTrue(read(syntax, bytes, bytes.length, new ArrayList<>()).size() >= expected);
        }
    }

    @Test
    void aTextThatIsReadByteByByteIsTheSame() throws IOException {
        byte[] text = TURTLE.getBytes(UTF_8);
        EndMark slow = new EndMark(new ByteArrayInputStream(text));
        EndMark fast = new EndMark(new ByteArrayInputStream(text));
        int length = fast.readAllBytes().length;
        for (int i = 0; i < length; i++) {
            assertTrue(slow.read() >= 0);
        }
        assertEquals(-1, slow.read());
        assertEquals(fast.line(), slow.line());
        assertEquals(16, slow.line());
        assertEquals(1, slow.column());
    }
}
