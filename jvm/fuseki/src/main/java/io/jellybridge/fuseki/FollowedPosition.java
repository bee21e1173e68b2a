package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.WriteTransaction;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogStore;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.Follower;
import io.jellybridge.sync.LogPositions;
import io.jellybridge.sync.SyncOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.jena.atlas.iterator.Iter;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.system.Txn;

/**
 * The position of a dataset that follows a log first and records into it later, or the other way round. A dataset that records
 * has another key than one that follows, so a change of its part moves the position.
 */
final class FollowedPosition {
    private static final StoredPosition RECORDED = new StoredPosition(CaptureOptions.POSITION_KEY);
    private static final StoredPosition FOLLOWED = new StoredPosition(SyncOptions.LOG);
    /**
     * Where a dataset that follows and records was when it was first started to record only: its recorded position, with the id of
     * the followed one. A server outside that follows for it goes on with the latter.
     */
    private static final StoredPosition PROMOTED = new StoredPosition("urn:jellybridge:promoted");
    private static final byte[] PRIMARY = Capture.PRIMARY.getBytes(US_ASCII);
    /** The position of a dataset that has recorded nothing yet. */
    private static final String START = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#nil>";

    private FollowedPosition() {
    }

    private static void followRecorded(DatasetGraph dataset) {
        StoredPosition.Found recorded = read(dataset);
        if (recorded != null && recorded.isCertain() && !recorded.position().id().equals(START)) {
            move(dataset, RECORDED, FOLLOWED, recorded.position());
        }
    }

    /**
     * Lets a dataset follow a log from its last patch of it, recorded or followed. If a crash cut off the last commit of a
     * dataset that recorded, this completes it.
     *
     * @throws IllegalStateException the log does not have the patch of that commit
     */
    static void continueIn(DatasetGraph dataset, PatchLog log) throws IOException {
        Position followed = findFollowed(dataset);
        StoredPosition.Found recorded = read(dataset);
        if (followed == null || isBehind(followed, recorded, log)) {
            Capture.completeCommit(dataset, RECORDED.key(), log);
            followRecorded(dataset);
        }
        addVersion(dataset, log);
    }

    /** Returns true if a log has the recorded patch behind the followed one. The latter is only looked up if the log has the former. */
    private static boolean isBehind(Position followed, StoredPosition.Found recorded, PatchLog log) throws IOException {
        long version = recorded == null ? 0 : LogVersions.withTerm(log, recorded.position().id());
        return version > 0 && version > LogVersions.withTerm(log, followed.id());
    }

    /**
     * Checks that a dataset with a log of its own is at a patch of the log that it is to follow.
     *
     * @throws IllegalStateException it is not
     */
    static void requireFollowed(DatasetGraph dataset, String log) {
        if (findFollowed(dataset) == null) {
            throw new IllegalStateException("the dataset is at " + read(dataset).position().id() + " of a log of its own, and at no "
                    + "patch of the log " + log + ", so it may have changes that this log lacks. Start it with an empty database");
        }
    }

