package io.jellybridge.fuseki;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Threads;
import io.jellybridge.fuseki.FollowingDatasets.FollowOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.jena.data.NodeWiseDataset;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.log.BrokenChainException;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.PoisonPatchException;
import io.jellybridge.sync.Follower;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.fuseki.servlets.ActionErrorException;
import org.apache.jena.query.ReadWrite;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.web.HttpSC;

/**
 * A dataset of a server that follows a patch log. A thread of its own applies the new patches. It retries failures, with growing
 * pauses, and stops if the log has another history than the dataset, or a patch that can't be applied. The dataset refuses all
 * other changes.
 */
final class FollowingDataset extends NodeWiseDataset {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
    private static final long SECONDS_TO_END = 10;
    /** The datasets of this JVM that follow a log, by the datasets beneath them. */
    private static final Map<DatasetGraph, FollowingDataset> OPEN = new ConcurrentHashMap<>();

    private final String log;
    private final FollowOptions options;
    private final DatasetStore store;
    private final Follower follower;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    /** True while the log waits for a new version, guarded by {@link #ended}. */
    private boolean isWaiting;
    /** The moment from which a log that could not wait is asked again to wait. Used by the thread alone. */
    private Instant waitsFrom = Instant.MIN;
    /** The log, which stays open until an error; null if it is to be opened. Used by the thread alone. */
    private PatchLog opened;
    private volatile State state = new State(State.UNKNOWN, 0, Instant.now(), null, null, false);

    /**
     * The progress of the follower.
     *
     * @param head      the newest version of the log when it was last read; {@link #UNKNOWN} before the first time
     * @param patches   the number of patches that were applied since the start
     * @param complete  the moment at which the dataset last had all of the log; or else the start
     * @param error     the last error; null if there was none, or the log has been read since
     * @param errorTime the moment of the last error; null if there was none
     * @param isStopped true if the follower has stopped because of the error
     */
    record State(long head, long patches, Instant complete, String error, Instant errorTime, boolean isStopped) {
        static final long UNKNOWN = -1;

        State withError(String message, boolean stops) {
            return new State(head, patches, complete, message, Instant.now(), stops);
        }

        State withHead(long version) {
            return new State(version, patches, complete, null, errorTime, false);
        }

        State withPatches(long more, long version, Instant since) {
            return new State(Math.max(head, version), patches + more, since, null, errorTime, false);
        }

        /**
         * Returns the seconds since the dataset last had all of the log; 0 if it had all when the log was last read.
         *
         * @param version the version of the dataset
         * @param round   the time within which the log is read again, unless it does not answer
         */
        double secondsBehind(long version, Duration round, Instant now) {
            Duration since = Duration.between(complete, now);
            boolean hasAll = error == null && head != UNKNOWN && head <= version && since.compareTo(round) <= 0;
            return hasAll ? 0 : since.toMillis() / 1000.0;
        }
    }

    private FollowingDataset(DatasetGraph base, String log, FollowOptions options) {
        super(base);
        this.log = log;
        this.options = options;
        this.store = DatasetStore.over(base);
        this.follower = new Follower(store);
        this.thread = Threads.newDaemon(this::follow, "jellybridge follower of " + address());
    }

    /**
     * Starts to follow a log. If the dataset follows that log already, returns the open one.
     *
     * @param log the address of the log
     * @throws IllegalArgumentException the dataset can't follow a log, or the address can't be a log
     * @throws IllegalStateException    it follows another log
     */
    static FollowingDataset open(DatasetGraph base, String log, FollowOptions options) {
        if (!base.supportsTransactionAbort()) {
            throw new IllegalArgumentException("its transactions can't abort (" + base.getClass().getSimpleName() + "), so a patch "
                    + "could be applied in part; use the TDB2 database or the transactional dataset in memory that it is made of");
        }
        if (PatchLogs.isRemote(log)) {
            PatchLogs.serverOptions(log, options.server());
        }
        String place = PatchLogs.absoluteAddress(log);
        synchronized (OPEN) {
            FollowingDataset open = OPEN.get(base);
            if (open == null) {
                open = new FollowingDataset(base, place, options);
                OPEN.put(base, open);
                open.thread.start();
            } else if (!open.log.equals(place)) {
                throw new IllegalStateException("it follows another log, " + open.address());
            }
            return open;
        }
    }

    /** Returns the address of the log, without credentials. */
    String address() {
        return Redaction.redactAddress(log);
    }

    /** Returns the address for users, to whom no path of this server is shown. */
    String shownAddress() {
        return PatchLogs.isRemote(log) ? address() : "a log of this server";
    }

    /** Returns the progress. */
    State state() {
        return state;
    }

    /** Returns the version of the log that the dataset is at; 0 if it has applied nothing. */
    long version() throws IOException {
        return follower.version();
    }

    /** Returns the seconds since the dataset last had all of the log, see {@link State#secondsBehind}. */
    double secondsBehind() throws IOException {
        return state.secondsBehind(version(), LONGEST_WAIT.multipliedBy(2).plus(options.poll()), Instant.now());
    }

    /** Ends the following after the current transaction. */
    void endFollowing() {
        ended.countDown();
        OPEN.remove(getWrapped(), this);
        synchronized (ended) {
            if (isWaiting) {
                thread.interrupt(); // at no other time: this would close the files of a TDB2 database that it is writing to
            }
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(SECONDS_TO_END));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        endFollowing();
        super.close();
    }

