package io.jellybridge.jena.capture;

import io.jellybridge.jena.data.DataView;
import io.jellybridge.jena.data.GraphOfDataset;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.TdbTerms;
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
import org.apache.jena.sparql.JenaTransactionException;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;

/**
 * A dataset that tells an {@link RDFChanges} what changes in it.
 *
 * <p>What it promises, beyond Jena's {@code DatasetGraphChanges}:
 * <ul>
 *   <li>Nothing is missed: {@code clear()}, prefixes, changes through graphs, transactions that began as reads.
 *   <li>By choice every change is told, or only what changes something: adding what is there is no change then, and a
 *       prefix that gets another namespace is deleted before. Such a log can be undone.
 *   <li>It balances. A transaction is begun in the log by its first change and ended there as it ended in the dataset,
 *       also when {@code end()} aborts it; {@code segment()} follows, so that a transaction is a patch. A transaction
 *       that changed nothing leaves no trace. A change outside of a transaction is made in one of its own.
 *   <li>The log is not behind the dataset: a transaction whose log can't be written is not committed. A sink that fails
 *       in {@code txnCommit} is told {@code txnAbort} then; when it takes that, the next transaction is tried anew.
 *   <li>What is rolled back is rolled back whole: prefixes too, which Jena's in-memory dataset forgets to.
 *   <li>The default graph is null; terms are those that the store keeps (TDB2 makes {@code "042"^^xsd:integer} into
 *       {@code "42"}).
 *   <li>It is a {@link DataView}: without the graph of {@link StoredPosition}s, which is neither told nor changed.
 *   <li>Nothing is collected in memory: what {@code deleteAny} and {@code clear} remove is found and told first, then
 *       removed.
 * </ul>
 *
 * <p>The order of two changes of one transaction is kept. Like its base, it is for many readers and one writer at a
 * time. The sink is called by the writing thread only.
 */
public final class CapturingDatasetGraph extends DatasetGraphWrapper {
    private final RDFChanges sink;
    private final boolean effectiveOnly;
    private final Runnable beforeCommit;
    private final boolean isTdb2;
    private final UnaryOperator<Node> asStored;
    private final PrefixMap prefixes;

    /** The thread whose transaction is begun in the log; null when none is. */
    private volatile Thread writer;
    /** Why the log of the open transaction is not its truth, so that it can't be committed. */
    private volatile Throwable fault;
    /** Why the log can't be continued; nothing can be committed any more. */
    private volatile Throwable broken;
    /** The prefixes at the first change of one in the open transaction; null when none was changed, or the base knows. */
    private volatile Map<String, String> prefixesBefore;

    /**
     * @param base          the dataset to change, with transactions that can abort
     * @param sink          who is told; a {@link ChangeSink} also gets the namespaces of deleted prefixes
     * @param effectiveOnly tell only what changes something
     * @throws IllegalArgumentException the dataset has no such transactions
     */
    public CapturingDatasetGraph(DatasetGraph base, RDFChanges sink, boolean effectiveOnly) {
        this(base, sink, effectiveOnly, () -> { });
    }

    /** @param beforeCommit what belongs to each transaction that is told, beside its changes */
    CapturingDatasetGraph(DatasetGraph base, RDFChanges sink, boolean effectiveOnly, Runnable beforeCommit) {
        super(DataView.of(base));
        if (!base.supportsTransactionAbort()) {
            throw new IllegalArgumentException("a dataset without transactions that can abort (" + base.getClass()
                    + "); use TDB2 or DatasetGraphFactory.createTxnMem()");
        }
        this.sink = sink;
        this.effectiveOnly = effectiveOnly;
        this.beforeCommit = beforeCommit;
        this.isTdb2 = TdbTerms.isTdb2(base);
        this.asStored = isTdb2 ? TdbTerms::stored : UnaryOperator.identity();
        this.prefixes = new CapturedPrefixes(this, base.prefixes());
    }

