package io.jellybridge.log;

import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.files.FileSlice;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The patches in a log's folder: their versions, their files, and facts about them from the {@link LogIndex} or from the
 * patches. Compactions move them to other files meanwhile, and appends add patches.
 */
final class StoredPatches {
    /** The largest number of attempts if a file is missing although none was deleted meanwhile. */
    private static final int MOST_TRIES = 10;

    private static final int COMPARED_BYTES = 1 << 16;

    private final LogFolder files;
    private final String log;
    private final LogIndex index;
    /** The last version of each file that was read, by its first version. */
    private final Map<Long, Long> ends = new HashMap<>();
    /** Pairs of files that have the same versions and the same patches. */
    private final Set<String> compared = new HashSet<>();
    /** The version up to which all patches were looked up in the index. */
    private long indexed;
    /** The patches of the file that was read last; null if there is none. */
    private volatile Sliced sliced;

    /**
     * Creates the view of a folder.
     *
     * @param log the log's id
     */
    StoredPatches(LogFolder files, String log) {
        this.files = files;
        this.log = log;
        this.index = new LogIndex(files.path(), log);
    }

    // --- which there are

    /** Returns the oldest version. Without patches, it returns the version that the first one will get. */
    long first() throws IOException {
        if (Files.exists(files.file(1))) {
            return 1;
        }
        NavigableSet<Long> firsts = files.firsts();
        return firsts.isEmpty() ? files.withoutPatches() + 1 : firsts.first();
    }

    /** Returns the newest version, even if its patch is damaged. Without patches, it returns that of the newest checkpoint. */
    long newest() throws IOException {
        LogLayout layout = layout();
        return layout.isEmpty() ? files.withoutPatches() : layout.last();
    }

    /**
     * Returns the map of versions to files.
     *
     * @throws IOException a version is missing before others, so that an append would fork the log; or two files have
     *                     different patches of one version
     */
    LogLayout layout() throws IOException {
        return whileFilesMove(this::look);
    }

    /** As {@link #layout}, where every file is looked at again. */
    LogLayout layoutAnew() throws IOException {
        ends.clear();
        compared.clear();
        return layout();
    }

    private LogLayout look() throws IOException {
        NavigableSet<Long> firsts = files.firsts();
        ends.keySet().retainAll(firsts);
        for (Long first : firsts) {
            Long known = ends.get(first);
            Long next = firsts.higher(first);
            // A known file is only read again if a compaction may have changed it. Readers check it, too.
            if (known == null || next == null || next != known + 1) {
                ends.put(first, lastIn(first));
            }
        }
        LogLayout layout = new LogLayout(ends);
        long missing = layout.isEmpty() ? 0 : layout.missing();
        if (missing > 0) {
            throw new MissingVersionException(files.name() + ": version " + missing + " is missing, and version "
                    + layout.last() + " is there; check the log, and repair it");
        }
        layout.overlaps(this::requireSame);
        return layout;
    }

    /**
     * Compares the patches of two files with common versions.
     *
     * @throws IOException they differ
     */
    private void requireSame(long before, long first, long last) throws IOException {
        String pair = before + "-" + ends.get(before) + " " + first + "-" + ends.get(first);
        if (compared.contains(pair)) {
            return;
        }
        List<FileSlice> ones = LogFolder.slices(files.file(before));
        List<FileSlice> others = LogFolder.slices(files.file(first));
        for (long version = first; version <= last; version++) {
            FileSlice one = ones.get((int) (version - before));
            FileSlice other = others.get((int) (version - first));
            if (!haveSameBytes(one, other) && !haveSamePatch(version, one, other)) {
                throw new IOException(files.name() + ": " + LogFolder.fileName(before) + " and " + LogFolder.fileName(first)
                        + " both have version " + version + ", and not the same patch: they are of two histories of the log,"
                        + " or one was damaged; find out which is right, by jellybridge log check, and move the other away");
            }
        }
        compared.add(pair);
    }

