package io.jellybridge.log;

import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.FileSlice;
import io.jellybridge.files.Uncloseable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log that is a folder of Jelly-Patch files, on a disk or a file system that several machines share. There is no server.
 *
 * <p>A file is named by the version of its first patch, {@code 00000000000000000017.jellyp}, and holds that one or several that
 * follow each other, each a stream of its own, joined byte by byte. Versions begin with 1 and have no gaps. The ids are in the
 * patches' headers, and nowhere else: the files are the log. Beside them are
 * <ul>
 *   <li>{@code patch-log.properties}, which makes the folder a log and holds its id;</li>
 *   <li>{@code .index}, see {@link LogIndex}: what is known of the patches without reading them. It may be old or missing;</li>
 *   <li>{@code .append-*}, files in the making, of appends and compactions that are under way or were cut off; nobody reads
 *       them;</li>
 *   <li>{@code .*.part}, what a {@link LogWriter} writes;</li>
 *   <li>{@code .writer.lock}, {@code .compact.lock};</li>
 *   <li>{@code quarantine}, what a repair put aside.</li>
 * </ul>
 *
 * <p>Append: the patch is written to a file of its own, whose bytes are forced to the disk, and which then gets the name
 * of the next version by {@code link(2)}. A link fails where the name is taken, so that of any number of processes that
 * append after the same head one wins, and the others have a {@link LogConflictException}. A process that dies leaves its
 * patch in the log, whole, or not in it. A patch never changes once it is in the log. This needs hard links, which local
 * file systems and NFS have; where there are none, the append fails with an {@link IOException} that says so.
 *
 * <p>{@link LogCompaction} joins files: the first of them is replaced by one that goes on, and those that are in it then are
 * deleted. So a version is in the file with the largest name up to it, be the deletion complete or not.
 */
public final class FolderLog implements PatchLog {
    /** The options of the files: quads, in which triple terms may occur. */
    private static final PatchOptions OPTIONS = PatchOptions.DEFAULT.withRdfStar(true);

    static final String PROPERTIES = LogFolder.PROPERTIES;
    private static final Pattern ID_LINE = Pattern.compile("^id=(" + PatchIds.UUID_TEXT + ")\\s*$", Pattern.MULTILINE);
    private static final String FORMAT_LINE = "format=2\n";
    /** How often files are looked at that a compaction takes away meanwhile. */
    private static final int MOST_TRIES = 10;

    private final LogFolder files;
    private final String id;
    private final LogIndex index;
    /** The head that was seen last; the log only grows. */
    private LogHead known = LogHead.EMPTY;
    /** Up to which version all patches were looked for in the index. */
    private long indexed;

    private FolderLog(LogFolder files, String id) {
        this.files = files;
        this.id = id;
        this.index = new LogIndex(files.path());
    }

    /**
     * Makes a new log.
     *
     * @throws FileAlreadyExistsException there is a log in the folder
     * @throws IOException                the folder has other files in it, or can't be made
     */
    public static FolderLog create(Path folder) throws IOException {
        return create(folder, folder.toString());
    }

