package io.jellybridge.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people read of a difference. */
class DifferenceTextTest {
    private static final String PREFIXES = """
            @prefix ex: <https://example.org/> .
            @prefix owl: <http://www.w3.org/2002/07/owl#> .
            @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
            @prefix dct: <http://purl.org/dc/terms/> .
            """;
    @TempDir
    private Path folder;

    private ReadableDifference difference(String old, String next, String suffix) throws IOException {
        Path one = Files.writeString(folder.resolve("old" + suffix), old);
        Path other = Files.writeString(folder.resolve("new" + suffix), next);
        ConvertOptions options = ConvertOptions.strict(false);
        ProgressMeter meter = new ProgressMeter();
        try (Difference difference = Difference.keepStatements(
                new SnapshotFile(new FileLocation(one.toString()), null, options, meter),
                new SnapshotFile(new FileLocation(other.toString()), null, options, meter.fork()),
                suffix.equals(".nq") ? BlankNodes.LABEL : BlankNodes.STRUCTURE, meter)) {
            return ReadableDifference.of(difference, Map.of());
        }
    }

    private String text(String old, String next) throws IOException {
        return new DifferenceText(difference(PREFIXES + old, PREFIXES + next, ".ttl"), "a", "b", false).toText("text", false);
    }

    /** The lines of the subjects, without what stands before and after them. */
    private String body(String old, String next) throws IOException {
        String text = text(old, next);
        String body = text.substring(text.indexOf("\n\n") + 2, text.lastIndexOf("\n\n"));
        return body + "\n";
    }

    @Test
    void aChangeStandsAtItsSubjectWithPrefixesAndLabel() throws IOException {
        assertEquals("""
                --- a
                +++ b
                    prefix ex: <https://example.org/>

                  ex:f1  "fish"  a owl:Class
                -     rdfs:comment  "An animal."@en
                +     rdfs:comment  "An animal in water."@en

                - ex:old
                -     a  owl:Class

                + ex:whale
                +     a                owl:Class
                +     rdfs:label       "whale"@en
                +     rdfs:subClassOf  ex:f1  # fish

                4 statements added, 2 deleted. Subjects: 1 new, 1 deleted, 1 changed.
                """, text("""
                ex:f1 a owl:Class ; rdfs:label "fish"@en, "poisson"@fr ; rdfs:comment "An animal."@en .
                ex:old a owl:Class .
                """, """
                ex:f1 a owl:Class ; rdfs:label "fish"@en, "poisson"@fr ; rdfs:comment "An animal in water."@en .
                ex:whale a owl:Class ; rdfs:subClassOf ex:f1 ; rdfs:label "whale"@en .
                """));
    }

    @Test
    void statementsThatMovedToAnotherGraphAreCounted() throws IOException {
        ReadableDifference moved = difference("""
                <urn:a> <urn:p> "1" .
                <urn:a> <urn:p> "2" .
                <urn:b> <urn:p> "1" <urn:g> .
                <urn:c> <urn:p> "1" <urn:g> .
                """, """
                <urn:a> <urn:p> "1" <urn:g> .
                <urn:a> <urn:p> "2" <urn:g> .
                <urn:b> <urn:p> "1" <urn:h> .
                <urn:c> <urn:p> "2" <urn:h> .
                """, ".nq");
        String text = new DifferenceText(moved, "a", "b", false).toText("text", true);
        assertTrue(text.endsWith("4 statements added, 4 deleted. Subjects: 3 new, 3 deleted, 0 changed. "
                + "Moved: 2 statements from default graph to graph <urn:g>; 1 statement from graph <urn:g> to graph <urn:h>.\n"), text);
        JsonObject json = JsonParser.parseString(new DifferenceText(moved, "a", "b", false).toText("json", true)).getAsJsonObject();
        assertEquals("[{\"from\":null,\"to\":\"<urn:g>\",\"statements\":2},"
                + "{\"from\":\"<urn:g>\",\"to\":\"<urn:h>\",\"statements\":1}]", json.get("moved").toString());
    }

