package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.Validator;
import io.jellybridge.jena.nodes.DatasetTerms;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.system.StreamRDFBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** XML that Jena's parsers read as something else than it says. */
class XmlCheckTest {
    private static final String NAMESPACES = "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
            + "xmlns:its=\"http://www.w3.org/2005/11/its\" xmlns:ex=\"http://e/\"";

    @TempDir
    Path folder;

    private static List<String> read(byte[] document, List<String> warnings) throws IOException {
        List<String> found = new ArrayList<>();
        RiotReader reader = new RiotReader(new RdfFile("a.rdf", "a.rdf", "http://b/", "rdf", false), new DatasetTerms()::findProblem);
        reader.onWarning(warning -> warnings.add(warning.getMessage()));
        reader.read(new ByteArrayInputStream(document), LabelToNode.createUseLabelAsGiven(), new StreamRDFBase() {
            @Override
            public void triple(Triple triple) {
                found.add(triple.toString());
            }
        });
        return found;
    }

    private static List<String> read(String document) throws IOException {
        return read(document.getBytes(UTF_8), new ArrayList<>());
    }

    private static String refusal(String document) {
        return assertThrows(FormatException.class, () -> read(document)).getMessage();
    }

    private static String document(String root, String node, String property, String content) {
        return "<rdf:RDF " + NAMESPACES + " " + root + ">\n<rdf:Description rdf:about='http://e/s' " + node + "><ex:p " + property + ">"
                + content + "</ex:p></rdf:Description></rdf:RDF>";
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {
        "'',                   '',                  `rdf:annotation=\"http://e/t\"`",
        "'',                   '',                  `rdf:annotationNodeID=\"t\"`",
        "'',                   '',                  `its:dir=\"rtl\" xml:lang=\"ar\"`",
        "'',                   `its:dir=\"rtl\"`,   ''",
        "`its:dir=\"rtl\"`,    '',                  ''",
        "'',                   `rdf:version=\"1.2\"`, ''",
        "'',                   '',                  `its:version=\"2.0\"`",
        "'',                   '',                  `rdf:parseType=\"Triple\"`",
        "'',                   `r:annotation=\"http://e/t\" xmlns:r=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"`, ''"})
    void whatRdfXml12AddsIsRefusedByName(String root, String node, String property) {
        String document = document(root.replace("''", ""), node.replace("''", ""), property.replace("''", ""), "x");
        String message = refusal(document);
        String said = (root + node + property).replace("''", "").trim().replaceAll(" (xml|xmlns:r).*", "");
        assertTrue(message.startsWith("[RDF/XML] a.rdf, line ") && message.contains(": " + said
                + ", which is of RDF/XML 1.2, and Jena reads RDF/XML 1.1; "), message);
    }

    @Test
    void aDocumentThatOnlyAnnouncesTheVersionIsRead() throws IOException {
        assertEquals(List.of("http://e/s http://e/p \"x\""),
                read(document("rdf:version=\"1.2\" its:version=\"2.0\"", "", "", "x")));
        assertEquals(List.of("http://e/s http://e/p \"x\"@ar"), read(document("", "", "xml:lang='ar' annotation.of='x'", "x")
                .replace(" annotation.of='x'", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "<!DOCTYPE r [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>BODY[&e;]",
        "<!DOCTYPE r [<!ENTITY e PUBLIC \"x\" \"http://127.0.0.1:1/e\">]>BODY[&e;]",
        "<!DOCTYPE r [<!ENTITY e SYSTEM \"file:///etc/hostname\"><!ENTITY f \"(&e;)\">]>BODY[&f;]",
        "<!DOCTYPE r SYSTEM \"x.dtd\">BODY[&e;]"})
    void anEntityWhoseTextIsElsewhereIsRefusedByName(String document) {
        String message = refusal(document.replaceFirst("BODY(.*)", document("", "", "", "$1")));
        assertTrue(message.matches("\\[RDF/XML\\] a.rdf, line .*: the external entity 'e', which is not read; write out what it "
                + "stands for"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16"})
    void anEntityOfAnExternalDtdInAnAttributeIsRefusedByName(String charset) {
        String document = "<!DOCTYPE r PUBLIC \"-//X//Y\" \"http://e/x.dtd\" [<!ENTITY a \"b\">]>"
                + document("", "ex:q='&a;&amp;&#65;'", "rdf:resource='http://e/&owl.x;Class'", "");
        byte[] bytes = document.getBytes(charset.equals("UTF-8") ? UTF_8 : UTF_16);
        String message = assertThrows(FormatException.class, () -> read(bytes, new ArrayList<>())).getMessage();
        assertEquals("[RDF/XML] a.rdf, line 2: the entity 'owl.x' of the external DTD http://e/x.dtd, which is not read; write out "
                + "what it stands for", message);
    }

    @Test
    void whatNeedsNothingOfAnExternalDtdIsReadWithAWarning() throws IOException {
        List<String> warnings = new ArrayList<>();
        String document = "<!DOCTYPE r PUBLIC \"-//X//Y\" \"http://e/x.dtd\" [<!ENTITY a \"b\">]>" + document("", "", "", "&a;&amp;x");
        assertEquals(List.of("http://e/s http://e/p \"b&x\""), read(document.getBytes(UTF_8), warnings));
        assertEquals(1, warnings.size());
        assertTrue(warnings.get(0).contains("the external DTD http://e/x.dtd, which is not read"), warnings.get(0));
        String parameter = "<!DOCTYPE r [<!ENTITY % p SYSTEM \"x.dtd\"> %p;]>";
        assertEquals(1, read((parameter + document("", "", "", "x")).getBytes(UTF_8), warnings).size());
        assertTrue(warnings.get(1).contains("the external entity '%p', which is not read"), warnings.get(1));
        assertTrue(refusal(parameter + document("", "", "", "&e;")).contains("\"e\" was referenced, but not declared"));
    }

    @Test
    void entitiesOfTheDocumentItselfAreRead() throws IOException {
        assertEquals(List.of("http://e/s http://e/p \"1[x]<\""),
                read("<!DOCTYPE r [<!ENTITY x \"[x]\"><!ENTITY unused SYSTEM \"x\">]>" + document("", "", "", "&#49;&x;&lt;")));
        assertTrue(refusal("<!DOCTYPE r [<!ENTITY x \"[&y;]\">]>" + document("", "", "", "&x;")).contains("\"y\" was referenced"));
    }

    @Test
    void aRelativeDatatypeGoesFromTheBaseWhereItStands() throws IOException {
        String literal = "<rdf:Description rdf:about='http://e/s'><ex:p rdf:datatype='%s'>5</ex:p></rdf:Description>";
        String document = "<rdf:RDF " + NAMESPACES + " xml:base='http://www.w3.org/a'>" + literal.formatted("/2001/XMLSchema#int")
                + "<rdf:Description xml:base='/b/'>%s</rdf:Description>" + literal.formatted("c") + "</rdf:RDF>";
        assertEquals(List.of("http://e/s http://e/p \"5\"^^xsd:int", "http://e/s http://e/p \"5\"^^http://www.w3.org/c"),
                read(document.formatted("")));
        assertTrue(refusal(document.formatted("<ex:q>" + literal.formatted("c") + "</ex:q>")).contains(
                "rdf:datatype=\"c\", which is <http://www.w3.org/c> here and <http://www.w3.org/b/c> before"));
        assertTrue(read("<rdf:RDF " + NAMESPACES + ">" + literal.formatted("t") + "</rdf:RDF>").get(0).endsWith("^^http://b/t"));
    }

    @Test
    void aLargeDocumentIsReadAsASmallOne() throws IOException {
        StringBuilder large = new StringBuilder("<rdf:RDF " + NAMESPACES + ">\n");
        for (int i = 0; i < 20_000; i++) {
            large.append("<rdf:Description rdf:about='http://e/s").append(i).append("'><ex:p>a value of some length</ex:p></rdf:Description>\n");
        }
        assertEquals(20_000, read(large + "</rdf:RDF>").size());
        assertTrue(refusal(large + "<rdf:Description/>").contains("line 20002"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"xml:base", "xmlns:p"})
    void aBaseOrNamespaceThatEachIriRepeatsIsNotVeryLong(String attribute) throws IOException {
        Path file = folder.resolve("long.rdf");
        Files.writeString(file, "<rdf:RDF " + NAMESPACES + " " + attribute + "='http://e/" + "b".repeat(1 << 15) + "'/>");
        String found = new Validator(
                new FileLocation(file.toString()), null, ConvertOptions.strict(false), false, 10, new ProgressMeter()).run();
        assertTrue(found.contains("\"valid\":false,\"errors\":1") && found.contains("limit"), found);
    }

    @Test
    void whatJenaWarnsOfIsCountedAndShown() throws IOException {
        Path file = folder.resolve("twice.rdf");
        Files.writeString(file, "<?style x?><rdf:RDF xml:base='http://e/' " + NAMESPACES + "><ex:T rdf:ID='a'/><ex:T rdf:ID='a' rdf:foo='1'/></rdf:RDF>");
        String found = new Validator(
                new FileLocation(file.toString()), null, ConvertOptions.strict(false), false, 10, new ProgressMeter()).run();
        assertTrue(found.contains("\"valid\":true,\"errors\":0,\"warnings\":3"), found);
        assertTrue(found.contains("Reuse of rdf:ID 'a'") && found.contains("rdf:foo is not a recognized RDF"), found);
    }
}
