package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.AbortedBlocks;
import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.convert.StatementSink;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Form;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.log.BrokenChainException;
import io.jellybridge.log.Chain;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.EntryCheck;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.StoreLog;
import java.io.Closeable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The content of a dataset that has applied the patches of a log up to a version, and nothing else: a set of quads and a map
 * of prefixes. It is computed from the newest checkpoint up to that version, and the last operation of the later patches on
 * each quad. Blocks that end with {@code TA} do not count. It can have any size: data that does not fit into a part of the
 * heap is sorted in temporary files. Not thread-safe.
 */
public final class State implements Snapshot, Closeable {
    /** The share of the heap for the operations. */
    private static final int HEAP_SHARE = 6;
    private static final int ROWS_BETWEEN_REPORTS = 1 << 12;

    private final ExternalSorter<Operation> operations =
            new ExternalSorter<>(Operation.FORM, Operation.BY_LINE, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    private final CheckpointQuads base;
    private final SortedMap<String, byte[]> prefixes = new TreeMap<>();
    private final ProgressListener progress;
    private final String log;
    private long version;
    private String id;
    private Instant time;
    private Chain chain;
    private long rows;

    private State(String log, Checkpoint checkpoint, ProgressListener progress) throws IOException {
        this.log = log;
        this.progress = progress;
        this.base = checkpoint == null ? null : new CheckpointQuads(checkpoint);
        if (checkpoint != null) {
            prefixes.putAll(base.prefixes());
            version = checkpoint.version();
            id = checkpoint.id();
            time = checkpoint.time();
            chain = checkpoint.chain();
        }
    }

    /**
     * Computes the state at a version, from the newest checkpoint up to it.
     *
     * @param progress receives the number of read rows of patches
     * @throws IllegalArgumentException the log has no such version
     * @throws IllegalStateException    the log does not have the data for this state any more
     * @throws BrokenChainException     a patch does not follow the one before it
     * @throws RuntimeException         a patch can't be read (the error of its format)
     */
    public static State at(StoreLog log, long version, ProgressListener progress) throws IOException {
        return of(log, log.findCheckpoint(version), version, progress);
    }

    /** Computes the state at a version as {@link #at} does, or the empty one before the first patch for version 0. */
    public static State atOrEmpty(StoreLog log, long version, ProgressListener progress) throws IOException {
        return version == 0 ? new State(log.id(), null, progress) : at(log, version, progress);
    }

    /**
     * Computes the state at a version.
     *
     * @param base the checkpoint to start from; null to start with the first patch of the log
     */
    static State of(StoreLog log, Checkpoint base, long version, ProgressListener progress) throws IOException {
        try {
            return Io.closeOnFailure(new State(log.id(), base, progress), state -> {
                state.applyPatches(log, version);
                return state;
            });
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapCause(e);
        }
    }

    private void applyPatches(StoreLog log, long last) throws IOException {
        if (last == version && version > 0) {
            return;
        }
        long head = log.headVersion();
        if (last < 1 || last > head) {
            throw new IllegalArgumentException(log.name() + " has no version " + last
                    + (head == 0 ? "; it is empty" : "; its newest is " + head));
        }
        if (version + 1 < log.first()) {
            throw new IllegalStateException(log.name() + " has not any more what makes the state of version " + last
                    + ": its patches begin with version " + log.first() + ", and " + (version == 0
                    ? "there is no checkpoint before that version" : "the checkpoint before it is of version " + version));
        }
        log.forEach(version + 1, last, this::addPatch);
        if (version != last) {
            throw new IOException(log.name() + " has no patch of version " + (version + 1) + ": check the log");
        }
    }

    private void addPatch(LogEntry entry) throws IOException {
        PatchHeader header = entry.header();
        if (entry.version() != version + 1 || !Objects.equals(header.prev(), id)) {
            throw new BrokenChainException(entry.name(), entry.version(), id, header.prev());
        }
        String before = chain == null ? Chain.START : chain.own();
        BrokenChainException.requireBehind(entry.name(), entry.version(), before, header.chain());
        // Reads twice, since only the end of a block tells that it is aborted. The first pass decodes no terms.
        AbortedBlocks<byte[]> blocks;
        try (PatchSource<byte[]> patch = entry.open(new Utf8Terms())) {
            blocks = new Blocks(patch);
            patch.requireBalance();
            patch.select(Selection.none());
            patch.readAll(blocks);
        }
        try (PatchSource<byte[]> patch = entry.open(new Utf8Terms())) {
            EntryCheck.readAppended(patch, new Rows(blocks), header, log, entry.version());
        }
        version = entry.version();
        id = header.id();
        time = header.time();
        chain = header.chain();
    }

    /** A handler that finds aborted blocks and placeholders for lost patches. */
    private static final class Blocks extends AbortedBlocks<byte[]> {
        private final PatchSource<byte[]> patch;

        Blocks(PatchSource<byte[]> patch) {
            this.patch = patch;
        }

        @Override
        public void header(byte[] key, byte[] value) {
            if (EntryCheck.isLost(key)) {
                throw EntryCheck.lossError(patch, value);
            }
        }
    }

    /** A handler that collects the operations of patches. */
    private final class Rows extends AppliedRows<byte[]> {

        Rows(AbortedBlocks<byte[]> blocks) {
            super(blocks);
        }

        @Override
        protected void applyPrefix(Op op, byte[] name, byte[] namespace) {
            if (op == Op.PA) {
                prefixes.put(new String(name, UTF_8), namespace);
            } else {
                prefixes.remove(new String(name, UTF_8));
            }
        }

        @Override
        protected void applyStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            if (++rows % ROWS_BETWEEN_REPORTS == 0) {
                progress.reading(rows);
            }
            if (Position.isGraph(graph)) {
                return; // belongs to a dataset, and is not data
            }
            Io.unchecked(() -> operations.add(new Operation(op == Op.A, new CanonicalQuad(subject, predicate, object, graph))));
        }
    }

