package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.apache.jena.datatypes.BaseDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SkolemTermsTest {
    private static final String BASE = "https://e/.well-known/genid/";
    private static final SkolemTerms TERMS = new SkolemTerms(BASE);

    @Test
    void everyLabelComesBack() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            String label = random.ints(1 + random.nextInt(6), 1, 0x2fff).filter(c -> c < 0xd800)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
            Node node = NodeFactory.createBlankNode(label);
            assertEquals(node, TERMS.toDisplay(TERMS.toStored(node)));
            Node inner = NodeFactory.createTripleTerm(node, NodeFactory.createURI("urn:p"), node);
            assertEquals(inner, TERMS.toDisplay(TERMS.toStored(inner)));
        }
        assertEquals(BASE + "b%20%C3%A9%25", TERMS.toStored(NodeFactory.createBlankNode("b é%")).getURI());
    }

    @Test
    void aLabelOfDotsIsRefusedSinceSparqlWouldResolveIt() {
        for (String label : new String[] {".", ".."}) {
            assertTrue(TERMS.findProblem(NodeFactory.createBlankNode(label)).contains("of which SPARQL would make another"));
        }
        assertNull(TERMS.findProblem(NodeFactory.createBlankNode("a.b")));
    }

    @Test
    void whatMayBeInAnIriStaysAndAllElseIsWrittenByItsBytes() {
        String plain = "azAZ09-._~";
        assertEquals(BASE + plain, TERMS.toStored(NodeFactory.createBlankNode(plain)).getURI());
        assertEquals(BASE + "%60%7B%40%5B%2F%3A%7F", TERMS.toStored(NodeFactory.createBlankNode("`{@[/:\u007f")).getURI());
    }

    @ParameterizedTest
    @ValueSource(strings = {BASE, BASE + "%62", BASE + "%c3%a9", BASE + "é", BASE + "%FF", BASE + "%zz", BASE + "a/b", BASE + "%4",
        "https://other/.well-known/genid/b"})
    void anIriThatStandsForNoLabelIsItself(String iri) {
        Node term = NodeFactory.createURI(iri);
        assertEquals(term, TERMS.toDisplay(term));
        assertNull(TERMS.findProblem(term));
    }

    @Test
    void whatWouldBeTakenForSomethingElseIsRefused() {
        String taken = TERMS.findProblem(NodeFactory.createURI(BASE + "b"));
        assertTrue(taken.contains("<" + BASE + "b>") && taken.contains("skolemBase"), taken);
        Node stored = TERMS.toDisplay(NodeFactory.createBlankNode("x"));
        String unnamed = TERMS.findProblem(stored);
        assertTrue(unnamed.contains("_:" + stored.getBlankNodeLabel()), unnamed);
        Node other = NodeFactory.createURI("urn:p");
        assertEquals(unnamed, TERMS.findProblem(NodeFactory.createTripleTerm(stored, other, other)));
        assertEquals(unnamed, TERMS.findProblem(NodeFactory.createTripleTerm(other, other, stored)));
        assertEquals(taken, TERMS.findProblem(NodeFactory.createTripleTerm(other, NodeFactory.createURI(BASE + "b"), other)));
        assertNull(TERMS.findProblem(NodeFactory.createTripleTerm(other, other, other)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://EXAMPLE.org/../a", "http://e/a/./b", "http://e/a/..", "http://e/a/.", "http://e/a/..?q",
        "http://e/a/../#f", "x:/./a", "x:a/../b"})
    void anIriOfWhichSparqlWouldMakeAnotherIsRefused(String iri) {
        String problem = TERMS.findProblem(NodeFactory.createURI(iri));
        assertTrue(problem.contains("the IRI <" + iri + ">, of which SPARQL would make another"), problem);
        assertEquals(problem, TERMS.findProblem(NodeFactory.createLiteralDT("1", new BaseDatatype(iri))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://e/a..b/.c/d./...", "http://e?a/../b", "http://e#/./", "urn:x:..", "http://../a", "http://e/..%2F"})
    void dotsElsewhereAreNothing(String iri) {
        assertNull(TERMS.findProblem(NodeFactory.createURI(iri)));
    }
}
