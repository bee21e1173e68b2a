package io.jellybridge.sync;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.JoinedPatches;
import io.jellybridge.codec.Patches;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.apply.WatchedPatches;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.util.List;

/**
 * Applies a sequence of patches to a dataset, each patch once. Several patches share a transaction, which also stores the
 * position after them. So after a crash at any time, the next run resumes at the dataset's position.
 */
public final class Synchronizer {
    private final OpenDataset dataset;
    private final SyncOptions options;
    private final SyncState state;
    private final FilePatches.Cursor cursor;
    private final ProgressListener progress;

    private Position position;
    private long patches;
    private long transactions;
    private long added;
    private long deleted;
    /** The number of changed rows; null if it is unknown for some patches. */
    private Long changed = 0L;
    private long aborted;
    private long rowsDone;
    private double secondsPerRow;

    private Synchronizer(OpenDataset dataset, SyncOptions options, SyncState state, FilePatches.Cursor cursor,
            ProgressListener progress) {
        this.dataset = dataset;
        this.options = options;
        this.state = state;
        this.cursor = cursor;
        this.progress = progress;
    }

    /** Receives patches that can't be applied. The run goes on behind them. */
    @FunctionalInterface
    interface Quarantine {

        /**
         * Sets a patch aside.
         *
         * @param rest     the pending patches after it
         * @param position the position of the dataset; null if it has none
         */
        void put(SyncPatch patch, RuntimeException why, List<SyncPatch> rest, String position) throws IOException;
    }

    /**
     * Applies patches once.
     *
     * @param pending    the patches to apply, in this order
     * @param state      the expected position of the dataset, and the data to store
     * @param cursor     reads the patches
     * @param quarantine receives the patches that can't be read or that no dataset can apply; null to stop at the first
     * @param progress   receives the number of change rows that were read and applied so far
     * @throws PositionConflictException another sync moved the dataset meanwhile; patches applied before stay
     * @throws ApplyException            the dataset failed; patches applied before stay
     * @throws IOException               the source can't be read, or the dataset can't be reached
     */
    static SyncReport run(List<SyncPatch> pending, OpenDataset dataset, SyncOptions options, SyncState state,
            FilePatches.Cursor cursor, Quarantine quarantine, ProgressListener progress) throws IOException {
        if (options.dryRun()) {
            dataset.checkChangeable();
        }
        Synchronizer sync = new Synchronizer(dataset, options, state, cursor, progress);
        sync.position = state.at();
        List<SyncPatch> rest = pending;
        Faulty faulty = sync.applyAll(rest);
        while (faulty != null && quarantine != null) {
            rest = rest.subList(rest.indexOf(faulty.patch()) + 1, rest.size());
            quarantine.put(faulty.patch(), faulty.why(), rest, Position.idOf(sync.position));
            faulty = sync.applyAll(rest);
        }
        return new SyncReport(sync.patches, sync.transactions, sync.added, sync.deleted, sync.changed, sync.aborted,
                Position.idOf(sync.position), faulty == null ? -1 : pending.indexOf(faulty.patch()),
                faulty == null ? null : faulty.why());
    }

    /** A patch that can't be applied. */
    private record Faulty(SyncPatch patch, RuntimeException why) {
    }

    /** Applies all patches. Returns the first faulty patch, or null. */
    private Faulty applyAll(List<SyncPatch> pending) throws IOException {
        int i = options.dryRun() ? 0 : loadPatches(pending);
        while (i < pending.size()) {
            if (pending.get(i).fault() != null) {
                return new Faulty(pending.get(i), pending.get(i).fault());
            }
            int end = endOfBatch(pending, i);
            Faulty faulty = applyOrDivide(pending.subList(i, end));
            if (faulty != null) {
                int fault = pending.indexOf(faulty.patch());
                end = options.netEffect() ? applyPast(pending, fault) : fault;
                if (end == fault) {
                    return faulty;
                }
            }
            i = end;
        }
        return null;
    }

    /** Applies the first patches at once if the dataset uses a bulk load for so many. Returns their number. */
    private int loadPatches(List<SyncPatch> pending) throws IOException {
        int end = 0;
        while (end < pending.size() && pending.get(end).fault() == null) {
            end++;
        }
        while (end > 0 && dataset.usesBulkLoader(rowsOf(pending.subList(0, end)))) {
            try {
                applyPatches(pending.subList(0, end), false);
                return end;
            } catch (FormatException e) {
                // Some patch is faulty; transactions will show which. The patches before it may be enough for a bulk load.
                end /= 2;
            }
        }
        return 0;
    }

    /**
     * Applies a faulty patch together with so many after it that their net effect can be applied, as if a later patch deletes
     * what the dataset can't store. Returns the index after the last of them, or that of the faulty patch if there are none.
     */
    private int applyPast(List<SyncPatch> pending, int fault) throws IOException {
        int last = fault;
        while (last < pending.size() && pending.get(last).fault() == null) {
            last++;
        }
        for (int end = fault + 1; end < last; ) {
            end = Math.min(last, end + end - fault);
            try {
                applyPatches(pending.subList(fault, end), true);
                return end;
            } catch (FormatException e) {
                // More patches may delete it.
            }
        }
        return fault;
    }

