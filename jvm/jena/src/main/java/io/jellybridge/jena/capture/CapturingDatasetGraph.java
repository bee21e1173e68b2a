package io.jellybridge.jena.capture;

import io.jellybridge.jena.data.NodeWiseDataset;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.TdbTerms;
import io.jellybridge.jena.data.UserDataView;
import io.jellybridge.jena.data.WriteTransaction;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.query.ReadWrite;
import org.apache.jena.query.TxnType;
import org.apache.jena.rdfpatch.RDFChanges;
import org.apache.jena.riot.system.PrefixMap;
import org.apache.jena.riot.system.PrefixMapWrapper;
import org.apache.jena.shared.PrefixMapping;
import org.apache.jena.sparql.JenaTransactionException;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;

/**
 * A dataset that reports its changes to an {@link RDFChanges}.
 *
 * <p>Beyond Jena's {@code DatasetGraphChanges} it guarantees:
 * <ul>
 * <li>It misses no change: {@code clear()}, prefixes, changes through graphs, transactions that began as reads.
 * <li>It reports either all changes, or only those with an effect. In the second case, adding an existing quad is not reported,
 * and a prefix is deleted before it gets another namespace. Such a log can be undone.
 * <li>Transactions balance. A transaction begins in the log at its first change. It ends there as it ended in the dataset, even
 * if {@code end()} aborts it. {@code segment()} follows, so a transaction is a patch. A transaction without changes leaves no
 * trace. A change outside of a transaction has one of its own.
 * <li>The log is never behind the dataset. A transaction is not committed if its log can't be written. After a failure of
 * {@code txnCommit}, the sink receives {@code txnAbort}. If it accepts that, the next transaction tries again.
 * <li>A rollback is complete. It includes prefixes, which Jena's in-memory dataset does not roll back.
 * <li>The default graph is null, and terms are those that the store keeps (TDB2 makes {@code "042"^^xsd:integer} into {@code
 * "42"}).
 * <li>It is a {@link UserDataView}: the graph of {@link StoredPosition}s is neither reported nor changed.
 * <li>It collects nothing in memory. {@code deleteAny} and {@code clear} find and report the quads first, and then remove them.
 * </ul>
 *
 * <p>The order of changes within a transaction is kept. Like its base, it allows many readers and one writer at a time. Only
 * the writing thread calls the sink.
 */
public final class CapturingDatasetGraph extends NodeWiseDataset {
    private final RDFChanges sink;
    private final boolean effectiveOnly;
    private final CommitSteps steps;
    private final boolean isTdb2;
    private final UnaryOperator<Node> asStored;
    private final PrefixMap prefixes;

    /** What goes with each commit that is reported. */
    interface CommitSteps {
        Runnable NOTHING = () -> { };

        /** Is called within the transaction, before the log has its patch. */
        void beforeLog();

        /** Is called within the transaction, when the log has its patch. Returns what is to do when it is committed. */
        Runnable afterLog();
    }

    /** No additional work. */
    static final CommitSteps NO_STEPS = new CommitSteps() {
        @Override
        public void beforeLog() {
            // none
        }

        @Override
        public Runnable afterLog() {
            return NOTHING;
        }
    };

    /** The thread whose write transaction is open; null if there is none. */
    private volatile Thread owner;
    /** The thread whose transaction has begun in the log; null if there is none. */
    private volatile Thread writer;
    /** The reason why the log of the open transaction is wrong, so that it can't be committed; null if it is right. */
    private volatile Throwable fault;
    /** The reason why the log can't be continued, so that nothing can be committed any more; null if it can. */
    private volatile Throwable broken;
    /**
     * The prefixes before the first change of a prefix in the open transaction; null if none was changed, or the base can roll
     * them back.
     */
    private volatile Map<String, String> prefixesBefore;

    /**
     * Creates a dataset.
     *
     * @param base          the dataset to change, whose transactions can abort
     * @param sink          receives the changes; a {@link CaptureSink} also receives the namespaces of deleted prefixes
     * @param effectiveOnly true to report only changes with an effect
     * @throws IllegalArgumentException the transactions of the dataset can't abort
     */
    public CapturingDatasetGraph(DatasetGraph base, RDFChanges sink, boolean effectiveOnly) {
        this(base, sink, effectiveOnly, NO_STEPS);
    }

