package io.jellybridge.jena.tdb;

import io.jellybridge.codec.Io;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ApplyCheck;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.DiskFullException;
import io.jellybridge.jena.data.TdbTerms;
import io.jellybridge.jena.data.WriteTransaction;
import io.jellybridge.jena.patch.JellyPatchReader;
import java.io.IOException;
import java.util.BitSet;
import java.util.Optional;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.tdb2.loader.DataLoader;
import org.apache.jena.tdb2.loader.LoaderFactory;
import org.apache.jena.tdb2.store.DatasetGraphSwitchable;
import org.apache.jena.tdb2.store.DatasetGraphTDB;

/**
 * Loads patches into an empty TDB2 database with Jena's bulk loader. The result is that of {@link PatchApplier#applyTogether},
 * in less time. It fills a {@link TdbGeneration}, so the database stays empty until the load is complete.
 *
 * <p>The loader can only add. Rows are therefore divided by quads: all rows of a quad take the same way. Deletions then have
 * the same result as if all rows were applied in order.
 *
 * <ol>
 * <li>The patches are checked, see {@link ApplyCheck}, and the quads that they delete are marked.
 * <li>The loader adds the quads that are added and not marked.
 * <li>A transaction of the new generation applies the rows of marked quads, the prefixes and the step, in order.
 * </ol>
 *
 * <p>A hash marks a quad, so memory does not grow with the patches. A quad that shares the hash of a deleted quad only takes
 * the slower way.
 *
 * <p>The loader is Jena's sequential one. In measurements it took half the processor time of a transaction. The phased and the
 * parallel loader took more than that. If one of their threads fails, they wait forever, or continue as if nothing had
 * happened.
 */
final class TdbBulkLoad {
    private final Io.Supplier<PatchSource<Node>> patches;
    private final ProgressListener listener;
    private final Deletions check;
    private final QuadMarks deleted = new QuadMarks();
    /** The deleted quads that are also added somewhere. Deleting any other quad has no effect. */
    private final QuadMarks added = new QuadMarks();
    /** The current or last pass. Each pass counts the same. */
    private AppliedRows<Node> reading;

    private TdbBulkLoad(Io.Supplier<PatchSource<Node>> patches, ProgressListener listener) throws IOException {
        this.patches = patches;
        this.listener = listener;
        try (PatchSource<Node> source = patches.get()) {
            this.check = new Deletions(source);
            check.readAll(check);
        }
    }

    /**
     * Fills the database.
     *
     * @param leastRows the smallest number of statements for a load
     * @return empty if there are fewer statements, or literals with a base direction, or if the database is not empty, before
     *         or after the load; nothing was done then
     * @throws RuntimeException the patches break their format, or no dataset can store them: the error of the format; or an
     *                          exception of the step; or Jena fails to create the generation or to open it in its place; the
     *                          database is empty
     * @throws ApplyException Jena fails to fill the generation; the database is empty
     * @throws IllegalStateException this thread is in a transaction of the database
     * @throws IOException the patches can't be read, or the disk fails; the database is empty
     */
    static Optional<ApplyReport> load(DatasetGraphSwitchable database, Io.Supplier<PatchSource<Node>> patches,
            PatchApplier.Step step, long leastRows, ProgressListener listener) throws IOException {
        WriteTransaction.refuseNested(database);
        if (!TdbGeneration.isEmpty(database)) {
            return Optional.empty();
        }
        TdbBulkLoad load = new TdbBulkLoad(patches, listener);
        if (load.check.rows < leastRows || load.check.hasDirections) {
            return Optional.empty();
        }
        try (TdbGeneration next = new TdbGeneration(database)) {
            load.fillDatabase(next.dataset(), step);
            return next.replaceEmpty() ? Optional.of(load.report()) : Optional.empty();
        }
    }

