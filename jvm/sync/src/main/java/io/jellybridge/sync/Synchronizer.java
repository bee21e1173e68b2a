package io.jellybridge.sync;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Patches;
import io.jellybridge.jena.apply.Advance;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.apply.WatchedPatches;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.util.List;

/**
 * Has a dataset apply patches that follow each other, each once. Several go into one transaction, with the position after
 * them; so when this dies at any moment, the next run goes on where the dataset is.
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
    /** Null where it is not known of some patches. */
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
     * Runs once.
     *
     * @param pending  what the dataset is to apply, in this order
     * @param ledger   says where the dataset is to be, and what it keeps
     * @param progress hears how many change rows were read and applied so far
     * @return what was done, up to the first patch that can't be read or that no dataset may hold
     * @throws PositionConflictException someone else moved the dataset meanwhile; what was applied before stays
     * @throws ApplyException            the dataset failed; what was applied before stays
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

    /** As the other, from where the dataset is, of patches that have an order by themselves. */
    public static SyncReport run(List<SyncPatch> pending, OpenDataset dataset, SyncOptions options,
            ProgressListener progress) throws IOException {
        return run(pending, dataset, options, Ledger.ofPatches(dataset.stand(options.key())), progress);
    }

    /** A patch that can't be applied. */
    private record Faulty(SyncPatch patch, RuntimeException why) {
    }

    /** The first patch at which it stopped; null after all of them. */
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

    /** Applies the first patches in one go where the dataset would load so many; how many these are. */
    private int load(List<SyncPatch> pending) throws IOException {
        int end = 0;
        while (end < pending.size() && pending.get(end).fault() == null) {
            end++;
        }
        while (dataset.loads(rowsOf(pending.subList(0, end)))) {
            List<SyncPatch> batch = pending.subList(0, end);
            try {
                Advance advance = advance(batch);
                report(batch, advance, dataset.apply(together(batch), advance, this::progress));
                return end;
            } catch (FormatException e) {
                // Some patch is at fault; transactions will show which. What is before it may be enough to be loaded.
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

    /** Applies patches in one transaction or, when one of them is at fault, those before it; which one that is. */
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
        Advance advance = advance(batch);
        long start = System.nanoTime();
        ApplyReport applied = options.netEffect() ? applyNet(batch, advance) : apply(together(batch), advance);
        report(batch, advance, applied);
        secondsPerRow = (System.nanoTime() - start) / 1e9 / Math.max(1, rowsOf(batch));
    }

    private Patches together(List<SyncPatch> batch) {
        return new WatchedPatches(FilePatches.batch(batch), progress);
    }

    private Advance advance(List<SyncPatch> batch) throws IOException {
        SyncPatch last = batch.get(batch.size() - 1);
        return options.dryRun()
                ? new Advance(options.key(), position, Position.of(last.position()), List.of())
                : new Advance(options.key(), position, ledger.position(last), ledger.notes(last));
    }

    private ApplyReport applyNet(List<SyncPatch> batch, Advance advance) throws IOException {
        try (NetEffect net = NetEffect.of(together(batch))) {
            return apply(net, advance);
        }
    }

    private ApplyReport apply(Patches patches, Advance advance) throws IOException {
        return options.dryRun() ? new EffectiveRows().readAll(patches) : dataset.apply(patches, advance, this::progress);
    }

    private void progress(long rows) {
        progress.progress(rowsDone + rows);
    }

    private static long rowsOf(List<SyncPatch> batch) {
        return batch.stream().mapToLong(SyncPatch::rows).sum();
    }

    private void report(List<SyncPatch> batch, Advance advance, ApplyReport applied) {
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