    /**
     * Creates a dataset.
     *
     * @param steps additional work in each transaction that is reported
     */
    CapturingDatasetGraph(DatasetGraph base, RDFChanges sink, boolean effectiveOnly, CommitSteps steps) {
        super(UserDataView.of(WriteTransaction.requireAbort(base)));
        this.sink = sink;
        this.effectiveOnly = effectiveOnly;
        this.steps = steps;
        this.isTdb2 = TdbTerms.isTdb2(base);
        this.asStored = isTdb2 ? TdbTerms::asStored : UnaryOperator.identity();
        this.prefixes = new CapturedPrefixes(base.prefixes());
    }

    /** Returns the reason why the log is wrong, or null. */
    Throwable findBroken() {
        return broken;
    }

    /** Returns true if a write transaction is open, of any thread. */
    boolean isBeingWritten() {
        return owner != null;
    }

    // --- changes

    @Override
    public void add(Node graphName, Node subject, Node predicate, Node object) {
        Node name = graphOrDefault(graphName);
        Node subjectStored = asStored.apply(subject);
        Node objectStored = asStored.apply(object);
        changeData(() -> {
            if (!effectiveOnly || !isData(name, subject, predicate, object)
                    || !get().contains(name, subjectStored, predicate, objectStored)) {
                if (isTdb2) {
                    TdbTerms.keep(get(), subjectStored);
                    TdbTerms.keep(get(), objectStored);
                }
                get().add(name, subjectStored, predicate, objectStored);
                reportChange(name, graph -> sink.add(graph, subjectStored, predicate, objectStored));
            }
        });
    }

    @Override
    public void delete(Node graphName, Node subject, Node predicate, Node object) {
        Node name = graphOrDefault(graphName);
        Node subjectStored = asStored.apply(subject);
        Node objectStored = asStored.apply(object);
        changeData(() -> {
            if (!effectiveOnly || !isData(name, subject, predicate, object)
                    || isShown(name, subject, predicate, objectStored)) {
                get().delete(name, subject, predicate, object);
                reportChange(name, graph -> sink.delete(graph, subjectStored, predicate, objectStored));
            }
        });
    }

    /** Checks whether a search finds a quad, in whichever form another program stored it, see {@link TdbTerms#hasSeveralIds}. */
    private boolean isShown(Node graph, Node subject, Node predicate, Node object) {
        return get().contains(graph, subject, predicate, object) || isTdb2 && TdbTerms.hasSeveralIds(object)
                && !TdbTerms.findAllIds(get(), graph, subject, predicate, object).isEmpty();
    }

    /** Deletes quads. As in other datasets, null is a wildcard, also for the graph. */
    @Override
    public void deleteAny(Node graph, Node subject, Node predicate, Node object) {
        Node objectStored = object == null ? Node.ANY : asStored.apply(object);
        if (isTdb2 && TdbTerms.hasSeveralIds(objectStored) && !Quad.isUnionGraph(graphOrDefault(graph))) {
            changeData(() -> TdbTerms.findAllIds(get(), graph, subject, predicate, objectStored).forEach(this::delete));
            return;
        }
        changeData(() -> removeMatches(graph, subject, predicate, object, () -> get().deleteAny(graph, subject, predicate,
                object)));
    }

    /**
     * Removes the triples of a graph, also of the default graph. (For the default graph, TDB2 itself removes all prefixes and
     * no triple.)
     */
    @Override
    public void removeGraph(Node graph) {
        Node name = graphOrDefault(graph);
        changeData(() -> removeMatches(name, Node.ANY, Node.ANY, Node.ANY, () -> {
            if (Quad.isDefaultGraph(name)) {
                get().deleteAny(name, Node.ANY, Node.ANY, Node.ANY);
            } else {
                get().removeGraph(name);
            }
        }));
    }

    /** Adds the triples of a graph and removes none, as Jena's in-memory and TDB2 datasets do. */
    @Override
    public void addGraph(Node graph, Graph triples) {
        changeData(() -> triples.find().forEach(t -> add(graph, t.getSubject(), t.getPredicate(), t.getObject())));
    }

    /** Removes all quads and keeps the prefixes, as Jena's in-memory and TDB2 datasets do. */
    @Override
    public void clear() {
        changeData(() -> removeMatches(Node.ANY, Node.ANY, Node.ANY, Node.ANY, () -> get().clear()));
    }

    /** Reports the quads to remove, then removes them. There may be too many to keep them in memory. */
    private void removeMatches(Node graph, Node subject, Node predicate, Node object, Runnable removal) {
        if (!Quad.isUnionGraph(graphOrDefault(graph))) {
            Iterator<Quad> quads = get().find(graph, subject, predicate, object);
            try {
                quads.forEachRemaining(quad -> reportChange(quad.getGraph(), name -> sink.delete(name, quad.getSubject(),
                        quad.getPredicate(), quad.getObject())));
            } finally {
                Iter.close(quads);
            }
        }
        try {
            removal.run();
        } catch (RuntimeException | Error e) {
            fault = e; // the log says that it was removed
            throw e;
        }
    }