    @Override
    public String name() {
        return "version " + version + " of the log " + log;
    }

    @Override
    public boolean tellsPrefixes() {
        return true;
    }

    /** Passes on the prefixes, and then the quads. Can be called once, and not together with {@link #quads}. */
    @Override
    public void read(RdfHandler<byte[]> handler) throws IOException {
        prefixes.forEach((prefix, namespace) -> handler.namespace(prefix.getBytes(UTF_8), namespace));
        CanonicalQuad.sendAll(quads(), handler);
    }

    /**
     * Writes this state, which is consumed by it, to a sorted file of statements. The suffix of the file gives the format.
     * Prefixes are kept if it has them. The file appears complete or not at all.
     *
     * @return the number of quads
     * @throws IllegalArgumentException the suffix belongs to no such format
     */
    public long write(String file) throws IOException {
        try (StatementSink out = new StatementSink(new FileLocation(file), PartWriter.optionsFor(prefixes))) {
            read(out);
            out.commit();
            return out.statements();
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapCause(e);
        }
    }

    /** Returns the version of this state. */
    public long version() {
        return version;
    }

    /** Returns the id of the patch of that version. */
    public String id() {
        return id;
    }

    /** Returns the time of that patch; null if it has none. */
    public Instant time() {
        return time;
    }

    /** Returns the header {@code chain} of that patch. */
    public Chain chain() {
        return chain;
    }

    /** Returns the namespaces, as terms, by their names. */
    public SortedMap<String, byte[]> prefixes() {
        return prefixes;
    }

    /**
     * Returns the quads, sorted by their lines and without duplicates. Can be called once. If the checkpoint is damaged,
     * reading the last quad throws an {@link IOException}.
     */
    public Items<CanonicalQuad> quads() throws IOException {
        return new Merged(base == null ? () -> null : base, operations.sorted());
    }

    /** The quads of the checkpoint after applying the operations. */
    private final class Merged implements Items<CanonicalQuad> {
        private final Items<CanonicalQuad> quads;
        private final Items<Operation> changes;
        private CanonicalQuad quad;
        private Operation change;
        private long handed;

        Merged(Items<CanonicalQuad> quads, Items<Operation> changes) throws IOException {
            this.quads = quads;
            this.changes = changes;
            this.quad = quads.next();
            this.change = changes.next();
        }

        @Override
        public CanonicalQuad next() throws IOException {
            if (++handed % ROWS_BETWEEN_REPORTS == 0) {
                progress.reading(rows + handed);
            }
            while (quad != null || change != null) {
                int order = quad == null ? 1 : change == null ? -1 : CanonicalQuad.BY_LINE.compare(quad, change.quad());
                CanonicalQuad found = order < 0 ? quad : change.adds() ? change.quad() : null;
                quad = order <= 0 ? quads.next() : quad;
                change = order >= 0 ? changes.next() : change;
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        try (operations) {
            if (base != null) {
                base.close();
            }
        }
    }

    /** An addition or deletion of a quad. Operations on the same quad compare as equal. */
    record Operation(boolean adds, CanonicalQuad quad) {
        static final Comparator<Operation> BY_LINE = Comparator.comparing(Operation::quad, CanonicalQuad.BY_LINE);

        static final Form<Operation> FORM = new Form<>() {

            @Override
            public long sizeOf(Operation operation) {
                return Long.BYTES * 2 + CanonicalQuad.FORM.sizeOf(operation.quad);
            }

            @Override
            public void write(Operation operation, DataOutput out) throws IOException {
                out.writeBoolean(operation.adds);
                CanonicalQuad.FORM.write(operation.quad, out);
            }

            @Override
            public Operation read(DataInput in) throws IOException {
                return new Operation(in.readBoolean(), CanonicalQuad.FORM.read(in));
            }
        };
    }
}
