package io.jellybridge.jena;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.WriteOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * Records the changes that are made through a {@link DatasetStore} in a Jelly-Patch file, one patch a transaction,
 * until it is closed. The file appears then, whole; {@link #abort()} leaves none. What is recorded, and how, is said at
 * {@link CapturingDatasetGraph}.
 */
public final class Capture implements AutoCloseable {
    private final DatasetStore store;
    private final Path file;
    private final AtomicFile target;
    private final JellyPatchWriter log;
    private final CapturingDatasetGraph dataset;
    private boolean ended;

    Capture(DatasetStore store, DatasetGraph base, Path file, PatchOptions options, WriteOptions writeOptions)
            throws IOException {
        checkFits(options, writeOptions);
        this.store = store;
        this.file = file;
        this.target = new AtomicFile(file);
        try {
            // What a dataset holds must always fit into its log.
            this.log = new JellyPatchWriter(target.out(), file.toString(),
                    options.withRdfStar(true).withGeneralizedStatements(true), writeOptions);
            this.dataset = new CapturingDatasetGraph(base, log);
        } catch (RuntimeException | Error e) {
            target.close();
            throw e;
        }
    }

    private static void checkFits(PatchOptions options, WriteOptions writeOptions) {
        if (options.streamType() != StreamType.PUNCTUATED || !writeOptions.delimited()) {
            throw new IllegalArgumentException("a capture is a delimited PUNCTUATED stream, since only that holds many "
                    + "patches of any size; it was asked for " + (writeOptions.delimited() ? "" : "not delimited, ")
                    + options.streamType());
        }
        if (options.statementType() != StatementType.QUADS) {
            throw new IllegalArgumentException("a capture is a QUADS stream, since a dataset has named graphs");
        }
        if (options.maxDatatypeTableSize() == 0) {
            throw new IllegalArgumentException(
                    "maxDatatypeTableSize=0: a capture must be able to write typed literals");
        }
    }

    CapturingDatasetGraph dataset() {
        return dataset;
    }

    /** How many transactions, each a patch, were recorded so far. */
    public long patches() {
        return log.patches();
    }

    /** How many change rows were recorded so far. */
    public long rows() {
        return log.rows();
    }

    /**
     * Stops recording, and gives the file its name. A second call does nothing.
     *
     * @throws IOException           the file can't be written; there is none
     * @throws IllegalStateException the dataset and the log went apart, since the dataset failed to commit what the log
     *                               had; there is no file
     */
    @Override
    public void close() throws IOException {
        if (!stop()) {
            return;
        }
        try (target) {
            if (dataset.broken() != null) {
                throw new IllegalStateException("the capture into " + file
                        + " does not hold what happened to the dataset: "
                        + dataset.broken().getMessage() + "; make a new copy of the dataset, and a new capture",
                        dataset.broken());
            }
            log.close();
            target.commit();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Stops recording and leaves no file. Does nothing after {@link #close()}. */
    public void abort() throws IOException {
        if (stop()) {
            target.close();
        }
    }

    private boolean stop() {
        synchronized (store.writing()) {
            if (ended) {
                return false;
            }
            ended = true;
            store.captureEnded();
            return true;
        }
    }
}