    @Override
    public PrefixMap prefixes() {
        return prefixes;
    }

    private void addPrefix(String prefix, String namespace) {
        changeData(() -> {
            String before = get().prefixes().get(prefix);
            if (effectiveOnly && namespace.equals(before)) {
                return;
            }
            rememberPrefixes();
            get().prefixes().add(prefix, namespace);
            if (effectiveOnly && before != null) {
                reportDeleted(prefix, before);
            }
            reportChange(() -> sink.addPrefix(null, prefix, namespace));
        });
    }

    private void deletePrefix(String prefix) {
        changeData(() -> {
            String before = get().prefixes().get(prefix);
            if (!effectiveOnly || before != null) {
                rememberPrefixes();
                get().prefixes().delete(prefix);
                reportDeleted(prefix, before);
            }
        });
    }

    private void reportDeleted(String prefix, String namespace) {
        reportChange(() -> {
            if (sink instanceof CaptureSink changes) {
                changes.deletePrefix(null, prefix, namespace);
            } else {
                sink.deletePrefix(null, prefix);
            }
        });
    }

    private void rememberPrefixes() {
        if (!isTdb2 && prefixesBefore == null) {
            prefixesBefore = Map.copyOf(get().prefixes().getMappingCopy());
        }
    }

    /** Rolls prefixes back for a base that does not. */
    private void rollPrefixesBack() {
        Map<String, String> before = prefixesBefore;
        if (before != null && isInTransaction() && transactionMode() == ReadWrite.WRITE) {
            prefixesBefore = null;
            WriteTransaction.restorePrefixes(get().prefixes(), before);
        }
    }

    /**
     * Checks whether this is a quad that can be looked up. Variables would be wildcards, and the union graph can't be changed;
     * the base and the sink reject both.
     */
    private static boolean isData(Node graph, Node subject, Node predicate, Node object) {
        return !Quad.isUnionGraph(graph) && graph.isConcrete() && subject.isConcrete() && predicate.isConcrete()
                && object.isConcrete();
    }

    private static Node graphOrDefault(Node graph) {
        return graph == null ? Quad.defaultGraphNodeGenerated : graph;
    }

    private static Node nullIfDefault(Node graph) {
        return Quad.isDefaultGraph(graph) ? null : graph;
    }

    /** Makes a change, in a transaction of its own if there is none. */
    private void changeData(Runnable change) {
        if (isInTransaction()) {
            // Before the lookup of existing quads, since it must see what others committed.
            if (transactionMode() == ReadWrite.READ && !promote()) {
                throw new JenaTransactionException("a change in a transaction that can only read");
            }
            change.run();
            return;
        }
        begin(TxnType.WRITE);
        try {
            change.run();
            commit();
        } finally {
            if (isInTransaction()) {
                abort();
            }
            get().end();
        }
    }

    /** Reports a change of a graph; null is the default graph. */
    private void reportChange(Node graph, Consumer<Node> row) {
        reportChange(() -> row.accept(nullIfDefault(graph)));
    }

    /** Reports one row of this thread's transaction, and the start of the transaction before the first. */
    private void reportChange(Runnable row) {
        if (fault != null) {
            return; // the transaction is lost anyway
        }
        try {
            if (writer == null) {
                refuseWhenBroken();
                sink.txnBegin();
                writer = Thread.currentThread();
            }
            row.run();
        } catch (RuntimeException | Error e) {
            fault = e;
            throw e;
        }
    }

    // --- transactions

    @Override
    public void begin() {
        begin(TxnType.READ_PROMOTE); // TDB2's begin() without a type ends in an IllegalMonitorStateException
    }

    @Override
    public void begin(ReadWrite mode) {
        begin(TxnType.convert(mode));
    }

    @Override
    public void begin(TxnType type) {
        get().begin(type);
        own(type == TxnType.WRITE);
    }

    @Override
    public boolean promote() {
        return own(super.promote());
    }

    @Override
    public boolean promote(Promote mode) {
        return own(super.promote(mode));
    }

    private boolean own(boolean isWriting) {
        if (isWriting) {
            owner = Thread.currentThread();
        }
        return isWriting;
    }

    private void disown() {
        if (owner == Thread.currentThread()) {
            owner = null;
        }
    }

