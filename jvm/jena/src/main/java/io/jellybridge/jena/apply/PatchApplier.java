package io.jellybridge.jena.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.jena.data.DataView;
import io.jellybridge.jena.data.DiskFullException;
import io.jellybridge.jena.data.TdbTerms;
import io.jellybridge.jena.data.WriteTransaction;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.patch.JellyPatchReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;

/**
 * Applies patches to a dataset. Reads them twice.
 *
 * <ol>
 *   <li>All of them are checked: their format, that transactions balance within patches, that every term, graph and
 *       prefix is one that a dataset may hold. Nothing has been touched when this fails.
 *   <li>They are applied: those of a file each in a write transaction of its own, others together in one. The rows of a
 *       block that ends with {@code TA} are left out, so that it undoes itself and nothing else. When the dataset fails,
 *       the transaction is rolled back, prefixes too, and an {@link ApplyException} says which patch it was.
 * </ol>
 *
 * <p>Statements without a graph go to the default graph. The graph of a prefix row is ignored, since Jena's in-memory
 * datasets and TDB2 keep one prefix map for the whole dataset. What is read must not change meanwhile.
 */
public final class PatchApplier {
    public static final int ROWS_BETWEEN_REPORTS = 10_000;

    private final DatasetGraph dataset;
    private final ProgressListener listener;

    /** Patches that can be read twice. */
    @FunctionalInterface
    public interface Patches {

        /** Reads them from the first; {@link NodeTerms} makes the terms. The caller closes the source. */
        PatchSource<Node> open() throws IOException;
    }

    /**
     * What belongs to a transaction beside its patches. An exception rolls it back, and comes out as it is; that of a full disk
     * as a {@link DiskFullException}.
     */
    public interface Step {

        /** Called when the transaction has begun, with the dataset that the patches change. */
        void before(DatasetGraph dataset);

        /** Called when all patches were applied, before the transaction is committed. */
        void after(DatasetGraph dataset);
    }

    /**
     * @param dataset one with transactions that can abort
     * @throws IllegalArgumentException it has none
     */
    public PatchApplier(DatasetGraph dataset, ProgressListener listener) {
        if (!dataset.supportsTransactionAbort()) {
            throw new IllegalArgumentException("a dataset without transactions that can abort (" + dataset.getClass()
                    + "); use TDB2 or DatasetGraphFactory.createTxnMem()");
        }
        this.dataset = DataView.of(dataset);
        this.listener = listener;
    }

    /** Applies a Jelly-Patch file to a dataset, see {@link #apply(String, Patches)}. */
    public static ApplyReport apply(DatasetGraph dataset, Path file, ReadOptions options) throws IOException {
        return new PatchApplier(dataset, ProgressListener.NONE).apply(file.toString(),
                () -> new PatchReader<>(Files.newInputStream(file), file.toString(), new NodeTerms(), options));
    }

    /**
     * Applies patches, each in one transaction; those before one that fails stay.
     *
     * @param name what errors call the patches together, such as the name of their file
     * @throws RuntimeException      the patches break their format, or ask for what no dataset may hold (rule {@code
     *                               apply} or {@code term}): the error of the format; nothing was applied
     * @throws ApplyException        the dataset failed
     * @throws IllegalStateException this thread is in a transaction of the dataset
     * @throws IOException           the patches can't be read; nothing was applied
     */
    public ApplyReport apply(String name, Patches patches) throws IOException {
        WriteTransaction.refuseNested(dataset);
        ApplyCheck check = check(patches);
        try (PatchSource<Node> source = patches.open(); Run run = new Run(check, false)) {
            try {
                DiskFullException.watch(dataset, () -> JellyPatchReader.readAll(source, run));
            } catch (RuntimeException | IOException e) {
                throw ApplyException.ofFile(name, run.patches(), e);
            }
            return run.report();
        }
    }

    /**
     * Applies patches together with a step, all in one transaction.
     *
     * @throws RuntimeException      the patches break their format, or ask for what no dataset may hold: the error of the
     *                               format; or what the step throws; nothing was applied
     * @throws ApplyException        the dataset failed; nothing was applied
     * @throws IllegalStateException this thread is in a transaction of the dataset
     * @throws IOException           the patches can't be read; nothing was applied
     */
    public ApplyReport applyTogether(Patches patches, Step step) throws IOException {
        WriteTransaction.refuseNested(dataset);
        ApplyCheck check = check(patches);
        try (PatchSource<Node> source = patches.open(); Run run = new Run(check, true)) {
            DiskFullException.watch(dataset, () -> step.before(run.writable()));
            try {
                DiskFullException.watch(dataset, () -> JellyPatchReader.readAll(source, run));
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

    /** Applies a row about a prefix; {@code namespace} may be null in a {@code PD}. */
    public static void apply(Op op, byte[] name, Node namespace, DatasetGraph dataset) {
        String prefix = new String(name, UTF_8);
        if (op == Op.PA) {
            dataset.prefixes().add(prefix, namespace.getURI());
        } else {
            dataset.prefixes().delete(prefix);
        }
    }

    private ApplyCheck check(Patches patches) throws IOException {
        try (PatchSource<Node> source = patches.open()) {
            return ApplyCheck.of(source, TdbTerms.isTdb2(dataset));
        }
    }

    /**
     * The second pass. Begins a transaction at the first row that needs one: an empty patch costs nothing.
     */
    private final class Run extends AppliedRows<Node> implements AutoCloseable {
        private final boolean together;
        private WriteTransaction transaction;

        /** @param together whether all patches are one transaction */
        Run(ApplyCheck check, boolean together) {
            super(check);
            changed(0);
            this.together = together;
        }

        @Override
        public ApplyReport report() {
            listener.progress(rows());
            return super.report();
        }

        /** Rolls back what was not committed. */
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
            Node name = graph == null ? Quad.defaultGraphIRI : graph;
            changed(writable().contains(name, subject, predicate, object) == (op == Op.D) ? 1 : 0);
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
            if (!together) {
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
