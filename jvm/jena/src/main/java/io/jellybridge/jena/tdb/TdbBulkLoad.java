package io.jellybridge.jena.tdb;

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
 * Patches into an empty TDB2 database by Jena's bulk loader: what {@link PatchApplier#applyTogether} would do, in less time.
 * All of it is done in a {@link TdbGeneration}, so that the database stays empty until everything is there.
 *
 * <p>The loader only adds. What patches delete comes to the same as if each row was applied in its order, since the rows are
 * divided by quads: all rows of a quad go either way.
 * <ol>
 *   <li>The patches are checked, see {@link ApplyCheck}, and the quads that they delete are marked.
 *   <li>The loader gets the quads that are added and not marked.
 *   <li>A transaction of the new generation gets the rows of marked quads, the prefixes and the step, in their order.
 * </ol>
 * A quad is marked by a hash, so memory does not grow with the patches; who shares the hash of a deleted quad goes the
 * slower way, too, and nothing else.
 *
 * <p>The loader is Jena's sequential one. It was seen to take half the processor time of a transaction; the phased and the
 * parallel one took more than that, and go on waiting, or go on as if nothing was, when one of their threads fails.
 */
final class TdbBulkLoad {
    private final PatchApplier.Patches patches;
    private final ProgressListener listener;
    private final Deletions check;
    private final QuadMarks deleted = new QuadMarks();
    /** Those of the deleted quads that are added somewhere; who deletes another one does nothing. */
    private final QuadMarks added = new QuadMarks();
    /** The reading that goes on, or was the last; each counts the same. */
    private AppliedRows<Node> reading;

    private TdbBulkLoad(PatchApplier.Patches patches, ProgressListener listener) throws IOException {
        this.patches = patches;
        this.listener = listener;
        try (PatchSource<Node> source = patches.open()) {
            this.check = new Deletions(source);
            JellyPatchReader.readAll(source, check);
        }
    }

    /**
     * Fills the database.
     *
     * @param leastRows how many statements it takes
     * @return empty when there are fewer, or literals with a base direction, or when the database is not empty, or is not
     *         any more when all is loaded; nothing was done then
     * @throws RuntimeException      the patches break their format, or ask for what no dataset may hold: the error of the
     *                               format; or what the step throws; or Jena fails to make the generation or to open
     *                               it in its place; the database is empty
     * @throws ApplyException        Jena fails to fill the generation; the database is empty
     * @throws IllegalStateException this thread is in a transaction of the database
     * @throws IOException           the patches can't be read, or the disk fails; the database is empty
     */
    static Optional<ApplyReport> load(DatasetGraphSwitchable database, PatchApplier.Patches patches, PatchApplier.Step step,
            long leastRows, ProgressListener listener) throws IOException {
        WriteTransaction.refuseNested(database);
        if (!TdbGeneration.isEmpty(database)) {
            return Optional.empty();
        }
        TdbBulkLoad load = new TdbBulkLoad(patches, listener);
        if (load.check.rows < leastRows || load.check.hasDirections) {
            return Optional.empty();
        }
        try (TdbGeneration next = new TdbGeneration(database)) {
            load.fill(next.dataset(), step);
            return next.replaceEmpty() ? Optional.of(load.report()) : Optional.empty();
        }
    }

