package io.jellybridge.jena.riot;

import io.jellybridge.codec.LabelCharacters;
import io.jellybridge.jena.nodes.CanonicalNodes;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.out.NodeFmtLib;
import org.apache.jena.sparql.core.Quad;

/**
 * Writes quads as N-Quads, or N-Triples if there are no graphs, in canonical terms. A blank node keeps its label, which Jena's
 * own writer would encode, so that loading the file gives the same nodes.
 */
public final class NQuadsWriter {
    private final CanonicalNodes terms = new CanonicalNodes();
    private final DatasetTerms allowed = new DatasetTerms();
    private final OutputStream out;

    public NQuadsWriter(OutputStream out) {
        this.out = out;
    }

    /**
     * Writes quads.
     *
     * @throws IllegalArgumentException a term can't be written; the message names the term and the reason
     */
    public void write(Iterator<Quad> quads) throws IOException {
        while (quads.hasNext()) {
            Quad quad = quads.next();
            Node graph = quad.isDefaultGraph() ? null : quad.getGraph();
            String problem = allowed.problem(graph, quad.getSubject(), quad.getPredicate(), quad.getObject());
            if (problem != null) {
                throw new IllegalArgumentException("the quad " + NodeFmtLib.str(quad) + " has " + problem
                        + ", so that no reader would take it; correct it, by SPARQL Update");
            }
            write(quad.getSubject());
            write(quad.getPredicate());
            write(quad.getObject());
            if (graph != null) {
                write(graph);
            }
            out.write('.');
            out.write('\n');
        }
    }

    private void write(Node term) throws IOException {
        checkLabels(term);
        out.write(terms.bytes(term));
        out.write(' ');
    }

    private static void checkLabels(Node term) {
        if (term.isBlank() && !LabelCharacters.isLabel(NodeTerms.utf8(term.getBlankNodeLabel(), "blank node label"))) {
            throw new IllegalArgumentException("the blank node label '" + term.getBlankNodeLabel() + "' is none that "
                    + "N-Quads can write; replace the node, or write the changes as a patch, which takes any label");
        }
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            checkLabels(triple.getSubject());
            checkLabels(triple.getObject());
        }
    }
}