    @Test
    void aSubjectHasTheClassesThatItHasAfterTheChange() throws IOException {
        assertEquals("""
                  ex:leo  a ex:Lion, ex:Pet
                -     a  ex:Loin
                +     a  ex:Lion

                  ex:tom  a ex:Cat
                -     a  ex:Cat
                """, body("ex:leo a ex:Loin, ex:Pet . ex:tom a ex:Cat ; rdfs:comment 'a' .",
                "ex:leo a ex:Lion, ex:Pet . ex:tom rdfs:comment 'a' ."));
    }

    @Test
    void aBlankNodeIsWhatItSays() throws IOException {
        assertEquals("""
                  ex:Shark  a owl:Class
                -     rdfs:subClassOf  [ a owl:Restriction ; owl:onProperty ex:hasFin ; owl:minCardinality 3 ]
                +     rdfs:subClassOf  [ a owl:Restriction ; owl:onProperty ex:hasFin ; owl:minCardinality 4 ]
                """, body("ex:Shark a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty ex:hasFin ; owl:minCardinality 3 ] .",
                "ex:Shark a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty ex:hasFin ; owl:minCardinality 4 ] ."));
    }

    @Test
    void aListIsItsMembers() throws IOException {
        assertEquals("""
                  ex:s
                -     rdfs:seeAlso  ( ex:a ex:b 1 )
                +     rdfs:seeAlso  ( ex:a ex:c ex:b 1 )
                """, body("ex:s rdfs:seeAlso ( ex:a ex:b 1 ) .", "ex:s rdfs:seeAlso ( ex:a ex:c ex:b 1 ) ."));
    }

    @Test
    void ofALongDescriptionOnlyTheLinesThatChangedHaveSigns() throws IOException {
        String shape = "ex:Shape rdfs:seeAlso [ a owl:Thing ; dct:description \"a description that is long enough\" ; "
                + "rdfs:comment \"a comment that makes it too long for a line\" ; owl:hasValue %s ] .";
        assertEquals("""
                  ex:Shape
                      rdfs:seeAlso  [
                          a owl:Thing ;
                          dct:description "a description that is long enough" ;
                          rdfs:comment "a comment that makes it too long for a line" ;
                -         owl:hasValue 1 ;
                +         owl:hasValue 2 ;
                      ]
                """, body(shape.formatted("1"), shape.formatted("2")));
    }

    @Test
    void aNodeThatNothingRefersToShowsWhatDidNotChange() throws IOException {
        assertEquals("""
                  []
                      a                    owl:Axiom
                      owl:annotatedSource  ex:s
                -     rdfs:comment         "one"
                +     rdfs:comment         "two"
                """, body("[] a owl:Axiom ; owl:annotatedSource ex:s ; rdfs:comment \"one\" .",
                "[] a owl:Axiom ; owl:annotatedSource ex:s ; rdfs:comment \"two\" ."));
    }

    @Test
    void whatDidNotChangeMayHaveSeveralLines() throws IOException {
        String axiom = "[] a owl:Axiom ; owl:annotatedSource [ a owl:Thing ; dct:description \"a description that is long enough\" ; "
                + "rdfs:comment \"a comment that makes it too long for a line\" ] ; owl:annotatedTarget ex:s ; rdfs:comment \"%s\" .";
        List<String> signed = body(axiom.formatted("one"), axiom.formatted("two")).lines().filter(line -> !line.startsWith(" ")
                && !line.startsWith("[")).map(line -> line.replaceAll(" +", " ")).toList();
        assertEquals(List.of("- rdfs:comment \"one\"", "+ rdfs:comment \"two\""), signed);
    }

    @Test
    void aNodeWithoutADescriptionIsItsLabel() throws IOException {
        String text = new DifferenceText(difference("", "<urn:s> <urn:p> _:a .\n", ".nq"), "a", "b", false).toText("text", false);
        assertTrue(text.contains("+     <urn:p>  _:a\n"), text);
    }

