package io.jellybridge.jena.riot;

import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.graph.impl.GraphBase;
import org.apache.jena.sparql.core.DatasetGraphMapLink;
import org.apache.jena.util.iterator.ExtendedIterator;
import org.apache.jena.util.iterator.WrappedIterator;
import org.apache.jena.vocabulary.RDF;

/**
 * A dataset in memory that lists graphs, subjects and objects in the order in which they came, so that a document of it changes
 * no more than its content. Not thread-safe.
 */
final class OrderedDataset extends DatasetGraphMapLink {
    private final Map<Node, Graph> named = new LinkedHashMap<>();

    OrderedDataset() {
        super(new OrderedGraph());
    }

    /** Adds a triple; {@code graph} is null for the default graph. */
    void add(Node graph, Triple triple) {
        Graph to = graph == null ? getDefaultGraph() : named.computeIfAbsent(graph, name -> {
            Graph made = new OrderedGraph();
            addGraph(name, made);
            return made;
        });
        to.add(triple);
    }

    @Override
    public Iterator<Node> listGraphNodes() {
        return named.keySet().iterator();
    }

    private static final class OrderedGraph extends GraphBase {
        private final Map<Node, Set<Triple>> bySubject = new LinkedHashMap<>();
        /** The triples of those objects that writers look for: blank nodes, and the end of lists. */
        private final Map<Node, Set<Triple>> byObject = new HashMap<>();

        @Override
        public void performAdd(Triple triple) {
            bySubject.computeIfAbsent(triple.getSubject(), node -> new LinkedHashSet<>()).add(triple);
            if (isIndexed(triple.getObject())) {
                byObject.computeIfAbsent(triple.getObject(), node -> new LinkedHashSet<>()).add(triple);
            }
        }

        private static boolean isIndexed(Node object) {
            return object.isBlank() || object.equals(RDF.Nodes.nil);
        }

        @Override
        protected ExtendedIterator<Triple> graphBaseFind(Triple pattern) {
            Node subject = pattern.getSubject();
            Node object = pattern.getObject();
            Iterator<Triple> found;
            if (subject.isConcrete()) {
                found = bySubject.getOrDefault(subject, Set.of()).iterator();
            } else if (object.isConcrete() && isIndexed(object)) {
                found = byObject.getOrDefault(object, Set.of()).iterator();
            } else {
                found = bySubject.values().stream().flatMap(Collection::stream).iterator();
            }
            return WrappedIterator.create(found).filterKeep(pattern::matches);
        }

        @Override
        protected int graphBaseSize() {
            return bySubject.values().stream().mapToInt(Set::size).sum();
        }
    }
}
