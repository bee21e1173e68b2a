package io.jellybridge.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.jena.patch.JellyPatchReader;
import io.jellybridge.wire.FrameReader;
import io.jellybridge.wire.WireReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.rdfpatch.binary.RDFPatchReaderBinary;
import org.apache.jena.rdfpatch.changes.RDFChangesBase;
import org.apache.jena.rdfpatch.text.RDFChangesWriterText;
import org.apache.jena.rdfpatch.text.RDFPatchReaderText;
import org.apache.jena.sys.JenaSystem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Reads one whole set of changes from memory, by a reader for each stream; whoever takes the rows only looks at their
 * terms.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReadBenchmark {
    private static final int ROWS = 1 << 3 | WireReader.LENGTH_DELIMITED;

    /** See {@link BenchmarkFiles}. */
    @Param("build/bench")
    public String folder;

    /** See {@link ChangeSet}. */
    @Param("changes-1m")
    public String changes;

    private List<byte[]> streams;

    @Setup
    public void load(BenchmarkParams running) throws IOException {
        JenaSystem.init();
        String benchmark = running.getBenchmark();
        ChangeSet set = ChangeSet.of(folder, changes);
        streams = switch (benchmark.substring(benchmark.lastIndexOf('.') + 1)) {
            case "jellyJena" -> set.jellyRdf();
            case "jenaText" -> set.streams(".rdfp", RDFChangesWriterText::create);
            case "jenaThrift" -> set.streams(".trp", ChangeSet::thrift);
            default -> set.jellyPatch();
        };
    }

    private static InputStream in(byte[] stream) {
        return new ByteArrayInputStream(stream);
    }

    /** Ours, to UTF-8 terms, as Spark gets them. */
    @Benchmark
    public void utf8(Blackhole taken) throws IOException {
        for (byte[] stream : streams) {
            try (PatchReader<byte[]> reader = new PatchReader<>(in(stream), changes, new Utf8Terms(), ReadOptions.DEFAULT)) {
                reader.readAll(new Utf8Sink(taken));
            }
        }
    }

    /** Ours, to {@code RDFChanges}. */
    @Benchmark
    public void rdfChanges(Blackhole taken) {
        for (byte[] stream : streams) {
            new JellyPatchReader(in(stream), changes, ReadOptions.DEFAULT).apply(new ChangesSink(taken));
        }
    }

    /** The same statements as Jelly-RDF, to nodes. */
    @Benchmark
    public void jellyJena(Blackhole taken) throws IOException {
        for (byte[] stream : streams) {
            JellyJena.read(in(stream), (subject, predicate, object, graph) -> {
                taken.consume(subject);
                taken.consume(predicate);
                taken.consume(object);
                taken.consume(graph);
            });
        }
    }

    @Benchmark
    public void jenaText(Blackhole taken) {
        for (byte[] stream : streams) {
            new RDFPatchReaderText(in(stream)).apply(new ChangesSink(taken));
        }
    }

    @Benchmark
    public void jenaThrift(Blackhole taken) {
        for (byte[] stream : streams) {
            RDFPatchReaderBinary.read(in(stream), new ChangesSink(taken));
        }
    }

    /**
     * The floor: goes from key to length and on, through frames, rows and the fields of rows; what a term is made of is
     * skipped.
     */
    @Benchmark
    public long floor() throws IOException {
        long fields = 0;
        for (byte[] stream : streams) {
            fields += fields(in(stream));
        }
        return fields;
    }

    private static long fields(InputStream in) throws IOException {
        WireReader wire = new WireReader();
        long fields = 0;
        try (FrameReader frames = new FrameReader(in, ReadOptions.DEFAULT.maxFrameBytes())) {
            while (frames.next()) {
                wire.reset(frames.bytes(), frames.start(), frames.end());
                while (!wire.atEnd()) {
                    int tag = wire.tag();
                    if (tag == ROWS) {
                        int end = enter(wire);
                        wire.tag();
                        enter(wire);
                        while (!wire.atEnd()) {
                            wire.skip(wire.tag());
                            fields++;
                        }
                        wire.setWindow(end, frames.end());
                    } else {
                        wire.skip(tag);
                    }
                }
            }
        }
        return fields;
    }

    /** The terms of statements, as they are on the way to Jena's nodes. */
    @State(Scope.Benchmark)
    public static class Unmade {
        private final List<Node> like = new ArrayList<>();
        /** Of literals; null: the node itself is there. */
        private final List<byte[]> lexical = new ArrayList<>();

        @Setup
        public void load(ReadBenchmark benchmark) {
            Map<Node, Node> shared = new HashMap<>();
            for (byte[] stream : benchmark.streams) {
                new JellyPatchReader(in(stream), benchmark.changes, ReadOptions.DEFAULT).apply(new RDFChangesBase() {
                    @Override
                    public void add(Node graph, Node subject, Node predicate, Node object) {
                        for (Node term : new Node[] {graph, subject, predicate, object}) {
                            like.add(term == null ? null : shared.computeIfAbsent(term, node -> node));
                            lexical.add(term != null && term.isLiteral() ? term.getLiteralLexicalForm().getBytes(UTF_8) : null);
                        }
                    }

                    @Override
                    public void delete(Node graph, Node subject, Node predicate, Node object) {
                        add(graph, subject, predicate, object);
                    }
                });
            }
        }
    }

    /**
     * What Jena's way to make nodes takes by itself: the string and the node of each literal are made of its bytes; all other
     * nodes are there, and nothing is read.
     */
    @Benchmark
    public void literals(Unmade terms, Blackhole taken) {
        for (int i = 0; i < terms.like.size(); i++) {
            Node like = terms.like.get(i);
            byte[] lexical = terms.lexical.get(i);
            taken.consume(lexical == null ? like : literal(new String(lexical, UTF_8), like));
        }
    }

    private static Node literal(String lexical, Node like) {
        return like.getLiteralLanguage().isEmpty() ? NodeFactory.createLiteralDT(lexical, like.getLiteralDatatype())
                : NodeFactory.createLiteralLang(lexical, like.getLiteralLanguage());
    }

    private static int enter(WireReader wire) {
        int length = wire.length();
        int end = wire.position() + length;
        wire.setWindow(wire.position(), end);
        return end;
    }

    private record Utf8Sink(Blackhole taken) implements PatchHandler<byte[]> {

        @Override
        public void header(byte[] key, byte[] value) {
            taken.consume(key);
            taken.consume(value);
        }

        @Override
        public void transaction(Op op) {
            taken.consume(op);
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            taken.consume(op);
            taken.consume(name);
            taken.consume(namespace);
            taken.consume(graph);
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            taken.consume(op);
            taken.consume(subject);
            taken.consume(predicate);
            taken.consume(object);
            taken.consume(graph);
        }

        @Override
        public void endPatch() {
            // nothing to look at
        }
    }

    private static final class ChangesSink extends RDFChangesBase {
        private final Blackhole taken;

        ChangesSink(Blackhole taken) {
            this.taken = taken;
        }

        @Override
        public void header(String field, Node value) {
            taken.consume(field);
            taken.consume(value);
        }

        @Override
        public void add(Node graph, Node subject, Node predicate, Node object) {
            taken.consume(graph);
            taken.consume(subject);
            taken.consume(predicate);
            taken.consume(object);
        }

        @Override
        public void delete(Node graph, Node subject, Node predicate, Node object) {
            add(graph, subject, predicate, object);
        }
    }
}
