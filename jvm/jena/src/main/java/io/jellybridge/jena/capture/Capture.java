package io.jellybridge.jena.capture;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.files.AtomicFile;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.WriteTransaction;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.log.ChainPlace;
import io.jellybridge.log.LogStore;
import io.jellybridge.log.PatchLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * Records changes as Jelly-Patch, one patch a transaction, until it is closed. It records the changes that are made through an
 * {@code OpenDataset}, or through {@link #dataset()}. {@link CapturingDatasetGraph} defines the recorded changes. A transaction
 * that changed nothing is not recorded. One that did not commit is recorded only on request.
 *
 * <p>Each patch has the headers {@code id} (a fresh {@code urn:uuid:} IRI), {@code prev} (the id of the patch before; none in
 * the first) and {@code time} (an {@code xsd:dateTime}).
 *
 * <p>The log is one of these:
 * <ul>
 * <li>A new file, if its name ends with {@code .jellyp}. It appears whole when the capture is closed; {@link #abort()} leaves
 * no file.
 * <li>A folder, which the capture creates or continues and which survives a crash. See {@link CaptureFolder} and {@link
 * CaptureRecovery}.
 * <li>A log in a {@link LogStore}, such as one on a server, which decides between several programs. See {@link CaptureStore}.
 * </ul>
 */
public final class Capture implements AutoCloseable {
    /** The header of a patch by which a program takes over the recording into a log, see {@link #takeOver}. */
    public static final String PRIMARY = "primary";

    private static final String SUFFIX = ".jellyp";

    /** The lock of all writers of the dataset. */
    private final Object writing;
    private final Runnable whenEnded;
    private final CaptureLog log;
    private final CaptureSink sink;
    private final CapturingDatasetGraph dataset;
    private final StoredPosition position;
    private final CapturePosition kept;
    private boolean ended;

    /** Starts recording with {@link CaptureOptions#DEFAULT}, see {@link #start(DatasetGraph, Path, CaptureOptions)}. */
    public static Capture start(DatasetGraph base, Path path) throws IOException {
        return start(base, path, CaptureOptions.DEFAULT);
    }

    /**
     * Starts recording a dataset of Jena. If that fails, it leaves no trace. Only changes that are made to {@link #dataset()}
     * are recorded. Close the capture between transactions.
     *
     * @param base a dataset whose transactions can abort, such as TDB2 or {@code DatasetGraphFactory.createTxnMem()}
     * @param path the log: a new file whose name ends with {@code .jellyp}, or a folder
     * @throws IllegalArgumentException its transactions can't abort; or the folder contains something else
     * @throws IllegalStateException this thread is in a transaction of the dataset, another capture has the folder, or its log
     *                               belongs to another dataset
     * @throws java.nio.file.FileAlreadyExistsException the file exists
     * @throws IOException the log can't be opened
     */
    public static Capture start(DatasetGraph base, Path path, CaptureOptions options) throws IOException {
        return new Capture(base, path, options, new Object(), () -> { });
    }

    /**
     * Starts recording. If that fails, it leaves no trace.
     *
     * @param base      the dataset to record, which is changed through {@link #dataset()} from now on
     * @param path      the log: a file or a folder
     * @param writing   the lock of all writers of the dataset
     * @param whenEnded called under that lock when the recording has ended
     * @throws java.nio.file.FileAlreadyExistsException the file exists
     * @throws IOException the log can't be opened
     */
    public Capture(DatasetGraph base, Path path, CaptureOptions options, Object writing, Runnable whenEnded)
            throws IOException {
        this(base, () -> path.getFileName().toString().endsWith(SUFFIX) && !Files.isDirectory(path)
                ? new CaptureFile(path, options) : new CaptureFolder(path, options), options, writing, whenEnded);
    }

    /**
     * Starts recording into a log that others may append to, too, see {@link CaptureStore}. If that fails, it leaves no trace.
     *
     * @param base      the dataset to record, which is changed through {@link #dataset()} from now on
     * @param store     the place of the log, which is created if it is not there
     * @param whenEnded called when the recording has ended
     * @throws IOException the log can't be reached
     */
    public Capture(DatasetGraph base, LogStore store, CaptureOptions options, Runnable whenEnded) throws IOException {
        this(base, () -> new CaptureStore(store), options, new Object(), whenEnded);
    }

    private Capture(DatasetGraph base, Io.Supplier<CaptureLog> opening, CaptureOptions options, Object writing, Runnable whenEnded)
            throws IOException {
        WriteTransaction.requireAbort(base);
        WriteTransaction.refuseNested(base);
        this.writing = writing;
        this.whenEnded = whenEnded;
        this.log = opening.get();
        this.position = log.log() == null || options.positionKey() == null
                ? null : new StoredPosition(options.positionKey());
        try {
            CaptureRecovery recovery = position == null ? null
                    : new CaptureRecovery(log, base, position, options.start());
            if (recovery != null) {
                recovery.run();
            }
            this.sink = new CaptureSink(log, options);
            if (recovery != null) {
                recovery.recordState(sink);
            }
            this.kept = position == null ? null : new CapturePosition(base, position, sink);
            this.dataset = new CapturingDatasetGraph(base, sink, options.effectiveOnly(),
                    kept == null ? CapturingDatasetGraph.NO_STEPS : kept);
        } catch (IOException | RuntimeException | Error e) {
            log.discard();
            throw e;
        }
    }

    /** Returns the recorded dataset, for Jena's own methods. */
    public DatasetGraph dataset() {
        return dataset;
    }

    /** Returns the number of patches that were recorded so far. */
    public long patches() {
        return sink.patches();
    }

    /** Returns the number of rows that were recorded so far, with headers and the ends of transactions. */
    public long rows() {
        return sink.rows();
    }

    /** Returns the reason why the last change could not be recorded or committed; null if it could. */
    public String error() {
        Throwable broken = dataset.findBroken();
        return broken == null ? sink.error() : "the dataset can't commit: " + ExceptionMessages.toText(broken);
    }

    /** Returns true if the dataset accepts no more changes until a new capture of it starts. */
    public boolean isStopped() {
        return dataset.findBroken() != null || log.isStopped();
    }

    /** Returns the id of the last patch of the log, in N-Triples; null if the log is empty. */
    public String head() {
        synchronized (sink) {
            return log.head() == null ? null : StoredPosition.toCanonical(log.head());
        }
    }

    /** Returns the version of the last patch of the log; 0 if the log is empty, or one file. */
    public long version() {
        return log.version();
    }

    /**
     * Appends a patch without changes, after which no other program can record into the log. A log in a folder has one writer
     * anyway.
     *
     * @throws IOException another program has appended to the log, or the log can't be reached
     */
    public void takeOver() throws IOException {
        DatasetGraph base = dataset.getWrapped();
        synchronized (writing) {
            try (WriteTransaction transaction = WriteTransaction.begin(base)) {
                sink.txnBeginToTakeOver();
                position.set(base, StoredPosition.toCanonical(sink.id()));
                sink.txnCommit();
                transaction.commit();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }

    /**
     * Completes the commit of a dataset that a crash cut off, with the patch that the log has of it. A capture does that itself
     * when it starts. Call this before the dataset follows a log in place of recording into it. Does nothing if no commit was
     * cut off.
     *
     * @param key the key of the capture's position
     * @throws IllegalStateException the log does not have the patch
     * @throws IOException           the log can't be read
     */
    public static void completeCommit(DatasetGraph base, String key, PatchLog log) throws IOException {
        if (!CaptureRecovery.completeCommit(base, new StoredPosition(key), log)) {
            throw new IllegalStateException("the dataset may have a patch that the log " + log.name() + " does not have: its last "
                    + "commit was cut off, which was to another log, or to this one before it lost its end; begin with an empty "
                    + "database");
        }
    }

    /** Returns true if the recording has ended, since the capture was closed or aborted, or the dataset was closed. */
    public boolean ended() {
        synchronized (sink) {
            return ended;
        }
    }

    /**
     * Ends the current file of the folder, so that it appears. Does nothing if it has no patch.
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
     * Stops recording and completes the log. An open transaction can then only be aborted. A second call does nothing.
     *
     * @throws IOException the log can't be written; if it is a file, there is none
     * @throws IllegalStateException the dataset failed to commit a transaction that is in the log. A file is then not created.
     *                               A folder keeps it, and a new capture into the folder applies it to the dataset
     */
    @Override
    public void close() throws IOException {
        if (!stop()) {
            return;
        }
        Throwable broken = dataset.findBroken();
        if (broken == null) {
            log.close();
            return;
        }
        log.abort();
        throw new IllegalStateException("the dataset failed to commit what its change log has: " + broken.getMessage()
                + "; " + (log.log() != null ? "open the dataset and capture into " + log.log().name()
                + " again, which makes the two one" : "make a new copy of the dataset, and a new capture"), broken);
    }

    /**
     * Stops recording. A file is not created; a folder keeps all committed patches. Does nothing after the capture has ended.
     */
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
            if (kept != null) {
                kept.end(dataset.findBroken() == null && !dataset.isBeingWritten());
            }
            whenEnded.run();
            return true;
        }
    }

    /** A log in one new file, which appears when it is closed. It never replaces a file. */
    private static final class CaptureFile implements CaptureLog {
        private final Path file;
        private final CaptureOptions options;
        private final AtomicFile target;
        private Node head;
        /** The offset of the end of the last complete patch. */
        private long length;
        private boolean isTorn;

        /**
         * Begins the file.
         *
         * @throws FileAlreadyExistsException there is a file of that name
         */
        CaptureFile(Path file, CaptureOptions options) throws IOException {
            this.file = file;
            this.options = options;
            this.target = new AtomicFile(file, file.toString());
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                target.close();
                throw new FileAlreadyExistsException(file.toString(), null, "it exists already, and a capture replaces no file; "
                        + "give a new name, or capture into a folder, which the next capture continues");
            }
        }

        @Override
        public Node head() {
            return head;
        }

        @Override
        public ChainPlace next() {
            return null;
        }

        @Override
        public Path folder() {
            return file.toAbsolutePath().getParent();
        }

        /** Removes a patch that was only partly written. */
        @Override
        public void prepare() throws IOException {
            if (isTorn) {
                target.cutTo(length);
                isTorn = false;
            }
        }

        @Override
        public void append(OpenPatch patch) throws IOException {
            prepare();
            isTorn = true;
            try (InputStream bytes = patch.end()) {
                bytes.transferTo(target.out());
            }
            length = target.flushedBytes();
            head = patch.id();
            isTorn = false;
        }

        @Override
        public void rotate() {
            throw new UnsupportedOperationException(file + " is one file, which appears when the capture is closed; capture "
                    + "into a folder for files that appear before");
        }

        @Override
        public void close() throws IOException {
            boolean isInterrupted = Thread.interrupted(); // an interrupt would close the file, which has committed patches
            try (target) {
                prepare();
                if (head == null) {
                    // A file without any patch also has its options.
                    new PatchWriter<>(target.out(), null, new NodeTerms(), CaptureOptions.STREAM, options.writeOptions())
                            .close();
                }
                commit();
            } finally {
                if (isInterrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private void commit() throws IOException {
            Path other = file.resolveSibling(UUID.randomUUID() + "-" + file.getFileName());
            if (!target.commitNew(other)) {
                throw new FileAlreadyExistsException(file.toString(), null, "another program created it during the capture, and it "
                        + "stays; the captured patches are in " + other);
            }
        }

        @Override
        public void abort() throws IOException {
            target.close();
        }
    }
}
