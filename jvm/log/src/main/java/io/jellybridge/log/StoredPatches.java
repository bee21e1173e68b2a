package io.jellybridge.log;

import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.files.FileSlice;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;

/**
 * The patches in a log's folder: which there are, in which file each is, and what is known of it, from the {@link LogIndex}
 * or else from the patch. Compactions put them into other files meanwhile, and appends add to them.
 */
final class StoredPatches {
    /** How often files are looked at of which one is missing, although none is taken away in between. */
    private static final int MOST_TRIES = 10;

    private final LogFolder files;
    private final LogIndex index;
    /** Up to which version all patches were looked for in the index. */
    private long indexed;
    /** Null: there was none. */
    private volatile Sliced sliced;

    StoredPatches(LogFolder files) {
        this.files = files;
        this.index = new LogIndex(files.path());
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
        return whileFilesMove(this::lookForNewest);
    }

    private long lookForNewest() throws IOException {
        LogIndex.Row last = index.last();
        boolean isThere = last != null && last.isIn(files.file(last.first()));
        long first = isThere ? last.first() : lastListed();
        if (first == 0) {
            first = files.withoutPatches() + 1;
            if (!Files.exists(files.file(first))) {
                return first - 1;
            }
        }
        long version = lastIn(first);
        while (true) {
            long seen = version;
            if (Files.exists(files.file(version + 1))) {
                first = version + 1;
            }
            // Where none is behind it, a compaction may have taken that away meanwhile; then this one has more in it now, or
            // is gone as well.
            version = lastIn(first);
            if (version == seen) {
                return version;
            }
        }
    }

    /** The version of the last patch in the file that begins with a version. */
    long lastIn(long first) throws IOException {
        LogIndex.Row last = index.lastIn(first);
        return last != null && last.isLastIn(files.file(first))
                ? last.version() : first + LogFolder.slices(files.file(first)).size() - 1;
    }

    /**
     * With which version the last file begins; 0: there is none.
     *
     * @throws IOException versions are missing: an append would then fork the log
     */
    private long lastListed() throws IOException {
        NavigableSet<Long> firsts = files.firsts();
        long head = firsts.isEmpty() ? 0 : firsts.first() - 1;
        for (long first : firsts) {
            if (first > head + 1) {
                throw new MissingVersionException(files.name() + ": version " + (head + 1) + " is missing, and version "
                        + firsts.last() + " is there; check the log, and repair it");
            }
            head = Math.max(head, lastIn(first));
        }
        return firsts.isEmpty() ? 0 : firsts.last();
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
                Checked read = check(patch, nameOf(version, patch));
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
        if (found == null) {
            complete(head);
            found = index.row(patchId);
        }
        if (found == null || found.version() > head) {
            return null;
        }
        if (knownRow(found.version()) == null && found.version() < first()) {
            return found; // it was pruned, and is not to come again
        }
        LogIndex.Row now = row(found.version());
        return now.id().equals(patchId) ? now : null;
    }

    /** Reads the patches that the index does not know. */
    private void complete(long head) throws IOException {
        for (indexed = Math.max(indexed, first() - 1); indexed < head; indexed++) {
            if (index.row(indexed + 1) == null) {
                try {
                    row(indexed + 1);
                } catch (RuntimeException e) {
                    // Its id is not known. Who reads the log, or checks it, is told.
                }
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
        Long first = Files.exists(files.file(version)) ? Long.valueOf(version) : files.firsts().floor(version);
        if (first == null) {
            throw new FileNotFoundException(files.name() + ": version " + version + " is not there; the log begins later");
        }
        List<FileSlice> slices = slicesOf(first);
        if (version - first >= slices.size()) {
            throw new FileNotFoundException(files.name() + ": version " + version + " is not there; "
                    + files.nameOf(LogFolder.fileName(first)) + " ends with version " + (first + slices.size() - 1));
        }
        return slices.get((int) (version - first));
    }

    /** The patches of the file that begins with a version, of which the index knows nothing: those of the last one are kept. */
    List<FileSlice> slicesOf(long first) throws IOException {
        Path file = files.file(first);
        Sliced now = new Sliced(first, Files.size(file), Files.getLastModifiedTime(file), null);
        Sliced kept = sliced;
        if (kept == null || !kept.isOf(now)) {
            kept = new Sliced(first, now.size, now.modified, LogFolder.slices(file));
            sliced = kept;
        }
        return kept.slices;
    }

    /** What a file was, and the patches in it. */
    private record Sliced(long first, long size, FileTime modified, List<FileSlice> slices) {

        boolean isOf(Sliced file) {
            return first == file.first && size == file.size && modified.equals(file.modified);
        }
    }

    /**
     * The patches of the file that begins with a version, each of which can be read; null where one can't, or is no stream
     * that can be joined to others.
     */
    List<FileSlice> patchesOf(long first) throws IOException {
        Path file = files.file(first);
        List<FileSlice> patches = LogFolder.slices(file);
        for (int i = 0; i < patches.size(); i++) {
            try {
                LogIndex.Row row = row(first + i);
                // In a file that is in another one too, from a compaction that died, the row is of that one.
                boolean isHere = row.first() == first && row.offset() == patches.get(i).offset();
                if (isHere && row.bytes() != patches.get(i).length()) {
                    return null;
                }
            } catch (RuntimeException e) {
                return null;
            }
        }
        return LogFolder.beginsWithRestart(patches.get(0)) ? patches : null;
    }

    /** The patches of these versions are in one file now, which begins with the first. */
    void moved(long first, long last) throws IOException {
        Path file = files.file(first);
        long modified = Files.getLastModifiedTime(file).toMillis();
        List<FileSlice> slices = LogFolder.slices(file);
        List<LogIndex.Row> rows = new ArrayList<>();
        for (long version = first; version <= last; version++) {
            rows.add(index.row(version).in(first, slices.get((int) (version - first)).offset(), modified));
        }
        index.add(rows);
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

    static Checked check(FileSlice stored, String name) throws IOException {
        ContentHash content = new ContentHash();
        try (PatchSource<byte[]> patch = read(stored, name, new Utf8Terms())) {
            return new Checked(EntryCheck.check(patch, content), content, null);
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
