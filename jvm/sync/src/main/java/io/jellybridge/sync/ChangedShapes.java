package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.PrefixedTerms;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.files.AtomicFile;
import io.jellybridge.jena.nodes.CanonicalNodes;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.shacl.Shapes;
import org.apache.jena.shacl.ValidationReport;
import org.apache.jena.shacl.engine.ValidationContext;
import org.apache.jena.shacl.parser.Shape;
import org.apache.jena.shacl.parser.ShaclParseException;
import org.apache.jena.shacl.validation.ReportEntry;
import org.apache.jena.shacl.validation.Severity;
import org.apache.jena.shacl.validation.VLib;
import org.apache.jena.sparql.graph.GraphFactory;
import org.apache.jena.sparql.path.P_Link;

/**
 * Shapes of SHACL for what a publication changes. Their focus nodes are checked if they are the subject of a statement that is
 * added or deleted, or lead to such a blank node. So old violations elsewhere stop nobody.
 *
 * <p>The checked data are the published graphs together as they will be, in memory. Not thread-safe.
 */
public final class ChangedShapes {
    /** The number of results that an error names. */
    private static final int NAMED = 10;

    private final String name;
    private final Shapes shapes;
    private final String report;

    /**
     * Reads shapes.
     *
     * @param report the file for the report of each check, in Turtle; null for none
     * @throws IllegalArgumentException the file has no shape with a target, or a shape that breaks the rules of SHACL
     */
    public ChangedShapes(Snapshot file, String report) throws IOException {
        this.name = file.name();
        this.report = report;
        Data data = new Data();
        file.read(data);
        try {
            this.shapes = Shapes.parse(data.graph);
        } catch (ShaclParseException e) {
            throw new IllegalArgumentException(name + " breaks the rules of SHACL: " + e.getMessage(), e);
        } catch (ClassCastException e) { // from Jena, which does not check what it reads
            throw new IllegalArgumentException(name + " breaks the rules of SHACL: a value is of another type than SHACL asks for, "
                    + "such as a text for a number", e);
        }
        if (!shapes.iterator().hasNext()) {
            throw new IllegalArgumentException(name + " has no shape with a target, so it would check nothing");
        }
    }

    /**
     * Checks a difference that keeps its statements.
     *
     * @return the results of lower severity than a violation, a line each
     * @throws IllegalStateException there are violations
     */
    List<String> checkShapes(Difference difference) throws IOException {
        Data data = new Data();
        Set<Node> changed = new HashSet<>();
        difference.forEach((quad, isOld, isNew) -> {
            if (isNew) {
                data.statement(quad.subject(), quad.predicate(), quad.object(), quad.graph());
            }
            if (isOld != isNew) {
                changed.add(data.nodes.translate(quad.subject()));
            }
        });
        addOwners(changed, data.graph);
        ValidationContext context = ValidationContext.create(shapes, data.graph);
        for (Shape shape : shapes) {
            for (Node focus : VLib.focusNodes(data.graph, shape)) {
                if (changed.contains(focus)) {
                    VLib.validateShape(context, data.graph, shape, focus);
                }
            }
        }
        ValidationReport found = context.generateReport();
        if (report != null) {
            try (AtomicFile file = new AtomicFile(Path.of(report), report)) {
                RDFDataMgr.write(file.out(), found.getModel(), Lang.TURTLE);
                file.commit();
            }
        }
        return requireNoViolation(found, new PrefixedTerms(Map.of(), difference.prefixes()));
    }

    /** Adds the subjects that have one of the blank nodes as an object, since the node is a part of what is said of them. */
    private static void addOwners(Set<Node> nodes, Graph data) {
        Deque<Node> left = new ArrayDeque<>(nodes);
        while (!left.isEmpty()) {
            Node node = left.poll();
            if (node.isBlank()) {
                data.find(Node.ANY, Node.ANY, node).forEachRemaining(triple -> {
                    if (nodes.add(triple.getSubject())) {
                        left.add(triple.getSubject());
                    }
                });
            }
        }
    }

    private List<String> requireNoViolation(ValidationReport found, PrefixedTerms names) {
        List<String> violations = found.getEntries().stream().filter(ChangedShapes::isViolation)
                .map(entry -> toText(entry, names)).sorted().toList();
        if (violations.isEmpty()) {
            return found.getEntries().stream().map(entry -> toText(entry, names)).sorted().toList();
        }
        int count = violations.size();
        throw new IllegalStateException(name + ": " + count + (count == 1 ? " violation" : " violations")
                + " at what would change; nothing was applied. "
                + String.join("; ", violations.subList(0, Math.min(count, NAMED)))
                + (count > NAMED ? "; and " + (count - NAMED) + " more, which a report of the shapes has" : ""));
    }

    private static boolean isViolation(ReportEntry entry) {
        return Severity.Violation.equals(entry.severity());
    }

    private static String toText(ReportEntry entry, PrefixedTerms names) {
        String path = entry.resultPath() == null ? "" : " " + (entry.resultPath() instanceof P_Link link
                ? toText(link.getNode(), names) : entry.resultPath());
        return toText(entry.focusNode(), names) + path + ": " + entry.message();
    }

    private static String toText(Node node, PrefixedTerms names) {
        return names.show(new String(new CanonicalNodes().toBytes(node), UTF_8));
    }

    /** A handler that collects triples. */
    private static final class Data implements RdfHandler<byte[]> {
        private final TermBuilder<byte[], Node> nodes = new TermBuilder<>(new Utf8Terms(), new NodeTerms());
        private final Graph graph = GraphFactory.createDefaultGraph();

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] named) {
            graph.add(nodes.translate(subject), nodes.translate(predicate), nodes.translate(object));
        }
    }
}
