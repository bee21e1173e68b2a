package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.checkpoint.NetPatch.PrefixChange;
import io.jellybridge.codec.AbortedBlocks;
import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.IdHeaders;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.PatchSink;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Form;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.data.Position;
import io.jellybridge.log.EntryCheck;
import io.jellybridge.log.PatchHeader;
import java.io.Closeable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Computes with patches: their net effect, what of it has an effect on a snapshot, its inverse, and the merge of two. The last
 * operation on each quad and each prefix counts. Aborted transactions and the position of a dataset are left out. Quads of any
 * number are sorted in temporary files; only the changes of one subject are in memory. Not thread-safe.
 */
public final class PatchAlgebra implements Closeable {
    /** The share of the heap for sorting. */
    private static final int HEAP_SHARE = 8;

    /** The state before the patches, and two patches that begin with it. */
    public enum Side { BASE, OURS, THEIRS }

    /** A quad of the base, or an operation of a patch. Of equal ones, the sorter keeps the last. */
    private record Row(Side side, boolean adds, CanonicalQuad quad) {
        private static final Side[] SIDES = Side.values();
        static final Comparator<Row> BY_LINE = Comparator.comparing(Row::quad, CanonicalQuad.BY_LINE).thenComparing(Row::side);
        static final Form<Row> FORM = new Form<>() {

            @Override
            public long sizeOf(Row row) {
                return Long.BYTES * 3 + CanonicalQuad.FORM.sizeOf(row.quad);
            }

            @Override
            public void write(Row row, DataOutput out) throws IOException {
                out.writeByte(row.side.ordinal());
                out.writeBoolean(row.adds);
                CanonicalQuad.FORM.write(row.quad, out);
            }

            @Override
            public Row read(DataInput in) throws IOException {
                return new Row(SIDES[in.readByte()], in.readBoolean(), CanonicalQuad.FORM.read(in));
            }
        };
    }

    /** A quad, and the operations of the patches on it. An operation that is null is none, or has no effect. */
    private record Changed(CanonicalQuad quad, boolean inBase, Boolean ours, Boolean theirs) {

        boolean adds() {
            return ours == null ? theirs : ours;
        }

        boolean isShared() {
            return ours != null && theirs != null;
        }
    }

    @FunctionalInterface
    private interface Visitor {
        void visitQuad(Changed quad) throws IOException;
    }

    private final ExternalSorter<Row> rows = new ExternalSorter<>(Row.FORM, Row.BY_LINE, maxMemory());
    private final SortedMap<String, byte[]> namespaces = new TreeMap<>();
    private final Map<Side, SortedMap<String, PrefixChange>> prefixes = new EnumMap<>(Map.of(
            Side.OURS, new TreeMap<>(), Side.THEIRS, new TreeMap<>()));
    /** The state before the patches; null if it is not known. */
    private Snapshot base;
    /** True if there is a base, and it tells its prefixes. */
    private boolean knowsPrefixes;
    /** The number of operations on quads and prefixes. */
    private long operations;
    private boolean hasPatch;
    private byte[] id;
    private byte[] prev;
    /** The reason why the patches are not one chain; null if they are, as far as is known. */
    private String gap;

    static long maxMemory() {
        return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    }

    /**
     * Reads patches of files in the formats of their suffixes.
     *
     * @param base the state before them; null if it is not known
     * @throws RuntimeException they are invalid (the error of the format)
     */
    public static PatchAlgebra of(Snapshot base, List<FileLocation> ours, List<FileLocation> theirs) throws IOException {
        return Io.closeOnFailure(new PatchAlgebra(), made -> {
            if (base != null) {
                made.addBase(base);
            }
            made.addPatches(Side.OURS, openFiles(ours));
            made.addPatches(Side.THEIRS, openFiles(theirs));
            return made;
        });
    }

    static List<Patches> openFiles(List<FileLocation> files) {
        return files.stream().map(file -> PatchFiles.openPatches(file, null, false)).toList();
    }

