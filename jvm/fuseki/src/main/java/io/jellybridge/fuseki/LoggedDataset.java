package io.jellybridge.fuseki;

import io.jellybridge.fuseki.LoggedDatasets.LoggedOptions;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.NodeWiseDataset;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.LogStore;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.SyncOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.riot.system.PrefixMap;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.tdb2.sys.TDBInternal;

/**
 * A dataset of a server whose changes go to a patch log. It reads from the dataset beneath, so queries are as fast as without
 * it. All changes and transactions go through a {@link Capture}.
 *
 * <p>The graph of {@link StoredPosition}s is shown as on any other server, since clients keep their positions there. Changes of
 * it are not recorded. Only a change of one key reaches it: clearing a graph or everything leaves it alone. Nobody
 * else changes the position of the capture itself.
 */
final class LoggedDataset extends NodeWiseDataset {
    private static final int ATTEMPTS_TO_TAKE_OVER = 20;
    private static final Node OWN_POSITION = NodeFactory.createURI(CaptureOptions.POSITION_KEY);
    /** The datasets of this JVM that record, by the places of their logs. */
    private static final Map<String, LoggedDataset> OPEN = new ConcurrentHashMap<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.values().forEach(LoggedDataset::endCapture),
                "jellybridge end of captures"));
    }

    private final LogStore store;
    private final boolean hadRecorded;
    private final Capture capture;
    private final DatasetGraph recorded;

    private LoggedDataset(DatasetGraph base, LogStore store, CaptureOptions options, boolean isFollowing) throws IOException {
        super(base);
        this.store = store;
        this.hadRecorded = FollowedPosition.hasRecorded(base);
        if (options.start() != CaptureOptions.Start.RESET) {
            FollowedPosition.requireNoOtherLog(base, store, isFollowing);
        }
        this.capture = start(base, options, isFollowing);
        this.recorded = capture.dataset();
    }

    /**
     * Starts the capture. A dataset that followed the log takes over. One that is behind is first taken to the end of the log.
     * A reset that begins another history than the dataset had ends what it followed.
     *
     * @throws IllegalStateException another server has taken over from this one, or the dataset is to follow a log still
     */
    private Capture start(DatasetGraph base, CaptureOptions options, boolean isFollowing) throws IOException {
        if (options.start() != CaptureOptions.Start.RESET && FollowedPosition.isFollower(base, store)) {
            if (!isFollowing) {
                takeOver(base, options);
            } else if (!FollowedPosition.hasBegun(base, store)) {
                throw new IllegalStateException("the dataset follows a log, and there are patches in " + store.name() + " already. To "
                        + "record into the log that it follows, let it follow no log any more. To do both, record into a new log");
            }
        }
        if (folder() == null) {
            FollowedPosition.requireNotReplaced(base, store);
        }
        if (isFollowing && options.start() == CaptureOptions.Start.RESET) {
            FollowedPosition.followFormerLog(base, store);
        }
        FollowedPosition.setFollowing(base, isFollowing);
        boolean endsFollowing = options.start() == CaptureOptions.Start.RESET && !isFollowing
                && !FollowedPosition.hasRecordedInto(base, store);
        return endsFollowing ? FollowedPosition.endFollowing(base, () -> captureAtEnd(base, options)) : captureAtEnd(base, options);
    }

    private Capture captureAtEnd(DatasetGraph base, CaptureOptions options) throws IOException {
        try {
            return newCapture(base, options);
        } catch (IllegalStateException e) {
            if (options.start() == CaptureOptions.Start.RESET || !isTakenToEnd(base)) {
                throw e;
            }
            return newCapture(base, options);
        }
    }

    /** Returns false if the log does not have the position of the dataset. */
    private boolean isTakenToEnd(DatasetGraph base) throws IOException {
        try {
            return FollowedPosition.takeToEnd(base, store);
        } catch (IllegalStateException e) {
            Fuseki.serverLog.debug("jellybridge: the log {} is not that of the dataset", store.name(), e);
            return false;
        }
    }

    /** Makes a follower the primary. It stays a follower, which can do this again, until the log and the dataset have it. */
    private void takeOver(DatasetGraph base, CaptureOptions options) throws IOException {
        int attempt = 0;
        do {
            FollowedPosition.takeToEnd(base, store);
        } while (folder() == null && !hasTakenOver(base, options, ++attempt));
        FollowedPosition.startRecording(base);
    }

    /** Appends the patch of a change of the primary. Returns false if the server that is replaced was faster. */
    private boolean hasTakenOver(DatasetGraph base, CaptureOptions options, int attempt) throws IOException {
        Capture following = captureAtEnd(base, options.withPosition(SyncOptions.LOG));
        try {
            following.takeOver();
            Fuseki.serverLog.info("jellybridge: this server records into the log {} from now on, and no other", store.name());
            return true;
        } catch (IOException e) {
            if (attempt == ATTEMPTS_TO_TAKE_OVER) {
                throw e;
            }
            return false;
        } finally {
            following.abort();
        }
    }

    private Capture newCapture(DatasetGraph base, CaptureOptions options) throws IOException {
        Path folder = folder();
        return folder == null ? new Capture(base, store, options, this::forget)
                : new Capture(base, folder, options, new Object(), this::forget);
    }

    private void forget() {
        OPEN.remove(keyOf(store), this);
    }

    private static String keyOf(LogStore store) {
        return store instanceof FolderStore folder ? folder.path().toString() : store.name();
    }

    /**
     * Starts to record a dataset. If it is recorded in that log already, returns the open one.
     *
     * @param log         the folder of the log, or its address
     * @param isFollowing true if the dataset is to follow a log, too
     * @throws IllegalArgumentException the dataset can't be recorded
     * @throws IllegalStateException    the log is that of another dataset, or there is none and the dataset has another one, or
     *                                  something else writes to it
     * @throws IOException              the log can't be opened
     */
    static LoggedDataset open(DatasetGraph base, String log, LoggedOptions options, boolean isFollowing) throws IOException {
        String problem = findProblem(base);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        LogStore store = PatchLogs.isRemote(log) ? PatchLogs.store(log, PatchLogs.serverOptions(log, options.server()))
                : PatchLogs.store(log);
        LogStore place = store instanceof FolderStore folder ? new FolderStore(folder.path().toAbsolutePath().normalize()) : store;
        synchronized (OPEN) {
            LoggedDataset open = OPEN.get(keyOf(place));
            if (open == null || open.getWrapped() != base) {
                open = new LoggedDataset(base, place, options.capture(), isFollowing);
                OPEN.put(keyOf(place), open);
            }
            return open;
        }
    }

    /** Returns the reason why a dataset can't be recorded; null if it can. */
    private static String findProblem(DatasetGraph base) {
        if (of(base) != null) {
            return "it is recorded already, in " + of(base).store.name();
        }
        if (!base.supportsTransactionAbort()) {
            return "its transactions can't abort (" + base.getClass().getSimpleName() + "), so a refused change could not be "
                    + "taken back; record the TDB2 database or the transactional dataset in memory that it is made of";
        }
        return findInnermost(base).getClass().getName().contains(".tdb1.")
                ? "it is a TDB1 database; move it to TDB2" : null;
    }

    /** Returns the recording dataset that a dataset is or wraps; null if there is none. */
    static LoggedDataset of(DatasetGraph dataset) {
        return NamedDatasets.find(dataset, LoggedDataset.class);
    }

    /** Returns what a dataset stores its data in, beneath all wrappers. */
    static DatasetGraph findInnermost(DatasetGraph dataset) {
        DatasetGraph inner = dataset;
        while (inner instanceof DatasetGraphWrapper wrapper && !TDBInternal.isTDB2(inner)) {
            inner = wrapper.getWrapped();
        }
        return inner;
    }

    /** Returns the place of the log. */
    LogStore store() {
        return store;
    }

    /** Returns the folder of the log; null if it is on no disk of this machine. */
    Path folder() {
        return store instanceof FolderStore folder ? folder.path() : null;
    }

    /** Returns true if this is the log, or a copy of it. */
    boolean isRecordedIn(PatchLog log) throws IOException {
        try (StoreLog own = StoreLog.open(store)) {
            return own.id().equals(log.id());
        }
    }

    /** Returns true if the dataset had recorded changes before this recording began. */
    boolean hadRecorded() {
        return hadRecorded;
    }

    /** Returns the newest version of the log, whether readers see it already or not. */
    long version() {
        return capture.version();
    }

    /** Returns the number of patches that were recorded since the start. */
    long patches() {
        return capture.patches();
    }

    /** Returns the reason why the last change could not be recorded, with no path of this machine; null if it could. */
    String error() {
        String error = capture.error();
        return error == null || folder() == null ? error : error.replace(store.name(), "the log");
    }

    /** Returns true if the dataset accepts no more changes until the server is restarted. */
    boolean isStopped() {
        return capture.isStopped();
    }

    /** Makes all patches so far visible to readers of the log. */
    void publish() throws IOException {
        capture.rotate();
    }

    /** Ends the recording and completes the log. The dataset then refuses changes. */
    void endCapture() {
        try {
            capture.close();
        } catch (IOException | RuntimeException e) {
            Fuseki.serverLog.error("jellybridge: the log {} can't be completed; the next start will do it", store.name(), e);
        }
    }

    @Override
    public void close() {
        endCapture();
        super.close();
    }

    // --- changes and transactions

    @Override
    protected DatasetGraph getW() {
        return recorded;
    }

    @Override
    protected DatasetGraph getT() {
        return recorded;
    }

    @Override
    public PrefixMap prefixes() {
        return recorded.prefixes();
    }

    // --- the graph of positions

    @Override
    public void add(Node graph, Node subject, Node predicate, Node object) {
        if (!StoredPosition.isGraph(graph)) {
            recorded.add(graph, subject, predicate, object);
        } else if (!OWN_POSITION.equals(subject)) {
            get().add(graph, subject, predicate, object);
        }
    }

    @Override
    public void delete(Node graph, Node subject, Node predicate, Node object) {
        if (!StoredPosition.isGraph(graph)) {
            recorded.delete(graph, subject, predicate, object);
        } else if (!OWN_POSITION.equals(subject)) {
            get().delete(graph, subject, predicate, object);
        }
    }

    @Override
    public void deleteAny(Node graph, Node subject, Node predicate, Node object) {
        if (!StoredPosition.isGraph(graph)) {
            recorded.deleteAny(graph, subject, predicate, object);
        } else if (subject != null && subject.isConcrete()) {
            List<Quad> found = Iter.toList(get().find(graph, subject, predicate, object));
            found.forEach(this::delete);
        }
    }

    @Override
    public void removeGraph(Node graph) {
        if (!StoredPosition.isGraph(graph)) {
            recorded.removeGraph(graph);
        }
    }
}
