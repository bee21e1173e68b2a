package io.jellybridge.bench;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.patch.JellyPatchWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.rdfpatch.text.RDFChangesWriterText;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFBase;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sys.JenaSystem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Writes one whole set of changes, which is in memory as objects, to a stream that only counts. Transactions and the ends of
 * patches are written too; headers, two a patch, are not.
 *
 * <p>Nodes are those that Jena's own N-Quads parser makes of the statements: with its cache, so that a term that comes
 * again is often but not always the same object. UTF-8 terms are an array of their own each, as out of Spark's rows.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WriteBenchmark {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    /** The rows of a set of changes: an op each, and what stands for the statements where it is {@code A} or {@code D}. */
    @State(Scope.Benchmark)
    public abstract static class Rows {
        /** See {@link BenchmarkFiles}. */
        @Param("build/bench")
        public String folder;

        /** See {@link ChangeSet}. */
        @Param("changes-1m")
        public String changes;

        /** The rows' ops; null where a patch ends. */
        final List<Op> ops = new ArrayList<>();
        /** Where each stream ends in them. */
        final List<Integer> ends = new ArrayList<>();

        /** @param statements called with each statement, in their order */
        final void load(StatementTaker statements) throws IOException {
            ChangeSet set = ChangeSet.of(folder, changes);
            InputStream in = Files.newInputStream(set.file(".jellyp"));
            try (PatchReader<byte[]> reader = new PatchReader<>(in, changes, new Utf8Terms(), ReadOptions.DEFAULT)) {
                reader.readAll(new PatchHandler<>() {
                    private int inStream;

                    @Override
                    public void header(byte[] key, byte[] value) {
                        // left out
                    }

                    @Override
                    public void transaction(Op op) {
                        if (!set.isCut()) {
                            ops.add(op);
                        }
                    }

                    @Override
                    public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
                        throw new IllegalStateException("the benchmarks' changes have no prefixes");
                    }

                    @Override
                    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                        if (set.isCut() && inStream == 0) {
                            ops.add(Op.TX);
                        }
                        ops.add(op);
                        statements.take(subject, predicate, object, graph);
                        if (++inStream == set.statementsOfPatch()) {
                            endStream();
                            inStream = 0;
                        }
                    }

                    @Override
                    public void endPatch() {
                        if (!set.isCut()) {
                            ops.add(null);
                        }
                    }

                });
            }
            if (!set.isCut()) {
                ends.add(ops.size());
            } else if (ops.get(ops.size() - 1) != null) {
                endStream();
            }
        }

        private void endStream() {
            ops.add(Op.TC);
            ops.add(null);
            ends.add(ops.size());
        }
    }

    private interface StatementTaker {
        void take(byte[] subject, byte[] predicate, byte[] object, byte[] graph);
    }

    /** Rows whose statements are quads of UTF-8 terms. */
    @State(Scope.Benchmark)
    public static class Utf8Rows extends Rows {
        final List<byte[][]> quads = new ArrayList<>();

        @Setup
        public void load() throws IOException {
            load((subject, predicate, object, graph) -> quads.add(new byte[][] {
                    subject.clone(), predicate.clone(), object.clone(), graph == null ? null : graph.clone()}));
        }
    }

    /** Rows whose statements are Jena's quads. */
    @State(Scope.Benchmark)
    public static class NodeRows extends Rows {
        /** {@code shared}: a term that comes again is the same object; {@code own}: never. */
        @Param({"shared", "own"})
        public String nodes;

        private static final byte[] END = {'.', '\n'};

        final List<Quad> quads = new ArrayList<>();

        private final Map<Node, Node> known = new HashMap<>();

        @Setup
        public void load() throws IOException {
            JenaSystem.init();
            ByteArrayOutputStream nquads = new ByteArrayOutputStream();
            load((subject, predicate, object, graph) -> {
                for (byte[] term : new byte[][] {subject, predicate, object, graph}) {
                    if (term != null) {
                        nquads.writeBytes(term);
                        nquads.write(' ');
                    }
                }
                nquads.writeBytes(END);
            });
            RDFParser.source(new ByteArrayInputStream(nquads.toByteArray())).lang(Lang.NQUADS)
                    .labelToNode(LabelToNode.createUseLabelAsGiven())
                    .parse(new StreamRDFBase() {
                        @Override
                        public void triple(Triple triple) {
                            quad(new Quad(Quad.defaultGraphIRI, triple));
                        }

                        @Override
                        public void quad(Quad quad) {
                            Node graph = quad.isDefaultGraph() ? Quad.defaultGraphIRI : node(quad.getGraph());
                            quads.add(new Quad(graph, node(quad.getSubject()), node(quad.getPredicate()),
                                    node(quad.getObject())));
                        }
                    });
            known.clear();
        }

        private Node node(Node parsed) {
            if (nodes.equals("shared")) {
                return known.computeIfAbsent(parsed, node -> node);
            }
            if (parsed.isURI()) {
                return NodeFactory.createURI(new String(parsed.getURI()));
            }
            return parsed.isBlank() ? NodeFactory.createBlankNode(new String(parsed.getBlankNodeLabel()))
                    : NodeFactory.createLiteral(new String(parsed.getLiteralLexicalForm()),
                            parsed.getLiteralLanguage(), parsed.getLiteralDatatype());
        }

        /**
         * Plays each stream into changes of its own.
         *
         * @param open         makes them
         * @param defaultGraph what stands for the default graph in what they are told
         */
        void play(Supplier<? extends RDFChanges> open, Node defaultGraph) {
            Iterator<Quad> next = quads.iterator();
            int from = 0;
            for (int end : ends) {
                play(ops.subList(from, end), next, open.get(), defaultGraph);
                from = end;
            }
        }

        private static void play(List<Op> ops, Iterator<Quad> next, RDFChanges sink, Node defaultGraph) {
            sink.start();
            for (Op op : ops) {
                if (op == Op.A || op == Op.D) {
                    Quad quad = next.next();
                    Node graph = quad.getGraph() == Quad.defaultGraphIRI ? defaultGraph : quad.getGraph();
                    if (op == Op.A) {
                        sink.add(graph, quad.getSubject(), quad.getPredicate(), quad.getObject());
                    } else {
                        sink.delete(graph, quad.getSubject(), quad.getPredicate(), quad.getObject());
                    }
                } else if (op == Op.TX) {
                    sink.txnBegin();
                } else if (op == Op.TC) {
                    sink.txnCommit();
                } else {
                    sink.segment();
                }
            }
            sink.finish();
        }
    }

    /** Ours, from UTF-8 terms. */
    @Benchmark
    public long utf8(Utf8Rows rows) throws IOException {
        CountingOutputStream out = CountingOutputStream.toNowhere();
        Iterator<byte[][]> next = rows.quads.iterator();
        int from = 0;
        for (int end : rows.ends) {
            try (PatchWriter<byte[]> writer = new PatchWriter<>(out, rows.changes, new Utf8Terms(), PatchOptions.DEFAULT,
                    WriteOptions.DEFAULT)) {
                write(rows.ops.subList(from, end), next, writer);
            }
            from = end;
        }
        return out.bytes();
    }

    private static void write(List<Op> ops, Iterator<byte[][]> next, PatchWriter<byte[]> writer) {
        for (Op op : ops) {
            if (op == Op.A || op == Op.D) {
                byte[][] quad = next.next();
                writer.statement(op, quad[0], quad[1], quad[2], quad[3]);
            } else if (op != null) {
                writer.transaction(op);
            } else {
                writer.endPatch();
            }
        }
    }

    /**
     * The floor of writing from UTF-8 terms: each term is read once, a word at a time, as who has to find out whether it came
     * before must; what literals are made of is copied.
     */
    @Benchmark
    public long floor(Utf8Rows rows) {
        byte[] copy = new byte[1 << 16];
        long read = 0;
        for (byte[][] quad : rows.quads) {
            for (byte[] term : quad) {
                if (term != null) {
                    int at = 0;
                    for (; at <= term.length - Long.BYTES; at += Long.BYTES) {
                        read = (read ^ (long) LONGS.get(term, at)) * FACTOR;
                    }
                    for (; at < term.length; at++) {
                        read = (read ^ term[at]) * FACTOR;
                    }
                    if (term[0] == '"') {
                        System.arraycopy(term, 0, copy, 0, Math.min(term.length, copy.length));
                        read += copy[term.length / 2];
                    }
                }
            }
        }
        return read;
    }

    /** Ours, from Jena's nodes. */
    @Benchmark
    public long nodes(NodeRows rows) {
        CountingOutputStream out = CountingOutputStream.toNowhere();
        rows.play(() -> new JellyPatchWriter(out, rows.changes, PatchOptions.DEFAULT, WriteOptions.DEFAULT),
                Quad.defaultGraphIRI);
        return out.bytes();
    }

    /** The same statements as Jelly-RDF, from Jena's quads. */
    @Benchmark
    public long jellyJena(NodeRows rows) {
        CountingOutputStream out = CountingOutputStream.toNowhere();
        Iterator<Quad> next = rows.quads.iterator();
        int from = 0;
        for (int end : rows.ends) {
            StreamRDF writer = JellyJena.writer(out);
            writer.start();
            for (Op op : rows.ops.subList(from, end)) {
                if (op == Op.A || op == Op.D) {
                    writer.quad(next.next());
                }
            }
            writer.finish();
            from = end;
        }
        return out.bytes();
    }

    @Benchmark
    public long jenaText(NodeRows rows) {
        CountingOutputStream out = CountingOutputStream.toNowhere();
        rows.play(() -> RDFChangesWriterText.create(out), null);
        return out.bytes();
    }

    @Benchmark
    public long jenaThrift(NodeRows rows) {
        CountingOutputStream out = CountingOutputStream.toNowhere();
        rows.play(() -> ChangeSet.thrift(out), null);
        return out.bytes();
    }
}
