package io.jellybridge.jena.capture;

import io.jellybridge.jena.data.StoredPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * Records the changes that are made through an {@code OpenDataset}, or through {@link #dataset()}, as Jelly-Patch, one
 * patch a transaction, until it is closed. What is recorded is said at {@link CapturingDatasetGraph}; a transaction that
 * changed nothing is no patch, and one that did not commit is none unless it is asked for.
 *
 * <p>Each patch has the headers {@code id} (a fresh {@code urn:uuid:} IRI), {@code prev} (the id of the patch before; none
 * in the first) and {@code time} (an {@code xsd:dateTime}).
 *
 * <p>The log is one of these:
 * <ul>
 *   <li>A file, when its name ends with {@code .jellyp}. It appears whole when the capture is closed; {@link #abort()}
 *       leaves none.
 *   <li>A folder, which a capture makes or continues, see {@link CaptureFolder} and {@link CaptureRecovery}: it outlives a
 *       crash.
 * </ul>
 */
public final class Capture implements AutoCloseable {
    private static final String SUFFIX = ".jellyp";

    /** Whoever holds it writes to the dataset. */
    private final Object writing;
    private final Runnable whenEnded;
    private final CaptureLog log;
    private final CaptureSink sink;
    private final CapturingDatasetGraph dataset;
    private boolean ended;

    /**
     * Begins to record, or leaves no trace.
     *
     * @param base      the dataset that is changed through {@link #dataset()} from now on
     * @param path      the log: a file or a folder
     * @param writing   the lock of who writes to the dataset
     * @param whenEnded hears, under that lock, that nothing is recorded any more
     * @throws IOException the log can't be opened
     */
    public Capture(DatasetGraph base, Path path, CaptureOptions options, Object writing, Runnable whenEnded)
            throws IOException {
        this.writing = writing;
        this.whenEnded = whenEnded;
        boolean isFile = path.getFileName().toString().endsWith(SUFFIX) && !Files.isDirectory(path);
        StoredPosition position = isFile || options.positionKey() == null
                ? null : new StoredPosition(options.positionKey());
        this.log = isFile ? new CaptureFile(path, options) : new CaptureFolder(path, options);
        try {
            if (position != null) {
                new CaptureRecovery((CaptureFolder) log, base, position).run();
            }
            this.sink = new CaptureSink(log, options);
            this.dataset = new CapturingDatasetGraph(base, sink, options.effectiveOnly(), () -> {
                if (position != null) {
                    position.set(base, StoredPosition.canonical(sink.id()));
                }
            });
        } catch (IOException | RuntimeException | Error e) {
            log.abort();
            throw e;
        }
    }

    /** The dataset whose changes are recorded, for Jena's own methods. */
    public DatasetGraph dataset() {
        return dataset;
    }

    /** How many patches were recorded so far. */
    public long patches() {
        return sink.patches();
    }

    /** How many change rows were recorded so far. */
    public long rows() {
        return sink.rows();
    }

    /** The id of the last patch of the log, in N-Triples; null when it has none. */
    public String head() {
        synchronized (sink) {
            return log.head() == null ? null : StoredPosition.canonical(log.head());
        }
    }

    /** Whether nothing is recorded any more, since it was closed or aborted, or the dataset was closed. */
    public boolean ended() {
        synchronized (sink) {
            return ended;
        }
    }

    /**
     * Ends the file of the folder that is being written, so that it appears; does nothing when it has no patch.
     *
     * @throws UnsupportedOperationException the log is one file
     */
    public void rotate() throws IOException {
        synchronized (sink) {
            if (!ended) {
                log.rotate();
            }
        }
    }

    /**
     * Stops recording and completes the log. A transaction that is open can only be aborted. A second call does nothing.
     *
     * @throws IOException           the log can't be written; of a file there is none
     * @throws IllegalStateException the dataset failed to commit what the log has. There is no file; a folder has it, and a
     *                               new capture into it makes the two one again
     */
    @Override
    public void close() throws IOException {
        if (!stop()) {
            return;
        }
        Throwable broken = dataset.broken();
        if (broken == null) {
            log.close();
            return;
        }
        log.abort();
        throw new IllegalStateException("the dataset failed to commit what its change log has: " + broken.getMessage()
                + "; " + (log instanceof CaptureFolder ? "open the dataset and capture into " + log.folder()
                + " again, which makes the two one" : "make a new copy of the dataset, and a new capture"), broken);
    }

    /** Stops recording. Of a file nothing is left; a folder keeps what was committed. Does nothing after another end. */
    public void abort() throws IOException {
        if (stop()) {
            log.abort();
        }
    }

    private boolean stop() {
        synchronized (writing) {
            synchronized (sink) {
                if (ended) {
                    return false;
                }
                ended = true;
            }
            sink.end();
            whenEnded.run();
            return true;
        }
    }
}
