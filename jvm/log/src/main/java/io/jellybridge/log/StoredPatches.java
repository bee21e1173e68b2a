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
 * The patches in a log's folder: which there are, in which file each is, and what is known of it, from the {@link LogIndex}
 * or else from the patch. Compactions put them into other files meanwhile, and appends add to them.
 */
final class StoredPatches {
    /** How often files are looked at of which one is missing, although none is taken away in between. */
    private static final int MOST_TRIES = 10;

    private static final int COMPARED_BYTES = 1 << 16;

    private final LogFolder files;
    private final String log;
    private final LogIndex index;
    /** With which version each file ends that was looked at, by that which it begins with. */
    private final Map<Long, Long> ends = new HashMap<>();
    /** Files that have the same versions, and the same patches. */
    private final Set<String> compared = new HashSet<>();
    /** Up to which version all patches were looked for in the index. */
    private long indexed;
    /** Null: there was none. */
    private volatile Sliced sliced;

    /** @param log the log's id */
    StoredPatches(LogFolder files, String log) {
        this.files = files;
        this.log = log;
        this.index = new LogIndex(files.path(), log);
    }

    // --- which there are

    /** The oldest version; where there is none, that which it is to have. */
    long first() throws IOException {
        if (Files.exists(files.file(1))) {
            return 1;
        }
        NavigableSet<Long> firsts = files.firsts();
        return firsts.isEmpty() ? files.withoutPatches() + 1 : firsts.first();
    }

    /** The newest version, be its patch damaged; where there is no patch, that of the newest checkpoint. */
    long newest() throws IOException {
        LogLayout layout = layout();
        return layout.isEmpty() ? files.withoutPatches() : layout.last();
    }

    /**
     * Which file has which version.
     *
     * @throws IOException a version is missing before others, so that an append would fork the log; or two files have a
     *                     version, each another patch
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
            // What was seen once is looked at again where a compaction may have changed it; who reads it looks, too.
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
     * Compares what two files have of the same versions.
     *
     * @throws IOException it is not the same
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

    /** Whether both were appended as that version, be they written in another way. */
    private boolean haveSamePatch(long version, FileSlice one, FileSlice other) throws IOException {
        Checked patch = check(version, one);
        Checked same = check(version, other);
        return patch.fault() == null && same.fault() == null && patch.header().equals(same.header());
    }

    /** The version of the last patch in the file that begins with a version. */
    long lastIn(long first) throws IOException {
        LogIndex.Row last = index.lastIn(first);
        return last != null && last.isLastIn(files.file(first)) ? last.version() : first + slicesOf(first).size() - 1;
    }

    /** There are patches, and others before them are not. */
    private static final class MissingVersionException extends IOException {
        private static final long serialVersionUID = 1L;

        MissingVersionException(String message) {
            super(message);
        }
    }

    // --- what is known of them

    /**
     * What is known of a version, from the index or else from the patch.
     *
     * @throws RuntimeException the patch can't be read: the error of its format
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

    /** What the index knows of a version; null: nothing, or its file is another by now. */
    LogIndex.Row knownRow(long version) throws IOException {
        LogIndex.Row row = index.row(version);
        return row != null && row.isIn(files.file(row.first())) ? row : null;
    }

