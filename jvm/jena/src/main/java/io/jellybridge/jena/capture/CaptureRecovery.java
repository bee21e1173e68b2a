package io.jellybridge.jena.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.AbortedBlocks;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.PositionFile;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.UserDataView;
import io.jellybridge.jena.data.WriteTransaction;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PartFile;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.StoreLog;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Node;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sys.JenaSystem;
import org.apache.jena.system.Txn;
import org.apache.jena.vocabulary.RDF;

/**
 * Reconciles a captured folder and its dataset when a capture starts, after a crash for instance. A file that was cut is repaired
 * before, by {@code CaptureWriter}.
 *
 * <p>A transaction is first appended to the log. Then the dataset commits it, with its id as the dataset's position. After a
 * crash between the two, the log is one patch ahead. Others may have read that patch, so it is applied to the dataset. A patch
 * that the dataset may have or not is applied, too: patches say what is there, so a second time changes nothing. Recorded
 * aborted transactions make no difference. If the log is further ahead, or behind, it belongs to another dataset or lost its
 * end. That is an error, and nothing is changed. With {@link CaptureOptions.Start#RESET}, the log gets a patch that takes its
 * state to the dataset, wherever they differ. In a log of another dataset that may still record, that patch takes over, too.
 *
 * <p>A dataset whose log is still empty has the position {@code rdf:nil}, with the id of the log. That distinguishes it from a
 * dataset that was never captured, or into another log.
 */
final class CaptureRecovery {
    static {
        JenaSystem.init();
    }

    private static final Node START = RDF.nil.asNode();

    private final CaptureLog log;
    private final DatasetGraph dataset;
    private final StoredPosition stored;
    private final CaptureOptions.Start start;
    /** True if the log must get the state of the dataset, or may lack a part of it. */
    private boolean isStateMissing;
    /** True if another dataset has recorded into the log, and may go on. */
    private boolean isTakenOver;

    CaptureRecovery(CaptureLog log, DatasetGraph dataset, StoredPosition stored, CaptureOptions.Start start) {
        this.log = log;
        this.dataset = dataset;
        this.stored = stored;
        this.start = start;
    }

    /**
     * Runs the recovery.
     *
     * @throws IllegalStateException the log does not belong to this dataset
     */
    void run() throws IOException {
        String difference = reconcile();
        if (difference != null && start != CaptureOptions.Start.RESET) {
            throw new IllegalStateException(difference);
        }
        isTakenOver = difference != null && log.isShared();
        isStateMissing = start == CaptureOptions.Start.RESET || start == CaptureOptions.Start.WHOLE && log.head() == null;
    }

    /** Returns null, or why the log is not that of the dataset. */
    private String reconcile() throws IOException {
        StoredPosition.Found found = Txn.calculateRead(dataset, () -> stored.read(dataset));
        Node position = found == null ? null : StoredPosition.parse(found.position().id());
        if (log.head() == null) {
            if (position == null || log.isNew() || position.equals(START) && !startOfLog().isAt(found.position())) {
                setStart(position);
            } else if (!position.equals(START)) {
                return "the log in " + log.log().name() + " is empty, and the dataset is at " + position
                        + ", the last patch that was captured of it; put the log's files back, or capture into a new "
                        + "folder";
            }
            return null;
        }
        if (position == null) {
            return findDifference("the dataset was never captured into it");
        }
        if (!found.isCertain() && !completeCommit(dataset, stored, log.log())) {
            return findDifference("the dataset may have the patch " + position + ", which is not in it");
        }
        if (position.equals(START) && found.position().applied() != null && !startOfLog().isAt(found.position())) {
            return findDifference("the dataset is at the start of another log");
        }
        return position.equals(log.head()) ? null : catchUp(position);
    }

    /** Returns the position of a dataset whose log is still empty. */
    private Position startOfLog() {
        return new Position(StoredPosition.toCanonical(START), log.log().id());
    }