    private boolean isWriter() {
        return writer == Thread.currentThread();
    }

    /**
     * Commits, unless the log of the transaction is wrong.
     *
     * @throws JenaTransactionException the log is wrong, and the transaction was aborted
     */
    @Override
    public void commit() {
        boolean writes = isInTransaction() && transactionMode() == ReadWrite.WRITE;
        if (writes && fault != null) {
            Throwable cause = fault;
            abort();
            throw new JenaTransactionException("aborted, since the change log could not take its changes: "
                    + cause.getMessage(), cause);
        }
        boolean logged = isWriter();
        if (logged && broken != null) {
            abort(); // the log has a patch before this one that the dataset does not have
            refuseWhenBroken();
        }
        Runnable afterCommit = logged ? logCommit() : null;
        // All of this before the base lets the next writer begin.
        if (writes) {
            writer = null;
            prefixesBefore = null;
            disown();
        }
        try {
            get().commit();
        } catch (RuntimeException | Error e) {
            if (logged) {
                markBroken(e); // the log says that it was committed
            }
            throw e;
        }
        if (logged) {
            afterCommit.run();
        }
    }

    /**
     * Writes the log before the dataset commits. A change in the dataset that is not in the log would be lost to every replica.
     */
    private Runnable logCommit() {
        try {
            steps.beforeLog();
            sink.txnCommit();
        } catch (RuntimeException | Error e) {
            undoRefused(e);
            throw e;
        }
        try {
            sink.segment();
            return steps.afterLog();
        } catch (RuntimeException | Error e) {
            markBroken(e);
            get().abort();
            throw e;
        }
    }

    /** Undoes the transaction after the sink has rejected the commit, in the sink too. */
    private void undoRefused(Throwable cause) {
        try {
            abort();
        } catch (RuntimeException | Error e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void abort() {
        forgetTransaction();
        rollPrefixesBack();
        try {
            if (isWriter()) {
                logAbort(); // before the base lets the next writer begin
            }
        } finally {
            get().abort();
        }
    }

    /**
     * Ends the transaction. As in other datasets, it aborts an uncommitted write transaction, for which the base throws an
     * exception.
     */
    @Override
    public void end() {
        forgetTransaction();
        rollPrefixesBack();
        try {
            if (isWriter()) {
                logAbort(); // before the base lets the next writer begin
            }
        } finally {
            get().end();
        }
    }

    /** Closes the dataset, after aborting the open transaction of this thread. */
    @Override
    public void close() {
        try {
            if (isInTransaction()) {
                try {
                    abort();
                } finally {
                    end();
                }
            }
        } finally {
            get().close();
        }
    }

    /** Clears the state of the open write transaction. Another thread, which reads, has none. */
    private void forgetTransaction() {
        if (isInTransaction() && transactionMode() == ReadWrite.WRITE) {
            fault = null;
        }
        disown();
    }

    private void logAbort() {
        writer = null;
        try {
            sink.txnAbort();
            sink.segment();
        } catch (RuntimeException | Error e) {
            markBroken(e);
            throw e;
        }
    }

    private void markBroken(Throwable cause) {
        disown();
        if (isWriter()) { // the base may have let the next one begin
            writer = null;
        }
        broken = cause;
    }

    private void refuseWhenBroken() {
        if (broken != null) {
            throw new IllegalStateException("the change log is broken, so that no change can be made any more: "
                    + broken.getMessage() + "; abort the capture", broken);
        }
    }

    /** The prefixes, of which every change is recorded. */
    private final class CapturedPrefixes extends PrefixMapWrapper {

        CapturedPrefixes(PrefixMap base) {
            super(base);
        }

        @Override
        public void add(String prefix, String namespace) {
            addPrefix(withoutColon(prefix), namespace);
        }

        @Override
        public void delete(String prefix) {
            deletePrefix(withoutColon(prefix));
        }

        @Override
        public void putAll(PrefixMap prefixes) {
            putAll(prefixes.getMapping());
        }

        @Override
        public void putAll(PrefixMapping prefixes) {
            putAll(prefixes.getNsPrefixMap());
        }

        @Override
        public void putAll(Map<String, String> prefixes) {
            prefixes.forEach(this::add);
        }

        @Override
        public void clear() {
            getMappingCopy().keySet().forEach(this::delete);
        }

        /** Removes the colon of a prefix, since Jena accepts prefixes with or without it. */
        private static String withoutColon(String prefix) {
            return prefix.endsWith(":") ? prefix.substring(0, prefix.length() - 1) : prefix;
        }
    }
}
