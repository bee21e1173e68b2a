package io.jellybridge.jena.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.jena.data.DiskFullException;
import io.jellybridge.jena.data.TdbTerms;
import io.jellybridge.jena.data.UserDataView;
import io.jellybridge.jena.data.WriteTransaction;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.patch.JellyPatchReader;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;

/**
 * Applies patches to a dataset. It reads them twice.
 *
 * <ol>
 * <li>It checks all of them: their format, that transactions balance within patches, and that a dataset can store every term,
 * graph and prefix. If that fails, nothing has changed.
 * <li>It applies them: each patch of a file in a write transaction of its own, other patches together in one. It leaves out the
 * rows of a transaction that ends with {@code TA}, so that an abort undoes only its own rows. If the dataset fails, the
 * transaction is rolled back, including prefixes, and an {@link ApplyException} has the number of the patch.
 * </ol>
 *
 * <p>Statements without a graph go to the default graph. The graph of a prefix row is ignored, since Jena's in-memory datasets
 * and TDB2 keep one prefix map for the whole dataset. If rows were added to the patches between the two passes, or removed, or a
 * transaction ends in another way, that is an error.
 */
public final class PatchApplier {
    public static final int ROWS_BETWEEN_REPORTS = 10_000;

    private final DatasetGraph dataset;
    private final ProgressListener listener;

    /**
     * Additional work in the transaction of the patches. An exception rolls the transaction back and is thrown unchanged,
     * except that a full disk becomes a {@link DiskFullException}.
     */
    public interface Step {

        /** Called after the transaction has begun, with the dataset that the patches change. */
        void before(DatasetGraph dataset);

        /** Called after all patches were applied, before the commit. */
        void after(DatasetGraph dataset);
    }

    /**
     * Creates an applier.
     *
     * @param dataset a dataset whose transactions can abort
     * @throws IllegalArgumentException its transactions can't abort
     */
    public PatchApplier(DatasetGraph dataset, ProgressListener listener) {
        this.dataset = UserDataView.of(WriteTransaction.requireAbort(dataset));
        this.listener = listener;
    }

    /** Applies a Jelly-Patch file with {@link ReadOptions#DEFAULT}, see {@link #apply(DatasetGraph, Path, ReadOptions)}. */
    public static ApplyReport apply(DatasetGraph dataset, Path file) throws IOException {
        return apply(dataset, file, ReadOptions.DEFAULT);
    }

    /** Applies a Jelly-Patch file, which is not compressed, to a dataset, see {@link #apply(String, Io.Supplier)}. */
    public static ApplyReport apply(DatasetGraph dataset, Path file, ReadOptions options) throws IOException {
        return new PatchApplier(dataset, ProgressListener.NONE).apply(file.toString(),
                () -> new PatchReader<>(JellyPatchReader.openBytes(file), file.toString(), new NodeTerms(), options));
    }

    /**
     * Applies patches, each in one transaction. If one fails, those before it stay.
     *
     * @param name    the name of the patches in errors, such as that of their file
     * @param patches opens the patches at the first event, twice; {@link NodeTerms} creates the terms
     * @throws RuntimeException the patches break their format, or no dataset can store them (rule {@code apply} or {@code
     *                          term}): the error of the format; nothing was applied
     * @throws ApplyException the dataset failed
     * @throws IllegalStateException this thread is in a transaction of the dataset
     * @throws IOException the patches can't be read; nothing was applied
     */
    public ApplyReport apply(String name, Io.Supplier<PatchSource<Node>> patches) throws IOException {
        WriteTransaction.refuseNested(dataset);
        ApplyCheck check = checkPatches(patches);
        try (PatchSource<Node> source = patches.get(); Run run = new Run(check, source, false)) {
            try {
                DiskFullException.watch(dataset, run::readAll);
            } catch (RuntimeException | IOException e) {
                throw ApplyException.ofFile(name, run.patches(), e);
            }
            return run.report();
        }
    }

