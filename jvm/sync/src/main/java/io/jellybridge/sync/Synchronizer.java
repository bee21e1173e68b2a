package io.jellybridge.sync;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Patches;
import io.jellybridge.jena.apply.Advance;
import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.apply.WatchedPatches;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a dataset follow a source: applies what is new, in order, each patch once. Several patches go into one
 * transaction, with the position after them; so when this dies at any moment, the next run goes on where the dataset is.
 */
public final class Synchronizer {
    private final OpenDataset dataset;
    private final SyncOptions options;
    private final ProgressListener progress;

    private final List<String> quarantined = new ArrayList<>();
    private String position;
    private long patches;
    private long transactions;
    private long added;
    private long deleted;
    /** Null where it is not known of some patches. */
    private Long changed = 0L;
    private long aborted;
    private long rowsDone;
    private double secondsPerRow;

    private Synchronizer(OpenDataset dataset, SyncOptions options, ProgressListener progress) {
        this.dataset = dataset;
        this.options = options;
        this.progress = progress;
    }

    /**
     * Runs once.
     *
     * @param source   all patches that there are, in the order of their names
     * @param progress hears how many change rows were read and applied so far
     * @throws SyncException             the patches leave a gap, fork, or do not go on from where the dataset is, or
     *                                   {@code until} is none of them; nothing was applied
     * @throws PositionConflictException someone else moved the dataset meanwhile; what was applied before stays
     * @throws FormatException           a patch breaks its format, and there is no quarantine; those before it were applied
     * @throws ApplyException            the dataset failed; what was applied before stays
     * @throws IOException               the source can't be read, or the dataset can't be reached
     */
    public static SyncReport run(List<SyncPatch> source, OpenDataset dataset, SyncOptions options, ProgressListener progress)
            throws IOException {
        return new Synchronizer(dataset, options, progress).follow(source);
    }

    private SyncReport follow(List<SyncPatch> source) throws IOException {
        String from = dataset.position(options.key());
        position = from;
        List<SyncPatch> pending = until(new PatchOrder(source, options.quarantine() != null).after(from));
        long skipped = source.size() - pending.size();
        applyAll(pending);
        return new SyncReport(patches, transactions, added, deleted, changed, aborted, skipped, List.copyOf(quarantined), from,
                position);
    }

    private List<SyncPatch> until(List<SyncPatch> pending) {
        if (options.until() == null) {
            return pending;
        }
        for (int i = 0; i < pending.size(); i++) {
            SyncPatch patch = pending.get(i);
            if (options.until().equals(patch.id()) || options.until().equals(patch.name())) {
                return pending.subList(0, i + 1);
            }
        }
        if (options.until().equals(position)) {
            return List.of();
        }
        throw new SyncException("until=" + options.until()
                + " is neither the id nor the name of a patch that is to be applied");
    }

    private void applyAll(List<SyncPatch> pending) throws IOException {
        int i = 0;
        while (i < pending.size()) {
            if (pending.get(i).fault() != null) {
                setAside(pending.get(i), pending.get(i).fault());
                i++;
                continue;
            }
            int end = transactions == 0 && !options.dryRun() ? load(pending, i) : i;
            if (end == i) {
                end = endOfBatch(pending, i);
                applyOrDivide(pending.subList(i, end));
            }
            i = end;
        }
    }

    /** Applies patches in one go where the dataset would load so many; where what was loaded ends. */
    private int load(List<SyncPatch> pending, int start) throws IOException {
        int end = start;
        while (end < pending.size() && pending.get(end).fault() == null) {
            end++;
        }
        while (dataset.loads(rowsOf(pending.subList(start, end)))) {
            List<SyncPatch> batch = pending.subList(start, end);
            try {
                report(batch, dataset.apply(together(batch), advance(batch), this::progress));
                return end;
            } catch (FormatException e) {
                // Some patch is at fault; transactions will show which. What is before it may be enough to be loaded.
                end = start + (end - start) / 2;
            }
        }
        return start;
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

    /** Applies patches in one transaction or, when one of them is at fault, all but that one. */
    private void applyOrDivide(List<SyncPatch> batch) throws IOException {
        try {
            apply(batch);
        } catch (FormatException e) {
            if (batch.size() == 1) {
                setAside(batch.get(0), e);
                return;
            }
            int half = batch.size() / 2;
            applyOrDivide(batch.subList(0, half));
            applyOrDivide(batch.subList(half, batch.size()));
        }
    }

    private void apply(List<SyncPatch> batch) throws IOException {
        Advance advance = advance(batch);
        long start = System.nanoTime();
        ApplyReport applied = options.netEffect() ? applyNet(batch, advance) : apply(together(batch), advance);
        report(batch, applied);
        secondsPerRow = (System.nanoTime() - start) / 1e9 / Math.max(1, rowsOf(batch));
    }

    private Patches together(List<SyncPatch> batch) {
        return new WatchedPatches(FolderPatches.batch(batch), progress);
    }

    private Advance advance(List<SyncPatch> batch) {
        return new Advance(options.key(), position, batch.get(batch.size() - 1).position());
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

    private void report(List<SyncPatch> batch, ApplyReport applied) {
        rowsDone += rowsOf(batch);
        progress.progress(rowsDone);
        position = batch.get(batch.size() - 1).position();
        patches += batch.size();
        transactions++;
        added += applied.added();
        deleted += applied.deleted();
        changed = changed == null || applied.changed() == null ? null : Long.valueOf(changed + applied.changed());
        aborted += applied.aborted();
    }

    private void setAside(SyncPatch patch, RuntimeException fault) throws IOException {
        if (options.quarantine() == null) {
            throw fault;
        }
        if (!options.dryRun()) {
            QuarantineFolder.put(options.quarantine(), patch, fault);
        }
        quarantined.add(patch.name());
    }
}
