package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jellybridge.codec.Op;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sparql.core.Quad;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The text of a request's statements. */
class SparqlChangesTest {
    private static final Node GRAPH = NodeFactory.createURI("urn:g");

    private SparqlChanges changes;

    private static SparqlChanges of(String defaultGraph) {
        return new SparqlChanges(new SkolemTerms("urn:genid/"), defaultGraph);
    }

    @BeforeEach
    void start() {
        changes = of(null);
    }

    private void add(Op op, String name, Node graph) {
        Node term = NodeFactory.createURI("urn:" + name);
        changes.addStatement(op, term, term, term, graph);
    }

    private static String triple(String name) {
        return "<urn:%1$s> <urn:%1$s> <urn:%1$s> .\n".formatted(name);
    }

    @Test
    void neighboursOfAGraphAreTogether() {
        add(Op.A, "a", null);
        add(Op.A, "b", GRAPH);
        add(Op.D, "x", GRAPH);
        add(Op.A, "c", GRAPH);
        add(Op.A, "d", Quad.defaultGraphIRI);
        add(Op.A, "e", NodeFactory.createURI("urn:h"));
        assertEquals(triple("a") + "GRAPH <urn:g> {\n" + triple("b") + triple("c") + "}\n" + triple("d")
                + "GRAPH <urn:h> {\n" + triple("e") + "}\n", changes.toTemplate(Op.A));
        assertEquals("GRAPH <urn:g> {\n" + triple("x") + "}\n", changes.toTemplate(Op.D));
    }

    @Test
    void aDefaultGraphWithANameHasItWhereSomethingIsDeletedAndNoneWhereSomethingIsAdded() {
        changes = of("urn:nil");
        add(Op.D, "a", null);
        add(Op.D, "b", GRAPH);
        add(Op.A, "c", null);
        add(Op.A, "d", GRAPH);
        SparqlChanges half = changes.half();
        for (SparqlChanges part : new SparqlChanges[] {half, changes}) {
            assertEquals(2, part.size());
        }
        assertEquals("GRAPH <urn:nil> {\n" + triple("a") + "}\nGRAPH <urn:g> {\n" + triple("b") + "}\n", half.toTemplate(Op.D));
        assertEquals(triple("c") + "GRAPH <urn:g> {\n" + triple("d") + "}\n", changes.toTemplate(Op.A));
    }

    @Test
    void ofAStatementTheLastOperationCountsAndItIsCountedOnce() {
        add(Op.A, "a", null);
        long one = changes.bytes();
        assertEquals("<urn:a> <urn:a> <urn:a>".length(), one);
        add(Op.D, "b", GRAPH);
        long two = changes.bytes();
        assertEquals(2 * one + "<urn:g>".length(), two);
        add(Op.D, "a", null);
        add(Op.A, "b", GRAPH);
        assertEquals(two, changes.bytes());
        assertEquals(triple("a"), changes.toTemplate(Op.D));
        assertEquals("GRAPH <urn:g> {\n" + triple("b") + "}\n", changes.toTemplate(Op.A));
    }

    @Test
    void halvesHaveAllBetweenThemInOrder() {
        for (String name : "a b c d e".split(" ")) {
            add(Op.A, name, null);
        }
        long all = changes.bytes();
        SparqlChanges half = changes.half();
        assertEquals(triple("a") + triple("b"), half.toTemplate(Op.A));
        assertEquals(triple("c") + triple("d") + triple("e"), changes.toTemplate(Op.A));
        assertEquals(all, half.bytes() + changes.bytes());
        assertEquals(2 * all / 5, half.bytes());
        half.half();
        assertEquals(triple("b"), half.toTemplate(Op.A));
        assertEquals(triple("b"), half.half().toTemplate(Op.A), "at least one statement is taken out");
        assertEquals(0, half.size());
        assertEquals(0, half.bytes());
    }
}
