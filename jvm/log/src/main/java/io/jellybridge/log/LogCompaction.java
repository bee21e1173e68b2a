package io.jellybridge.log;

import io.jellybridge.files.FileSlice;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Joins consecutive files of a {@link FolderLog}, byte by byte. Others can read and append meanwhile.
 *
 * <p>Each patch is read before and after, and compared with the appended patch. The joined file replaces the first of its
 * files in one step. Then the others are deleted, since the joined file has their patches. A crash in between leaves patches
 * that are in two files. Readers see no difference, and the next compaction deletes the extra files.
 */
public final class LogCompaction {
    private final FolderLog log;
    private final LogFolder files;
    private final long maxBytes;
    private long joined;
    private long left;

    /**
     * The result of a compaction.
     *
     * @param before the number of files of patches before
     * @param after  the number of files afterwards
     * @param bytes  the number of copied bytes
     */
    public record Report(long before, long after, long bytes) {
    }

    private LogCompaction(FolderLog log, long maxBytes) {
        this.log = log;
        this.files = log.files();
        this.maxBytes = maxBytes;
    }

    /**
     * Joins files.
     *
     * @param maxBytes the size up to which files are joined; larger files stay as they are
     * @throws IllegalArgumentException maxBytes is not positive
     * @throws IllegalStateException    another compaction is running
     * @throws IOException              a file can't be read or written; the log is unchanged or partly joined
     */
    public static Report run(FolderLog log, long maxBytes) throws IOException {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes=" + maxBytes + ": must be at least 1");
        }
        try (FolderLock lock = log.files().lockForCompaction()) {
            if (lock == null) {
                throw new IllegalStateException(log.name() + ": another compaction of this log is under way; let it end");
            }
            return new LogCompaction(log, maxBytes).run();
        }
    }

    /** A file of the log with its patches. */
    private record Segment(long first, List<LogIndex.Row> patches) {

        long last() {
            return first + patches.size() - 1;
        }

        long bytes() {
            LogIndex.Row last = patches.get(patches.size() - 1);
            return last.offset() + last.bytes();
        }
    }

    private Report run() throws IOException {
        LogLayout layout = log.patches().layoutAnew(); // throws an error if two files differ in a version that both have
        List<Segment> run = new ArrayList<>();
        long bytes = 0;
        long covered = 0;
        for (Map.Entry<Long, Long> file : layout.files().entrySet()) {
            long first = file.getKey();
            if (file.getValue() <= covered) {
                Files.deleteIfExists(files.file(first)); // an interrupted compaction had joined it
                left--;
                continue;
            }
            boolean isLarge = Files.size(files.file(first)) >= maxBytes;
            List<LogIndex.Row> patches = isLarge ? null : log.patches().patchesOf(first);
            Segment next = patches == null ? null : new Segment(first, patches);
            boolean follows = run.isEmpty() || first == run.get(run.size() - 1).last() + 1;
            if (next == null || !follows || bytes + next.bytes() > maxBytes) {
                join(run);
                run.clear();
                bytes = 0;
            }
            if (next != null) {
                run.add(next);
                bytes += next.bytes();
            }
            covered = file.getValue();
        }
        join(run);
        files.force();
        if (joined > 0) {
            log.patches().forgetMoves();
        }
        return new Report(layout.files().size(), layout.files().size() + left, joined);
    }

    private void join(List<Segment> run) throws IOException {
        if (run.size() < 2) {
            return;
        }
        Segment target = run.get(0);
        List<LogIndex.Row> patches = run.stream().flatMap(file -> file.patches().stream()).toList();
        Path made = files.temporary();
        try {
            requireChain(patches);
            long size = copy(run, made);
            requireAll(patches, made);
            Files.move(made, files.file(target.first()), StandardCopyOption.ATOMIC_MOVE);
            joined += size;
        } catch (FileSystemException e) {
            throw e; // its message has the file
        } catch (IOException e) {
            throw new IOException(log.name() + ": its files from version " + target.first()
                    + " on can't be joined, and stay as they are: " + e.getMessage(), e);
        } finally {
            Files.deleteIfExists(made);
        }
        files.force();
        log.patches().moved(patches);
        for (Segment gone : run.subList(1, run.size())) {
            Files.deleteIfExists(files.file(gone.first()));
            left--;
        }
    }

    private long copy(List<Segment> run, Path made) throws IOException {
        try (FileChannel channel = FileChannel.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            OutputStream out = Channels.newOutputStream(channel);
            for (Segment segment : run) {
                try (InputStream in = new FileSlice(files.file(segment.first()), 0, segment.bytes()).open()) {
                    in.transferTo(out);
                }
            }
            channel.force(true);
            return channel.size();
        }
    }

    /** Checks that the files have one history, since joined files of two histories could not be told apart. */
    private void requireChain(List<LogIndex.Row> patches) {
        for (int i = 1; i < patches.size(); i++) {
            LogIndex.Row patch = patches.get(i);
            BrokenChainException.requireBehind(files.nameOf(LogFolder.fileName(patch.first())), patch.version(),
                    patches.get(i - 1).header().hash(), patch.header().chain(), patch.header().prev());
        }
    }

    /** Checks that a joined file has all patches of its files, before it replaces them. */
    private void requireAll(List<LogIndex.Row> patches, Path made) throws IOException {
        List<FileSlice> slices = LogFolder.slices(made);
        boolean isSame = slices.size() == patches.size();
        for (int i = 0; isSame && i < slices.size(); i++) {
            LogIndex.Row patch = patches.get(i);
            StoredPatches.Checked read = StoredPatches.check(slices.get(i), made.toString(), log.id(), patch.version());
            isSame = patch.header().equals(read.header()) && read.fault() == null == (patch.hash() != null);
        }
        if (!isSame) {
            throw new IOException("those up to version " + patches.get(patches.size() - 1).version()
                    + " changed while they were joined; check the log");
        }
    }
}