    // --- following

    private void follow() {
        Duration pause = SHORTEST_PAUSE;
        int failures = 0;
        try {
            do {
                try {
                    boolean isNew = applyNew(failures == 0);
                    if (failures > 0) {
                        Fuseki.serverLog.info("jellybridge: the log {} is reached again", address());
                    }
                    failures = 0;
                    pause = Collections.min(List.of(isNew ? SHORTEST_PAUSE : pause.multipliedBy(2), options.poll()));
                } catch (IOException | RuntimeException | Error e) {
                    closeLog();
                    if (ended.getCount() == 0) {
                        return; // a wait was cut off
                    }
                    if (isFinal(e)) {
                        state = state.withError(shownText(e), true);
                        Fuseki.serverLog.error("jellybridge: the dataset follows the log {} no more. Restart the server when this is "
                                + "repaired: {}", address(), ExceptionMessages.toText(e));
                        return;
                    }
                    state = state.withError(shownText(e), false);
                    waitsFrom = Instant.MIN;
                    pause = Collections.min(List.of(Duration.ofSeconds(1L << Math.min(failures++, 6)), LONGEST_PAUSE));
                    Fuseki.serverLog.warn("jellybridge: attempt {} to follow the log {} failed, the next is in about {} s: {}",
                            failures, address(), pause.toSeconds(), ExceptionMessages.toText(e));
                }
                // Followers that lost their server at one moment spread out.
            } while (!ended.await((long) (pause.toMillis() * ThreadLocalRandom.current().nextDouble(0.5, 1)), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closeLog();
        }
    }

    private void closeLog() {
        PatchLog closing = opened;
        opened = null;
        try {
            if (closing != null) {
                closing.close();
            }
        } catch (IOException e) {
            // It is not used any more.
        }
    }

    private String shownText(Throwable error) {
        String text = ExceptionMessages.toText(error);
        return PatchLogs.isRemote(log) ? text : text.replace(log, "(log)");
    }

    /**
     * Applies new patches. If there are none, waits for some where the log can wait.
     *
     * @return true if there were any, or there may be some now
     */
    private boolean applyNew(boolean mayWait) throws IOException {
        boolean isNew = opened == null;
        if (isNew) {
            opened = PatchLogs.isRemote(log) ? openRemote() : PatchLogs.open(log);
        }
        Instant seen = Instant.now();
        state = state.withHead(opened.headVersion());
        if (isNew) {
            startFollowing();
        }
        Follower.Report report = follower.followLog(opened);
        long version = version();
        state = state.withPatches(report.patches(), version, seen);
        if (report.patches() == 0 && report.checkpoint() == null) {
            return mayWait && Instant.now().isAfter(waitsFrom) && awaitNewer();
        }
        Fuseki.serverLog.info("jellybridge: the log {} is applied up to version {}; new patches: {}", address(), version,
                report.patches());
        return true;
    }

    /**
     * Opens a log on a server. The options were valid at the start, so now a file that one of them names can't be read for a while,
     * such as that of a token.
     */
    private PatchLog openRemote() throws IOException {
        try {
            return PatchLogs.open(log, options.server());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Finds the position of the dataset in the log.
     *
     * @throws IllegalStateException the dataset records into that log, and so would apply its own changes without end; or it has
     *                               changes of its own, and was never at a patch of that log
     */
    private void startFollowing() throws IOException {
        LoggedDataset recording = LoggedDataset.of(getWrapped());
        if (recording == null) {
            FollowedPosition.continueIn(getWrapped(), opened);
        } else if (recording.isRecordedIn(opened)) {
            throw new IllegalStateException("the dataset records into the log " + address() + " itself, so it can't follow it; let it do "
                    + "one of the two");
        } else {
            if (recording.hadRecorded()) {
                FollowedPosition.requireFollowed(getWrapped(), address());
            }
            FollowedPosition.addVersion(getWrapped(), opened);
        }
    }

    private boolean awaitNewer() throws IOException {
        synchronized (ended) {
            isWaiting = ended.getCount() > 0;
        }
        try {
            boolean waits = isWaiting && opened.awaitNewer(state.head(), LONGEST_WAIT);
            waitsFrom = waits ? Instant.MIN : Instant.now().plus(LONGEST_PAUSE);
            return waits;
        } finally {
            synchronized (ended) {
                isWaiting = false;
            }
        }
    }

    /** Returns whether an error remains until someone changes the log or the dataset. */
    private static boolean isFinal(Throwable error) {
        return error instanceof IllegalStateException || error instanceof IllegalArgumentException
                || error instanceof FormatException || error instanceof BrokenChainException
                || error instanceof PoisonPatchException;
    }

    // --- changes by others

    private static ActionErrorException refusalError() {
        return new ActionErrorException(HttpSC.FORBIDDEN_403, "this dataset follows a patch log, and takes no other changes; send "
                + "them to the server that records the log", null);
    }

    @Override
    protected DatasetGraph getW() {
        throw refusalError();
    }

    @Override
    public void begin(TxnType type) {
        if (type == TxnType.WRITE) {
            throw refusalError();
        }
        super.begin(type);
    }

    @Override
    public void begin(ReadWrite mode) {
        begin(TxnType.convert(mode));
    }

    @Override
    public boolean promote(Promote mode) {
        throw refusalError();
    }
}
