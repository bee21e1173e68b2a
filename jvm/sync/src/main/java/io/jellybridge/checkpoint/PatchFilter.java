package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.IdHeaders;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.PatchSink;
import io.jellybridge.convert.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Selects statements of patches by graph, subject, predicate and class. Each empty list selects all. The patches keep their
 * transactions and prefixes, and lose their ids. Not thread-safe.
 */
public final class PatchFilter extends ForwardingHandler<byte[]> {
    private static final ByteBuffer TYPE = ByteBuffer.wrap("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>".getBytes(UTF_8));
    private static final ByteBuffer DEFAULT_GRAPH = ByteBuffer.wrap(new byte[0]);

    private final Set<ByteBuffer> graphs;
    private final Set<ByteBuffer> subjects;
    private final Set<ByteBuffer> predicates;
    private final Set<ByteBuffer> classes;
    /** The subjects of the classes. */
    private final Set<ByteBuffer> members = new HashSet<>();

    /**
     * Creates a filter. Its lists have canonical terms.
     *
     * @param graphs an empty text is the default graph
     */
    public PatchFilter(List<String> graphs, List<String> subjects, List<String> predicates, List<String> classes) {
        this.graphs = toBytes(graphs);
        this.subjects = toBytes(subjects);
        this.predicates = toBytes(predicates);
        this.classes = toBytes(classes);
    }

    private static Set<ByteBuffer> toBytes(Collection<String> terms) {
        return terms.stream().map(term -> ByteBuffer.wrap(term.getBytes(UTF_8))).collect(Collectors.toSet());
    }

    /**
     * Writes a file with what is selected of the patches of files.
     *
     * @param base a snapshot that tells the classes of subjects too; null if the patches alone tell them
     */
    public void writeFile(List<FileLocation> inputs, Snapshot base, FileLocation output) throws IOException {
        if (base != null) {
            addBase(base);
        }
        PatchSink.writeFile(output, sink -> {
            readPatches(PatchAlgebra.openFiles(inputs), sink);
            return null;
        });
    }

    private void addBase(Snapshot base) throws IOException {
        base.read(new RdfHandler<>() {
            @Override
            public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                addMember(subject, predicate, object);
            }
        });
    }

    private void addMember(byte[] subject, byte[] predicate, byte[] object) {
        if (ByteBuffer.wrap(predicate).equals(TYPE) && classes.contains(ByteBuffer.wrap(object))) {
            members.add(ByteBuffer.wrap(subject));
        }
    }

    private void readPatches(List<Patches> all, PatchHandler<byte[]> target) throws IOException {
        setTarget(target);
        for (Patches patches : classes.isEmpty() ? List.<Patches>of() : all) {
            try (PatchSource<byte[]> source = patches.open(new Utf8Terms())) {
                source.readAll(new PatchAdapter<>() {
                    @Override
                    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                        addMember(subject, predicate, object);
                    }
                });
            }
        }
        for (Patches patches : all) {
            try (PatchSource<byte[]> source = patches.open(new Utf8Terms())) {
                source.requireBalance();
                source.readAll(this);
            }
        }
    }

    @Override
    public void header(byte[] key, byte[] value) {
        if (IdHeaders.nameOf(key) == null) {
            super.header(key, value);
        }
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        ByteBuffer named = graph == null ? DEFAULT_GRAPH : ByteBuffer.wrap(graph);
        if (isIn(graphs, named) && isIn(subjects, ByteBuffer.wrap(subject)) && isIn(predicates, ByteBuffer.wrap(predicate))
                && (classes.isEmpty() || members.contains(ByteBuffer.wrap(subject)))) {
            super.statement(op, subject, predicate, object, graph);
        }
    }

    private static boolean isIn(Set<ByteBuffer> wanted, ByteBuffer term) {
        return wanted.isEmpty() || wanted.contains(term);
    }
}