    /** Sets the state before the patches. */
    void addBase(Snapshot state) throws IOException {
        base = state;
        knowsPrefixes = state.tellsPrefixes();
        try {
            state.read(new RdfHandler<>() {
                @Override
                public void namespace(byte[] name, byte[] namespace) {
                    namespaces.put(new String(name, UTF_8), namespace);
                }

                @Override
                public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                    add(Side.BASE, true, subject, predicate, object, graph);
                }
            });
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapCause(e);
        }
    }

    /**
     * Adds patches behind those that the side has.
     *
     * @throws RuntimeException they are invalid (the error of the format)
     */
    void addPatches(Side side, List<Patches> all) throws IOException {
        try {
            for (Patches patches : all) {
                addPatches(side, patches);
            }
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapCause(e);
        }
    }

    private void addPatches(Side side, Patches patches) throws IOException {
        Headers headers;
        try (PatchSource<byte[]> source = patches.open(new Utf8Terms())) {
            source.requireBalance();
            source.select(Selection.none());
            headers = new Headers(source);
            source.readAll(headers);
            if (source.numbers().row() >= 0) {
                headers.finishBefore(source.numbers().patch() + 1);
            }
        }
        try (PatchSource<byte[]> source = patches.open(new Utf8Terms())) {
            source.readAll(new AppliedRows<>(headers) {
                @Override
                protected void applyPrefix(Op op, byte[] name, byte[] namespace) {
                    PatchAlgebra.this.applyPrefix(side, op, new String(name, UTF_8), namespace);
                }

                @Override
                protected void applyStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                    operations += Position.isGraph(graph) ? 0 : 1;
                    add(side, op == Op.A, subject, predicate, object, graph);
                }
            });
        }
    }

    /** A first pass over patches that also follows their chain. It refuses a placeholder for a lost patch. */
    private final class Headers extends AbortedBlocks<byte[]> {
        private final PatchSource<byte[]> source;
        private final IdHeaders<byte[]> headers = new IdHeaders<>();
        private long patch;

        Headers(PatchSource<byte[]> source) {
            this.source = source;
        }

        @Override
        public void header(byte[] key, byte[] value) {
            if (EntryCheck.isLost(key)) {
                throw EntryCheck.lossError(source, value);
            }
            String name = IdHeaders.nameOf(key);
            if (name != null) {
                finishBefore(source.numbers().patch());
                headers.put(name, value);
            }
        }

        /** Adds the patches before that number to the chain. */
        void finishBefore(long number) {
            for (; patch < number; patch++) {
                addToChain(headers.id(), headers.prev());
                headers.clear();
            }
        }
    }

    /** Adds the headers of the next patch. Each is null if the patch does not have it. */
    private void addToChain(byte[] nextId, byte[] nextPrev) {
        gap = gap == null ? findGap(nextId, nextPrev) : gap;
        prev = hasPatch ? prev : nextPrev;
        id = nextId;
        hasPatch = true;
    }

    /** Returns the reason why the next patch does not belong behind those before it; null if there is none. */
    private String findGap(byte[] nextId, byte[] nextPrev) {
        String next = nextId == null ? "a patch" : normalizeId(nextId);
        if (id != null && nextPrev != null && !normalizeId(id).equals(normalizeId(nextPrev))) {
            return next + " follows " + normalizeId(nextPrev) + ", and the patch before it is " + normalizeId(id);
        }
        return prev != null && nextId != null && next.equals(normalizeId(prev))
                ? next + ", which the first patch follows, is behind " + (id == null ? "it" : normalizeId(id)) : null;
    }

    private static String normalizeId(byte[] term) {
        return PatchHeader.normalizeTerm(new String(term, UTF_8));
    }

    /** Adds the inverse of a difference, without its prefixes. */
    void addInverse(Difference difference) throws IOException {
        difference.read(new PatchAdapter<>() {
            @Override
            public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                add(Side.OURS, op == Op.D, subject, predicate, object, graph);
            }
        });
    }

    private void applyPrefix(Side side, Op op, String name, byte[] namespace) {
        SortedMap<String, PrefixChange> changes = prefixes.get(side);
        PrefixChange before = changes.get(name);
        boolean isReplaced = op == Op.PA && before != null && before.deletes() && before.after() == null;
        operations += isReplaced ? 0 : 1;
        changes.put(name, PrefixChange.of(before, op, namespace));
    }

    private void add(Side side, boolean adds, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        if (!Position.isGraph(graph)) {
            CanonicalQuad quad = new CanonicalQuad(subject, predicate, object, graph);
            Io.unchecked(() -> rows.add(new Row(side, adds, base == null || side == Side.BASE ? quad : base.asStored(quad))));
        }
    }

    /**
     * Computes with our patches.
     *
     * @param how {@code squash}, {@code effective} or {@code invert}
     * @throws IllegalArgumentException the inverse can't be computed, see {@link #inverse}, or a patch to squash does not follow
     *                                  the one before it
     */
    public NetPatch compute(String how) throws IOException {
        return how.equals("squash") ? squash() : how.equals("effective") ? effective() : inverse();
    }

    /** Returns the net effect of our patches, with the id of the last one and the predecessor of the first one. */
    private NetPatch squash() throws IOException {
        if (gap != null) {
            throw new IllegalArgumentException(gap + "; give the patches in the order of their chain, all of them");
        }
        base = null;
        knowsPrefixes = false;
        NetPatch net = effective();
        net.setHeaders(id, prev);
        return net;
    }

    /** Returns those operations of our patches that change the base; all of them if there is no base. */
    public NetPatch effective() throws IOException {
        return createPatch(net -> {
            effectivePrefixes(Side.OURS).forEach(net::add);
            forEachQuad(each -> {
                if (each.ours != null) {
                    net.add(each.ours, each.quad);
                }
            });
        });
    }

    /**
     * Returns the patch that undoes our patches.
     *
     * @throws IllegalArgumentException there is no base, and the patches do not tell what was before them
     */
    private NetPatch inverse() throws IOException {
        NetPatch inverse = createPatch(net -> {
            effectivePrefixes(Side.OURS).forEach((name, change) -> {
                if (change.deletes() && change.before() == null) {
                    throw new IllegalArgumentException("the patch deletes the prefix " + name + " without its namespace"
                            + (base != null ? ", and the state before it does not tell its prefixes" : GIVE_BASE));
                }
                byte[] restored = change.deletes() ? change.before() : null;
                net.add(name, new PrefixChange(change.after() != null, change.after(), restored));
            });
            forEachQuad(each -> {
                if (each.ours != null) {
                    net.add(!each.ours, each.quad);
                }
            });
        });
        if (base == null && inverse.size() < operations) {
            inverse.close();
            throw new IllegalArgumentException("the patch changes a statement or a prefix more than once" + GIVE_BASE);
        }
        return inverse;
    }

    private static final String GIVE_BASE = ", so it does not say what was there before; give the state before it, by --base";

    /** The merge of two patches: the changes of both, and those of each that are in conflict. */
    public record Merge(NetPatch merged, NetPatch ours, NetPatch theirs) implements Closeable {

        /** Writes a file with the merged changes, and one with two patches: the changes of each side that are in conflict. */
        public void writeFiles(FileLocation output, FileLocation conflicts) throws IOException {
            merged.writeFile(output);
            PatchSink.writeFile(conflicts, sink -> ours.write(sink) + theirs.write(sink));
        }

        @Override
        public void close() throws IOException {
            try (merged; ours) {
                theirs.close();
            }
        }
    }

    /**
     * Merges two patches of the base. They are in conflict about the values of a predicate of a subject in a graph if both
     * delete the same value and add different ones. They are in conflict about a subject in a graph if one deletes all that is
     * said of it, and the other adds something.
     *
     * @param single    predicates with a single value, as canonical terms: two different additions are a conflict
     * @param preferred the side whose changes count in a conflict; null for neither
     * @param behind    true to leave out what ours does already, so that the result applies behind it
     */
    public Merge merge(Set<String> single, Side preferred, boolean behind) throws IOException {
        if (base == null) {
            throw new IllegalArgumentException("a merge needs the state that both patches begin with");
        }
        return Io.closeOnFailure(new Merge(new NetPatch(), new NetPatch(), new NetPatch()), merge -> {
            mergePrefixes(merge, preferred, behind);
            Subject subject = new Subject(merge, single, preferred, behind);
            forEachQuad(subject);
            subject.settleSubject();
            return merge;
        });
    }

    private void mergePrefixes(Merge merge, Side preferred, boolean behind) {
        SortedMap<String, PrefixChange> ours = effectivePrefixes(Side.OURS);
        SortedMap<String, PrefixChange> theirs = effectivePrefixes(Side.THEIRS);
        Set<String> names = new TreeSet<>(ours.keySet());
        names.addAll(theirs.keySet());
        for (String name : names) {
            PrefixChange our = ours.get(name);
            PrefixChange their = theirs.get(name);
            boolean isConflict = our != null && their != null && !our.isSame(their);
            if (isConflict) {
                merge.ours.add(name, our);
                merge.theirs.add(name, their);
            }
            PrefixChange winner = preferred == Side.OURS ? our : preferred == Side.THEIRS ? their : null;
            boolean isTheirs = our == null || their != null && PrefixChange.BY_BEFORE.compare(our, their) < 0;
            PrefixChange chosen = isConflict ? winner : isTheirs ? their : our;
            if (chosen != null && !(behind && our != null)) {
                merge.merged.add(name, chosen);
            }
        }
    }

    /** The changes of one subject, of which the merge decides at once. */
    private static final class Subject implements Visitor {
        private final Merge merge;
        private final Set<String> single;
        private final Side preferred;
        private final boolean behind;
        private byte[] subject;
        private final Map<ByteBuffer, List<Changed>> byGraph = new LinkedHashMap<>();
        private final Map<ByteBuffer, Integer> before = new LinkedHashMap<>();

        Subject(Merge merge, Set<String> single, Side preferred, boolean behind) {
            this.merge = merge;
            this.single = single;
            this.preferred = preferred;
            this.behind = behind;
        }

        @Override
        public void visitQuad(Changed each) throws IOException {
            if (!Arrays.equals(subject, each.quad.subject())) {
                settleSubject();
                subject = each.quad.subject();
            }
            ByteBuffer graph = ByteBuffer.wrap(each.quad.graph() == null ? new byte[0] : each.quad.graph());
            if (each.inBase) {
                before.merge(graph, 1, Integer::sum);
            }
            if (each.ours != null || each.theirs != null) {
                byGraph.computeIfAbsent(graph, key -> new ArrayList<>()).add(each);
            }
        }

        void settleSubject() throws IOException {
            for (Map.Entry<ByteBuffer, List<Changed>> each : byGraph.entrySet()) {
                List<Changed> changes = each.getValue();
                int there = before.getOrDefault(each.getKey(), 0);
                boolean isConflict = isEmptied(changes, there, Side.OURS) && hasAdditions(changes, Side.THEIRS)
                        || isEmptied(changes, there, Side.THEIRS) && hasAdditions(changes, Side.OURS);
                Map<String, List<Changed>> byPredicate = new LinkedHashMap<>();
                changes.forEach(change -> byPredicate.computeIfAbsent(
                        new String(change.quad.predicate(), UTF_8), key -> new ArrayList<>()).add(change));
                for (Map.Entry<String, List<Changed>> values : byPredicate.entrySet()) {
                    boolean isSingle = single.contains(values.getKey());
                    settleValues(values.getValue(), isConflict || isDisagreement(values.getValue(), isSingle));
                }
            }
            byGraph.clear();
            before.clear();
        }

        private static boolean isEmptied(List<Changed> changes, int there, Side side) {
            return there > 0 && !hasAdditions(changes, side)
                    && changes.stream().filter(each -> operationOf(each, side) != null).count() == there;
        }

        private static boolean hasAdditions(List<Changed> changes, Side side) {
            return changes.stream().anyMatch(each -> Boolean.TRUE.equals(operationOf(each, side)));
        }

        private static Boolean operationOf(Changed each, Side side) {
            return side == Side.OURS ? each.ours : each.theirs;
        }

        private static boolean isDisagreement(List<Changed> values, boolean isSingle) {
            boolean both = values.stream().anyMatch(each -> each.ours != null)
                    && values.stream().anyMatch(each -> each.theirs != null);
            return both && values.stream().anyMatch(each -> each.adds() && !each.isShared())
                    && (isSingle || values.stream().anyMatch(each -> !each.adds() && each.isShared()));
        }

        private void settleValues(List<Changed> values, boolean isConflict) throws IOException {
            for (Changed each : values) {
                for (Side side : isConflict ? new Side[] {Side.OURS, Side.THEIRS} : new Side[0]) {
                    if (operationOf(each, side) != null) {
                        (side == Side.OURS ? merge.ours : merge.theirs).add(each.adds(), each.quad);
                    }
                }
                boolean isMerged = !isConflict || preferred != null && operationOf(each, preferred) != null;
                if (isMerged && !(behind && each.ours != null)) {
                    merge.merged.add(each.adds(), each.quad);
                }
            }
        }
    }

    /** Returns the changes of prefixes that change those of the base; all of them if these are not known. */
    private SortedMap<String, PrefixChange> effectivePrefixes(Side side) {
        SortedMap<String, PrefixChange> changes = prefixes.get(side);
        if (!knowsPrefixes) {
            return changes;
        }
        SortedMap<String, PrefixChange> found = new TreeMap<>();
        changes.forEach((name, change) -> {
            byte[] before = namespaces.get(name);
            if (!Arrays.equals(before, change.after())) {
                found.put(name, new PrefixChange(before != null, before, change.after()));
            }
        });
        return found;
    }

    private void forEachQuad(Visitor visitor) throws IOException {
        Items<Row> items = rows.sorted();
        Row row = items.next();
        while (row != null) {
            CanonicalQuad quad = row.quad;
            Map<Side, Boolean> sides = new EnumMap<>(Side.class);
            while (row != null && CanonicalQuad.BY_LINE.compare(row.quad, quad) == 0) {
                sides.put(row.side, row.adds);
                row = items.next();
            }
            boolean inBase = sides.containsKey(Side.BASE);
            if (base != null) {
                sides.values().removeIf(adds -> adds == inBase);
            }
            visitor.visitQuad(new Changed(quad, inBase, sides.get(Side.OURS), sides.get(Side.THEIRS)));
        }
    }

    private static NetPatch createPatch(Io.Consumer<NetPatch> filling) throws IOException {
        return Io.closeOnFailure(new NetPatch(), made -> {
            filling.accept(made);
            return made;
        });
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}