    /**
     * Records the patch that takes the state of the log to that of the dataset, unless they are the same.
     *
     * @param sink appends to the log
     */
    void recordState(CaptureSink sink) throws IOException {
        if (!isStateMissing) {
            return;
        }
        DatasetGraph before = DatasetGraphFactory.createTxnMem();
        if (log.head() != null) {
            readState(before);
        }
        DatasetGraph data = UserDataView.of(dataset);
        try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
            before.begin(TxnType.READ);
            if (isTakenOver) {
                sink.txnBeginToTakeOver();
            }
            recordDifference(before, data, sink);
            if (sink.isOpen()) {
                stored.set(dataset, StoredPosition.toCanonical(sink.id()));
                sink.txnCommit();
            } else {
                stored.set(dataset, log.head() == null ? startOfLog() : Position.of(StoredPosition.toCanonical(log.head())), List.of());
            }
            transaction.commit();
        } catch (RuntimeException | Error e) {
            sink.end();
            throw e;
        } finally {
            before.end();
        }
    }

    /**
     * Fills a dataset with the state of the log: that of the newest checkpoint if its first patches were pruned, and the patches
     * after it.
     */
    private void readState(DatasetGraph state) throws IOException {
        StoreLog patches = log.log();
        Checkpoint checkpoint = patches.first() > 1 ? patches.findCheckpoint(Long.MAX_VALUE) : null;
        long version = checkpoint == null ? 0 : checkpoint.version();
        if (version + 1 < patches.first()) {
            throw new IllegalStateException("the log in " + patches.name() + " begins with version " + patches.first()
                    + ", and has no checkpoint of its state; get one from a backup, or capture into a new folder");
        }
        if (checkpoint != null) {
            readCheckpoint(checkpoint, state);
        }
        PatchApplier applier = new PatchApplier(state, ProgressListener.NONE);
        patches.forEach(version + 1, Long.MAX_VALUE,
                patch -> applier.apply(log.log().name(), () -> patch.open(new NodeTerms())));
    }

    private static void readCheckpoint(Checkpoint checkpoint, DatasetGraph state) throws IOException {
        RdfHandler<Node> adding = new RdfHandler<>() {
            @Override
            public void namespace(byte[] name, Node namespace) {
                state.prefixes().add(new String(name, UTF_8), namespace.getURI());
            }

            @Override
            public void statement(Node subject, Node predicate, Node object, Node graph) {
                state.add(graph == null ? Quad.defaultGraphIRI : graph, subject, predicate, object);
            }
        };
        try (WriteTransaction transaction = WriteTransaction.begin(state)) {
            for (PartFile part : checkpoint.files()) {
                InputStream in = new BufferedInputStream(part.open(checkpoint.store()));
                try (RdfReader<Node> quads = new RdfReader<>(in, part.name(), new NodeTerms(), ReadOptions.DEFAULT)) {
                    quads.readAll(adding);
                }
            }
            transaction.commit();
        }
    }

    private void recordDifference(DatasetGraph before, DatasetGraph now, CaptureSink sink) {
        before.prefixes().forEach((prefix, namespace) -> {
            if (!namespace.equals(now.prefixes().get(prefix))) {
                beginIfNeeded(sink).deletePrefix(null, prefix, namespace);
            }
        });
        DatasetTerms terms = new DatasetTerms();
        now.prefixes().forEach((prefix, namespace) -> {
            if (terms.isValidPrefix(prefix, namespace) && !namespace.equals(before.prefixes().get(prefix))) {
                beginIfNeeded(sink).addPrefix(null, prefix, namespace);
            }
        });
        before.find().forEachRemaining(quad -> {
            if (!hasAsIs(now, quad)) {
                beginIfNeeded(sink).delete(toGraph(quad), quad.getSubject(), quad.getPredicate(), quad.getObject());
            }
        });
        now.find().forEachRemaining(quad -> {
            if (!before.contains(quad)) {
                beginIfNeeded(sink).add(toGraph(quad), quad.getSubject(), quad.getPredicate(), quad.getObject());
            }
        });
    }

    /** Returns true if the dataset has a quad, and not only what TDB2 would store of it: {@code 42} for {@code 042}. */
    private boolean hasAsIs(DatasetGraph now, Quad quad) {
        return now.contains(quad) && Stream.of(now, dataset).anyMatch(
                each -> Iter.anyMatch(each.find(quad), found -> found.asTriple().equals(quad.asTriple())));
    }

    /** Begins a transaction in the log unless one is open. */
    private static CaptureSink beginIfNeeded(CaptureSink sink) {
        if (!sink.isOpen()) {
            sink.txnBegin();
        }
        return sink;
    }

    /** Returns the graph of a quad as sinks take it: null is the default graph. */
    private static Node toGraph(Quad quad) {
        return quad.isDefaultGraph() ? null : quad.getGraph();
    }

    /** Returns null, or why the log is not that of the dataset. */
    private String catchUp(Node position) throws IOException {
        StoreLog patches = log.log();
        boolean isAtStart = position.equals(START);
        long at = isAtStart ? 0 : LogVersions.withTerm(patches, StoredPosition.toCanonical(position));
        if (at == 0 && !isAtStart) {
            return findDifference(PositionFile.isReference("<" + position + ">")
                    ? "the file with the position of the dataset, beside its data, is not there (restore the whole folder of a database)"
                    : "the dataset is at " + position + ", which is not in it");
        }
        String place = "the dataset is at " + (isAtStart ? "its start" : position);
        if (at + 1 < patches.first()) {
            return findDifference(place + ", and the patches after that were pruned, up to version " + (patches.first() - 1));
        }
        LogEntry ahead = null;
        try (LogEntries behind = patches.fetch(at + 1, Long.MAX_VALUE)) {
            for (LogEntry patch = behind.next(); patch != null; patch = behind.next()) {
                if (!hasEffect(patch)) {
                    continue;
                }
                if (ahead != null) {
                    return findDifference(place + ", which is more than one patch behind");
                }
                ahead = patch;
            }
        }
        if (ahead != null) {
            applyPatch(dataset, stored, ahead, StoredPosition.toCanonical(log.head()));
        }
        return null;
    }

    /** Checks whether a patch has an effect: it has rows outside of aborted transactions. */
    private static boolean hasEffect(LogEntry patch) throws IOException {
        AbortedBlocks<byte[]> blocks = new AbortedBlocks<>();
        try (PatchSource<byte[]> source = patch.open(new Utf8Terms())) {
            source.readAll(blocks);
        }
        AppliedRows<byte[]> rows = new AppliedRows<>(blocks) {
            @Override
            protected void applyPrefix(Op op, byte[] name, byte[] namespace) {
                countChanged(1);
            }
        };
        try (PatchSource<byte[]> source = patch.open(new Utf8Terms())) {
            source.readAll(rows);
        }
        return rows.rows() > 0 || rows.report().changed() != null;
    }

    private String findDifference(String how) {
        return "the log in " + log.log().name() + " ends with patch " + log.head() + " and is not that of this dataset: " + how
                + "; bring the dataset to the log's end first, or capture into a new folder";
    }

    /**
     * Completes the commit that a crash cut off, if there is one: applies its patch, whether the dataset has it or not.
     *
     * @return false if the log does not have the patch
     */
    static boolean completeCommit(DatasetGraph dataset, StoredPosition stored, PatchLog log) throws IOException {
        StoredPosition.Found found = Txn.calculateRead(dataset, () -> stored.read(dataset));
        if (found == null || found.isCertain()) {
            return true;
        }
        String id = found.position().id();
        long version = LogVersions.withTerm(log, id);
        return version > 0 && LogVersions.readPatch(log, version, patch -> {
            if (patch == null) {
                return false;
            }
            applyPatch(dataset, stored, patch, id);
            return true;
        });
    }

    /**
     * Sets the position to the start of the log, so that a start that is cut off can be repeated. A position in another log stays
     * until {@link #recordState} replaces it together with the state.
     */
    private void setStart(Node position) {
        if (start != CaptureOptions.Start.CHANGES && position != null && !position.equals(START)) {
            return;
        }
        try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
            stored.set(dataset, startOfLog(), List.of());
            transaction.commit();
        }
    }

    private static void applyPatch(DatasetGraph dataset, StoredPosition stored, LogEntry patch, String id) throws IOException {
        new PatchApplier(dataset, ProgressListener.NONE).applyTogether(() -> patch.open(new NodeTerms()),
                new PatchApplier.Step() {
                    @Override
                    public void before(DatasetGraph view) {
                        // nobody else uses the dataset yet
                    }

                    @Override
                    public void after(DatasetGraph view) {
                        stored.set(dataset, id);
                    }
                });
    }
}
