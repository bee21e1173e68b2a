package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.files.ExternalSorter.Run;
import io.jellybridge.files.QuadPacking;
import io.jellybridge.files.SetComparison;
import io.jellybridge.jena.data.Position;
import io.jellybridge.structure.BlankGraph;
import io.jellybridge.structure.BlankNodeMatching;
import io.jellybridge.structure.BlankTerms;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * The changes from one snapshot to another: one patch with one transaction, deletions before additions, both sorted by graph,
 * subject, predicate and object. A snapshot is a set. Two terms are equal if their canonical text is, and {@link BlankNodes}
 * defines when blank nodes are.
 *
 * <p>Hashes find the statements of only one snapshot. If these do not fit into a part of the heap, they go to temporary files,
 * so only the disk limits the size. Only the changes are sorted, and they are stored until {@link #close()}. If blank nodes are
 * compared by structure, their statements are in memory as graphs, with a sixth of the heap for each snapshot.
 */
public final class Difference implements Closeable {
    /** A share of the heap for the comparison, and one for the graph of each snapshot. */
    private static final int SET_SHARE = 4;
    private static final int GRAPH_SHARE = 6;
    /**
     * A share of the heap for each sort, of deletions and of additions, and for the new statements with blank nodes.
     */
    private static final int SMALL_SHARE = 16;

    private final ProgressMeter meter;
    /** The states of both snapshots; null if not requested. */
    private QuadsHash oldState;
    private QuadsHash newState;
    private final boolean keepsStatements;
    private final SortedMap<String, String> oldPrefixes = new TreeMap<>();
    private final SortedMap<String, String> newPrefixes = new TreeMap<>();
    /** The namespaces that the patch deletes and adds, by their prefixes. */
    private final SortedMap<String, String> deletedPrefixes = new TreeMap<>();
    private final SortedMap<String, String> addedPrefixes = new TreeMap<>();
    /** The form of quads in sets. */
    private final QuadPacking packing = new QuadPacking();
    private final SetComparison statements = new SetComparison(Runtime.getRuntime().maxMemory() / SET_SHARE);
    private final ExternalSorter<CanonicalQuad> deletions = sorter();
    private final ExternalSorter<CanonicalQuad> additions = sorter();
    private volatile boolean tripleTerms;
    private volatile boolean blankNodes;
    /** True if one reader has failed, so that the other can stop. */
    private volatile boolean stopped;
    private long before;
    private long deleted;
    private long added;
    private int unsettled;
    private long positions;

    private Difference(ProgressMeter meter, boolean keepsStatements) {
        this.meter = meter;
        this.keepsStatements = keepsStatements;
    }

    /** Computes a difference as {@link #of(Snapshot, Snapshot, BlankNodes, ProgressMeter, BooleanSupplier, boolean)} does, without the states. */
    public static Difference of(Snapshot old, Snapshot next, BlankNodes blankNodes, ProgressMeter meter) throws IOException {
        return of(old, next, blankNodes, meter, () -> false, false);
    }

    /** Computes a difference that keeps all statements until it is closed, for {@link #forEach}, without the states. */
    public static Difference keepStatements(Snapshot old, Snapshot next, BlankNodes blankNodes, ProgressMeter meter)
            throws IOException {
        return of(old, next, blankNodes, meter, () -> false, true);
    }

    /**
     * Reads and compares two snapshots. It reads the old snapshot in this thread, whose transaction it may need, and the new
     * one in another thread. This thread calls the meter's listener for both.
     *
     * @param states returns true to compute {@link #oldState} and {@link #newState}, which takes about 1 µs for each statement. It
     *               is called when both snapshots have been read
     * @param keeps  true to keep all statements until it is closed, for {@link #forEach}
     * @throws RuntimeException a snapshot breaks its format (the error of that format), or has more statements with blank nodes
     *                          than fit into memory
     * @throws IOException data can't be read or written, or the work was cancelled
     */
    public static Difference of(Snapshot old, Snapshot next, BlankNodes blankNodes, ProgressMeter meter,
            BooleanSupplier states, boolean keeps) throws IOException {
        try {
            return Io.closeOnFailure(new Difference(meter, keeps), difference -> {
                difference.readBoth(old, next, blankNodes);
                difference.findDifference(states.getAsBoolean());
                return difference;
            });
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapCause(e);
        }
    }

    /** Returns the number of distinct statements in the old snapshot. */
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
     * Checks that the new snapshot is not empty if the old one is not, since an empty one is mostly a failed export.
     *
     * @throws IllegalStateException it is empty; the message names both
     */
    public void checkNotEmpty(Snapshot old, Snapshot next) {
        if (before > 0 && deleted == before && added == 0) {
            throw new IllegalStateException(next.name() + " has no statement, and all " + before + " of " + old.name()
                    + " would be deleted; if it is meant to be empty, allow it by --allow-empty");
        }
    }

    /** Returns the state of the old snapshot; null if not requested. */
    public QuadsHash oldState() {
        return oldState;
    }

    /** Returns the state of the new snapshot, with the labels of blank nodes that the patch uses; null if not requested. */
    public QuadsHash newState() {
        return newState;
    }

    /**
     * Returns the number of statements in both snapshots that were left out, since they are the position of the dataset they
     * come from.
     */
    public long positions() {
        return positions;
    }

    /** Returns true if one of the snapshots has a triple term. */
    public boolean holdsTripleTerms() {
        return tripleTerms;
    }

    /** Returns true if blank nodes are compared by structure and one of the snapshots has one. */
    public boolean holdsBlankNodes() {
        return blankNodes;
    }

    /**
     * Returns the number of blank nodes that are too symmetric to compare by structure, see {@link
     * BlankNodeMatching#unsettled}.
     */
    public int unsettled() {
        return unsettled;
    }

    /** Receives each distinct statement of both snapshots. */
    @FunctionalInterface
    public interface Visitor {
        /** Receives a statement. Blank nodes have the labels that the patch uses. */
        void statement(CanonicalQuad quad, boolean isOld, boolean isNew) throws IOException;
    }

    /** Passes on each statement of both snapshots, if they were {@linkplain #keepStatements kept}. It can be called again. */
    public void forEach(Visitor visitor) throws IOException {
        statements.forEach((bytes, offset, length, sets) -> visitor.statement(
                unpack(bytes, offset),
                (sets & SetComparison.OLD) != 0, (sets & SetComparison.NEW) != 0));
    }

    /** Returns the namespaces of the snapshots by their prefixes. If they differ, those of the new snapshot count. */
    public SortedMap<String, String> prefixes() {
        SortedMap<String, String> prefixes = new TreeMap<>(oldPrefixes);
        prefixes.putAll(newPrefixes);
        return prefixes;
    }

    /** Returns the namespaces of the old snapshot by their prefixes. */
    public SortedMap<String, String> oldPrefixes() {
        return oldPrefixes;
    }

    /** Returns the namespaces of the new snapshot by their prefixes. */
    public SortedMap<String, String> newPrefixes() {
        return newPrefixes;
    }

    /**
     * Makes the patch change prefixes too. An added one may replace the namespace of a deleted one.
     *
     * @param deletes the namespaces by their prefixes; null for one that is unknown
     */
    public void changePrefixes(Map<String, String> deletes, Map<String, String> adds) {
        deletedPrefixes.putAll(deletes);
        addedPrefixes.putAll(adds);
    }

    /** Returns the number of prefixes that the patch deletes, adds or gives another namespace. */
    public int changedPrefixes() {
        Set<String> names = new HashSet<>(deletedPrefixes.keySet());
        names.addAll(addedPrefixes.keySet());
        return names.size();
    }

    /** Sends the patch to a handler. It can be called again. */
    public void read(PatchHandler<byte[]> patch) throws IOException {
        patch.transaction(Op.TX);
        writePrefixes(Op.PD, deletedPrefixes, patch);
        writePrefixes(Op.PA, addedPrefixes, patch);
        writeChanges(Op.D, deletions, patch);
        writeChanges(Op.A, additions, patch);
        patch.transaction(Op.TC);
        patch.endPatch();
    }

    private static void writePrefixes(Op op, Map<String, String> prefixes, PatchHandler<byte[]> patch) {
        prefixes.forEach((name, namespace) -> patch.prefix(op, name.getBytes(UTF_8),
                namespace == null ? null : Utf8Terms.toTerm(namespace), null));
    }

    private void writeChanges(Op op, ExternalSorter<CanonicalQuad> changes, PatchHandler<byte[]> patch) throws IOException {
        changes.sorted().forEach(quad -> {
            patch.statement(op, quad.subject(), quad.predicate(), quad.object(), quad.graph());
            meter.report();
        });
    }

    private void readBoth(Snapshot oldSnapshot, Snapshot newSnapshot, BlankNodes how) throws IOException {
        boolean byStructure = how != BlankNodes.LABEL;
        try (Side old = new Side(oldSnapshot, SetComparison.OLD, byStructure, meter)) {
            BackgroundTask<Side> background = new BackgroundTask<>("jellybridge reader of " + newSnapshot.name(), () -> {
                Side next = new Side(newSnapshot, SetComparison.NEW, byStructure, meter.fork());
                next.read();
                return next;
            });
            Side next = null;
            try {
                old.read();
                next = background.awaitResult(meter::report);
            } catch (Stopped e) {
                next = background.awaitResult(meter::report); // throws the exception that stopped it
            } finally {
                if (next == null) {
                    stopped = true;
                    background.end(Side::close);
                }
            }
            try (Side read = next) {
                positions = old.positions + read.positions;
                oldPrefixes.putAll(old.prefixes);
                newPrefixes.putAll(read.prefixes);
                if (byStructure) {
                    matchBlankNodes(old, read, how == BlankNodes.COPY);
                }
            }
        }
    }

    /** Renames blank nodes of the new snapshot to the matching old ones. The comparison then goes on by label. */
    private void matchBlankNodes(Side old, Side next, boolean isCopy) throws IOException {
        BlankNodeMatching matching = BlankNodeMatching.of(old.blankNodes, next.blankNodes);
        unsettled = matching.unsettled();
        next.addWaiting(isCopy ? matching.distinctNames() : matching.names());
    }

    private static ExternalSorter<CanonicalQuad> sorter() {
        return new ExternalSorter<>(CanonicalQuad.FORM, CanonicalQuad.BY_GRAPH,
                Runtime.getRuntime().maxMemory() / SMALL_SHARE);
    }

    private void findDifference(boolean states) throws IOException {
        oldState = states ? new QuadsHash() : null;
        newState = states ? new QuadsHash() : null;
        statements.forEach((bytes, offset, length, sets) -> {
            meter.addRow();
            if (sets == SetComparison.OLD) {
                deletions.add(unpack(bytes, offset));
                deleted++;
            } else if (sets == SetComparison.NEW) {
                additions.add(unpack(bytes, offset));
                added++;
            }
            before += (sets & SetComparison.OLD) != 0 ? 1 : 0;
            if (oldState != null) {
                addToStates(unpack(bytes, offset), sets);
            }
        });
        if (!keepsStatements) {
            statements.close();
        }
    }

    private CanonicalQuad unpack(byte[] bytes, int offset) {
        byte[][] terms = packing.unpack(bytes, offset);
        return new CanonicalQuad(terms[0], terms[1], terms[2], terms[3]);
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
            stopped = true; // a side that is still reading adds nothing more
            try (statements; deletions; additions) {
                // close all, even if the first fails
            }
        }
    }

    /** Thrown when the other snapshot can't be read, or the work was cancelled. */
    private static final class Stopped extends InterruptedIOException {
        private static final long serialVersionUID = 1;

        Stopped() {
            super("interrupted");
        }
    }

    /** A reader of one of the two snapshots. Not thread-safe. */
    private final class Side implements RdfHandler<byte[]>, Closeable {
        private static final int BATCH = 1 << 9;

        private final Snapshot snapshot;
        private final int set;
        private final ProgressMeter meter;
        private final QuadPacking.Packer packer = packing.new Packer();
        /** The statements with blank nodes as a graph; null if these are compared by label. */
        private final BlankGraph blankNodes;
        /** The statements of the new snapshot with blank nodes, until these have their names. */
        private final Waiting waiting = new Waiting();
        private long positions;
        private final SortedMap<String, String> prefixes = new TreeMap<>();
        /** Statements that are not in the set yet, so that the two threads do not wait for each other at each statement. */
        private final List<byte[]> batch = new ArrayList<>(BATCH);

        Side(Snapshot snapshot, int set, boolean byStructure, ProgressMeter meter) {
            this.snapshot = snapshot;
            this.set = set;
            this.meter = meter;
            this.blankNodes = byStructure ? new BlankGraph(Runtime.getRuntime().maxMemory() / GRAPH_SHARE) : null;
        }

        void read() throws IOException {
            boolean done = false;
            try {
                snapshot.read(this);
                addBatch();
                if (blankNodes != null) {
                    blankNodes.index();
                }
                done = true;
            } catch (UncheckedIOException e) {
                throw ExceptionMessages.unwrapCause(e);
            } finally {
                if (!done) {
                    stopped = true;
                    close();
                }
            }
        }

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            prefixes.put(new String(name, UTF_8), Utf8Terms.toIri(namespace));
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            try {
                meter.addRow();
                if (Position.isGraph(graph)) {
                    positions++;
                    return; // belongs to the dataset that it comes from, and no patch may change it
                }
                byte[] quad = packer.pack(subject, predicate, object, graph);
                boolean isBlank = blankNodes != null && BlankTerms.anyIn(subject, predicate, object, graph);
                if (isBlank) {
                    checkStopped();
                    addToGraph(subject, predicate, object, graph);
                }
                if (isBlank && set == SetComparison.NEW) {
                    waiting.add(quad);
                } else {
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
                statements.addAll(set, batch);
            }
            batch.clear();
        }

        private void checkStopped() throws Stopped {
            if (stopped) {
                throw new Stopped();
            }
        }

        private void addToGraph(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            Difference.this.blankNodes = true;
            try {
                blankNodes.add(subject, predicate, object, graph);
            } catch (IllegalStateException e) {
                throw new IllegalStateException(snapshot.name() + ": " + e.getMessage(), e);
            }
        }

        /** Adds the statements that were waiting, under the new names of their blank nodes. */
        void addWaiting(BlankTerms names) throws IOException {
            waiting.read().forEach(packed -> {
                meter.addRow();
                byte[][] terms = packing.unpack(packed, 0);
                add(packer.pack(names.renameLabel(terms[0]), names.renameLabel(terms[1]), names.renameLabel(terms[2]),
                        names.renameLabel(terms[3])));
            });
            addBatch();
        }

        @Override
        public void close() throws IOException {
            waiting.close();
        }
    }

    /** Packed quads in the order in which they were added, those that do not fit into a part of the heap in a file. */
    private static final class Waiting implements Closeable {
        private final long maxBytes = Runtime.getRuntime().maxMemory() / SMALL_SHARE;
        private final List<byte[]> first = new ArrayList<>();
        private long bytes;
        private Run<byte[]> rest;

        void add(byte[] quad) throws IOException {
            bytes += ExternalSorter.BYTES.sizeOf(quad);
            if (bytes <= maxBytes) {
                first.add(quad);
                return;
            }
            if (rest == null) {
                rest = new Run<>(ExternalSorter.BYTES);
            }
            rest.write(quad);
        }

        Items<byte[]> read() throws IOException {
            Iterator<byte[]> inMemory = first.iterator();
            Items<byte[]> inFile = rest == null ? () -> null : rest.read();
            return () -> inMemory.hasNext() ? inMemory.next() : inFile.next();
        }

        @Override
        public void close() throws IOException {
            if (rest != null) {
                rest.close();
            }
        }
    }
}