    private static boolean haveSameBytes(FileSlice one, FileSlice other) throws IOException {
        if (one.length() != other.length()) {
            return false;
        }
        try (InputStream bytes = one.open(); InputStream others = other.open()) {
            byte[] block = new byte[COMPARED_BYTES];
            for (int read = bytes.readNBytes(block, 0, block.length); read > 0;
                    read = bytes.readNBytes(block, 0, block.length)) {
                if (!Arrays.equals(block, 0, read, others.readNBytes(read), 0, read)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Returns true if both are the patch that was appended as that version, even if their bytes differ. */
    private boolean haveSamePatch(long version, FileSlice one, FileSlice other) throws IOException {
        Checked patch = check(version, one);
        Checked same = check(version, other);
        return patch.fault() == null && same.fault() == null && patch.header().equals(same.header());
    }

    /** Returns the version of the last patch in the file that begins with a version. */
    long lastIn(long first) throws IOException {
        LogIndex.Row last = index.lastIn(first);
        return last != null && last.isLastIn(files.file(first)) ? last.version() : first + slicesOf(first).size() - 1;
    }

    /** Thrown when a version before existing patches is missing. */
    private static final class MissingVersionException extends IOException {
        private static final long serialVersionUID = 1L;

        MissingVersionException(String message) {
            super(message);
        }
    }

    // --- what is known of them

    /**
     * Returns the facts about a version, from the index or else from the patch.
     *
     * @throws RuntimeException the patch can't be read (the error of its format)
     */
    LogIndex.Row row(long version) throws IOException {
        LogIndex.Row row = knownRow(version);
        if (row == null) {
            row = whereItIs(version, patch -> {
                Checked read = check(version, patch);
                if (read.header() == null) {
                    throw read.fault();
                }
                String hash = read.fault() == null ? read.content().hash() : null;
                return LogIndex.Row.of(version, read.header(), read.content().rows(), hash, firstOf(patch), patch);
            });
            index.add(row);
        }
        return row;
    }

    /** Returns the row of a version in the index; null if it has none, or its file has changed. */
    LogIndex.Row knownRow(long version) throws IOException {
        LogIndex.Row row = index.row(version);
        return row != null && row.isIn(files.file(row.first())) ? row : null;
    }

    /** Finds a patch by its id, up to a version; null if there is none. */
    LogIndex.Row find(String patchId, long head) throws IOException {
        LogIndex.Row found = index.row(patchId);
        if (found == null || found.version() > head || knownRow(found.version()) == null) {
            complete(head);
            found = index.row(patchId);
        }
        if (found == null || found.version() > head) {
            return null;
        }
        if (found.version() < first()) {
            return wasPruned(found) ? found : null; // it must not be appended again
        }
        LogIndex.Row now = row(found.version());
        return now.id().equals(patchId) ? now : null;
    }

    /**
     * Returns true if a patch is one of those before the first one that exists. The index must have an unbroken chain from it
     * to that first patch.
     */
    private boolean wasPruned(LogIndex.Row found) throws IOException {
        if (newest() < first()) {
            return false;
        }
        PatchHeader after = row(first()).header();
        for (long version = first() - 1; version >= found.version() && after.chain() != null; version--) {
            LogIndex.Row row = index.row(version);
            if (row == null || !after.chain().before().equals(row.header().hash())) {
                return false;
            }
            after = row.header();
        }
        return after.chain() != null && after.equals(found.header());
    }

    /** Reads the patches that the index lacks. */
    private void complete(long head) throws IOException {
        for (indexed = Math.max(indexed, first() - 1); indexed < head; indexed++) {
            try {
                index.keep(row(indexed + 1));
            } catch (RuntimeException e) {
                // Its id is not known. Reading or verifying the log throws the error.
            }
        }
    }

    /** Adds an appended patch to the index. */
    void add(LogIndex.Row row) {
        index.add(row);
    }

    // --- where they are

    /** Reads the files. */
    @FunctionalInterface
    private interface Look<R> {
        R get() throws IOException;
    }

    /** Reads the files. If a compaction deletes one meanwhile, it tries again as long as files are deleted. */
    private <R> R whileFilesMove(Look<R> look) throws IOException {
        NavigableSet<Long> seen = Collections.emptyNavigableSet();
        for (int tries = 1; ; tries++) {
            try {
                return look.get();
            } catch (NoSuchFileException | MissingVersionException e) {
                NavigableSet<Long> there = files.firsts();
                if (!there.containsAll(seen)) {
                    tries = 0;
                } else if (tries >= MOST_TRIES) {
                    throw e;
                }
                seen = there;
                index.refresh();
            }
        }
    }

    /** Uses a patch at its place. */
    @FunctionalInterface
    interface Use<R> {
        R of(FileSlice patch) throws IOException;
    }

    /** Uses a version's patch at its place, even if a compaction moves it meanwhile. */
    <R> R whereItIs(long version, Use<R> use) throws IOException {
        return whileFilesMove(() -> use.of(slice(version)));
    }

    /**
     * Returns the place of a version's patch, which is a stream of its own.
     *
     * @throws FileNotFoundException there is no such version any more, or not yet
     */
    FileSlice slice(long version) throws IOException {
        LogIndex.Row row = knownRow(version);
        if (row != null) {
            return new FileSlice(files.file(row.first()), row.offset(), row.bytes());
        }
        NavigableSet<Long> firsts = Files.exists(files.file(version)) ? new TreeSet<>(Set.of(version))
                : files.firsts().headSet(version, true).descendingSet();
        for (long first : firsts) {
            List<FileSlice> slices = slicesOf(first);
            if (version - first < slices.size()) {
                return slices.get((int) (version - first));
            }
        }
        throw new FileNotFoundException(files.name() + ": version " + version + " is not there");
    }

    /**
     * Returns the patches of the file that begins with a version, without the index. The result for the last file is cached.
     */
    List<FileSlice> slicesOf(long first) throws IOException {
        Path file = files.file(first);
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        Sliced now = new Sliced(first, found.size(), found.lastModifiedTime(), LogIndex.Row.key(found), null);
        Sliced kept = sliced;
        if (kept == null || !kept.isOf(now)) {
            kept = new Sliced(first, now.size, now.modified, now.key, LogFolder.slices(file));
            sliced = kept;
        }
        return kept.slices;
    }

    /** The state of a file, and its patches. */
    private record Sliced(long first, long size, FileTime modified, String key, List<FileSlice> slices) {

        boolean isOf(Sliced file) {
            return first == file.first && size == file.size && modified.equals(file.modified) && key.equals(file.key);
        }
    }

    /**
     * Reads the patches of the file that begins with a version, and checks that each is the appended patch. Returns null if
     * one is not, or is a stream that can't be joined to others.
     */
    List<LogIndex.Row> patchesOf(long first) throws IOException {
        List<LogIndex.Row> rows = new ArrayList<>();
        for (FileSlice patch : LogFolder.slices(files.file(first))) {
            long version = first + rows.size();
            Checked read = check(version, patch);
            boolean isOfLog = read.header() != null && read.header().chain() != null;
            if (!isOfLog || rows.isEmpty() && !LogFolder.beginsWithRestart(patch)) {
                return null;
            }
            String hash = read.fault() == null ? read.content().hash() : null; // the error of a placeholder
            rows.add(LogIndex.Row.of(version, read.header(), read.content().rows(), hash, first, patch));
        }
        return rows;
    }

    /** Records that patches are in one file now, which begins with the first of them. */
    void moved(List<LogIndex.Row> patches) throws IOException {
        long first = patches.get(0).version();
        List<LogIndex.Row> rows = new ArrayList<>();
        for (FileSlice patch : LogFolder.slices(files.file(first))) {
            rows.add(patches.get(rows.size()).in(first, patch));
        }
        index.add(rows);
        ends.remove(first);
    }

    /** Shortens the index after files were joined. */
    void forgetMoves() throws IOException {
        index.rewrite();
    }

    private static long firstOf(FileSlice patch) {
        return LogFolder.versionOf(patch.file().getFileName().toString());
    }

    /** Returns the name of a patch in errors. */
    String nameOf(long version, FileSlice patch) {
        String file = files.nameOf(patch.file().getFileName().toString());
        return version == firstOf(patch) ? file : file + " (version " + version + ")";
    }

    // --- reading them

    /**
     * A patch that was read completely.
     *
     * @param header  the headers; null if it is not a patch
     * @param content the hash of the rows
     * @param fault   the reason why it can't be applied; with a header, it is the placeholder of a lost patch
     */
    record Checked(PatchHeader header, ContentHash content, RuntimeException fault) {
    }

    private Checked check(long version, FileSlice stored) throws IOException {
        return check(stored, nameOf(version, stored), log, version);
    }

    /**
     * Reads a whole patch and checks it.
     *
     * @param log the log's id; null if the version is unknown, so that the patch is not compared with the appended one
     */
    static Checked check(FileSlice stored, String name, String log, long version) throws IOException {
        ContentHash content = new ContentHash();
        try (PatchSource<byte[]> patch = read(stored, name, new Utf8Terms())) {
            return new Checked(EntryCheck.check(patch, content, log, version), content, null);
        } catch (RuntimeException e) {
            return new Checked(headerOfStandIn(stored), content, e);
        }
    }

    /** Returns the headers of a placeholder; null if the patch is not a placeholder. */
    private static PatchHeader headerOfStandIn(FileSlice stored) throws IOException {
        try (PatchSource<byte[]> patch = read(stored, stored.file().toString(), new Utf8Terms())) {
            return HeaderReader.readStandIn(patch);
        } catch (RuntimeException e) {
            return null; // its fault is known already
        }
    }

    /**
     * Opens a patch.
     *
     * @param name the name of the patch in errors
     */
    static <T> PatchSource<T> read(FileSlice patch, String name, TermFactory<T> terms) throws IOException {
        return new PatchReader<>(patch.open(), name, terms, ReadOptions.DEFAULT);
    }
}
