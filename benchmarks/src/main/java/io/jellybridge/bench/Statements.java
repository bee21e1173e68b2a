package io.jellybridge.bench;

import org.apache.jena.graph.Node;
import org.apache.jena.rdfpatch.changes.RDFChangesBase;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.sparql.core.Quad;

/** The statements of a patch, whether added or deleted; in Jelly-RDF there is nothing else. */
final class Statements extends RDFChangesBase {
    private final StreamRDF sink;

    Statements(StreamRDF sink) {
        this.sink = sink;
    }

    @Override
    public void start() {
        sink.start();
    }

    @Override
    public void add(Node graph, Node subject, Node predicate, Node object) {
        sink.quad(new Quad(graph, subject, predicate, object));
    }

    @Override
    public void delete(Node graph, Node subject, Node predicate, Node object) {
        add(graph, subject, predicate, object);
    }

    @Override
    public void finish() {
        sink.finish();
    }
}
