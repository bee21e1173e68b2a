package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.text.RdfPatchDialect;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.rdfpatch.RDFPatchOps;
import org.apache.jena.rdfpatch.changes.RDFChangesBase;
import org.apache.jena.rdfpatch.text.RDFPatchReaderText;
import org.junit.jupiter.api.Test;

/** Our reader and writer of RDF Patch text against Jena's, over random patches. */
class RdfPatchJenaTest {
    private static final int SEEDS = Integer.getInteger("jellybridge.seeds", 200);
    private static final RdfPatchReadOptions ALL_IN =
            RdfPatchReadOptions.DEFAULT.withDialect(RdfPatchDialect.JENA).withGeneralized(true).withRelativeIris(true);

    /** An event with Jena's terms; PD without its namespace, which Jena has no place for. */
    private record NodeEvent(String op, String name, List<Node> terms) {

        static NodeEvent of(String op, String name, Node... terms) {
            return new NodeEvent(op, name, Arrays.asList(terms));
        }
    }

    /** Text of random patches, by our writer. */
    private static byte[] randomText(int seed) throws IOException {
        Random random = new Random(seed);
        PatchOptions options = PatchOptions.DEFAULT
                .withGeneralizedStatements(random.nextBoolean()).withRdfStar(random.nextBoolean());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RdfPatchWriteOptions all = RdfPatchWriteOptions.DEFAULT.withGeneralized(true).withRelativeIris(true);
        try (RdfPatchWriter<byte[]> writer = new RdfPatchWriter<>(out, "test", new Utf8Terms(), all)) {
            new RandomPatches(seed, options).patches(new Taken(writer), random.nextInt(6), () -> { });
        }
        return out.toByteArray();
    }

    /** Passes on what the writer takes. */
    private record Taken(RdfPatchWriter<byte[]> writer) implements PatchHandler<byte[]> {

        private void call(Consumer<PatchHandler<byte[]>> event) {
            try {
                event.accept(writer);
            } catch (FormatException e) {
                assertTrue(e.found().contains("language tag") || e.found().contains("starts as a blank node")
                        || e.found().contains("a character that no IRI has"), e.getMessage());
            }
        }

        @Override
        public void header(byte[] key, byte[] value) {
            call(to -> to.header(key, value));
        }

        @Override
        public void transaction(Op op) {
            writer.transaction(op);
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            call(to -> to.prefix(op, name, namespace, graph));
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            call(to -> to.statement(op, subject, predicate, object, graph));
        }

        @Override
        public void endPatch() {
            writer.endPatch();
        }
    }

    private static List<NodeEvent> ours(byte[] text) throws IOException {
        OurEvents events = new OurEvents(new ArrayList<>());
        try (RdfPatchReader<Node> reader =
                new RdfPatchReader<>(new ByteArrayInputStream(text), "test", new NodeTerms(), ALL_IN)) {
            reader.readAll(events);
        }
        return events.list;
    }

    private record OurEvents(List<NodeEvent> list) implements PatchHandler<Node> {

        @Override
        public void header(byte[] key, Node value) {
            list.add(NodeEvent.of("H", new String(key, UTF_8), value));
        }

        @Override
        public void transaction(Op op) {
            list.add(NodeEvent.of(op.name(), null));
        }

        @Override
        public void prefix(Op op, byte[] name, Node namespace, Node graph) {
            list.add(NodeEvent.of(op.name(), new String(name, UTF_8), namespace, graph));
        }

        @Override
        public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
            list.add(NodeEvent.of(op.name(), null, subject, predicate, object, graph));
        }

        @Override
        public void endPatch() {
            list.add(NodeEvent.of("Z", null));
        }
    }

    private static final class JenaEvents extends RDFChangesBase {
        private final List<NodeEvent> list = new ArrayList<>();

        @Override
        public void header(String field, Node value) {
            list.add(NodeEvent.of("H", field, value));
        }

        @Override
        public void add(Node g, Node s, Node p, Node o) {
            list.add(NodeEvent.of("A", null, s, p, o, g));
        }

        @Override
        public void delete(Node g, Node s, Node p, Node o) {
            list.add(NodeEvent.of("D", null, s, p, o, g));
        }

        @Override
        public void addPrefix(Node graph, String prefix, String uri) {
            list.add(NodeEvent.of("PA", prefix, NodeFactory.createURI(uri), graph));
        }

        @Override
        public void deletePrefix(Node graph, String prefix) {
            list.add(NodeEvent.of("PD", prefix, null, graph));
        }

        @Override
        public void txnBegin() {
            list.add(NodeEvent.of("TX", null));
        }

        @Override
        public void txnCommit() {
            list.add(NodeEvent.of("TC", null));
        }

        @Override
        public void txnAbort() {
            list.add(NodeEvent.of("TA", null));
        }

        @Override
        public void segment() {
            list.add(NodeEvent.of("Z", null));
        }
    }

    private static List<NodeEvent> jenas(byte[] text) {
        JenaEvents events = new JenaEvents();
        new RDFPatchReaderText(new ByteArrayInputStream(text)).apply(events);
        List<NodeEvent> list = events.list;
        if (!list.isEmpty() && !list.get(list.size() - 1).op.equals("Z")) {
            list.add(NodeEvent.of("Z", null)); // the end of the text is that of its last patch
        }
        return list;
    }

    @Test
    void jenaReadsWhatWeWriteAsWeDo() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            byte[] text = randomText(seed);
            assertEquals(ours(text), jenas(text), "seed " + seed);
        }
    }

    @Test
    void weReadWhatJenaWrites() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            List<NodeEvent> events = jenas(randomText(seed)).stream().filter(RdfPatchJenaTest::jenaCanWrite).toList();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            RDFChanges writer = RDFPatchOps.textWriter(out);
            writer.start();
            events.forEach(event -> play(event, writer));
            writer.finish();
            assertEquals(events, ours(out.toByteArray()), "seed " + seed);
        }
    }

    /**
     * Not so keys of headers that are no words, and IRIs and labels with characters that no IRI has: Jena writes those
     * as they are, and can't read them back.
     */
    private static boolean jenaCanWrite(NodeEvent event) {
        return (!event.op.equals("H") || event.name.matches("[a-z]+"))
                && event.terms.stream().allMatch(term -> term == null || jenaCanWrite(term));
    }

    private static boolean jenaCanWrite(Node term) {
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return Stream.of(triple.getSubject(), triple.getPredicate(), triple.getObject())
                    .allMatch(RdfPatchJenaTest::jenaCanWrite);
        }
        String iri = term.isURI() ? term.getURI()
                : term.isBlank() ? term.getBlankNodeLabel() : term.isLiteral() ? term.getLiteralDatatypeURI() : "";
        return iri.chars().allMatch(c -> c > ' ' && "<>\"{}|^`\\".indexOf(c) < 0);
    }

    private static void play(NodeEvent event, RDFChanges to) {
        List<Node> terms = event.terms;
        switch (event.op) {
            case "H" -> to.header(event.name, terms.get(0));
            case "A" -> to.add(terms.get(3), terms.get(0), terms.get(1), terms.get(2));
            case "D" -> to.delete(terms.get(3), terms.get(0), terms.get(1), terms.get(2));
            case "PA" -> to.addPrefix(terms.get(1), event.name, terms.get(0).getURI());
            case "PD" -> to.deletePrefix(terms.get(1), event.name);
            case "TX" -> to.txnBegin();
            case "TC" -> to.txnCommit();
            case "TA" -> to.txnAbort();
            default -> to.segment();
        }
    }
}