    private int endOfBatch(List<SyncPatch> pending, int start) {
        long rows = 0;
        long bytes = 0;
        double mostRows = options.batchRows();
        if (secondsPerRow > 0) {
            mostRows = Math.min(mostRows, options.batchSeconds() / secondsPerRow);
        }
        int end = start;
        while (end < pending.size() && pending.get(end).fault() == null && rows < mostRows && bytes < options.batchBytes()) {
            rows += pending.get(end).rows();
            bytes += pending.get(end).bytes();
            end++;
        }
        return end;
    }

    /** Applies patches in one transaction. If one is faulty, it applies those before it. Returns the faulty patch, or null. */
    private Faulty applyOrDivide(List<SyncPatch> batch) throws IOException {
        try {
            long start = System.nanoTime();
            applyPatches(batch, options.netEffect());
            secondsPerRow = (System.nanoTime() - start) / 1e9 / Math.max(1, rowsOf(batch));
            return null;
        } catch (FormatException e) {
            if (batch.size() == 1) {
                return applyDirectly(batch.get(0), e);
            }
            int half = batch.size() / 2;
            Faulty first = applyOrDivide(batch.subList(0, half));
            return first != null ? first : applyOrDivide(batch.subList(half, batch.size()));
        }
    }

    /**
     * Applies a patch without a spool, where that failed. An error then has its place in the patch's own file.
     *
     * @return the faulty patch, or null
     */
    private Faulty applyDirectly(SyncPatch patch, FormatException found) throws IOException {
        if (patch.known() != null) {
            return new Faulty(patch, found);
        }
        try {
            applyPatches(List.of(patch), patch, cursor.readContent(patch), options.netEffect());
            return null;
        } catch (FormatException e) {
            return new Faulty(patch, e);
        }
    }

    /** Applies a batch. Patches of files are read once, into a spool; a log opens each of its patches by itself. */
    private void applyPatches(List<SyncPatch> batch, boolean net) throws IOException {
        SyncPatch last = batch.get(batch.size() - 1);
        if (batch.stream().allMatch(patch -> patch.known() != null)) {
            applyPatches(batch, JoinedPatches.of(batch), last.known(), net);
            return;
        }
        try (PatchSpool spool = new PatchSpool()) {
            SyncPatch.Content content = spool.copy(batch, cursor, progress);
            applyPatches(batch, spool, content, net);
        }
    }

    /** Applies a batch, with the content of its last patch. */
    private void applyPatches(List<SyncPatch> batch, Patches patches, SyncPatch.Content content, boolean net) throws IOException {
        Patches watched = new WatchedPatches(patches, progress);
        PositionUpdate advance = updateFor(batch.get(batch.size() - 1), content);
        reportBatch(batch, advance, net ? applyNet(watched, advance) : applyPatches(watched, advance));
    }

    private PositionUpdate updateFor(SyncPatch last, SyncPatch.Content content) {
        return options.dryRun()
                ? new PositionUpdate(options.key(), position, Position.of(last.position()), List.of())
                : new PositionUpdate(options.key(), position, state.positionAfter(last, content), state.notesFor(last));
    }

    private ApplyReport applyNet(Patches batch, PositionUpdate advance) throws IOException {
        try (PatchSpool net = PatchSpool.ofNetEffect(batch)) {
            return applyPatches(net, advance);
        }
    }

    private ApplyReport applyPatches(Patches patches, PositionUpdate advance) throws IOException {
        return options.dryRun() ? AppliedRows.read(patches, AppliedRows::new) : dataset.apply(patches, advance, this::progress);
    }

    private void progress(long rows) {
        progress.progress(rowsDone + rows);
    }

    private static long rowsOf(List<SyncPatch> batch) {
        return batch.stream().mapToLong(SyncPatch::rows).sum();
    }

    private void reportBatch(List<SyncPatch> batch, PositionUpdate advance, ApplyReport applied) {
        rowsDone += rowsOf(batch);
        progress.progress(rowsDone);
        position = advance.next();
        if (!options.dryRun()) {
            state.onCommitted(batch.get(batch.size() - 1), position);
        }
        patches += batch.size();
        transactions++;
        added += applied.added();
        deleted += applied.deleted();
        changed = changed == null || applied.changed() == null ? null : Long.valueOf(changed + applied.changed());
        aborted += applied.aborted();
    }

    /**
     * The result of a run, or of a dry run.
     *
     * @param patches      the number of applied patches
     * @param transactions the number of transactions
     * @param added        the number of applied {@code A} rows
     * @param deleted      the number of applied {@code D} rows
     * @param changed      the number of these rows that changed the dataset; null if unknown, as for a server or a dry run
     * @param aborted      the number of blocks that ended with {@code TA} and were skipped
     * @param position     the dataset's position afterwards; null if it has none
     * @param faulty       the index of the patch that can't be applied and stopped the run; -1 if all were applied
     * @param fault        the fault of that patch
     */
    public record SyncReport(long patches, long transactions, long added, long deleted, Long changed, long aborted,
            String position, int faulty, RuntimeException fault) {
    }
}