    /** Why the log ended being true, or null while it is. */
    Throwable broken() {
        return broken;
    }

    // --- changes

    @Override
    public void add(Quad quad) {
        add(quad.isTriple() ? null : quad.getGraph(), quad.getSubject(), quad.getPredicate(), quad.getObject());
    }

    @Override
    public void add(Node graphName, Node subject, Node predicate, Node object) {
        Node name = graphOrDefault(graphName);
        Node subjectStored = asStored.apply(subject);
        Node objectStored = asStored.apply(object);
        change(() -> {
            if (!effectiveOnly || !isData(name, subject, predicate, object)
                    || !get().contains(name, subjectStored, predicate, objectStored)) {
                if (isTdb2) {
                    TdbTerms.keep(get(), subjectStored);
                    TdbTerms.keep(get(), objectStored);
                }
                get().add(name, subjectStored, predicate, objectStored);
                tell(name, graph -> sink.add(graph, subjectStored, predicate, objectStored));
            }
        });
    }

    @Override
    public void delete(Quad quad) {
        delete(quad.isTriple() ? null : quad.getGraph(), quad.getSubject(), quad.getPredicate(), quad.getObject());
    }

    @Override
    public void delete(Node graphName, Node subject, Node predicate, Node object) {
        Node name = graphOrDefault(graphName);
        Node subjectStored = asStored.apply(subject);
        Node objectStored = asStored.apply(object);
        change(() -> {
            if (!effectiveOnly || !isData(name, subject, predicate, object)
                    || get().contains(name, subject, predicate, object)) {
                get().delete(name, subject, predicate, object);
                tell(name, graph -> sink.delete(graph, subjectStored, predicate, objectStored));
            }
        });
    }

    /** As in other datasets, null is a wildcard, for the graph too. */
    @Override
    public void deleteAny(Node graph, Node subject, Node predicate, Node object) {
        change(() -> remove(graph, subject, predicate, object, () -> get().deleteAny(graph, subject, predicate,
                object)));
    }

    /**
     * Removes the graph's triples, also those of the default graph. (TDB2 itself removes all prefixes in that case, and no
     * triple.)
     */
    @Override
    public void removeGraph(Node graph) {
        Node name = graphOrDefault(graph);
        change(() -> remove(name, Node.ANY, Node.ANY, Node.ANY, () -> {
            if (Quad.isDefaultGraph(name)) {
                get().deleteAny(name, Node.ANY, Node.ANY, Node.ANY);
            } else {
                get().removeGraph(name);
            }
        }));
    }

    /** Adds the graph's triples, and removes none, as Jena's in-memory and TDB2 datasets do. */
    @Override
    public void addGraph(Node graph, Graph triples) {
        change(() -> triples.find().forEach(t -> add(graph, t.getSubject(), t.getPredicate(), t.getObject())));
    }

    /** Removes all quads, and leaves prefixes, as Jena's in-memory and TDB2 datasets do. */
    @Override
    public void clear() {
        change(() -> remove(Node.ANY, Node.ANY, Node.ANY, Node.ANY, () -> get().clear()));
    }