    private void fillDatabase(DatasetGraphTDB dataset, PatchApplier.Step step) throws IOException {
        if (check.hasAltered) {
            runWork(dataset, () -> {
                try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
                    readRows(new Kept(dataset));
                    transaction.commit();
                }
            });
        }
        runWork(dataset, () -> {
            DataLoader loader = LoaderFactory.sequentialLoader(dataset, (text, arguments) -> { });
            loader.startBulk();
            readRows(new Additions(loader.stream()));
            loader.finishBulk();
        });
        try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
            long loaded = TdbDirectory.sizeOf(dataset);
            DiskFullException.watch(dataset, () -> step.before(dataset));
            runWork(dataset, () -> readRows(new Rest(dataset, loaded)));
            DiskFullException.watch(dataset, () -> step.after(dataset));
            runWork(dataset, transaction::commit);
        }
    }

    /** Runs work that fails only if the dataset does, or if the patches have changed since they were checked. */
    private void runWork(DatasetGraph dataset, Io.Action work) {
        try {
            DiskFullException.watch(dataset, work);
        } catch (RuntimeException | IOException e) {
            throw ApplyException.ofBatch(reading == null ? 0 : reading.patches(), e);
        }
    }

    private void readRows(AppliedRows<Node> rows) throws IOException {
        try (PatchSource<Node> source = patches.get()) {
            reading = rows;
            JellyPatchReader.readAll(source, reading);
            check.compareRows(source, true);
        }
    }

    private ApplyReport report() {
        listener.progress(reading.rows());
        return reading.report();
    }

    /** Marks deleted quads, including those of aborted transactions, and counts. */
    private final class Deletions extends ApplyCheck {
        private long rows;
        /** True if TDB2 may confuse a literal with another, which the loader does not detect. */
        private boolean hasDirections;
        /** True if a term must be stored by {@link TdbTerms#keep}. */
        private boolean hasAltered;

        Deletions(PatchSource<Node> source) {
            super(source, true);
        }

        @Override
        public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
            super.statement(op, subject, predicate, object, graph);
            rows++;
            hasDirections |= TdbTerms.hasDirection(object);
            hasAltered |= TdbTerms.isAltered(object) || TdbTerms.isAltered(subject);
            if (op == Op.D) {
                deleted.mark(toQuad(subject, predicate, object, graph));
            }
        }
    }

    /** Returns the quad in TDB2's form, so that quads which are equal in TDB2 are equal here. */
    private static Quad toQuad(Node subject, Node predicate, Node object, Node graph) {
        return Quad.create(graph == null ? Quad.defaultGraphIRI : graph, TdbTerms.asStored(subject), predicate,
                TdbTerms.asStored(object));
    }

    /** Stores the terms of added quads unchanged, before the loader looks for them. */
    private final class Kept extends AppliedRows<Node> {
        private final DatasetGraph dataset;

        Kept(DatasetGraph dataset) {
            super(check);
            this.dataset = dataset;
        }

        @Override
        protected void applyStatement(Op op, Node subject, Node predicate, Node object, Node graph) {
            if (op == Op.A) {
                TdbTerms.keep(dataset, TdbTerms.asStored(subject));
                TdbTerms.keep(dataset, TdbTerms.asStored(object));
            }
        }
    }

    /** Passes quads that are added and never deleted to the loader. */
    private final class Additions extends AppliedRows<Node> {
        private final StreamRDF loader;

        Additions(StreamRDF loader) {
            super(check);
            this.loader = loader;
        }

        @Override
        protected void applyStatement(Op op, Node subject, Node predicate, Node object, Node graph) {
            if (op == Op.A) {
                addQuad(toQuad(subject, predicate, object, graph));
            }
            if (rows() % PatchApplier.ROWS_BETWEEN_REPORTS == 0) {
                listener.progress(rows());
            }
        }

        private void addQuad(Quad quad) {
            if (deleted.holds(quad)) {
                added.mark(quad);
            } else if (quad.isDefaultGraph()) {
                loader.triple(quad.asTriple());
            } else {
                loader.quad(quad);
            }
        }
    }

    /** Applies the rows that the loader did not get, in order. */
    private final class Rest extends AppliedRows<Node> {
        private final DatasetGraph dataset;

        /**
         * Creates the pass.
         *
         * @param loaded the number of quads that the loader has added
         */
        Rest(DatasetGraph dataset, long loaded) {
            super(check);
            countChanged(loaded);
            this.dataset = dataset;
        }

        @Override
        protected void applyPrefix(Op op, byte[] name, Node namespace) {
            PatchApplier.apply(op, name, namespace, dataset);
        }

        @Override
        protected void applyStatement(Op op, Node subject, Node predicate, Node object, Node graph) {
            Quad quad = toQuad(subject, predicate, object, graph);
            if (op == Op.A && deleted.holds(quad)) {
                countChanged(dataset.contains(quad) ? 0 : 1);
                dataset.add(quad);
            } else if (op == Op.D && added.holds(quad)) {
                countChanged(dataset.contains(quad) ? 1 : 0);
                dataset.delete(quad);
            }
        }
    }

    /** A Bloom filter for quads with one hash function, of at most 8 MB. It may report quads that were not added. */
    private static final class QuadMarks {
        private static final int BITS = 26;

        private final BitSet marks = new BitSet();

        void mark(Quad quad) {
            marks.set(slotOf(quad));
        }

        boolean holds(Quad quad) {
            return !marks.isEmpty() && marks.get(slotOf(quad));
        }

        private static int slotOf(Quad quad) {
            int hash = quad.isDefaultGraph() ? 0 : quad.getGraph().hashCode();
            hash = 31 * hash + quad.getSubject().hashCode();
            hash = 31 * hash + quad.getPredicate().hashCode();
            hash = 31 * hash + quad.getObject().hashCode();
            // The upper bits are used, so all bits are mixed into them.
            return hash * 0x9E3779B1 >>> Integer.SIZE - BITS;
        }
    }
}
