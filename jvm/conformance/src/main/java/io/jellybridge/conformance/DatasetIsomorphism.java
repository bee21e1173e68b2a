package io.jellybridge.conformance;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.jena.NodeTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.util.IsoMatcher;

/** Compares what a Jelly-RDF file holds with an RDF file in another syntax, as sets, but for blank node labels. */
final class DatasetIsomorphism {

    private DatasetIsomorphism() {
    }

    static boolean holds(Path jelly, Path rdfFile) throws IOException {
        NodeTerms terms = new NodeTerms(); // first of all, since it starts Jena
        DatasetGraph actual = DatasetGraphFactory.create();
        try (RdfReader<Node> reader =
                new RdfReader<>(Files.newInputStream(jelly), jelly.toString(), terms, ReadOptions.DEFAULT)) {
            reader.readAll(new Filler(actual));
        }
        DatasetGraph expected = DatasetGraphFactory.create();
        RDFDataMgr.read(expected, rdfFile.toUri().toString());
        return IsoMatcher.isomorphic(expected, actual);
    }

    private record Filler(DatasetGraph dataset) implements RdfHandler<Node> {

        @Override
        public void statement(Node subject, Node predicate, Node object, Node graph) {
            dataset.add(graph == null ? Quad.defaultGraphIRI : graph, subject, predicate, object);
        }
    }
}