    /** Tells what is going to be removed, then removes it: the quads can be too many to be kept in between. */
    private void remove(Node graph, Node subject, Node predicate, Node object, Runnable removal) {
        if (!Quad.isUnionGraph(graphOrDefault(graph))) {
            Iterator<Quad> quads = get().find(graph, subject, predicate, object);
            try {
                quads.forEachRemaining(quad -> tell(quad.getGraph(), name -> sink.delete(name, quad.getSubject(),
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

    void addPrefix(String prefix, String namespace) {
        change(() -> {
            String before = get().prefixes().get(prefix);
            if (effectiveOnly && namespace.equals(before)) {
                return;
            }
            rememberPrefixes();
            get().prefixes().add(prefix, namespace);
            if (effectiveOnly && before != null) {
                tellDeleted(prefix, before);
            }
            tell(() -> sink.addPrefix(null, prefix, namespace));
        });
    }

    void deletePrefix(String prefix) {
        change(() -> {
            String before = get().prefixes().get(prefix);
            if (!effectiveOnly || before != null) {
                rememberPrefixes();
                get().prefixes().delete(prefix);
                tellDeleted(prefix, before);
            }
        });
    }

    private void tellDeleted(String prefix, String namespace) {
        tell(() -> {
            if (sink instanceof ChangeSink changes) {
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

    /** What the base does not do where transactions of prefixes can't abort. */
    private void rollPrefixesBack() {
        Map<String, String> before = prefixesBefore;
        if (before != null && isInTransaction() && transactionMode() == ReadWrite.WRITE) {
            prefixesBefore = null;
            WriteTransaction.restorePrefixes(get().prefixes(), before);
        }
    }

    /**
     * Whether this is a quad that can be looked up. Variables would be wildcards, and the union graph is none that can
     * be changed: both are left to the base and the sink to refuse.
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

    /** Makes a change, in a transaction of its own when there is none. */
    private void change(Runnable change) {
        if (isInTransaction()) {
            // Before it is found out what is there: what others committed may be seen from here on only.
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

    /** Tells the sink a change of a graph; null is the default graph. */
    private void tell(Node graph, Consumer<Node> row) {
        tell(() -> row.accept(nullIfDefault(graph)));
    }

    /** Tells the sink one row of this thread's transaction, and that it began when this is the first. */
    private void tell(Runnable row) {
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

    // --- graphs are views of this dataset, so that what is changed in them comes here

    @Override
    public Graph getDefaultGraph() {
        return new GraphOfDataset(this, Quad.defaultGraphNodeGenerated);
    }

    @Override
    public Graph getGraph(Node graph) {
        return new GraphOfDataset(this, graphOrDefault(graph));
    }

    @Override
    public Graph getUnionGraph() {
        return new GraphOfDataset(this, Quad.unionGraph);
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
    }

    private boolean isWriter() {
        return writer == Thread.currentThread();
    }

    /**
     * Commits, unless the log is not the truth of the transaction.
     *
     * @throws JenaTransactionException it isn't: the transaction was aborted
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
        if (logged) {
            logCommit();
        }
        // All of this before the base lets the next writer begin.
        if (writes) {
            writer = null;
            prefixesBefore = null;
        }
        try {
            get().commit();
        } catch (RuntimeException | Error e) {
            if (logged) {
                breakOff(e); // the log says that it was committed
            }
            throw e;
        }
    }

    /** The log first: a change that is in the dataset and not in the log would be lost to every replica. */
    private void logCommit() {
        try {
            beforeCommit.run();
            sink.txnCommit();
        } catch (RuntimeException | Error e) {
            refused(e);
            throw e;
        }
        try {
            sink.segment();
        } catch (RuntimeException | Error e) {
            breakOff(e);
            get().abort();
            throw e;
        }
    }

    /** The sink did not take the commit: the transaction is undone, in the sink too. */
    private void refused(Throwable cause) {
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
     * As in other datasets, this aborts a write transaction that was not committed; the base says so by an exception.
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

    /** What belongs to the one open write transaction: another thread, which reads, has none. */
    private void forgetTransaction() {
        if (isInTransaction() && transactionMode() == ReadWrite.WRITE) {
            fault = null;
        }
    }

    private void logAbort() {
        writer = null;
        try {
            sink.txnAbort();
            sink.segment();
        } catch (RuntimeException | Error e) {
            breakOff(e);
            throw e;
        }
    }

    private void breakOff(Throwable cause) {
        writer = null;
        fault = null;
        broken = cause;
    }

    private void refuseWhenBroken() {
        if (broken != null) {
            throw new IllegalStateException("the change log is broken, so that no change can be made any more: "
                    + broken.getMessage() + "; abort the capture", broken);
        }
    }
}