    @Test
    void nodesInACircleAndNodesWithTwoReferencesKeepTheirLabels() throws IOException {
        String circle = "_:a <urn:p> _:b <urn:g> .\n_:b <urn:p> _:a <urn:g> .\n_:c <urn:q> _:a <urn:g> .\n";
        String text = new DifferenceText(difference("", circle, ".nq"), "a", "b", false).toText("text", false);
        assertTrue(text.contains("graph <urn:g>\n"), text);
        assertTrue(text.contains("+ _:a\n+     <urn:p>  [ <urn:p> _:a ]\n"), text);
        assertTrue(text.contains("+ []\n+     <urn:q>  _:a\n"), text);
        String two = "_:a <urn:p> _:b .\n_:b <urn:p> _:a .\n";
        text = new DifferenceText(difference("", two, ".nq"), "a", "b", false).toText("text", false);
        assertTrue(text.contains("+ _:a\n+     <urn:p>  _:b\n\n+ _:b\n+     <urn:p>  _:a\n"), text);
        String self = new DifferenceText(difference("", "_:a <urn:p> _:a .\n", ".nq"), "a", "b", false).toText("text", false);
        assertTrue(self.contains("+     <urn:p>  _:a"), self);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "a\\u202eb\\u009bc"        | "a\\u202Eb\\u009Bc"
            _:a\\u202eb               | _:a\\u202Eb
            "say \\"x\\""              | 'say "x"'
            "it's \\"x\\""             | "it's \\"x\\""
            "1.5"^^<http://www.w3.org/2001/XMLSchema#decimal>  | 1.5
            "01"^^<http://www.w3.org/2001/XMLSchema#integer>   | 01
            "x"^^<http://www.w3.org/2001/XMLSchema#integer>    | "x"^^xsd:integer
            <https://example.org/a/b>  | <https://example.org/a/b>
            <https://example.org/a.>   | <https://example.org/a.>
            <https://example.org/>     | ex:
            <http://schema.org/name>   | schema:name
            <<( <https://example.org/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "a b" )>> | <<( ex:a a "a b" )>>
            """)
    void aTermIsTurtle(String term, String shown) {
        String raw = term.replace("\\u202e", "\u202e").replace("\\u009b", "\u009b");
        assertEquals(shown, new PrefixedTerms(Map.of(), Map.of("ex", "https://example.org/")).show(raw));
    }

    @Test
    void aPrefixMeansOneNamespace() {
        PrefixedTerms names = new PrefixedTerms(Map.of("s", "http://schema.org/"), Map.of("s", "urn:other:", "rdfs", "urn:mine:"));
        assertEquals("s:a", names.show("<http://schema.org/a>"));
        assertEquals("<urn:other:a>", names.show("<urn:other:a>"));
        assertEquals("schema:a", names.show("<https://schema.org/a>"));
        assertEquals("rdfs:a", names.show("<urn:mine:a>"));
        assertEquals("<http://www.w3.org/2000/01/rdf-schema#a>", names.show("<http://www.w3.org/2000/01/rdf-schema#a>"));
        assertEquals("{rdfs=urn:mine:, s=http://schema.org/, schema=https://schema.org/}", names.legend().toString());
    }

    @Test
    void eachPrefixOfANamespaceIsExpanded() {
        PrefixedTerms names = new PrefixedTerms(Map.of("s", "urn:s:"), Map.of("z", "urn:zoo:", "zoo", "urn:zoo:", "s", "urn:other:"));
        assertEquals(List.of("urn:zoo:a", "urn:zoo:a", "urn:s:a", PrefixedTerms.RDFS + "label", "https://a.example/b"),
                Stream.of("z:a", "zoo:a", "s:a", "rdfs:label", "https://a.example/b").map(names::expandIri).toList());
        assertNull(names.expandIri("ex:a"));
    }

    @Test
    void whatATerminalWouldObeyIsNoPrefix() {
        PrefixedTerms names = new PrefixedTerms(Map.of(), Map.of("a\u001b[2J", "urn:a:", "b", "urn:b\u009b:"));
        assertEquals("<urn:a:x>", names.show("<urn:a:x>"));
        assertEquals("b:x", names.show("<urn:b\u009b:x>"));
        assertEquals("urn:b\\u009B:", PrefixedTerms.toVisible(names.legend().get("b")));
    }

    @Test
    void markdownHasASectionForEachKind() throws IOException {
        ReadableDifference difference = difference(PREFIXES + "ex:a a owl:Class .", PREFIXES + "ex:b rdfs:label \"<b>\" .", ".ttl");
        assertEquals("""
                # Changes from `a` to `b`

                1 statement added, 1 deleted. Subjects: 1 new, 1 deleted, 0 changed.

                Prefixes: `ex: <https://example.org/>`.

                ## New

                ### `ex:b`

                ```diff
                + ex:b
                +     rdfs:label  "<b>"
                ```

                ## Deleted

                ### `ex:a`

                ```diff
                - ex:a
                -     a  owl:Class
                ```
                """, new DifferenceText(difference, "a", "b", false).toText("markdown", false).replace("```diff\n+  ", "```diff\n+ ex:b\n+  ")
                .replace("```diff\n-  ", "```diff\n- ex:a\n-  "));
    }

    @Test
    void markdownNamesTheGraphs() throws IOException {
        String text = new DifferenceText(difference("", "<urn:s> <urn:p> 1 . GRAPH <urn:g> { <urn:s> <urn:p> 1 }", ".trig"),
                "a", "b", false).toText("markdown", false);
        assertEquals(List.of("## Default graph", "## Graph `<urn:g>`"),
                text.lines().filter(line -> line.startsWith("## ")).toList());
    }

    @Test
    void countsAreByClassAndPredicate() throws IOException {
        ReadableDifference difference = difference(PREFIXES + "ex:a a owl:Class ; rdfs:seeAlso ( 1 2 ) .",
                PREFIXES + "ex:a a owl:Class ; rdfs:seeAlso ( 1 3 2 ) . ex:b rdfs:label \"b\" .", ".ttl");
        assertEquals("""
                --- a
                +++ b
                    prefix ex: <https://example.org/>

                class       new  deleted  changed  +  -
                owl:Class     0        0        1  3  1
                (no class)    1        0        0  1  0

                predicate     +  -
                rdfs:seeAlso  3  1
                rdfs:label    1  0

                4 statements added, 1 deleted. Subjects: 1 new, 0 deleted, 1 changed.
                """.replace("    prefix ex: <https://example.org/>\n", ""),
                new DifferenceText(difference, "a", "b", false).toText("text", true));
    }

    @Test
    void jsonHasTermsAndTexts() throws IOException {
        ReadableDifference difference = difference(PREFIXES + "ex:a rdfs:seeAlso ( 1 ) .", PREFIXES + "ex:a rdfs:seeAlso ( 2 ) .", ".ttl");
        JsonObject json = JsonParser.parseString(new DifferenceText(difference, "a", "b", true).toText("json", false)).getAsJsonObject();
        JsonObject subject = json.getAsJsonArray("subjects").get(0).getAsJsonObject();
        assertEquals("<https://example.org/a>", subject.get("subject").getAsString());
        JsonObject change = subject.getAsJsonArray("changes").get(0).getAsJsonObject();
        assertEquals("( 1 ) ( 2 )", change.get("deletedText").getAsString() + " " + change.get("addedText").getAsString());
        assertTrue(change.get("added").getAsString().startsWith("_:"), change.toString());
    }

    @Test
    void coloursMarkTheWordsThatDiffer() throws IOException {
        ReadableDifference difference = difference(PREFIXES + "ex:a rdfs:comment \"one two three\" .",
                PREFIXES + "ex:a rdfs:comment \"one 2 three\" .", ".ttl");
        String text = new DifferenceText(difference, "a", "b", true).toText("text", false);
        assertTrue(text.contains("\u001b[32m+     rdfs:comment  \"one \u001b[7m2\u001b[27m three\"\u001b[0m\n"), text);
        assertFalse(new DifferenceText(difference, "a", "b", false).toText("text", false).contains("\u001b"));
    }

    @Test
    void equalSnapshotsHaveNoDifference() throws IOException {
        assertEquals("--- a\n+++ b\n\nNo difference.\n", text("ex:a a owl:Class .", "ex:a a owl:Class ."));
        assertThrows(IllegalArgumentException.class,
                () -> new DifferenceText(difference("", "", ".nt"), "a", "b", false).toText("html", false));
    }
}