    /** Adds to a position the version and the content of its patch, which a recording does not store, if the log has them. */
    static void addVersion(DatasetGraph dataset, PatchLog log) throws IOException {
        Position followed = find(dataset, FOLLOWED);
        long version = followed == null || followed.applied() != null ? 0 : LogVersions.withTerm(log, followed.id());
        if (version == 0 || version < log.first()) {
            return;
        }
        Position complete;
        try {
            complete = new LogPositions(log).positionOf(version);
        } catch (FormatException e) {
            return; // the patch is lost, and those behind it are not
        }
        try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
            FOLLOWED.set(dataset, complete, List.of());
            transaction.commit();
        }
    }

    /**
     * Lets a dataset follow no log any more, and begins something else. That comes second, so a crash never leaves both. If it
     * fails, the dataset follows again.
     */
    static <R> R endFollowing(DatasetGraph dataset, Io.Supplier<R> begin) throws IOException {
        List<Quad> followed = Txn.calculateRead(dataset,
                () -> Iter.toList(dataset.find(StoredPosition.GRAPH_NODE, nodeOf(FOLLOWED), Node.ANY, Node.ANY)));
        change(dataset, () -> delete(dataset, FOLLOWED));
        try {
            return begin.get();
        } catch (IOException | RuntimeException | Error e) {
            change(dataset, () -> followed.forEach(dataset::add));
            throw e;
        }
    }

    private static void change(DatasetGraph dataset, Runnable change) {
        try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
            change.run();
            transaction.commit();
        }
    }

    /** Returns true if a dataset follows a log and has recorded nothing, and the log in a place has patches. */
    static boolean isFollower(DatasetGraph dataset, LogStore store) throws IOException {
        return find(dataset, FOLLOWED) != null && !hasRecorded(dataset) && hasPatches(store);
    }

    private static boolean hasPatches(LogStore store) throws IOException {
        if (!StoreLog.isLog(store)) {
            return false;
        }
        try (StoreLog log = StoreLog.open(store)) {
            return log.headVersion() > 0;
        }
    }

    /**
     * Checks that no other server has taken over the recording of a dataset since its last change.
     *
     * @throws IllegalStateException one has
     */
    static void requireNotReplaced(DatasetGraph dataset, LogStore store) throws IOException {
        StoredPosition.Found found = read(dataset);
        Position recorded = found == null ? null : found.position();
        if (recorded == null || recorded.id().equals(START) || !StoreLog.isLog(store)) {
            return;
        }
        try (StoreLog log = StoreLog.open(store)) {
            long at = LogVersions.withTerm(log, recorded.id());
            try (LogEntries later = log.fetch(at + 1, Long.MAX_VALUE)) {
                for (LogEntry patch = at == 0 ? null : later.next(); patch != null; patch = later.next()) {
                    if (isTakeOver(patch)) {
                        throw new IllegalStateException("another server records into the log " + log.name() + " since version "
                                + patch.version() + "; let this one follow it, by -D" + FollowingDatasets.PROPERTY
                                + "; if it is to be the primary, restart it by -D" + LoggedDatasets.PROPERTY + " after that");
                    }
                }
            }
        }
    }

    /** Returns true if a dataset has recorded changes into a log. */
    static boolean hasRecorded(DatasetGraph dataset) {
        if (!dataset.supportsTransactionAbort()) {
            return false; // it is not recorded, and some of these can't look for a graph that is not there
        }
        StoredPosition.Found found = read(dataset);
        return found != null && !found.position().id().equals(START);
    }

    /**
     * Checks that a dataset which is to begin a log belongs to no other one. Otherwise, a mistake in the place of its log would
     * divide its history. A capture itself refuses a log that is there, but has lost what was recorded into it.
     *
     * @param isFollowing true if the dataset is to follow the other log
     * @throws IllegalStateException it has recorded into another log, or has followed one
     */
    static void requireNoOtherLog(DatasetGraph dataset, LogStore store, boolean isFollowing) throws IOException {
        boolean hasRecorded = hasRecorded(dataset) && !StoreLog.isLog(store);
        if (hasRecorded || !isFollowing && find(dataset, FOLLOWED) != null && !hasPatches(store)) {
            throw new IllegalStateException("there is no log with patches in " + store.name() + ", and the dataset has "
                    + (hasRecorded ? "recorded into" : "followed") + " another one. Correct the place. To begin a new log there, which "
                    + "no follower of the other one can follow, set the option start=reset");
        }
    }

    /**
     * Lets a dataset that is to record into another log than before follow from its last recorded patch. Otherwise, the new log
     * would replace the position that says what the dataset has of the old one.
     *
     * @throws IllegalStateException a crash cut off its last commit
     */
    static void followFormerLog(DatasetGraph dataset, LogStore store) throws IOException {
        if (findFollowed(dataset) != null || !hasRecorded(dataset) || hasRecordedInto(dataset, store)) {
            return;
        }
        followRecorded(dataset);
        if (findFollowed(dataset) == null) {
            throw new IllegalStateException("a crash cut off the last commit of the dataset. Start it once as a follower without a log "
                    + "of its own, which completes that commit");
        }
    }

    /** Returns true if the last patch that a dataset has recorded is in the log in a place. */
    static boolean hasRecordedInto(DatasetGraph dataset, LogStore store) throws IOException {
        StoredPosition.Found recorded = read(dataset);
        if (recorded == null || !StoreLog.isLog(store)) {
            return false;
        }
        try (StoreLog log = StoreLog.open(store)) {
            return LogVersions.withTerm(log, recorded.position().id()) > 0;
        }
    }

    /** Returns true if a dataset that follows another log has begun to record into this one, which may have its first patch. */
    static boolean hasBegun(DatasetGraph dataset, LogStore store) throws IOException {
        try (StoreLog log = StoreLog.open(store)) {
            return read(dataset) != null && LogVersions.withTerm(log, find(dataset, FOLLOWED).id()) == 0;
        }
    }

    private static boolean isTakeOver(LogEntry patch) throws IOException {
        boolean[] found = new boolean[1];
        try (PatchSource<byte[]> source = patch.open(new Utf8Terms())) {
            source.select(Selection.none());
            source.readAll(new PatchAdapter<>() {

                @Override
                public void header(byte[] key, byte[] value) {
                    found[0] |= Arrays.equals(key, PRIMARY);
                }
            });
        }
        return found[0];
    }

    /**
     * Applies the patches of a log that a dataset lacks, which has followed it, or has recorded into it.
     *
     * @return false if the dataset has no position
     * @throws IllegalStateException the position is not in the log
     */
    static boolean takeToEnd(DatasetGraph dataset, LogStore store) throws IOException {
        Position recorded = find(dataset, RECORDED);
        boolean hasRecorded = recorded != null && !recorded.id().equals(START);
        if (!hasRecorded && find(dataset, FOLLOWED) == null) {
            return false;
        }
        SyncOptions all = SyncOptions.DEFAULT;
        SyncOptions options = new SyncOptions(hasRecorded ? CaptureOptions.POSITION_KEY : all.key(), false, all.batchRows(),
                all.batchBytes(), all.batchSeconds(), all.netEffect());
        try (StoreLog log = StoreLog.open(store)) {
            new Follower(DatasetStore.over(dataset), options).followLog(log);
        }
        return true;
    }

    /** Lets a dataset record into the log that it has followed to the end. */
    static void startRecording(DatasetGraph dataset) {
        move(dataset, FOLLOWED, RECORDED, find(dataset, FOLLOWED));
    }

    /** Notes that a dataset which has followed and recorded records only from now on, or does both again. */
    static void setFollowing(DatasetGraph dataset, boolean isFollowing) {
        Position followed = find(dataset, FOLLOWED);
        StoredPosition.Found recorded = read(dataset);
        if (followed == null || recorded == null) {
            return;
        }
        if (isFollowing && findFollowed(dataset) != null) {
            change(dataset, () -> delete(dataset, PROMOTED));
        } else if (!isFollowing && findPromoted(dataset, followed) == null) {
            change(dataset, () -> PROMOTED.set(dataset, new Position(recorded.position().id(), followed.id()), List.of()));
        }
    }

    /** Returns the position in the followed log; null if there is none, or the dataset has recorded changes of its own behind it. */
    private static Position findFollowed(DatasetGraph dataset) {
        Position followed = find(dataset, FOLLOWED);
        StoredPosition.Found recorded = read(dataset);
        Position promoted = followed == null || recorded == null ? null : findPromoted(dataset, followed);
        return promoted == null || promoted.id().equals(recorded.position().id()) ? followed : null;
    }

    /** Returns the position of the promotion; null if there was none, or the dataset has followed again since then. */
    private static Position findPromoted(DatasetGraph dataset, Position followed) {
        Position promoted = find(dataset, PROMOTED);
        return promoted == null || !followed.id().equals(promoted.applied()) ? null : promoted;
    }

    private static Position find(DatasetGraph dataset, StoredPosition key) {
        return Txn.calculateRead(dataset, () -> key.find(dataset));
    }

    /** Returns the position of the recording, whether it is certain or not; null if there is none. */
    private static StoredPosition.Found read(DatasetGraph dataset) {
        return Txn.calculateRead(dataset, () -> RECORDED.read(dataset));
    }

    private static void move(DatasetGraph dataset, StoredPosition from, StoredPosition to, Position position) {
        change(dataset, () -> {
            to.set(dataset, position, List.of());
            delete(dataset, from);
        });
    }

    private static void delete(DatasetGraph dataset, StoredPosition key) {
        dataset.deleteAny(StoredPosition.GRAPH_NODE, nodeOf(key), Node.ANY, Node.ANY);
    }

    private static Node nodeOf(StoredPosition key) {
        return NodeFactory.createURI(key.key());
    }
}