    /** As {@link #create(Path)}, where errors of the log call it and its files by the name and not by the folder. */
    public static FolderLog create(Path folder, String name) throws IOException {
        Files.createDirectories(folder);
        LogFolder files = new LogFolder(folder, name);
        Path properties = folder.resolve(PROPERTIES);
        if (Files.exists(properties)) {
            throw new FileAlreadyExistsException(name + " is a patch log already; open it");
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, file -> !LogFolder.isHidden(file))) {
            for (Path other : found) {
                throw new IOException(name + " has files in it, such as " + other.getFileName()
                        + "; a new patch log needs a folder of its own");
            }
        }
        String id = PatchIds.random();
        Path made = files.temporary();
        try {
            writeForced(made, FORMAT_LINE + "id=" + id + "\n");
            LogFolder.link(properties, made);
        } catch (FileAlreadyExistsException e) {
            throw new FileAlreadyExistsException(name + " is a patch log already; open it");
        } finally {
            Files.deleteIfExists(made);
        }
        files.force();
        return new FolderLog(files, id);
    }

    /**
     * Opens a log.
     *
     * @throws FileNotFoundException there is no log in the folder
     * @throws IOException           what makes it a log is damaged
     */
    public static FolderLog open(Path folder) throws IOException {
        return open(folder, folder.toString());
    }

    /** Opens the log in a folder, or makes it there. */
    public static FolderLog openOrCreate(Path folder) throws IOException {
        try {
            return isLog(folder) ? open(folder) : create(folder);
        } catch (FileAlreadyExistsException e) {
            return open(folder); // another process was faster
        }
    }

    /** Whether there is a log in a folder. */
    public static boolean isLog(Path folder) {
        return Files.exists(folder.resolve(PROPERTIES));
    }

    /** As {@link #open(Path)}, where errors of the log call it and its files by the name and not by the folder. */
    public static FolderLog open(Path folder, String name) throws IOException {
        LogFolder files = new LogFolder(folder, name);
        String text;
        try {
            text = text(folder.resolve(PROPERTIES));
        } catch (FileSystemException e) {
            if (!(e instanceof NoSuchFileException) && Files.isDirectory(folder)) {
                throw e;
            }
            throw new FileNotFoundException(
                    name + " is no patch log: it has no " + PROPERTIES + "; create one, or correct the path");
        }
        Matcher line = ID_LINE.matcher(text);
        if (!text.contains(FORMAT_LINE) || !line.find()) {
            throw new IOException(files.nameOf(PROPERTIES) + " is none of this version of jellybridge; it must say "
                    + FORMAT_LINE.trim() + " and id=UUID");
        }
        return new FolderLog(files, PatchIds.parse(line.group(1)));
    }

    /** What is in a small file; damaged bytes, too, are characters, which the caller finds wrong. */
    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String name() {
        return files.name();
    }

    /** Where its files are. */
    public Path folder() {
        return files.path();
    }

    LogFolder files() {
        return files;
    }

    LogIndex index() {
        return index;
    }

    @Override
    public long first() throws IOException {
        if (Files.exists(files.file(1))) {
            return 1;
        }
        NavigableSet<Long> firsts = files.firsts();
        return firsts.isEmpty() ? 1 : firsts.first();
    }

    // --- the head

    @Override
    public LogHead head() throws IOException {
        long version = headVersion();
        if (version != known.version()) {
            known = version == 0 ? LogHead.EMPTY : new LogHead(version, idOf(version));
        }
        return known;
    }

    /** The version of the newest patch, be it damaged; 0 of an empty log. */
    public long headVersion() throws IOException {
        return whileFilesMove(this::newest);
    }

    private long newest() throws IOException {
        LogIndex.Row last = index.last();
        boolean isThere = last != null && last.isIn(files.file(last.first()));
        long version = isThere ? lastIn(last.first()) : listedHead();
        while (Files.exists(files.file(version + 1))) {
            version = lastIn(version + 1);
        }
        return version;
    }

    /** The version of the last patch in the file that begins with a version. */
    long lastIn(long first) throws IOException {
        LogIndex.Row last = index.lastIn(first);
        return last != null && last.isLastIn(files.file(first))
                ? last.version() : first + LogFolder.slices(files.file(first)).size() - 1;
    }

    /** @throws IOException versions are missing: an append would then fork the log */
    private long listedHead() throws IOException {
        NavigableSet<Long> firsts = files.firsts();
        long head = firsts.isEmpty() ? 0 : firsts.first() - 1;
        for (long first : firsts) {
            if (first > head + 1) {
                throw new MissingVersionException(name() + ": version " + (head + 1) + " is missing, and version " + firsts.last()
                        + " is there; check the log, and repair it");
            }
            head = Math.max(head, lastIn(first));
        }
        return head;
    }

    /** There are patches, and others before them are not. */
    private static final class MissingVersionException extends IOException {
        private static final long serialVersionUID = 1L;

        MissingVersionException(String message) {
            super(message);
        }
    }

    private String idOf(long version) throws IOException {
        Entry entry = new Entry(version);
        String found = entry.header().id();
        if (found == null) {
            throw new IOException(entry.name() + " has no header id, so it is no patch of a log; check the log");
        }
        return found;
    }

    // --- what is known of the patches

    /**
     * What is known of a version, from the index or else from the patch.
     *
     * @throws RuntimeException the patch can't be read: the error of its format
     */
    private LogIndex.Row row(long version) throws IOException {
        LogIndex.Row row = knownRow(version);
        if (row == null) {
            row = whereItIs(version, patch -> {
                Checked read = check(patch, nameOf(version, patch));
                if (read.header() == null) {
                    throw read.fault();
                }
                return LogIndex.Row.of(version, read.header(), read.content(), firstOf(patch), patch);
            });
            index.add(row);
        }
        return row;
    }

    /** What the index knows of a version; null: nothing, or its file is another by now. */
    private LogIndex.Row knownRow(long version) throws IOException {
        LogIndex.Row row = index.row(version);
        return row != null && row.isIn(files.file(row.first())) ? row : null;
    }

    /** The patch with an id, up to a version; null where there is none. */
    private LogIndex.Row find(String patchId, long head) throws IOException {
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

    /**
     * The version of the patch with an id; 0 where there is none. It may be one that was pruned, as far as the index knows.
     *
     * @param patchId as the header says it, a term in canonical N-Triples
     */
    public long versionWith(byte[] patchId) throws IOException {
        String id = PatchIds.of(patchId);
        LogIndex.Row found = id == null ? null : find(id, headVersion());
        return found == null ? 0 : found.version();
    }

    // --- where the patches are

    /** What is done with the files. */
    @FunctionalInterface
    private interface Look<R> {
        R get() throws IOException;
    }

    /** Looks at the files, again when a compaction has taken one away meanwhile. */
    private <R> R whileFilesMove(Look<R> look) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return look.get();
            } catch (NoSuchFileException | MissingVersionException e) {
                if (tries == MOST_TRIES) {
                    throw e;
                }
                index.refresh();
            }
        }
    }

    /** What is done with a patch where it is stored. */
    @FunctionalInterface
    private interface Use<R> {
        R of(FileSlice patch) throws IOException;
    }

    /** Does something with a version's patch where it is, also while a compaction puts it elsewhere. */
    private <R> R whereItIs(long version, Use<R> use) throws IOException {
        return whileFilesMove(() -> use.of(slice(version)));
    }

    /**
     * Where a version's patch is: a stream of its own.
     *
     * @throws FileNotFoundException there is no such version any more, or not yet
     */
    private FileSlice slice(long version) throws IOException {
        LogIndex.Row row = knownRow(version);
        if (row != null) {
            return new FileSlice(files.file(row.first()), row.offset(), row.bytes());
        }
        Long first = Files.exists(files.file(version)) ? Long.valueOf(version) : files.firsts().floor(version);
        if (first == null) {
            throw new FileNotFoundException(name() + ": version " + version + " is not there; the log begins later");
        }
        List<FileSlice> slices = LogFolder.slices(files.file(first));
        if (version - first >= slices.size()) {
            throw new FileNotFoundException(name() + ": version " + version + " is not there; "
                    + files.nameOf(LogFolder.fileName(first)) + " ends with version " + (first + slices.size() - 1));
        }
        return slices.get((int) (version - first));
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

    /**
     * The bytes of a version's patch, a Jelly-Patch stream of its own.
     *
     * @param in     the caller closes it
     * @param length how many there are
     */
    public record PatchBytes(InputStream in, long length) {
    }

    /** How many bytes a version's patch takes. */
    public long length(long version) throws IOException {
        return whereItIs(version, FileSlice::length);
    }

    /**
     * Opens a version's patch as it is stored.
     *
     * @throws FileNotFoundException there is no such version any more, or not yet
     */
    public PatchBytes bytes(long version) throws IOException {
        return whereItIs(version, patch -> new PatchBytes(patch.open(), patch.length()));
    }

    /** Makes the index short again, after files were joined. */
    void forgetMoves() throws IOException {
        index.rewrite();
    }

    private static long firstOf(FileSlice patch) {
        return LogFolder.versionOf(patch.file().getFileName().toString());
    }

    /** What errors call a patch. */
    private String nameOf(long version, FileSlice patch) {
        String file = files.nameOf(patch.file().getFileName().toString());
        return version == firstOf(patch) ? file : file + " (version " + version + ")";
    }

    // --- reading

    @Override
    public LogEntries fetch(long from, long to) throws IOException {
        long first = Math.max(from, first());
        long last = Math.min(to, headVersion());
        return new LogEntries() {
            private long next = first;

            @Override
            public LogEntry next() {
                return next <= last ? new Entry(next++) : null;
            }

            @Override
            public void close() {
                // each patch is opened and closed by whoever reads it
            }
        };
    }

    /** One patch, in its file. */
    private final class Entry extends StoredEntry {

        Entry(long version) {
            super(version, null);
        }

        @Override
        public PatchHeader header() throws IOException {
            LogIndex.Row row = knownRow(version());
            return row != null ? row.header() : super.header();
        }

        @Override
        public String hash() throws IOException {
            return row(version()).hash();
        }

        @Override
        public long rows() throws IOException {
            return row(version()).rows();
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return whereItIs(version(), patch -> read(patch, nameOf(version(), patch), terms));
        }

        @Override
        public String name() {
            try {
                return nameOf(version(), slice(version()));
            } catch (IOException e) {
                return files.nameOf(LogFolder.fileName(version())); // there is none; where it would be
            }
        }
    }

    /** What the files of the folder say, whatever their names are: of each its patches, all read to their ends. */
    public List<FileHeader> read(String fileName) throws IOException {
        Path file = files.path().resolve(fileName);
        if (!Files.isRegularFile(file)) {
            return List.of(new FileHeader(null, null, "it is no file", false));
        }
        List<FileHeader> found = new ArrayList<>();
        for (FileSlice patch : LogFolder.slices(file)) {
            Checked read = check(patch, files.nameOf(fileName) + (found.isEmpty() ? "" : ", its patch " + (found.size() + 1)));
            String fault = read.fault() == null ? null : read.fault().getMessage();
            found.add(read.header() == null ? new FileHeader(null, null, fault, false)
                    : new FileHeader(read.header().id(), read.header().prev(), fault, fault != null));
        }
        return found;
    }

    /**
     * A patch that was read to its end.
     *
     * @param header  null where it is no patch
     * @param content what was read
     * @param fault   why nobody can apply it; with a header: it is the stand-in for a patch that was lost
     */
    private record Checked(PatchHeader header, ContentHash content, RuntimeException fault) {
    }

    private static Checked check(FileSlice stored, String name) throws IOException {
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

    // --- appending

    /**
     * @throws IOException also where the file system has no hard links
     * @throws LogBusyException a capture writes to the log
     */
    @Override
    public LogHead append(PatchIntake patch, Follows follows) throws IOException {
        settle();
        LogHead head = head();
        String given = patch.header().id();
        LogIndex.Row there = given == null ? null : find(given, head.version());
        if (there != null) {
            return again(patch, follows, there);
        }
        String prev = follows.prev(head);
        if (!Objects.equals(prev, head.id())) {
            throw new LogConflictException(name(), prev, head);
        }
        PatchHeader header = patch.header(given != null ? given : PatchIds.random(), prev);
        long version = head.version() + 1;
        Path made = files.temporary();
        try {
            ContentHash content = write(made, file -> patch.copyTo(file, header));
            if (given == null && follows.isHead() && version > 1 && content.hash().equals(row(head.version()).hash())) {
                return head; // the same patch once more, which changes nothing
            }
            FileSlice whole = new FileSlice(made, 0, Files.size(made));
            LogIndex.Row row = LogIndex.Row.of(version, header, content, version, whole);
            putAfter(head, made, prev);
            index.add(row);
        } catch (FileAlreadyExistsException e) {
            throw new LogConflictException(name(), prev, head());
        } finally {
            Files.deleteIfExists(made);
        }
        known = new LogHead(version, header.id());
        return known;
    }

    /** A patch comes whose id the log has. */
    private LogHead again(PatchIntake patch, Follows follows, LogIndex.Row there) throws IOException {
        LogHead found = new LogHead(there.version(), there.id());
        ContentHash content = new ContentHash();
        patch.copyTo(content, there.id(), there.header().prev());
        if (!follows.allows(there.header().prev()) || !content.hash().equals(there.hash())) {
            throw LogConflictException.taken(name(), found);
        }
        return found;
    }

    /** Puts a patch behind the head, where that is the head still and nobody writes to the log alone. */
    private void putAfter(LogHead head, Path made, String prev) throws IOException {
        try (FolderLock lock = files.lockForAppend()) {
            if (lock == null) {
                throw new LogBusyException(name());
            }
            LogWriter.settleNext(this);
            if (headVersion() != head.version()) {
                throw new LogConflictException(name(), prev, head());
            }
            put(head.version() + 1, made);
        }
    }

    /** Takes into the log what a capture left that did not end. */
    private void settle() throws IOException {
        if (!Files.exists(files.part(headVersion() + 1))) {
            return;
        }
        try (FolderLock lock = files.lockForWriter()) {
            if (lock != null) {
                LogWriter.settleNext(this);
            }
        }
    }

    /**
     * Fills the place of a patch that was lost with one that says so; who reads it is told.
     *
     * @param patchId the lost patch's id, as the patch after it names it
     * @param prevId  the id of the patch before it; null: it is the first
     * @param reason  why it was lost
     * @throws FileAlreadyExistsException there is a patch
     */
    public void putStandIn(long version, String patchId, String prevId, String reason) throws IOException {
        Path made = files.temporary();
        try {
            write(made, patch -> {
                PatchIds.write(patch, patchId, prevId);
                byte[] text = reason.getBytes(StandardCharsets.UTF_8);
                patch.header(EntryCheck.LOST, new Utf8Terms().literal(text, 0, text.length));
                patch.endPatch();
            });
            put(version, made);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /** Makes a file of each patch of a file; nobody may append, capture or compact meanwhile. */
    public void split(String fileName) throws IOException {
        Path file = files.path().resolve(fileName);
        long version = LogFolder.versionOf(fileName);
        List<FileSlice> slices = LogFolder.slices(file);
        for (int i = slices.size() - 1; i >= 0; i--) {
            Path made = files.temporary();
            try (InputStream patch = slices.get(i).open()) {
                Files.copy(patch, made);
                Files.move(made, files.file(version + i), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(made);
            }
        }
        files.force();
    }

    /** What is to be in a patch's file. */
    @FunctionalInterface
    private interface Content {
        void writeTo(PatchHandler<byte[]> file) throws IOException;
    }

    /**
     * Gives a file that was made the name of a version; the file is in the log then, whole.
     *
     * @throws FileAlreadyExistsException there is a patch of that version already
     */
    void put(long version, Path made) throws IOException {
        LogFolder.link(files.file(version), made);
        files.force();
    }

    private ContentHash write(Path made, Content content) throws IOException {
        try (FileChannel channel = FileChannel.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            OutputStream out = new Uncloseable(Channels.newOutputStream(channel));
            PatchWriter<byte[]> writer = new PatchWriter<>(out, name(), new Utf8Terms(), OPTIONS, WriteOptions.DEFAULT);
            ContentHash hash = new ContentHash(writer);
            content.writeTo(hash);
            writer.close();
            channel.force(true);
            return hash;
        }
    }

    private static void writeForced(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
    }

    @Override
    public void close() {
        // nothing is held open
    }
}
