package io.jellybridge.bench;

import io.jellybridge.codec.ReadOptions;
import io.jellybridge.jena.patch.JellyPatchReader;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.jena.graph.Node;
import org.apache.jena.rdfpatch.changes.RDFChangesBase;
import org.apache.jena.sys.JenaSystem;

/**
 * Reads a set of changes over and over from the start of a JVM, and prints how long a row took until each mark. JMH warms up
 * first; a short job never gets that far.
 */
final class FirstRows {
    /** Rows from the start; the first is reached with the first stream that passes it. */
    private static final long[] MARKS = {10_000, 1_000_000, 3_000_000, 6_000_000};

    private long rows;
    /** Of all terms, so that none is left unmade. */
    private int hash;

    private FirstRows() {
    }

    /**
     * Arguments: {@code prepare}, folder, changes, and what the names of the files begin with that it makes; or {@code ours} or
     * {@code peer}, and such a file.
     */
    public static void main(String[] arguments) throws IOException {
        JenaSystem.init();
        if (arguments[0].equals("prepare")) {
            // In a JVM of its own: to cut the changes reads them.
            ChangeSet set = ChangeSet.of(arguments[1], arguments[2]);
            save(set.jellyPatch(), Path.of(arguments[3] + ".ours"));
            save(set.jellyRdf(), Path.of(arguments[3] + ".peer"));
        } else {
            System.out.println(new FirstRows().measure(load(Path.of(arguments[1])), arguments[0].equals("ours")));
        }
    }

    /** Returns nanoseconds a row between the marks, as a JSON array. */
    private List<Long> measure(List<byte[]> streams, boolean ours) throws IOException {
        List<Long> times = new ArrayList<>();
        long since = System.nanoTime();
        long before = 0;
        while (times.size() < MARKS.length) {
            for (byte[] stream : streams) {
                if (ours) {
                    new JellyPatchReader(new ByteArrayInputStream(stream), "stream", ReadOptions.DEFAULT).apply(new Sink());
                } else {
                    JellyJena.read(new ByteArrayInputStream(stream), (subject, predicate, object, graph) ->
                            take(graph, subject, predicate, object));
                }
                if (times.size() < MARKS.length && rows >= MARKS[times.size()]) {
                    long now = System.nanoTime();
                    times.add((now - since) / (rows - before));
                    since = now;
                    before = rows;
                }
            }
        }
        if (hash == 0) {
            throw new IllegalStateException("no terms were read");
        }
        return times;
    }

    private void take(Node graph, Node subject, Node predicate, Node object) {
        rows++;
        hash = 31 * hash + (graph == null ? 0 : graph.hashCode()) + subject.hashCode() + predicate.hashCode() + object.hashCode();
    }

    private static void save(List<byte[]> streams, Path file) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            out.writeInt(streams.size());
            for (byte[] stream : streams) {
                out.writeInt(stream.length);
                out.write(stream);
            }
        }
    }

    private static List<byte[]> load(Path file) throws IOException {
        List<byte[]> streams = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            for (int left = in.readInt(); left > 0; left--) {
                streams.add(in.readNBytes(in.readInt()));
            }
        }
        return streams;
    }

    private final class Sink extends RDFChangesBase {

        @Override
        public void add(Node graph, Node subject, Node predicate, Node object) {
            take(graph, subject, predicate, object);
        }

        @Override
        public void delete(Node graph, Node subject, Node predicate, Node object) {
            take(graph, subject, predicate, object);
        }
    }
}
