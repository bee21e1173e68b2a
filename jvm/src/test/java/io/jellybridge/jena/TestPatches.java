package io.jellybridge.jena;

import io.jellybridge.codec.Checksums;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.nodes.CanonicalNodes;
import io.jellybridge.jena.patch.JellyPatchReader;
import io.jellybridge.jena.patch.JellyPatchWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.jena.datatypes.BaseDatatype;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;

/** Short ways to say terms, patches and what is in a dataset. */
public final class TestPatches {
    public static final PatchOptions QUADS = PatchOptions.DEFAULT.withRdfStar(true).withGeneralizedStatements(true);
    /** As other writers have it, who check nothing. */
    private static final WriteOptions ANY_TERMS = WriteOptions.DEFAULT.withTerms(TermRules.ANY);
    public static final Node S = iri("http://e/s");
    public static final Node P = iri("http://e/p");
    public static final Node O = iri("http://e/o");
    public static final Node G = iri("http://e/g");

    /** A legal {@code xsd:dateTime} with eleven decimals of a second, which Jena did not parse. */
    public static final Node LONG_TIME =
            NodeFactory.createLiteralDT("2024-01-01T00:00:00.12345678901Z", new BaseDatatype(XSDDatatype.XSDdateTime.getURI()));

    private TestPatches() {
    }

    /** Returns whether Jena parses {@link #LONG_TIME}. Jena 6 does, since it looks at a value when it is asked for. */
    public static boolean isLongTimeParsed() {
        try {
            return NodeFactory.createLiteralDT(LONG_TIME.getLiteralLexicalForm(), XSDDatatype.XSDdateTime).isLiteral();
        } catch (NumberFormatException e) {
            return false;
        }
    }

    public static Node iri(String iri) {
        return NodeFactory.createURI(iri);
    }

    public static Node text(String lexical) {
        return NodeFactory.createLiteralString(lexical);
    }

    public static Node integer(String lexical) {
        return NodeFactory.createLiteralDT(lexical, XSDDatatype.XSDinteger);
    }

    public static Node blank(String label) {
        return NodeFactory.createBlankNode(label);
    }

    /** Applies a file with the default options. */
    public static ApplyReport apply(OpenDataset store, Path file) throws IOException {
        return apply(store, file, ProgressListener.NONE);
    }

    public static ApplyReport apply(OpenDataset store, Path file, ProgressListener listener) throws IOException {
        return store.apply(file.toString(), PatchFiles.openPatches(file.toString()), listener);
    }

    public static byte[] bytes(PatchOptions options, Consumer<RDFChanges> changes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JellyPatchWriter writer = new JellyPatchWriter(out, null, options, ANY_TERMS)) {
            changes.accept(writer);
        }
        return out.toByteArray();
    }

    /** A stream of one frame with more rows, which no writer of ours writes. Its length is said before it and in its restart point. */
    public static byte[] withRows(byte[] stream, byte[] rows) {
        byte[] longer = Arrays.copyOf(stream, stream.length + rows.length);
        int checksum = stream.length - Checksums.BYTES;
        System.arraycopy(stream, checksum, longer, checksum + rows.length, Checksums.BYTES);
        System.arraycopy(rows, 0, longer, checksum, rows.length);
        longer[0] += (byte) rows.length;
        for (int at = 1; at < stream.length - Integer.BYTES; at++) {
            if (ByteBuffer.wrap(stream, at, Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).getInt() == stream[0]) {
                longer[at] += (byte) rows.length;
                return Checksums.renewed(longer);
            }
        }
        throw new IllegalArgumentException("no restart point");
    }

    public static Path file(Path folder, Consumer<RDFChanges> changes) throws IOException {
        return file(folder, QUADS, changes);
    }

    public static Path file(Path folder, PatchOptions options, Consumer<RDFChanges> changes) throws IOException {
        return Files.write(folder.resolve("test-" + System.nanoTime() + ".jellyp"), bytes(options, changes));
    }

    public static List<String> events(byte[] stream) {
        List<String> events = new ArrayList<>();
        new JellyPatchReader(new ByteArrayInputStream(stream), "test", ReadOptions.DEFAULT).apply(new Recorder(events));
        return events;
    }

    public static List<String> events(Path file) throws IOException {
        return events(Files.readAllBytes(file));
    }

    /** Every quad and every prefix, sorted. */
    public static SortedSet<String> content(DatasetGraph dataset) {
        SortedSet<String> content = new TreeSet<>();
        dataset.begin(TxnType.READ);
        try {
            dataset.find().forEachRemaining(quad -> content.add(string(quad)));
            new TreeMap<>(dataset.prefixes().getMapping()).forEach((prefix, iri) -> content.add("@" + prefix + ": "
                    + iri));
        } finally {
            dataset.end();
        }
        return content;
    }

    public static SortedSet<String> content(DatasetStore store) {
        return content(store.dataset());
    }

    public static String string(Quad quad) {
        return string(quad.getSubject()) + " " + string(quad.getPredicate()) + " " + string(quad.getObject())
                + (quad.isDefaultGraph() ? "" : " " + string(quad.getGraph()));
    }

    public static String string(Node node) {
        return new String(new CanonicalNodes().toBytes(node), StandardCharsets.UTF_8);
    }

    public static SortedSet<String> set(String... lines) {
        return new TreeSet<>(List.of(lines));
    }

    /** Writes every call as a line. */
    public record Recorder(List<String> events) implements RDFChanges {

        public Recorder() {
            this(Collections.synchronizedList(new ArrayList<>()));
        }

        private static String graph(Node graph) {
            return graph == null ? "null" : Quad.isDefaultGraph(graph) ? "DEFAULT" : string(graph);
        }

        @Override
        public void header(String field, Node value) {
            events.add("H " + field + " " + string(value));
        }

        @Override
        public void add(Node g, Node s, Node p, Node o) {
            events.add("A " + string(s) + " " + string(p) + " " + string(o) + " " + graph(g));
        }

        @Override
        public void delete(Node g, Node s, Node p, Node o) {
            events.add("D " + string(s) + " " + string(p) + " " + string(o) + " " + graph(g));
        }

        @Override
        public void addPrefix(Node g, String prefix, String iri) {
            events.add("PA " + prefix + " " + iri + " " + graph(g));
        }

        @Override
        public void deletePrefix(Node g, String prefix) {
            events.add("PD " + prefix + " " + graph(g));
        }

        @Override
        public void txnBegin() {
            events.add("TX");
        }

        @Override
        public void txnCommit() {
            events.add("TC");
        }

        @Override
        public void txnAbort() {
            events.add("TA");
        }

        @Override
        public void segment() {
            events.add("---");
        }

        @Override
        public void start() {
            events.add("start");
        }

        @Override
        public void finish() {
            events.add("finish");
        }
    }
}
