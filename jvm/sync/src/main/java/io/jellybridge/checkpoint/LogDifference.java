package io.jellybridge.checkpoint;

import io.jellybridge.checkpoint.State.Operation;
import io.jellybridge.codec.AbortedBlocks;
import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.files.ExternalSorter.Run;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.StoreLog;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Finds what a version of a log changed, what changed between two versions, and what undoes a version. */
public final class LogDifference {
    /** A share of the heap, for the rows of a patch. */
    private static final int HEAP_SHARE = 8;

    private LogDifference() {
    }

    /**
     * Compares the states of a log at two versions.
     *
     * @param from the old version; 0 for the state before the first patch
     * @throws IllegalArgumentException the log has no such version
     * @throws IllegalStateException    the log does not have the data for a state any more
     */
    public static Difference compareVersions(StoreLog log, long from, long to, ProgressListener progress) throws IOException {
        try (State old = from == 0 ? null : State.at(log, from, progress);
                State next = to == 0 ? null : State.at(log, to, progress)) {
            return Difference.keepStatements(old == null ? new Quads() : old, next == null ? new Quads() : next, BlankNodes.LABEL,
                    new ProgressMeter(progress::reading));
        }
    }

    /**
     * Finds the changes of a version. For a log that is not on a server it compares the states before and after it, so only
     * what had an effect counts. If the state before it is not available, or the log is on a server, it is the net effect of
     * the patch.
     */
    public static Difference of(PatchLog log, long version, ProgressListener progress) throws IOException {
        if (log.isInPlace()) {
            try {
                return compareVersions(log.stored(), version - 1, version, progress);
            } catch (IllegalStateException e) {
                // the state before it was pruned
            }
        }
        return ofPatch(log, version, progress);
    }

    static Difference ofPatch(PatchLog log, long version, ProgressListener progress) throws IOException {
        try (LogEntries entries = log.fetch(version, version); NetRows rows = new NetRows()) {
            LogEntry entry = entries.next();
            if (entry == null || entry.version() != version) {
                throw new FileNotFoundException(log.name() + " has no version " + version);
            }
            AbortedBlocks<byte[]> blocks = new AbortedBlocks<>();
            try (PatchSource<byte[]> patch = entry.open(new Utf8Terms())) {
                patch.select(Selection.none());
                patch.readAll(blocks);
            }
            try (PatchSource<byte[]> patch = entry.open(new Utf8Terms())) {
                patch.readAll(rows.of(blocks));
            }
            return Difference.keepStatements(rows.sideOf(false), rows.sideOf(true), BlankNodes.LABEL,
                    new ProgressMeter(progress::reading));
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapCause(e);
        }
    }

    /**
     * Passes on the patch that undoes a version at the head of a log. It deletes what the version added and the head still has,
     * and adds what the version deleted and the head lacks.
     *
     * @return the number of changes of the version, and how many of them the patch undoes
     */
    public static long[] revert(StoreLog log, long version, PatchHandler<byte[]> patch, ProgressListener progress) throws IOException {
        TreeMap<CanonicalQuad, Boolean> changes = new TreeMap<>(CanonicalQuad.BY_LINE);
        try (Difference difference = compareVersions(log, version - 1, version, progress)) {
            long[] left = {Runtime.getRuntime().maxMemory() / HEAP_SHARE};
            difference.read(new PatchAdapter<>() {
                @Override
                public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                    CanonicalQuad quad = new CanonicalQuad(subject, predicate, object, graph);
                    left[0] -= CanonicalQuad.FORM.sizeOf(quad);
                    if (left[0] < 0) {
                        throw new IllegalStateException("version " + version + " has more changes than memory holds; give more by --heap");
                    }
                    changes.put(quad, op == Op.A);
                }
            });
        }
        long all = changes.size();
        try (State head = State.at(log, log.headVersion(), progress)) {
            List<CanonicalQuad> there = new ArrayList<>();
            Items<CanonicalQuad> quads = head.quads();
            for (CanonicalQuad quad = quads.next(); quad != null; quad = quads.next()) {
                if (changes.containsKey(quad)) {
                    there.add(quad);
                }
            }
            TreeMap<CanonicalQuad, Boolean> absent = new TreeMap<>(changes);
            there.forEach(absent::remove); // which compares bytes, as removeAll does not
            there.removeIf(quad -> !changes.get(quad));
            absent.values().removeIf(wasAdded -> wasAdded);
            patch.transaction(Op.TX);
            there.forEach(quad -> writeStatement(Op.D, quad, patch));
            absent.keySet().forEach(quad -> writeStatement(Op.A, quad, patch));
            patch.transaction(Op.TC);
            patch.endPatch();
            return new long[] {all, there.size() + absent.size()};
        }
    }

    private static void writeStatement(Op op, CanonicalQuad quad, PatchHandler<byte[]> patch) {
        patch.statement(op, quad.subject(), quad.predicate(), quad.object(), quad.graph());
    }

    /** A set of quads, and prefixes. */
    private static final class Quads implements Snapshot {
        private final List<byte[][]> prefixes = new ArrayList<>();
        private Items<CanonicalQuad> quads = () -> null;

        @Override
        public String name() {
            return "the log";
        }

        @Override
        public void read(RdfHandler<byte[]> handler) throws IOException {
            prefixes.forEach(each -> handler.namespace(each[0], each[1]));
            CanonicalQuad.sendAll(quads, handler);
        }
    }

    /** The last operation of a patch on each quad. */
    private static final class NetRows implements Closeable {
        private final ExternalSorter<Operation> operations = new ExternalSorter<>(
                Operation.FORM, Operation.BY_LINE, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        private final List<byte[][]> prefixes = new ArrayList<>();
        private final List<Run<CanonicalQuad>> runs = new ArrayList<>();

        AppliedRows<byte[]> of(AbortedBlocks<byte[]> blocks) {
            return new AppliedRows<>(blocks) {
                @Override
                protected void applyPrefix(Op op, byte[] name, byte[] namespace) {
                    if (op == Op.PA) {
                        prefixes.add(new byte[][] {name, namespace});
                    }
                }

                @Override
                protected void applyStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                    if (!Position.isGraph(graph)) {
                        try {
                            operations.add(new Operation(op == Op.A, new CanonicalQuad(subject, predicate, object, graph)));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                }
            };
        }

        /** Returns the deleted or the added quads. */
        Quads sideOf(boolean added) throws IOException {
            Run<CanonicalQuad> run = new Run<>(CanonicalQuad.FORM);
            runs.add(run);
            Items<Operation> items = operations.sorted();
            for (Operation each = items.next(); each != null; each = items.next()) {
                if (each.adds() == added) {
                    run.write(each.quad());
                }
            }
            Quads quads = new Quads();
            quads.prefixes.addAll(prefixes);
            quads.quads = run.read();
            return quads;
        }

        @Override
        public void close() throws IOException {
            try (operations) {
                for (Run<CanonicalQuad> run : runs) {
                    run.close();
                }
            }
        }
    }
}
