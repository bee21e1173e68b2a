package io.jellybridge.convert;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sorts quads by graph, subject, predicate and object, by the bytes of their text, the default graph first, and leaves
 * out those that came before. What does not fit into the memory that it may use goes to temporary files, which are gone
 * from their folder as soon as they are open. For one thread.
 */
final class QuadSorter implements Closeable {
    private static final int MAX_RUNS = 64;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int OBJECT_OVERHEAD = 32;

    /** A quad: the graph is null for the default graph. */
    record Quad(byte[] subject, byte[] predicate, byte[] object, byte[] graph) implements Comparable<Quad> {

        private long bytes() {
            return 5L * OBJECT_OVERHEAD + object.length + subject.length + predicate.length
                    + (graph == null ? 0 : graph.length);
        }

        @Override
        public int compareTo(Quad other) {
            int order = compare(graph, other.graph);
            order = order != 0 ? order : compare(subject, other.subject);
            order = order != 0 ? order : compare(predicate, other.predicate);
            return order != 0 ? order : compare(object, other.object);
        }

        /** Null is less than all else. */
        private static int compare(byte[] a, byte[] b) {
            return a == b ? 0 : Arrays.compareUnsigned(a, b);
        }
    }

    /** Quads one after the other. */
    interface Quads {
        /** The next one; null after the last. */
        Quad next() throws IOException;
    }

    /** Quads in a file, in the order in which they came. */
    static final class Run implements Closeable {
        private final FileChannel channel;
        private final DataOutputStream out;

        Run() throws IOException {
            Path file = Files.createTempFile("jellybridge-", ".quads");
            channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
            out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES));
        }

        void write(Quad quad) throws IOException {
            for (byte[] term : new byte[][] {quad.subject, quad.predicate, quad.object, quad.graph}) {
                out.writeInt(term == null ? -1 : term.length);
                if (term != null) {
                    out.write(term);
                }
            }
        }

        /** Reads from the start; after that nothing may be written. */
        Quads read() throws IOException {
            out.flush();
            channel.position(0);
            DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), BUFFER_BYTES));
            return () -> {
                try {
                    byte[] subject = term(in);
                    return new Quad(subject, term(in), term(in), term(in));
                } catch (EOFException e) {
                    return null; // a run ends between two quads only
                }
            };
        }

        private static byte[] term(DataInputStream in) throws IOException {
            int length = in.readInt();
            if (length < 0) {
                return null;
            }
            byte[] term = new byte[length];
            in.readFully(term);
            return term;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private final long memoryBytes;
    private final List<Quad> quads = new ArrayList<>();
    private long bytes;
    private final List<Run> runs = new ArrayList<>();

    /** @param memoryBytes how much memory quads may take, about */
    QuadSorter(long memoryBytes) {
        this.memoryBytes = memoryBytes;
    }

    void add(Quad quad) throws IOException {
        quads.add(quad);
        bytes += quad.bytes();
        if (bytes > memoryBytes) {
            spill();
        }
    }

    private void spill() throws IOException {
        if (runs.size() == MAX_RUNS) {
            joinRuns();
        }
        runs.add(written(inMemory()));
        quads.clear();
        bytes = 0;
    }

    /** Makes one run of all, so that there are never too many files to read at a time. */
    private void joinRuns() throws IOException {
        Run joined = written(distinct(merged(partsOfRuns())));
        closeRuns();
        runs.add(joined);
    }

    private static Run written(Quads sorted) throws IOException {
        Run run = new Run();
        try {
            for (Quad quad = sorted.next(); quad != null; quad = sorted.next()) {
                run.write(quad);
            }
            return run;
        } catch (IOException | RuntimeException e) {
            run.close();
            throw e;
        }
    }

    private List<Quads> partsOfRuns() throws IOException {
        List<Quads> parts = new ArrayList<>();
        for (Run run : runs) {
            parts.add(run.read());
        }
        return parts;
    }

    private Quads inMemory() {
        quads.sort(null);
        int[] at = {0};
        return () -> at[0] < quads.size() ? quads.get(at[0]++) : null;
    }

    /** All quads in their order, once each. Nothing may be added after that. */
    Quads sorted() throws IOException {
        List<Quads> parts = partsOfRuns();
        parts.add(inMemory());
        return distinct(merged(parts));
    }

    /** A sorted part, and the quad that it is at. */
    private static final class Head implements Comparable<Head> {
        private final Quads part;
        private Quad quad;

        Head(Quads part) throws IOException {
            this.part = part;
            this.quad = part.next();
        }

        @Override
        public int compareTo(Head other) {
            return quad.compareTo(other.quad);
        }
    }

    private static Quads merged(List<Quads> parts) throws IOException {
        PriorityQueue<Head> heads = new PriorityQueue<>();
        for (Quads part : parts) {
            Head head = new Head(part);
            if (head.quad != null) {
                heads.add(head);
            }
        }
        return () -> {
            Head first = heads.poll();
            if (first == null) {
                return null;
            }
            Quad quad = first.quad;
            first.quad = first.part.next();
            if (first.quad != null) {
                heads.add(first);
            }
            return quad;
        };
    }

    private static Quads distinct(Quads sorted) {
        Quad[] before = {null};
        return () -> {
            Quad quad = sorted.next();
            while (quad != null && before[0] != null && quad.compareTo(before[0]) == 0) {
                quad = sorted.next();
            }
            before[0] = quad;
            return quad;
        };
    }

    private void closeRuns() throws IOException {
        for (Run run : runs) {
            run.close();
        }
        runs.clear();
    }

    @Override
    public void close() throws IOException {
        closeRuns();
    }
}