    /** The patch with an id, up to a version; null where there is none. */
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
            return wasPruned(found) ? found : null; // it is not to come again
        }
        LogIndex.Row now = row(found.version());
        return now.id().equals(patchId) ? now : null;
    }

    /** Whether a patch is one of those before the first that is there: so much of the index is a chain that leads to that. */
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

    /** Reads the patches that the index does not know. */
    private void complete(long head) throws IOException {
        for (indexed = Math.max(indexed, first() - 1); indexed < head; indexed++) {
            try {
                index.keep(row(indexed + 1));
            } catch (RuntimeException e) {
                // Its id is not known. Who reads the log, or checks it, is told.
            }
        }
    }

    /** Notes a patch that was appended. */
    void add(LogIndex.Row row) {
        index.add(row);
    }

    // --- where they are

    /** What is done with the files. */
    @FunctionalInterface
    private interface Look<R> {
        R get() throws IOException;
    }

    /** Looks at the files, again when a compaction has taken one away meanwhile, for as long as it goes on to do so. */
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

    /** What is done with a patch where it is stored. */
    @FunctionalInterface
    interface Use<R> {
        R of(FileSlice patch) throws IOException;
    }

    /** Does something with a version's patch where it is, also while a compaction puts it elsewhere. */
    <R> R whereItIs(long version, Use<R> use) throws IOException {
        return whileFilesMove(() -> use.of(slice(version)));
    }

    /**
     * Where a version's patch is: a stream of its own.
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

    /** The patches of the file that begins with a version, of which the index knows nothing: those of the last one are kept. */
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

    /** What a file was, and the patches in it. */
    private record Sliced(long first, long size, FileTime modified, String key, List<FileSlice> slices) {

        boolean isOf(Sliced file) {
            return first == file.first && size == file.size && modified.equals(file.modified) && key.equals(file.key);
        }
    }

    /**
     * The patches of the file that begins with a version, which are read, and each of which is what was appended; null where
     * one is not, or is no stream that can be joined to others.
     */
    List<LogIndex.Row> patchesOf(long first) throws IOException {
        List<LogIndex.Row> rows = new ArrayList<>();
        for (FileSlice patch : LogFolder.slices(files.file(first))) {
            long version = first + rows.size();
            Checked read = check(version, patch);
            if (read.header() == null || rows.isEmpty() && !LogFolder.beginsWithRestart(patch)) {
                return null;
            }
            String hash = read.fault() == null ? read.content().hash() : null; // that of a stand-in
            rows.add(LogIndex.Row.of(version, read.header(), read.content().rows(), hash, first, patch));
        }
        return rows;
    }

    /** Notes that patches are in one file now, which begins with the first of them. */
    void moved(List<LogIndex.Row> patches) throws IOException {
        long first = patches.get(0).version();
        List<LogIndex.Row> rows = new ArrayList<>();
        for (FileSlice patch : LogFolder.slices(files.file(first))) {
            rows.add(patches.get(rows.size()).in(first, patch));
        }
        index.add(rows);
        ends.remove(first);
    }

    /** Makes the index short again, after files were joined. */
    void forgetMoves() throws IOException {
        index.rewrite();
    }

    private static long firstOf(FileSlice patch) {
        return LogFolder.versionOf(patch.file().getFileName().toString());
    }

    /** What errors call a patch. */
    String nameOf(long version, FileSlice patch) {
        String file = files.nameOf(patch.file().getFileName().toString());
        return version == firstOf(patch) ? file : file + " (version " + version + ")";
    }

    // --- reading them

    /**
     * A patch that was read to its end.
     *
     * @param header  null where it is no patch
     * @param content what was read
     * @param fault   why nobody can apply it; with a header: it is the stand-in for a patch that was lost
     */
    record Checked(PatchHeader header, ContentHash content, RuntimeException fault) {
    }

    private Checked check(long version, FileSlice stored) throws IOException {
        return check(stored, nameOf(version, stored), log, version);
    }

    /** @param log null: it is not known which version the patch is to be, so it is not compared with what was appended */
    static Checked check(FileSlice stored, String name, String log, long version) throws IOException {
        ContentHash content = new ContentHash();
        try (PatchSource<byte[]> patch = read(stored, name, new Utf8Terms())) {
            return new Checked(EntryCheck.check(patch, content, log, version), content, null);
        } catch (RuntimeException e) {
            return new Checked(headerOfStandIn(stored), content, e);
        }
    }

    /** The header of a stand-in; null where the patch is none. */
    private static PatchHeader headerOfStandIn(FileSlice stored) throws IOException {
        try (PatchSource<byte[]> patch = read(stored, stored.file().toString(), new Utf8Terms())) {
            return HeaderReader.readStandIn(patch);
        } catch (RuntimeException e) {
            return null; // whatever is wrong with it is known already
        }
    }

    /** @param name what errors call the patch */
    static <T> PatchSource<T> read(FileSlice patch, String name, TermFactory<T> terms) throws IOException {
        return new PatchReader<>(patch.open(), name, terms, ReadOptions.DEFAULT);
    }
}
