package io.jellybridge.convert;

import io.jellybridge.codec.Causes;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.files.SetComparison;
import io.jellybridge.jena.data.Position;
import io.jellybridge.structure.BlankGraph;
import io.jellybridge.structure.BlankTerms;
import io.jellybridge.structure.Matching;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The changes that make one snapshot of another: one patch of one transaction, deletions before additions, each kind
 * ordered by graph, subject, predicate and object. Snapshots are sets; terms are the same when their canonical text is,
 * and blank nodes as {@link BlankNodes} says.
 *
 * <p>What is in one snapshot alone is found by hashes, in temporary files where it does not fit into a part of the heap, so
 * that their size is bounded by the disk alone; only that is then sorted. So are the changes kept, until {@link #close()}. By
 * structure, the statements that have blank nodes are kept in memory as a graph, in a sixth of the heap for each snapshot.
 */
public final class Difference implements Closeable {
    /** Of the heap: for what is compared, and for the graph of each snapshot. */
    private static final int HEAP_SHARE = 6;
    /** For what is sorted: deletions, additions, and the statements with blank nodes of each snapshot. */
    private static final int SMALL_SHARE = 16;

    private final Meter meter;
    /** The two as they are together; null where nobody asked. */
    private final QuadsHash oldState;
    private final QuadsHash newState;
    private final SetComparison statements = new SetComparison(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    /** Packed quads, as all that is sorted. */
    private final ExternalSorter<byte[]> deletions = sorter();
    private final ExternalSorter<byte[]> additions = sorter();
    private volatile boolean tripleTerms;
    private volatile boolean blankNodes;
    /** Whether one who reads has failed, so that the other need not go on. */
    private volatile boolean stopped;
    private long before;
    private long deleted;
    private long added;
    private int unsettled;
    private long positions;

    private Difference(Meter meter, boolean states) {
        this.meter = meter;
        this.oldState = states ? new QuadsHash() : null;
        this.newState = states ? new QuadsHash() : null;
    }

    /** As {@link #of(Snapshot, Snapshot, BlankNodes, Meter, boolean)}, without the states. */
    public static Difference of(Snapshot old, Snapshot next, BlankNodes blankNodes, Meter meter) throws IOException {
        return of(old, next, blankNodes, meter, false);
    }

    /**
     * Reads both snapshots and compares them. The old one is read in this thread, whose transaction it may need, the new one
     * beside it in another. The meter's listener hears of both in this thread.
     *
     * @param states whether {@link #oldState} and {@link #newState} are wanted, some 1 µs for each statement
     * @throws RuntimeException a snapshot breaks its format: the error of that format; or has more statements with blank
     *                          nodes than memory is for
     * @throws IOException      something can't be read or written, or the work was cancelled
     */
    public static Difference of(Snapshot old, Snapshot next, BlankNodes blankNodes, Meter meter, boolean states)
            throws IOException {
        Difference difference = new Difference(meter, states);
        boolean done = false;
        try {
            difference.find(old, next, blankNodes == BlankNodes.STRUCTURE);
            done = true;
            return difference;
        } catch (UncheckedIOException e) {
            throw Causes.unwrapped(e);
        } finally {
            if (!done) {
                difference.close();
            }
        }
    }

    /** How many statements the old snapshot has, each counted once. */
    public long before() {
        return before;
    }

    public long deleted() {
        return deleted;
    }

    public long added() {
        return added;
    }

    /**
     * Refuses a new snapshot without a statement, where the old one has some: it is more often an export that failed.
     *
     * @throws IllegalStateException names both
     */
    public void checkNotEmpty(Snapshot old, Snapshot next) {
        if (before > 0 && deleted == before && added == 0) {
            throw new IllegalStateException(next.name() + " has no statement, and all " + before + " of " + old.name()
                    + " would be deleted; if it is meant to be empty, allow it by --allow-empty");
        }
    }

    /** What the old snapshot is as a whole; null where that was not asked for. */
    public QuadsHash oldState() {
        return oldState;
    }

    /** What the new snapshot is as a whole, its blank nodes under the labels that they have in the patch; likewise. */
    public QuadsHash newState() {
        return newState;
    }

    /** How many statements of both were left out, since they say where the dataset stands that they come from. */
    public long positions() {
        return positions;
    }

    /** Whether a triple term is in one of the snapshots. */
    public boolean holdsTripleTerms() {
        return tripleTerms;
    }

    /** By structure: whether a blank node is in one of the snapshots. */
    public boolean holdsBlankNodes() {
        return blankNodes;
    }

    /** By structure: in how many blank nodes symmetry was too much to search, see {@link Matching#unsettled}. */
    public int unsettled() {
        return unsettled;
    }

    /** Hands over the patch. May be called again. */
    public void read(PatchHandler<byte[]> patch) throws IOException {
        patch.transaction(Op.TX);
        hand(Op.D, deletions, patch);
        hand(Op.A, additions, patch);
        patch.transaction(Op.TC);
        patch.endPatch();
    }

    private void hand(Op op, ExternalSorter<byte[]> changes, PatchHandler<byte[]> patch) throws IOException {
        Items<byte[]> left = changes.sorted();
        for (byte[] packed = left.next(); packed != null; packed = left.next()) {
            CanonicalQuad quad = CanonicalQuad.unpacked(packed);
            patch.statement(op, quad.subject(), quad.predicate(), quad.object(), quad.graph());
            meter.look();
        }
    }

    private void find(Snapshot oldSnapshot, Snapshot newSnapshot, boolean byStructure) throws IOException {
        try (Side old = new Side(oldSnapshot, SetComparison.OLD, byStructure, meter)) {
            Beside<Side> beside = new Beside<>("jellybridge reader of " + newSnapshot.name(), () -> {
                Side next = new Side(newSnapshot, SetComparison.NEW, byStructure, meter.beside());
                next.read();
                return next;
            });
            Side next = null;
            try {
                old.read();
                next = beside.result(meter::look);
            } catch (Stopped e) {
                next = beside.result(meter::look); // which throws what has stopped it
            } finally {
                if (next == null) {
                    stopped = true;
                    beside.end(Side::close);
                }
            }
            try (Side read = next) {
                positions = old.positions + read.positions;
                if (byStructure) {
                    matchBlankNodes(old, read);
                }
            }
        }
        compare();
    }

    /** The new blank nodes get the names of the old ones that they are; then it is as by label. */
    private void matchBlankNodes(Side old, Side next) throws IOException {
        Matching matching = Matching.of(old.blankNodes, next.blankNodes);
        unsettled = matching.unsettled();
        next.addBlank(matching.names());
    }

    private static ExternalSorter<byte[]> sorter() {
        return new ExternalSorter<>(ExternalSorter.BYTES, CanonicalQuad.PACKED_BY_GRAPH,
                Runtime.getRuntime().maxMemory() / SMALL_SHARE);
    }

    private void compare() throws IOException {
        statements.forEach((bytes, offset, length, sets) -> {
            meter.addRow();
            if (sets == SetComparison.OLD) {
                deletions.add(Arrays.copyOfRange(bytes, offset, offset + length));
                deleted++;
            } else if (sets == SetComparison.NEW) {
                additions.add(Arrays.copyOfRange(bytes, offset, offset + length));
                added++;
            }
            before += (sets & SetComparison.OLD) != 0 ? 1 : 0;
            if (oldState != null) {
                addToStates(CanonicalQuad.unpacked(Arrays.copyOfRange(bytes, offset, offset + length)), sets);
            }
        });
        statements.close();
    }

    private void addToStates(CanonicalQuad quad, int sets) {
        byte[] digest = oldState.digest(quad);
        if ((sets & SetComparison.OLD) != 0) {
            oldState.add(digest);
        }
        if ((sets & SetComparison.NEW) != 0) {
            newState.add(digest);
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (statements) {
            stopped = true; // one who still reads adds nothing more
            try (statements; deletions; additions) {
                // all, whatever becomes of the first
            }
        }
    }

    /** The other snapshot can't be read, or the work was ended. */
    private static final class Stopped extends InterruptedIOException {
        private static final long serialVersionUID = 1;

        Stopped() {
            super("interrupted");
        }
    }

    /** One of the two snapshots, as it is read. For one thread. */
    private final class Side implements RdfHandler<byte[]>, Closeable {
        private static final int BATCH = 1 << 9;

        private final Snapshot snapshot;
        private final int set;
        private final Meter meter;
        /** By structure: the statements with blank nodes, and then what they are. */
        private final ExternalSorter<byte[]> ofBlankNodes;
        private BlankGraph blankNodes;
        private long positions;
        /** Those that are not yet in the set, so that the two do not wait for each other at each. */
        private final List<byte[]> batch = new ArrayList<>(BATCH);

        Side(Snapshot snapshot, int set, boolean byStructure, Meter meter) {
            this.snapshot = snapshot;
            this.set = set;
            this.meter = meter;
            this.ofBlankNodes = byStructure ? sorter() : null;
        }

        void read() throws IOException {
            boolean done = false;
            try {
                snapshot.read(this);
                addBatch();
                if (ofBlankNodes != null) {
                    blankNodes = graph();
                }
                done = true;
            } catch (UncheckedIOException e) {
                throw Causes.unwrapped(e);
            } finally {
                if (!done) {
                    stopped = true;
                    close();
                }
            }
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            try {
                meter.addRow();
                if (Position.isGraph(graph)) {
                    positions++;
                    return; // is of the dataset that it comes from, and no patch may touch it
                }
                byte[] quad = new CanonicalQuad(subject, predicate, object, graph).packed();
                boolean isBlank = ofBlankNodes != null && BlankTerms.anyIn(subject, predicate, object, graph);
                if (isBlank) {
                    Difference.this.blankNodes = true;
                    checkStopped();
                    ofBlankNodes.add(quad);
                }
                if (!isBlank || set == SetComparison.OLD) { // the new ones get their names first
                    add(quad);
                }
                if (isTripleTerm(object) || isTripleTerm(subject)) {
                    tripleTerms = true;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private boolean isTripleTerm(byte[] term) {
            return term.length > 1 && term[0] == '<' && term[1] == '<';
        }

        private void add(byte[] quad) throws IOException {
            batch.add(quad);
            if (batch.size() == BATCH) {
                addBatch();
            }
        }

        private void addBatch() throws IOException {
            synchronized (statements) {
                checkStopped();
                for (byte[] quad : batch) {
                    statements.add(set, quad);
                }
            }
            batch.clear();
        }

        private void checkStopped() throws Stopped {
            if (stopped) {
                throw new Stopped();
            }
        }

        private BlankGraph graph() throws IOException {
            BlankGraph graph = new BlankGraph(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
            Items<byte[]> items = ofBlankNodes.sorted();
            for (byte[] packed = items.next(); packed != null; packed = items.next()) {
                checkStopped();
                meter.addRow();
                CanonicalQuad quad = CanonicalQuad.unpacked(packed);
                try {
                    graph.add(quad.subject(), quad.predicate(), quad.object(), quad.graph());
                } catch (IllegalStateException e) {
                    throw new IllegalStateException(snapshot.name() + ": " + e.getMessage(), e);
                }
            }
            return graph;
        }

        /** Adds the statements with blank nodes to the set, under other names. */
        void addBlank(BlankTerms names) throws IOException {
            Items<byte[]> items = ofBlankNodes.sorted();
            for (byte[] packed = items.next(); packed != null; packed = items.next()) {
                meter.addRow();
                CanonicalQuad quad = CanonicalQuad.unpacked(packed);
                add(new CanonicalQuad(names.rename(quad.subject()), names.rename(quad.predicate()),
                        names.rename(quad.object()), names.rename(quad.graph())).packed());
            }
            addBatch();
        }

        @Override
        public void close() throws IOException {
            if (ofBlankNodes != null) {
                ofBlankNodes.close();
            }
        }
    }
}
