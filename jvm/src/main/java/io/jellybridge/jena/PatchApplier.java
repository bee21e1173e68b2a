package io.jellybridge.jena;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
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
    private static final int ROWS_BETWEEN_REPORTS = 10_000;

    private final DatasetGraph dataset;
    private final ProgressListener listener;

    /** Patches that can be read twice. */
    @FunctionalInterface
    public interface Patches {

        /** Reads them from the first; {@link NodeTerms} makes the terms. The caller closes the source. */
        PatchSource<Node> open() throws IOException;
    }

    /** What belongs to a transaction beside its patches. An exception rolls it back, and comes out as it is. */
    public interface Step {

        /** Called when the transaction has begun. */
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
        this.dataset = dataset;
        this.listener = listener;
    }

    /** Applies {@code file} to {@code dataset}, see {@link #apply(Path, ReadOptions)}. */
    public static ApplyReport apply(DatasetGraph dataset, Path file, ReadOptions options) throws IOException {
        return new PatchApplier(dataset, ProgressListener.NONE).apply(file, options);
    }

    /**
     * Applies all patches of a Jelly-Patch file, each in one transaction; the patches before one that fails stay.
     *
     * @throws PatchFormatException  the file breaks the format, or asks for what no dataset may hold (rule {@code
     *                               apply} or {@code term}); nothing was applied
     * @throws ApplyException        the dataset failed
     * @throws IllegalStateException this thread is in a transaction of the dataset
     * @throws IOException           the file can't be read; nothing was applied
     */
    public ApplyReport apply(Path file, ReadOptions options) throws IOException {
        Patches patches = () ->
                new PatchReader<>(Files.newInputStream(file), file.toString(), new NodeTerms(), options);
        WriteTransaction.refuseNested(dataset);
        PatchCheck check = check(patches);
        try (PatchSource<Node> source = patches.open(); Run run = new Run(source, check, false)) {
            try {
                JellyPatchReader.readAll(source, run);
            } catch (RuntimeException | IOException e) {
                throw run.undo(ApplyException.ofFile(file.toString(), run.patches, e));
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
        PatchCheck check = check(patches);
        try (PatchSource<Node> source = patches.open(); Run run = new Run(source, check, true)) {
            step.before(run.writable());
            try {
                JellyPatchReader.readAll(source, run);
            } catch (RuntimeException | IOException e) {
                throw run.undo(ApplyException.ofBatch(run.patches, e));
            }
            step.after(run.writable());
            try {
                run.commit();
            } catch (RuntimeException e) {
                throw run.undo(ApplyException.ofBatch(run.patches, e));
            }
            return run.report();
        }
    }

    private static PatchCheck check(Patches patches) throws IOException {
        try (PatchSource<Node> source = patches.open()) {
            return PatchCheck.of(source);
        }
    }

    /**
     * The second pass. Begins a transaction at the first row that needs one: an empty patch costs nothing.
     */
    private final class Run implements PatchHandler<Node>, AutoCloseable {
        private final PatchSource<Node> source;
        private final PatchCheck check;
        private final boolean together;
        private WriteTransaction transaction;
        private long patches;
        private long transactions;
        private long added;
        private long deleted;
        private long abortedBlocks;
        /** Counts of the open transaction, which count for the report when it is committed. */
        private long addedHere;
        private long deletedHere;

        /** @param together whether all patches are one transaction */
        Run(PatchSource<Node> source, PatchCheck check, boolean together) {
            this.source = source;
            this.check = check;
            this.together = together;
        }

        ApplyReport report() {
            listener.progress(added + deleted);
            return new ApplyReport(patches, transactions, added, deleted, abortedBlocks);
        }

        /** Rolls back; what goes wrong in that is suppressed in the failure. */
        ApplyException undo(ApplyException failure) {
            try {
                close();
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
            return failure;
        }

        @Override
        public void close() {
            if (transaction != null) {
                WriteTransaction open = transaction;
                transaction = null;
                open.close();
            }
        }

        private DatasetGraph writable() {
            if (transaction == null) {
                transaction = WriteTransaction.begin(dataset);
            }
            return dataset;
        }

        /** Whether the row just read is in a block that is aborted later. */
        private boolean isUndone() {
            return check.isAborted(source.numbers().tx());
        }

        @Override
        public void header(byte[] key, Node value) {
            // headers are about the patch, not about the dataset
        }

        @Override
        public void transaction(Op op) {
            if (op == Op.TC) {
                transactions++;
            } else if (op == Op.TA) {
                abortedBlocks++;
            }
        }

        @Override
        public void prefix(Op op, byte[] name, Node namespace, Node graph) {
            if (isUndone()) {
                return;
            }
            String prefix = new String(name, UTF_8);
            if (op == Op.PA) {
                writable().prefixes().add(prefix, namespace.getURI());
            } else {
                writable().prefixes().delete(prefix);
            }
        }

        @Override
        public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
            if (isUndone()) {
                return;
            }
            Node name = graph == null ? Quad.defaultGraphIRI : graph;
            if (op == Op.A) {
                writable().add(name, subject, predicate, object);
                addedHere++;
            } else {
                writable().delete(name, subject, predicate, object);
                deletedHere++;
            }
            long rows = added + deleted + addedHere + deletedHere;
            if (rows % ROWS_BETWEEN_REPORTS == 0) {
                listener.progress(rows);
            }
        }

        @Override
        public void endPatch() {
            if (!together) {
                commit();
            }
            patches++;
        }

        void commit() {
            if (transaction != null) {
                transaction.commit();
                transaction = null;
            }
            added += addedHere;
            deleted += deletedHere;
            addedHere = 0;
            deletedHere = 0;
        }
    }
}
