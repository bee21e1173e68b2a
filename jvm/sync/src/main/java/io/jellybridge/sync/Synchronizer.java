package io.jellybridge.sync;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Patches;
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
    private final Ledger ledger;
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

    private Synchronizer(OpenDataset dataset, SyncOptions options, Ledger ledger, ProgressListener progress) {
        this.dataset = dataset;
        this.options = options;
        this.ledger = ledger;
        this.progress = progress;
    }

    /**
     * Applies patches once.
     *
     * @param pending  the patches to apply, in this order
     * @param ledger   the expected position of the dataset, and the data to store
     * @param progress receives the number of change rows that were read and applied so far
     * @return the result, up to the first patch that can't be read or that no dataset can apply
     * @throws PositionConflictException another sync moved the dataset meanwhile; patches applied before stay
     * @throws ApplyException            the dataset failed; patches applied before stay
     * @throws IOException               the source can't be read, or the dataset can't be reached
     */
    public static SyncReport run(List<SyncPatch> pending, OpenDataset dataset, SyncOptions options, Ledger ledger,
            ProgressListener progress) throws IOException {
        Synchronizer sync = new Synchronizer(dataset, options, ledger, progress);
        sync.position = ledger.at();
        Faulty faulty = sync.applyAll(pending);
        return new SyncReport(sync.patches, sync.transactions, sync.added, sync.deleted, sync.changed, sync.aborted,
                Position.id(sync.position), faulty == null ? -1 : pending.indexOf(faulty.patch()),
                faulty == null ? null : faulty.why());
    }

    /** Applies patches with an order of their own, from the dataset's position. Otherwise the same as the other method. */
    public static SyncReport run(List<SyncPatch> pending, OpenDataset dataset, SyncOptions options,
            ProgressListener progress) throws IOException {
        return run(pending, dataset, options, Ledger.ofPatches(dataset.stand(options.key())), progress);
    }

    /** A patch that can't be applied. */
    private record Faulty(SyncPatch patch, RuntimeException why) {
    }

    /** Applies all patches. Returns the first faulty patch, or null. */
    private Faulty applyAll(List<SyncPatch> pending) throws IOException {
        int i = options.dryRun() ? 0 : load(pending);
        while (i < pending.size()) {
            if (pending.get(i).fault() != null) {
                return new Faulty(pending.get(i), pending.get(i).fault());
            }
            int end = endOfBatch(pending, i);
            Faulty faulty = applyOrDivide(pending.subList(i, end));
            if (faulty != null) {
                return faulty;
            }
            i = end;
        }
        return null;
    }

    /** Applies the first patches at once if the dataset uses a bulk load for so many. Returns their number. */
    private int load(List<SyncPatch> pending) throws IOException {
        int end = 0;
        while (end < pending.size() && pending.get(end).fault() == null) {
            end++;
        }
        while (dataset.usesBulkLoader(rowsOf(pending.subList(0, end)))) {
            List<SyncPatch> batch = pending.subList(0, end);
            try {
                PositionUpdate advance = advance(batch);
                report(batch, advance, dataset.apply(together(batch), advance, this::progress));
                return end;
            } catch (FormatException e) {
                // Some patch is faulty; transactions will show which. The patches before it may be enough for a bulk load.
                end /= 2;
            }
        }
        return 0;
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
            apply(batch);
            return null;
        } catch (FormatException e) {
            if (batch.size() == 1) {
                return new Faulty(batch.get(0), e);
            }
            int half = batch.size() / 2;
            Faulty first = applyOrDivide(batch.subList(0, half));
            return first != null ? first : applyOrDivide(batch.subList(half, batch.size()));
        }
    }

    private void apply(List<SyncPatch> batch) throws IOException {
        PositionUpdate advance = advance(batch);
        long start = System.nanoTime();
        ApplyReport applied = options.netEffect() ? applyNet(batch, advance) : apply(together(batch), advance);
        report(batch, advance, applied);
        secondsPerRow = (System.nanoTime() - start) / 1e9 / Math.max(1, rowsOf(batch));
    }

    private Patches together(List<SyncPatch> batch) {
        return new WatchedPatches(FilePatches.batch(batch), progress);
    }

    private PositionUpdate advance(List<SyncPatch> batch) throws IOException {
        SyncPatch last = batch.get(batch.size() - 1);
        return options.dryRun()
                ? new PositionUpdate(options.key(), position, Position.of(last.position()), List.of())
                : new PositionUpdate(options.key(), position, ledger.position(last), ledger.notes(last));
    }

    private ApplyReport applyNet(List<SyncPatch> batch, PositionUpdate advance) throws IOException {
        try (NetEffect net = NetEffect.of(together(batch))) {
            return apply(net, advance);
        }
    }

    private ApplyReport apply(Patches patches, PositionUpdate advance) throws IOException {
        return options.dryRun() ? new EffectiveRows().readAll(patches) : dataset.apply(patches, advance, this::progress);
    }

    private void progress(long rows) {
        progress.progress(rowsDone + rows);
    }

    private static long rowsOf(List<SyncPatch> batch) {
        return batch.stream().mapToLong(SyncPatch::rows).sum();
    }

    private void report(List<SyncPatch> batch, PositionUpdate advance, ApplyReport applied) {
        rowsDone += rowsOf(batch);
        progress.progress(rowsDone);
        position = advance.next();
        if (!options.dryRun()) {
            ledger.committed(batch.get(batch.size() - 1), position);
        }
        patches += batch.size();
        transactions++;
        added += applied.added();
        deleted += applied.deleted();
        changed = changed == null || applied.changed() == null ? null : Long.valueOf(changed + applied.changed());
        aborted += applied.aborted();
    }
}
