package io.jellybridge.jena.nodes;

import static io.jellybridge.jena.TestPatches.P;
import static io.jellybridge.jena.TestPatches.S;
import static io.jellybridge.jena.TestPatches.blank;
import static io.jellybridge.jena.TestPatches.integer;
import static io.jellybridge.jena.TestPatches.iri;
import static io.jellybridge.jena.TestPatches.string;
import static io.jellybridge.jena.TestPatches.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermVisitor;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.patch.JellyPatchReader;
import io.jellybridge.wire.WireException;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.jena.datatypes.TypeMapper;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Node_Marker;
import org.apache.jena.graph.TextDirection;
import org.apache.jena.rdfpatch.changes.RDFChangesBase;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.Var;
import org.apache.jena.sparql.graph.GraphFactory;
import org.apache.jena.vocabulary.RDF;
import org.apache.jena.vocabulary.XSD;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class NodeTermsTest {
    private static final byte[] NOTHING = new byte[0];
    private final NodeTerms terms = new NodeTerms();
    /** Sees everything, knows no IRI, and says nothing. */
    private final TermVisitor sight = (TermVisitor) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {TermVisitor.class},
            (self, method, arguments) -> method.getReturnType() == boolean.class ? false : null);

    private Node langLiteral(String lexical, String tag) {
        byte[] bytes = (lexical + tag).getBytes(UTF_8);
        int split = lexical.getBytes(UTF_8).length;
        return terms.langLiteral(bytes, 0, split, split, bytes.length - split);
    }

    private Node typedLiteral(String lexical, String datatype) {
        byte[] bytes = lexical.getBytes(UTF_8);
        return terms.typedLiteral(bytes, 0, bytes.length, terms.iri(NOTHING, datatype.getBytes(UTF_8)));
    }

    private static Node typed(String lexical, String datatype) {
        return NodeFactory.createLiteralDT(lexical, TypeMapper.getInstance().getSafeTypeByName(datatype));
    }

    @TestFactory
    Stream<DynamicTest> aTermThatIsWrittenIsReadBackEqual() {
        Node nested = NodeFactory.createTripleTerm(S, P, NodeFactory.createTripleTerm(blank("x"), P, text("in")));
        return Stream.of(S, iri(""), iri("relative"), iri("http://e/\u00e9\ud83d\ude00"), iri("http://e/a b"),
                blank("abc"),
                blank("a b>\u0000"), blank(""), blank("B\u00e9"), text(""), text("nul\u0000 \ud83d\ude00 \" \\ \n"),
                text("\uFFFD"),
                NodeFactory.createLiteralLang("x", "en-GB"), NodeFactory.createLiteralLang("", "x-private"),
                NodeFactory.createLiteralDirLang("x", "ar", TextDirection.RTL),
                NodeFactory.createLiteralDirLang("x", "en", TextDirection.LTR), integer("042"), integer("ill-formed"),
                typed("x", "http://e/unknown"), typed("x", RDF.langString.getURI()),
                typed("x", RDF.dirLangString.getURI()),
                nested)
                .map(term -> DynamicTest.dynamicTest("the term " + term, () -> {
                    byte[] stream = TestPatches.bytes(TestPatches.QUADS, changes -> changes.header("term", term));
                    Node[] back = new Node[1];
                    new JellyPatchReader(new ByteArrayInputStream(stream), null,
                            ReadOptions.DEFAULT).apply(
                                    new RDFChangesBase() {
                                        @Override
                                        public void header(String field, Node value) {
                                            back[0] = value;
                                        }
                                    });
                    assertEquals(term, back[0]);
                }));
    }

    @Test
    void anXsdStringIsAPlainLiteral() {
        assertEquals(text("x"), typedLiteral("x", XSD.xstring.getURI()));
        assertEquals("\"x\"", string(typed("x", XSD.xstring.getURI())));
    }

    @Test
    void aLanguageTagMayEndInABaseDirection() {
        assertEquals(NodeFactory.createLiteralDirLang("x", "ar", TextDirection.RTL), langLiteral("x", "ar--rtl"));
        assertEquals(NodeFactory.createLiteralLang("x", "en-GB"), langLiteral("x", "en-gb"));
        assertEquals("\"x\"@ar--rtl", string(langLiteral("x", "ar--rtl")));
    }

    @Test
    void aLanguageTagThatJenaCannotHoldIsRefusedByName() {
        for (String tag : List.of("en--up", "en--", "--ltr", "en_GB", "e n", "", "en--RTL")) {
            IllegalArgumentException refusal = assertThrows(IllegalTermException.class, () -> langLiteral("x", tag),
                    tag);
            assertTrue(refusal.getMessage().contains("'" + tag + "'"), refusal.getMessage());
            assertEquals(tag.isEmpty() || tag.equals("--ltr"), refusal.getMessage().contains("names no language"), tag);
        }
    }

    @Test
    void aDatatypeThatAlternatesIsNotMixedUp() {
        Node integer = terms.iri(NOTHING, XSD.integer.getURI().getBytes(UTF_8));
        Node date = terms.iri(NOTHING, XSD.date.getURI().getBytes(UTF_8));
        byte[] one = {'1'};
        assertEquals(XSD.integer.getURI(), terms.typedLiteral(one, 0, 1, integer).getLiteralDatatypeURI());
        assertEquals(XSD.date.getURI(), terms.typedLiteral(one, 0, 1, date).getLiteralDatatypeURI());
        assertEquals(XSD.integer.getURI(), terms.typedLiteral(one, 0, 1, integer).getLiteralDatatypeURI());
    }

    @Test
    void literalsWithOneHashAreNotMixedUp() {
        assertEquals("Aa".hashCode(), "BB".hashCode());
        Node datatype = terms.iri(NOTHING, "http://e/dt".getBytes(UTF_8));
        for (String lexical : List.of("Aa", "Aa", "Aa", "BB", "BB", "Aa", "BB", "BB", "Aa", "Aa")) {
            byte[] bytes = lexical.getBytes(UTF_8);
            assertEquals(typed(lexical, "http://e/dt"), terms.typedLiteral(bytes, 0, bytes.length, datatype));
        }
    }

    /** Tags of one length, with the same first and last character, of which one knows the other's place. */
    @Test
    void languageTagsThatComeAgainAreNotMixedUp() {
        for (String tag : List.of("en-gb", "en-gb", "es-gb", "en-gb", "es-gb", "es-gb", "en--ltr", "en--ltr", "en-GB")) {
            String[] parts = tag.split("--");
            Node expected = parts.length == 1 ? NodeFactory.createLiteralLang("x", parts[0])
                    : NodeFactory.createLiteralDirLang("x", parts[0], TextDirection.LTR);
            Node actual = langLiteral("x", tag);
            assertEquals(expected, actual);
            assertEquals(expected.getLiteralLanguage(), actual.getLiteralLanguage());
        }
    }

    @Test
    void textThatIsNotUtf8IsRefusedAndAReplacementCharacterThatWasWrittenIsKept() {
        byte[][] all = {{(byte) 0xc3}, {'a', 'b', (byte) 0xff, 'c'}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}};
        for (byte[] wrong : all) {
            assertThrows(WireException.class, () -> terms.literal(wrong, 0, wrong.length));
            assertThrows(WireException.class, () -> terms.blankNode(wrong, 0, wrong.length));
            assertThrows(WireException.class, () -> terms.typedLiteral(wrong, 0, wrong.length, iri("urn:d")));
        }
        byte[] written = "\uFFFDx".getBytes(UTF_8);
        assertEquals(text("\uFFFDx"), terms.literal(written, 0, written.length));
    }

    @Test
    void prefixesThatAlternateAreNotMixedUp() {
        assertEquals("http://e/Aa".hashCode(), "http://e/BB".hashCode());
        List<String> prefixes = new ArrayList<>(List.of("http://e/Aa", "http://e/BB", "", "http://e/\u00e9\ud83d\ude00/"));
        for (int i = 0; i < 1_000; i++) {
            prefixes.add("http://e/" + "long".repeat(i) + i + "/");
        }
        byte[] name = "_n\u00e4me!".getBytes(UTF_8);
        for (int turn = 0; turn < 2; turn++) {
            for (String prefix : prefixes) {
                Node node = terms.iri(NOTHING, prefix.getBytes(UTF_8));
                assertEquals(iri(prefix), node);
                assertEquals(iri(prefix + "n\u00e4me"), terms.iri(node, name, 1, name.length - 2));
            }
        }
    }

    @Test
    void whatIsNotDataIsRefusedAndSaysWhatItIs() {
        assertRefused("variable ?x", Var.alloc("x"));
        assertRefused("Node.ANY", Node.ANY);
        assertRefused("null", null);
        assertRefused("a graph", NodeFactory.createGraphNode(GraphFactory.createDefaultGraph()));
        assertRefused("variable ?x", NodeFactory.createTripleTerm(S, P, Var.alloc("x")));
        assertRefused("a node of class org.apache.jena.graph.Node_Marker", Node_Marker.marker("m"));
    }

    @Test
    void halfASurrogatePairIsRefusedAndNotWrittenAsAQuestionMark() {
        assertRefused("U+D800", text("x\ud800y"));
        assertRefused("U+DC00", iri("http://e/\udc00"));
        assertRefused("U+D800", blank("\ud800"));
        assertRefused("U+D800", typed("\ud800", "http://e/dt"));
        assertRefused("U+D83D", NodeFactory.createLiteralLang("end \ud83d", "en"));
        assertRefused("U+D800) at character 4 of a literal", text("?\ud83d\ude00!\ud800"));
        String pairs = "?\ud83d\ude00!\ud83d\ude00";
        assertEquals(pairs, new String(NodeTerms.utf8(pairs, "literal"), UTF_8));
        for (int before = 0; before <= 20; before++) {
            for (int after = 0; after <= 20; after++) {
                assertRefused("U+D800", text("x".repeat(before) + '\ud800' + "\u00e9".repeat(after)));
                assertEquals("?".repeat(before) + "\u00e9".repeat(after),
                        new String(NodeTerms.utf8("?".repeat(before) + "\u00e9".repeat(after), "literal"), UTF_8));
            }
        }
    }

    private void assertRefused(String what, Node node) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> terms.visit(node, sight));
        assertTrue(refusal.getMessage().contains(what), refusal.getMessage());
    }

    @Test
    void bothNamesOfTheDefaultGraphNameItInThePositionOfAGraphAlone() {
        CanonicalNodes canonical = new CanonicalNodes();
        for (Node name : List.of(Quad.defaultGraphIRI, Quad.defaultGraphNodeGenerated, iri("urn:x-arq:DefaultGraph"))) {
            assertNull(canonical.graphBytes(name));
            assertEquals("<" + name.getURI() + ">", string(name));
            assertEquals(List.of("visitKnownIri", "iri"), seen(name));
        }
        assertEquals("<urn:x-arq:DefaultGraphs>", new String(canonical.graphBytes(iri("urn:x-arq:DefaultGraphs")), UTF_8));
        assertEquals(Quad.defaultGraphIRI, terms.defaultGraph());
    }

    /** What a visitor is told about a node. */
    private List<String> seen(Node node) {
        List<String> seen = new ArrayList<>();
        TermVisitor visitor = (TermVisitor) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {TermVisitor.class}, (self, method, arguments) -> {
                    seen.add(method.getName());
                    return method.getReturnType() == boolean.class ? false : null;
                });
        terms.visit(node, visitor);
        return seen;
    }

    @Test
    void aQuadHasFourTermsOrThree() {
        CanonicalNodes canonical = new CanonicalNodes();
        byte[][] named = canonical.toBytes(Quad.create(iri("urn:g"), S, P, text("x")));
        assertEquals(List.of("<http://e/s>", "<http://e/p>", "\"x\"", "<urn:g>"),
                Stream.of(named).map(term -> new String(term, UTF_8)).toList());
        assertNull(canonical.toBytes(Quad.create(Quad.defaultGraphIRI, S, P, text("x")))[3]);
    }

    @Test
    void canonicalTermsOfNestedTriplesAreWhole() {
        Node term = NodeFactory.createTripleTerm(S, P, NodeFactory.createTripleTerm(blank("x"), P, integer("1")));
        assertEquals("<<( <http://e/s> <http://e/p> <<( _:x <http://e/p> "
                + "\"1\"^^<http://www.w3.org/2001/XMLSchema#integer> )>> )>>", string(term));
    }
}
