package io.jellybridge.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins consecutive objects of a log, byte by byte. Others can read and append meanwhile.
 *
 * <p>Each patch is read before and after, and compared with the appended patch. The joined object has a name of its own. It is
 * created beside the others, and compared once more. Then the others are deleted, since it has their patches. A crash in between
 * leaves patches that are in two objects. Readers see no difference, and the next compaction deletes the extra ones.
 */
public final class LogCompaction {
    private final StoreLog log;
    private final LogStore store;
    private final StoredPatches patches;
    private final long maxBytes;
    private long joined;
    private long left;

    /**
     * The result of a compaction.
     *
     * @param before the number of objects of patches before
     * @param after  the number of objects afterwards
     * @param bytes  the number of copied bytes
     */
    public record Report(long before, long after, long bytes) {
    }

    private LogCompaction(StoreLog log, long maxBytes) {
        this.log = log;
        this.store = log.store();
        this.patches = log.patches();
        this.maxBytes = maxBytes;
    }

    /**
     * Joins objects.
     *
     * @param maxBytes the size up to which objects are joined; larger ones stay as they are
     * @throws IllegalArgumentException maxBytes is not positive
     * @throws LogBusyException         another compaction or pruning is running
     * @throws IOException              an object can't be read or written; the log is unchanged or partly joined
     */
    public static Report run(StoreLog log, long maxBytes) throws IOException {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes=" + maxBytes + ": must be at least 1");
        }
        try (Closeable lock = log.store().lockForCompaction()) {
            if (lock == null) {
                throw LogBusyException.ofCompaction(log.name());
            }
            return new LogCompaction(log, maxBytes).run();
        }
    }

    private Report run() throws IOException {
        VersionMap layout = patches.rereadLayout(); // throws an error if two objects differ in a version that both have
        for (LogObject gone : layout.covered()) {
            store.delete(gone.name()); // an interrupted compaction had joined it
        }
        List<IndexCache.Row> run = new ArrayList<>();
        long objects = 0;
        long bytes = 0;
        for (LogObject object : layout.objects()) {
            long length = store.lengthOf(object.name());
            List<IndexCache.Row> next = length >= maxBytes ? null : patches.patchesOf(object);
            if (next == null || bytes + length > maxBytes) {
                joinPatches(run, objects);
                run.clear();
                objects = 0;
                bytes = 0;
            }
            if (next != null) {
                long last = run.isEmpty() ? 0 : run.get(run.size() - 1).version();
                run.addAll(next.stream().filter(patch -> patch.version() > last).toList());
                objects++;
                bytes += length;
            }
        }
        joinPatches(run, objects);
        if (joined > 0) {
            patches.forgetMoves();
        }
        int before = layout.objects().size() + layout.covered().size();
        return new Report(before, layout.objects().size() + left, joined);
    }

    private void joinPatches(List<IndexCache.Row> run, long objects) throws IOException {
        if (objects < 2) {
            return;
        }
        LogObject target = new LogObject(run.get(0).version(), run.get(run.size() - 1).version());
        Path made = store.temporary();
        try {
            requireChain(run);
            long size = copyPatches(run, made);
            List<StoredSlice> places = StoredSlice.of(made);
            requireAll(run, places);
            store.create(target.name(), made);
            requireSame(target, size, made);
            requireNotPruned(target);
            joined += size;
            patches.recordMove(run, target, places);
        } catch (FileAlreadyExistsException e) {
            return; // another compaction, after which the next one deletes what it has joined
        } catch (FileSystemException e) {
            throw e; // its message has the file
        } catch (IOException e) {
            throw new IOException(log.name() + ": its objects from version " + target.first()
                    + " on can't be joined, and stay as they are: " + e.getMessage(), e);
        } finally {
            Files.deleteIfExists(made);
        }
        run.stream().map(IndexCache.Row::file).distinct().forEach(this::deleteObject);
        left -= objects - 1;
    }

    private void deleteObject(String file) {
        try {
            store.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private long copyPatches(List<IndexCache.Row> run, Path made) throws IOException {
        try (FileChannel channel = FileChannel.open(made, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            OutputStream out = Channels.newOutputStream(channel);
            for (IndexCache.Row patch : run) {
                try (InputStream in = patches.sliceOf(patch).open()) {
                    in.transferTo(out);
                }
            }
            channel.force(true);
            return channel.size();
        }
    }

    /** Checks that the objects have one history, since joined objects of two histories could not be told apart. */
    private void requireChain(List<IndexCache.Row> run) {
        for (int i = 1; i < run.size(); i++) {
            IndexCache.Row patch = run.get(i);
            BrokenChainException.requireBehind(store.name() + "/" + patch.file(), patch.version(),
                    run.get(i - 1).header().hash(), patch.header().chain());
        }
    }

    /** Checks that a joined object has all patches of its objects, before it is created. */
    private void requireAll(List<IndexCache.Row> run, List<StoredSlice> places) throws IOException {
        boolean isSame = places.size() == run.size();
        for (int i = 0; isSame && i < places.size(); i++) {
            IndexCache.Row patch = run.get(i);
            StoredPatches.Checked read = StoredPatches.checkPatch(places.get(i), places.get(i).file(), log.id(), patch.version());
            isSame = patch.header().equals(read.header()) && read.fault() == null == (patch.hash() != null);
        }
        if (!isSame) {
            throw new IOException("those up to version " + run.get(run.size() - 1).version()
                    + " changed while they were joined; check the log");
        }
    }

    /** Checks that the store has the bytes of a joined object, before the others are deleted. */
    private void requireSame(LogObject target, long size, Path made) throws IOException {
        StoredSlice there = new StoredSlice(store::open, target.name(), 0, store.lengthOf(target.name()));
        StoredSlice here = new StoredSlice((file, offset) -> Files.newInputStream(made), target.name(), 0, size);
        if (!StoredPatches.haveSameBytes(there, here)) {
            store.delete(target.name());
            throw new IOException(target.name() + " is not what was written; try again");
        }
    }

    /**
     * Deletes a joined object if others have pruned its patches and the next one meanwhile, as they can in a store without locks. If
     * the next one is there, the object stays: it may have the only copies of its patches, since others have deleted the joined ones.
     *
     * @throws LogBusyException others have pruned them
     */
    private void requireNotPruned(LogObject target) throws IOException {
        if (store.hasLocks()) {
            return;
        }
        VersionMap now = patches.readMap();
        if (now.last() > target.last() && now.objectWith(target.last() + 1) == null) {
            store.delete(target.name());
            throw LogBusyException.ofCompaction(log.name());
        }
    }
}
