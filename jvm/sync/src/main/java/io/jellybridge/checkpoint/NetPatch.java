package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.checkpoint.State.Operation;
import io.jellybridge.codec.IdHeaders;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.PatchSink;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.files.ExternalSorter.Run;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/** A patch that has each quad once: sets of deleted and of added quads, and changes of prefixes. Not thread-safe. */
public final class NetPatch implements Closeable {
    private static final Comparator<Operation> BY_GRAPH = Comparator.<Operation, byte[]>comparing(
            each -> each.quad().graph(), Comparator.nullsFirst(Arrays::compareUnsigned)).thenComparing(Operation.BY_LINE);

    private final Run<CanonicalQuad> deletions = new Run<>(CanonicalQuad.FORM);
    private final Run<CanonicalQuad> additions = new Run<>(CanonicalQuad.FORM);
    private final SortedMap<String, PrefixChange> prefixes = new TreeMap<>();
    private byte[] id;
    private byte[] prev;
    private long deleted;
    private long added;

    NetPatch() throws IOException {
    }

    /**
     * A change of a prefix: a deletion, an addition, or both.
     *
     * @param deletes true if the prefix is deleted first
     * @param before  the namespace before the change, which is deleted; null if it is unknown
     * @param after   the namespace that is added; null if there is none
     */
    record PrefixChange(boolean deletes, byte[] before, byte[] after) {
        /** The order of changes to the same namespace: the one that tells most of the namespace before is the last. */
        static final Comparator<PrefixChange> BY_BEFORE = Comparator.comparing(PrefixChange::deletes)
                .thenComparing(PrefixChange::before, Comparator.nullsFirst(Arrays::compareUnsigned));

        /** Returns this change followed by an operation. */
        static PrefixChange of(PrefixChange first, Op op, byte[] namespace) {
            if (op == Op.PD) {
                return new PrefixChange(true, first == null ? namespace : first.before, null);
            }
            return first == null ? new PrefixChange(false, null, namespace)
                    : new PrefixChange(first.deletes, first.before, namespace);
        }

        boolean isSame(PrefixChange other) {
            return Arrays.equals(after, other.after);
        }
    }

    /** Adds quads and prefixes, in the order of lines. */
    void add(boolean adds, CanonicalQuad quad) throws IOException {
        (adds ? additions : deletions).write(quad);
        if (adds) {
            added++;
        } else {
            deleted++;
        }
    }

    void add(String prefix, PrefixChange change) {
        prefixes.put(prefix, change);
    }

    void setHeaders(byte[] newId, byte[] newPrev) {
        id = newId;
        prev = newPrev;
    }

    SortedMap<String, PrefixChange> prefixes() {
        return prefixes;
    }

    /** Returns the number of changes: of quads, and of prefixes. */
    long size() {
        return deleted + added + prefixes.size();
    }

    /** Returns the deleted or the added quads. */
    Items<CanonicalQuad> quads(boolean adds) throws IOException {
        return (adds ? additions : deletions).read();
    }

    /** Writes a file with one patch of one transaction: prefixes, deletions, additions. */
    public void writeFile(FileLocation file) throws IOException {
        PatchSink.writeFile(file, this::write);
    }

    /** Passes on the patch of {@link #writeFile}. Returns the number of its changes. */
    long write(PatchHandler<byte[]> patch) throws IOException {
        IdHeaders.write(patch, id, prev);
        beginPatch(patch);
        writeAll(quads(false), Op.D, patch);
        writeAll(quads(true), Op.A, patch);
        finishPatch(patch);
        return size();
    }

    /**
     * Writes a file with several patches, which do the same one after the other. Prefixes are in the first.
     *
     * @param rows a patch ends behind the subject with the row of that number, or of a multiple; 0 for one patch for each graph
     */
    public void writeParts(long rows, FileLocation file) throws IOException {
        PatchSink.writeFile(file, sink -> {
            writeParts(rows, sink);
            return null;
        });
    }

    private void writeParts(long rows, PatchHandler<byte[]> patch) throws IOException {
        Comparator<Operation> order = rows == 0 ? BY_GRAPH : Operation.BY_LINE;
        try (ExternalSorter<Operation> sorter = new ExternalSorter<>(Operation.FORM, order, PatchAlgebra.maxMemory())) {
            for (boolean adds : new boolean[] {false, true}) {
                quads(adds).forEach(quad -> sorter.add(new Operation(adds, quad)));
            }
            beginPatch(patch);
            Parts parts = new Parts(sorter.sorted(), rows);
            parts.writeNext(patch);
            while (parts.next != null) {
                finishPatch(patch);
                patch.transaction(Op.TX);
                parts.writeNext(patch);
            }
            finishPatch(patch);
        }
    }

    /** Operations that are cut into parts. */
    private static final class Parts {
        private final Items<Operation> operations;
        private final long rows;
        private Operation next;
        private long index;

        Parts(Items<Operation> operations, long rows) throws IOException {
            this.operations = operations;
            this.rows = rows;
            this.next = operations.next();
        }

        /** Writes the next part, its deletions before its additions, which may be more than fit into memory. */
        void writeNext(PatchHandler<byte[]> patch) throws IOException {
            long part = rows == 0 ? 0 : index / rows;
            try (ExternalSorter<CanonicalQuad> additions =
                    new ExternalSorter<>(CanonicalQuad.FORM, CanonicalQuad.BY_LINE, PatchAlgebra.maxMemory())) {
                CanonicalQuad last = null;
                while (next != null && (last == null || isOfPart(part, last))) {
                    last = next.quad();
                    if (next.adds()) {
                        additions.add(last);
                    } else {
                        writeQuad(Op.D, last, patch);
                    }
                    next = operations.next();
                    index++;
                }
                writeAll(additions.sorted(), Op.A, patch);
            }
        }

        private boolean isOfPart(long part, CanonicalQuad last) {
            return rows == 0 ? Arrays.equals(last.graph(), next.quad().graph())
                    : index / rows == part || Arrays.equals(last.subject(), next.quad().subject());
        }
    }

    private void beginPatch(PatchHandler<byte[]> patch) {
        patch.transaction(Op.TX);
        prefixes.forEach((name, change) -> {
            byte[] key = name.getBytes(UTF_8);
            if (change.deletes) {
                patch.prefix(Op.PD, key, change.before, null);
            }
            if (change.after != null) {
                patch.prefix(Op.PA, key, change.after, null);
            }
        });
    }

    private static void finishPatch(PatchHandler<byte[]> patch) {
        patch.transaction(Op.TC);
        patch.endPatch();
    }

    private static void writeAll(Items<CanonicalQuad> quads, Op op, PatchHandler<byte[]> patch) throws IOException {
        quads.forEach(quad -> writeQuad(op, quad, patch));
    }

    private static void writeQuad(Op op, CanonicalQuad quad, PatchHandler<byte[]> patch) {
        patch.statement(op, quad.subject(), quad.predicate(), quad.object(), quad.graph());
    }

    @Override
    public void close() throws IOException {
        try (deletions) {
            additions.close();
        }
    }
}