    private void fill(DatasetGraphTDB dataset, PatchApplier.Step step) throws IOException {
        if (check.hasAltered) {
            run(dataset, () -> {
                try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
                    read(new Kept(dataset));
                    transaction.commit();
                }
            });
        }
        run(dataset, () -> {
            DataLoader loader = LoaderFactory.sequentialLoader(dataset, (text, arguments) -> { });
            loader.startBulk();
            read(new Additions(loader.stream()));
            loader.finishBulk();
        });
        try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
            long loaded = TdbDirectory.size(dataset);
            DiskFullException.watch(dataset, () -> step.before(dataset));
            run(dataset, () -> read(new Rest(dataset, loaded)));
            DiskFullException.watch(dataset, () -> step.after(dataset));
            run(dataset, transaction::commit);
        }
    }

    /** Does what fails only when the dataset does, or when the patches are not what they were when they were checked. */
    private void run(DatasetGraph dataset, DiskFullException.Work work) {
        try {
            DiskFullException.watch(dataset, work);
        } catch (RuntimeException | IOException e) {
            throw ApplyException.ofBatch(reading == null ? 0 : reading.patches(), e);
        }
    }

    private void read(AppliedRows<Node> rows) throws IOException {
        try (PatchSource<Node> source = patches.open()) {
            reading = rows;
            JellyPatchReader.readAll(source, reading);
        }
    }

    private ApplyReport report() {
        listener.progress(reading.rows());
        return reading.report();
    }

    /** Marks what is deleted, be it in a block that is aborted, and counts. */
    private final class Deletions extends ApplyCheck {
        private long rows;
        /** Whether a literal may be taken for another, which the loader does not see. */
        private boolean hasDirections;
        /** Whether a term is to be kept as it is, see {@link TdbTerms#keep}. */
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
                deleted.mark(quad(subject, predicate, object, graph));
            }
        }
    }

    /** The quad as TDB2 keeps it, so that what is one quad to TDB2 is one here. */
    private static Quad quad(Node subject, Node predicate, Node object, Node graph) {
        return Quad.create(graph == null ? Quad.defaultGraphIRI : graph, TdbTerms.stored(subject), predicate,
                TdbTerms.stored(object));
    }

    /** Has the database keep the terms of what is added, before the loader looks for them. */
    private final class Kept extends AppliedRows<Node> {
        private final DatasetGraph dataset;

        Kept(DatasetGraph dataset) {
            super(check);
            this.dataset = dataset;
        }

        @Override
        protected void applyPrefix(Op op, byte[] name, Node namespace) {
            // is of the rest
        }

        @Override
        protected void applyStatement(Op op, Node subject, Node predicate, Node object, Node graph) {
            if (op == Op.A) {
                TdbTerms.keep(dataset, TdbTerms.stored(subject));
                TdbTerms.keep(dataset, TdbTerms.stored(object));
            }
        }
    }

    /** Hands the loader what is added and never deleted. */
    private final class Additions extends AppliedRows<Node> {
        private final StreamRDF loader;

        Additions(StreamRDF loader) {
            super(check);
            this.loader = loader;
        }

        @Override
        protected void applyPrefix(Op op, byte[] name, Node namespace) {
            // is of the rest
        }

        @Override
        protected void applyStatement(Op op, Node subject, Node predicate, Node object, Node graph) {
            if (op == Op.A) {
                add(quad(subject, predicate, object, graph));
            }
            if (rows() % PatchApplier.ROWS_BETWEEN_REPORTS == 0) {
                listener.progress(rows());
            }
        }

        private void add(Quad quad) {
            if (deleted.holds(quad)) {
                added.mark(quad);
            } else if (quad.isDefaultGraph()) {
                loader.triple(quad.asTriple());
            } else {
                loader.quad(quad);
            }
        }
    }

    /** Applies, in order, what the loader did not get. */
    private final class Rest extends AppliedRows<Node> {
        private final DatasetGraph dataset;

        /** @param loaded how many quads the loader has added to none */
        Rest(DatasetGraph dataset, long loaded) {
            super(check);
            changed(loaded);
            this.dataset = dataset;
        }

        @Override
        protected void applyPrefix(Op op, byte[] name, Node namespace) {
            PatchApplier.apply(op, name, namespace, dataset);
        }

        @Override
        protected void applyStatement(Op op, Node subject, Node predicate, Node object, Node graph) {
            Quad quad = quad(subject, predicate, object, graph);
            if (op == Op.A && deleted.holds(quad)) {
                changed(dataset.contains(quad) ? 0 : 1);
                dataset.add(quad);
            } else if (op == Op.D && added.holds(quad)) {
                changed(dataset.contains(quad) ? 1 : 0);
                dataset.delete(quad);
            }
        }
    }

    /** A set of quads that may hold more than was put in, in 8 MB at most. */
    private static final class QuadMarks {
        private static final int BITS = 26;

        private final BitSet marks = new BitSet();

        void mark(Quad quad) {
            marks.set(slot(quad));
        }

        boolean holds(Quad quad) {
            return !marks.isEmpty() && marks.get(slot(quad));
        }

        private static int slot(Quad quad) {
            int hash = quad.isDefaultGraph() ? 0 : quad.getGraph().hashCode();
            hash = 31 * hash + quad.getSubject().hashCode();
            hash = 31 * hash + quad.getPredicate().hashCode();
            hash = 31 * hash + quad.getObject().hashCode();
            // The upper bits are taken: spread over those.
            return hash * 0x9E3779B1 >>> Integer.SIZE - BITS;
        }
    }
}
