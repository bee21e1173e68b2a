package io.jellybridge.jena;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;

/**
 * Applies Jelly-Patch files to a dataset. Reads the file twice.
 *
 * <ol>
 *   <li>The whole file is checked: its format, that transactions balance within patches, that every term, graph and
 *       prefix is one that a dataset may hold. Nothing has been touched when this fails.
 *   <li>Each patch is applied in one write transaction. The rows of a block that ends with {@code TA} are left out, so
 *       that it undoes itself and nothing else. When the dataset fails, the patch is rolled back, prefixes too, and an
 *       {@link ApplyException} says which one it was; the patches before it stay.
 * </ol>
 *
 * <p>Statements of a TRIPLES stream go to the default graph. The graph of a prefix row is ignored, since Jena's
 * in-memory datasets and TDB2 keep one prefix map for the whole dataset. The file must not change meanwhile.
 */
public final class PatchApplier {
    private static final int ROWS_BETWEEN_REPORTS = 10_000;

    private final DatasetGraph dataset;
    private final ReadOptions options;
    private final ProgressListener listener;

    /**
     * @param dataset one with transactions that can abort
     * @throws IllegalArgumentException it has none
     */
    public PatchApplier(DatasetGraph dataset, ReadOptions options, ProgressListener listener) {
        if (!dataset.supportsTransactionAbort()) {
            throw new IllegalArgumentException("a dataset without transactions that can abort (" + dataset.getClass()
                    + "); use TDB2 or DatasetGraphFactory.createTxnMem()");
        }
        this.dataset = dataset;
        this.options = options;
        this.listener = listener;
    }

    /** Applies {@code file} to {@code dataset}, see {@link PatchApplier}. */
    public static ApplyReport apply(DatasetGraph dataset, Path file, ReadOptions options) throws IOException {
        return new PatchApplier(dataset, options, ProgressListener.NONE).apply(file);
    }

    /**
     * Applies all patches of a file.
     *
     * @throws PatchFormatException  the file breaks the format, or asks for what no dataset may hold (rule {@code
     *                               apply} or {@code term}); nothing was applied
     * @throws ApplyException        the dataset failed
     * @throws IllegalStateException this thread is in a transaction of the dataset
     * @throws IOException           the file can't be read; nothing was applied
     */
    public ApplyReport apply(Path file) throws IOException {
        WriteTransaction.refuseNested(dataset);
        BitSet aborted = check(file);
        try (PatchReader<Node> reader = open(file); Run run = new Run(reader, aborted)) {
            try {
                JellyPatchReader.readAll(reader, run);
            } catch (RuntimeException | IOException e) {
                throw run.failure(file, e);
            }
            return run.report();
        }
    }

    private BitSet check(Path file) throws IOException {
        try (PatchReader<Node> reader = open(file)) {
            PatchCheck check = new PatchCheck(reader);
            JellyPatchReader.readAll(reader, check);
            return check.aborted();
        }
    }

    private PatchReader<Node> open(Path file) throws IOException {
        InputStream in = Files.newInputStream(file);
        return new PatchReader<>(in, file.toString(), new NodeTerms(), options);
    }

    /**
     * The second pass. Begins a transaction at the first row of a patch that needs one: an empty patch costs nothing.
     */
    private final class Run implements PatchHandler<Node>, AutoCloseable {
        private final PatchReader<Node> reader;
        private final BitSet aborted;
        private WriteTransaction transaction;
        private long patches;
        private long transactions;
        private long added;
        private long deleted;
        private long abortedBlocks;
        /** Counts of the open patch, which count for the report when it is committed. */
        private long addedHere;
        private long deletedHere;

        Run(PatchReader<Node> reader, BitSet aborted) {
            this.reader = reader;
            this.aborted = aborted;
        }

        ApplyReport report() {
            listener.progress(added + deleted);
            return new ApplyReport(patches, transactions, added, deleted, abortedBlocks);
        }

        /** Rolls back, and says what failed; what goes wrong in rolling back is suppressed in it. */
        ApplyException failure(Path file, Exception cause) {
            ApplyException failure = new ApplyException(file.toString(), patches, cause);
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
            return reader.tx() >= 0 && aborted.get((int) reader.tx());
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
            if (transaction != null) {
                transaction.commit();
                transaction = null;
            }
            added += addedHere;
            deleted += deletedHere;
            addedHere = 0;
            deletedHere = 0;
            patches++;
        }
    }
}