    /**
     * Applies patches together with a step, all in one transaction.
     *
     * @throws RuntimeException the patches break their format, or no dataset can store them: the error of the format; or an
     *                          exception of the step; nothing was applied
     * @throws ApplyException the dataset failed; nothing was applied
     * @throws IllegalStateException this thread is in a transaction of the dataset
     * @throws IOException the patches can't be read; nothing was applied
     */
    public ApplyReport applyTogether(Io.Supplier<PatchSource<Node>> patches, Step step) throws IOException {
        WriteTransaction.refuseNested(dataset);
        ApplyCheck check = checkPatches(patches);
        try (PatchSource<Node> source = patches.get(); Run run = new Run(check, source, true)) {
            DiskFullException.watch(dataset, () -> step.before(run.writable()));
            try {
                DiskFullException.watch(dataset, run::readAll);
            } catch (FormatException e) {
                throw e;
            } catch (RuntimeException | IOException e) {
                throw ApplyException.ofBatch(run.patches(), e);
            }
            DiskFullException.watch(dataset, () -> step.after(run.writable()));
            try {
                DiskFullException.watch(dataset, run::commit);
            } catch (RuntimeException | IOException e) {
                throw ApplyException.ofBatch(run.patches(), e);
            }
            return run.report();
        }
    }

    /** Applies a prefix row; {@code namespace} may be null in a {@code PD}. */
    public static void apply(Op op, byte[] name, Node namespace, DatasetGraph dataset) {
        String prefix = new String(name, UTF_8);
        if (op == Op.PA) {
            dataset.prefixes().add(prefix, namespace.getURI());
        } else {
            dataset.prefixes().delete(prefix);
        }
    }

    private ApplyCheck checkPatches(Io.Supplier<PatchSource<Node>> patches) throws IOException {
        try (PatchSource<Node> source = patches.get()) {
            return ApplyCheck.of(source, TdbTerms.isTdb2(dataset));
        }
    }

    /** The second pass. It begins a transaction at the first row that needs one, so an empty patch costs nothing. */
    private final class Run extends AppliedRows<Node> implements AutoCloseable {
        private final ApplyCheck check;
        private final PatchSource<Node> source;
        private final boolean isTogether;
        private WriteTransaction transaction;

        /**
         * Creates the pass.
         *
         * @param isTogether true if all patches are one transaction; false if each is one
         */
        Run(ApplyCheck check, PatchSource<Node> source, boolean isTogether) {
            super(check);
            countChanged(0);
            this.check = check;
            this.source = source;
            this.isTogether = isTogether;
            source.requireBalance();
        }

        void readAll() throws IOException {
            JellyPatchReader.readAll(source, this);
            check.compareRows(source, true);
        }

        @Override
        public ApplyReport report() {
            listener.progress(rows());
            return super.report();
        }

        /** Rolls back an uncommitted transaction. */
        @Override
        public void close() {
            if (transaction != null) {
                transaction.close();
            }
        }

        private DatasetGraph writable() {
            if (transaction == null) {
                transaction = WriteTransaction.begin(dataset);
            }
            return dataset;
        }

        @Override
        protected void applyPrefix(Op op, byte[] name, Node namespace) {
            PatchApplier.apply(op, name, namespace, writable());
        }

        @Override
        protected void applyStatement(Op op, Node subject, Node predicate, Node object, Node graph) {
            if (isTogether && op == Op.A && TdbTerms.hasDirection(object) && TdbTerms.isTdb2(dataset)) {
                ApplyCheck.refuseTerm(source, TdbTerms.findProblem(dataset, object));
            }
            Node name = graph == null ? Quad.defaultGraphIRI : graph;
            countChanged(writable().contains(name, subject, predicate, object) == (op == Op.D) ? 1 : 0);
            if (op == Op.A) {
                writable().add(name, subject, predicate, object);
            } else {
                writable().delete(name, subject, predicate, object);
            }
            if (rows() % ROWS_BETWEEN_REPORTS == 0) {
                listener.progress(rows());
            }
        }

        @Override
        public void endPatch() {
            if (!isTogether) {
                check.compareRows(source, false);
                commit();
            }
            super.endPatch();
        }

        void commit() {
            if (transaction != null) {
                transaction.commit();
                transaction = null;
            }
        }
    }
}
