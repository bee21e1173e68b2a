package io.jellybridge.sync;

import io.jellybridge.jena.data.Position;
import io.jellybridge.log.BrokenChainException;
import io.jellybridge.log.Chain;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.PatchLog;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The patches of a log after the position of a dataset, and changes of patches that the dataset has applied already. */
public final class FollowedLog implements Closeable {
    private final long applied;
    private final List<String> changes;
    private final List<SyncPatch> patches;
    private final Closeable files;

    private FollowedLog(long applied, List<String> changes, List<SyncPatch> patches, Closeable files) {
        this.applied = applied;
        this.changes = changes;
        this.patches = patches;
        this.files = files;
    }

    /**
     * Finds the pending patches. It downloads them if the log is on a server.
     *
     * @param log   the log. It must stay open as long as this object, and the caller must close it
     * @param at    the position of the dataset; null if it has none
     * @param notes the notes of the dataset
     * @throws IllegalStateException the position is not a patch of the log
     * @throws IOException           the log can't be read
     */
    public static FollowedLog open(PatchLog log, Position at, List<String> notes) throws IOException {
        LogStand stand = LogStand.of(log, at, notes);
        if (!log.isInPlace()) {
            LogSpool spool = LogSpool.fetch(log, Position.id(at), stand.version());
            try {
                List<SyncPatch> patches = behind(log, at, stand, spool);
                requireChain(patches, before(at, stand));
                return new FollowedLog(Math.max(stand.version(), 0), stand.changes(), patches, spool);
            } catch (IOException | RuntimeException e) {
                spool.close();
                throw e;
            }
        }
        List<SyncPatch> patches = new ArrayList<>();
        try (LogEntries entries = log.fetch(stand.version() + 1, Long.MAX_VALUE)) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                patches.add(StoredPatch.of(log.stored(), entry));
            }
        }
        requireChain(patches, before(at, stand));
        long applied = Math.max(0, stand.version() - log.first() + 1);
        return new FollowedLog(applied, stand.changes(), patches, () -> { });
    }

    /** Returns the downloaded patches, without the one at the dataset's position. */
    private static List<SyncPatch> behind(PatchLog log, Position at, LogStand stand, LogSpool spool) throws IOException {
        List<SyncPatch> patches = spool.patches();
        if (stand.version() != LogStand.NOT_KNOWN) {
            return patches;
        }
        if (!spool.isFound()) {
            throw LogStand.gone(log, at, "");
        }
        return patches.get(0).position().equals(at.id()) ? patches.subList(1, patches.size()) : patches;
    }

    /** Returns the hash of what the dataset has applied, or null if it is unknown. */
    private static String before(Position at, LogStand stand) {
        Applied applied = Applied.at(at);
        return at == null && stand.version() == 0 ? Chain.START : applied == null ? null : applied.chain();
    }

    /**
     * Checks that patches are of one history, before the first of them is applied. A patch that names another one as the one
     * before it is left to the caller, which orders them by their ids.
     */
    private static void requireChain(List<SyncPatch> patches, String before) {
        String hash = before;
        String id = null;
        for (SyncPatch patch : patches) {
            Chain chain = patch.chain();
            if (id == null || id.equals(patch.prev())) {
                BrokenChainException.requireBehind(patch.name(), patch.version(), hash, chain, patch.prev());
            }
            hash = chain == null ? null : chain.own();
            id = patch.id();
        }
    }

    /** Returns the pending patches, from the oldest. Each follows the one before it, and the first follows the position. */
    public List<SyncPatch> patches() {
        return patches;
    }

    /** Returns the number of patches that were applied before, and are not in the list. */
    public long applied() {
        return applied;
    }

    /** Returns the changes of patches that were applied, one sentence each. */
    public List<String> changes() {
        return changes;
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
