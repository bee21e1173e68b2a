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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.rdfpatch.binary.RDFChangesWriterBinary;
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

    /** The rows of a set of changes: an op each, and what stands for the statements where it is {@code A} or {@code D}. */
    @State(Scope.Benchmark)
    public abstract static class Rows {
        /** See {@link BenchmarkFiles}. */
        @Param("build/bench")
        public String folder;

        @Param("changes-1m")
        public String changes;

        /** The rows' ops; null where a patch ends. */
        final List<Op> ops = new ArrayList<>();

        /** @param statements called with each statement, in their order */
        final void load(StatementTaker statements) throws IOException {
            InputStream in = Files.newInputStream(Path.of(folder, changes + ".jellyp"));
            try (PatchReader<byte[]> reader = new PatchReader<>(in, changes, new Utf8Terms(), ReadOptions.DEFAULT)) {
                reader.readAll(new PatchHandler<>() {
                    @Override
                    public void header(byte[] key, byte[] value) {
                        // left out
                    }

                    @Override
                    public void transaction(Op op) {
                        ops.add(op);
                    }

                    @Override
                    public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
                        throw new IllegalStateException("the benchmarks' changes have no prefixes");
                    }

                    @Override
                    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                        ops.add(op);
                        statements.take(subject, predicate, object, graph);
                    }

                    @Override
                    public void endPatch() {
                        ops.add(null);
                    }
                });
            }
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
        private static final byte[] END = {'.', '\n'};

        final List<Quad> quads = new ArrayList<>();

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
                            quads.add(new Quad(Quad.defaultGraphIRI, triple));
                        }

                        @Override
                        public void quad(Quad quad) {
                            quads.add(quad.isDefaultGraph() ? new Quad(Quad.defaultGraphIRI, quad.asTriple()) : quad);
                        }
                    });
        }

        /** @param defaultGraph what stands for the default graph in what the changes are told */
        void play(RDFChanges sink, Node defaultGraph) {
            sink.start();
            int next = 0;
            for (Op op : ops) {
                if (op == Op.A || op == Op.D) {
                    Quad quad = quads.get(next++);
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
        try (PatchWriter<byte[]> writer = new PatchWriter<>(out, rows.changes, new Utf8Terms(), PatchOptions.DEFAULT,
                WriteOptions.DEFAULT)) {
            int next = 0;
            for (Op op : rows.ops) {
                if (op == Op.A || op == Op.D) {
                    byte[][] quad = rows.quads.get(next++);
                    writer.statement(op, quad[0], quad[1], quad[2], quad[3]);
                } else if (op != null) {
                    writer.transaction(op);
                } else {
                    writer.endPatch();
                }
            }
        }
        return out.bytes();
    }

    /** Ours, from Jena's nodes. */
    @Benchmark
    public long nodes(NodeRows rows) {
        CountingOutputStream out = CountingOutputStream.toNowhere();
        try (JellyPatchWriter writer = new JellyPatchWriter(out, rows.changes, PatchOptions.DEFAULT, WriteOptions.DEFAULT)) {
            rows.play(writer, Quad.defaultGraphIRI);
        }
        return out.bytes();
    }

    /** The same statements as Jelly-RDF, from Jena's quads. */
    @Benchmark
    public long jellyJena(NodeRows rows) {
        CountingOutputStream out = CountingOutputStream.toNowhere();
        StreamRDF writer = JellyJena.writer(out);
        writer.start();
        for (Quad quad : rows.quads) {
            writer.quad(quad);
        }
        writer.finish();
        return out.bytes();
    }

    @Benchmark
    public long jenaText(NodeRows rows) {
        CountingOutputStream out = CountingOutputStream.toNowhere();
        try (RDFChangesWriterText writer = RDFChangesWriterText.create(out)) {
            rows.play(writer, null);
        }
        return out.bytes();
    }

    @Benchmark
    public long jenaThrift(NodeRows rows) {
        CountingOutputStream out = CountingOutputStream.toNowhere();
        RDFChangesWriterBinary.writeBinary(out, writer -> rows.play(writer, null));
        return out.bytes();
    }
}
