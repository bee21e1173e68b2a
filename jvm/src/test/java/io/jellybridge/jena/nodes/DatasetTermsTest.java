package io.jellybridge.jena.nodes;

import static io.jellybridge.jena.TestPatches.O;
import static io.jellybridge.jena.TestPatches.P;
import static io.jellybridge.jena.TestPatches.S;
import static io.jellybridge.jena.TestPatches.blank;
import static io.jellybridge.jena.TestPatches.iri;
import static io.jellybridge.jena.TestPatches.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.apache.jena.datatypes.TypeMapper;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.Var;
import org.junit.jupiter.api.Test;

class DatasetTermsTest {
    private final DatasetTerms terms = new DatasetTerms();

    private static Node typed(String datatype) {
        return NodeFactory.createLiteralDT("x", TypeMapper.getInstance().getSafeTypeByName(datatype));
    }

    @Test
    void everyTermOfRdfMayBeInADataset() {
        Node triple = NodeFactory.createTripleTerm(blank("b"), P, NodeFactory.createTripleTerm(S, P, text("x")));
        List<Node> objects = List.of(O, text("x"), NodeFactory.createLiteralLang("x", "en"), typed("urn:d"), triple);
        for (Node graph : Arrays.asList(null, Quad.defaultGraphIRI, Quad.defaultGraphNodeGenerated, iri("urn:g"),
                blank("g"))) {
            for (Node object : objects) {
                assertNull(terms.findProblem(graph, S, P, object));
                assertNull(terms.findProblem(graph, triple, P, object));
            }
        }
    }

    @Test
    void aProblemSaysWhichTermItIsAndWhere() {
        assertEquals("the literal \"x\" as subject", terms.findProblem(null, text("x"), P, O));
        assertEquals("\"p\" as predicate, which is not an IRI", terms.findProblem(null, S, text("p"), O));
        assertEquals("?o as object, which is not data", terms.findProblem(null, S, P, Var.alloc("o")));
        assertEquals("?s as subject, which is not data", terms.findProblem(null, Var.alloc("s"), P, O));
        assertEquals("\"g\" as graph, which is neither an IRI nor a blank node", terms.findProblem(text("g"), S, P, O));
        for (String reserved : new String[] {"urn:x-arq:UnionGraph", "urn:x-arq:DefaultGraph"}) {
            assertEquals("the graph <" + reserved + ">, which Jena keeps for itself", terms.findProblem(iri(reserved), S, P, O));
        }
        assertEquals("the literal \"x\" as subject",
                terms.findProblem(null, S, P, NodeFactory.createTripleTerm(text("x"), P, O)));
    }

    /** IRIs that were found right are remembered; those that were not must not be. */
    @Test
    void whatWasRefusedIsRefusedAgain() {
        Node wrong = iri("relative");
        for (int turn = 0; turn < 3; turn++) {
            assertProblem("as subject, ", terms.findProblem(null, wrong, P, O));
            assertProblem("as predicate, ", terms.findProblem(null, S, wrong, O));
            assertProblem("as object, ", terms.findProblem(null, S, P, wrong));
            assertProblem("as graph, ", terms.findProblem(wrong, S, P, O));
            assertProblem("as datatype, ", terms.findProblem(null, S, P, typed("relative")));
            assertProblem("as namespace, ", terms.prefixProblem("ex", wrong));
            assertNull(terms.findProblem(null, S, P, O));
        }
    }

    private static void assertProblem(String begin, String problem) {
        assertNotNull(problem, begin);
        assertTrue(problem.startsWith(begin) && problem.contains("relative"), problem);
    }

    @Test
    void aPrefixIsOneThatTurtleTakes() {
        for (String legal : new String[] {"", "ex", "e.x", "e-x", "\u00e9"}) {
            assertNull(terms.prefixProblem(legal, iri("urn:ex:")));
            assertNull(terms.prefixProblem(legal, null));
            assertTrue(DatasetTerms.isTurtlePrefix(legal), legal);
        }
        assertNull(terms.prefixProblem("_3", iri("urn:ex:")), "logs have it");
        assertFalse(DatasetTerms.isTurtlePrefix("_3"));
        for (String illegal : new String[] {":", "a:", "a:b", "1a", "a!b", "a ", ".a", "a."}) {
            assertEquals("the prefix '" + illegal + "', which Turtle and Jena do not take",
                    terms.prefixProblem(illegal, iri("urn:ex:")));
            assertFalse(DatasetTerms.isTurtlePrefix(illegal), illegal);
        }
    }
}
