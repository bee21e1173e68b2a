package io.jellybridge.log;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.files.FileSlice;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;

/**
 * A log in a folder of Jelly-Patch files, on a disk or a file system that several machines share. It needs no server.
 *
 * <p>The name of a file is the version of its first patch, {@code 00000000000000000017.jellyp}. It holds one patch or several
 * consecutive ones. Each is a stream of its own; the streams are joined byte by byte. Versions begin with 1 and have no gaps.
 * The ids and the {@link Chain} are only in the headers of the patches: the files are the log. If a log begins with a state,
 * version 1 is a checkpoint and not a patch, see {@link Checkpoints#commitFirst}. The folder also has:
 *
 * <ul>
 *   <li>{@code patch-log.properties}, which makes the folder a log and holds its id;</li>
 *   <li>{@code .index}, a cache of facts about the patches, see {@link LogIndex}. It may be old, missing, or of another log;</li>
 *   <li>{@code .append-*}, unfinished files of running or interrupted appends and compactions, which nobody reads;</li>
 *   <li>{@code .*.part}, the file that a {@link LogWriter} writes;</li>
 *   <li>{@code .writer.lock}, {@code .compact.lock};</li>
 *   <li>{@code quarantine}, files that a repair set aside.</li>
 * </ul>
 *
 * <p>Append: the patch is written to a file of its own and forced to the disk. Then {@code link(2)} gives the file the name of
 * the next version. A link fails if the name exists. So if several processes append after the same head, one succeeds and the
 * others get a {@link LogConflictException}. If a process dies, its patch is in the log completely or not at all. A patch in
 * the log never changes. Appending needs hard links, which local file systems and NFS have. Without them it fails with an
 * {@link IOException} that says so.
 *
 * <p>{@link LogCompaction} joins files: a longer file replaces the first of them, then the others are deleted.
 * {@link LogLayout} defines the file of each version, even if the deletion is incomplete.
 *
 * <p>An object belongs to one log and one history of it. If the folder later has another log, or another copy without the head
 * that was seen last, each call throws an error.
 */
public final class FolderLog implements PatchLog {
    static final String PROPERTIES = LogFolder.PROPERTIES;

    private final LogFolder files;
    private final String id;
    private final StoredPatches patches;
    /** The head that was seen last. The log only grows. */
    private LogHead known = LogHead.EMPTY;
    /** The hash of that head. */
    private String knownHash = Chain.START;
    /** The file system's key of the properties file when it was last read. */
    private Object properties;

    private FolderLog(LogFolder files, String id) {
        this.files = files;
        this.id = id;
        this.patches = new StoredPatches(files, id);
    }

    /**
     * Creates a log.
     *
     * @throws FileAlreadyExistsException there is a log in the folder
     * @throws IOException                the folder has other files, or can't be created
     */
    public static FolderLog create(Path folder) throws IOException {
        return create(folder, folder.toString());
    }

    /** Creates a log as {@link #create(Path)} does. Errors use the name instead of the folder. */
    public static FolderLog create(Path folder, String name) throws IOException {
        Files.createDirectories(folder);
        LogFolder files = new LogFolder(folder, name);
        Path properties = folder.resolve(PROPERTIES);
        if (Files.exists(properties)) {
            throw LogProperties.present(name);
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, file -> !LogFolder.isHidden(file))) {
            for (Path other : found) {
                throw LogProperties.occupied(name, other.getFileName().toString());
            }
        }
        String id = PatchIds.random();
        Path made = files.temporary();
        try {
            writeForced(made, LogProperties.text(id));
            LogFolder.link(properties, made);
        } catch (FileAlreadyExistsException e) {
            throw LogProperties.present(name);
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
     * @throws IOException           the properties file is damaged
     */
    public static FolderLog open(Path folder) throws IOException {
        return open(folder, folder.toString());
    }

    /** Opens the log in a folder, or creates it. */
    public static FolderLog openOrCreate(Path folder) throws IOException {
        try {
            return isLog(folder) ? open(folder) : create(folder);
        } catch (FileAlreadyExistsException e) {
            return open(folder); // another process was faster
        }
    }

    /** Returns true if there is a log in a folder. */
    public static boolean isLog(Path folder) {
        return Files.exists(folder.resolve(PROPERTIES));
    }

    /**
     * Returns the bytes of the files with patches of a range of versions. The patches are not read.
     *
     * @param folder the folder of a log
     */
    public static long bytes(Path folder, long from, long to) throws IOException {
        LogFolder files = new LogFolder(folder, folder.toString());
        NavigableSet<Long> firsts = files.firsts();
        long bytes = 0;
        for (long first : firsts.headSet(to, true)) {
            Long next = firsts.higher(first);
            if (next == null || next > from) {
                bytes += Files.size(files.file(first));
            }
        }
        return bytes;
    }

    /** Opens a log as {@link #open(Path)} does. Errors use the name instead of the folder. */
    public static FolderLog open(Path folder, String name) throws IOException {
        LogFolder files = new LogFolder(folder, name);
        String text;
        try {
            text = text(folder.resolve(PROPERTIES));
        } catch (FileSystemException e) {
            if (!(e instanceof NoSuchFileException) && Files.isDirectory(folder)) {
                throw e;
            }
            throw LogProperties.missing(name);
        }
        return new FolderLog(files, LogProperties.id(text, files.nameOf(PROPERTIES)));
    }

    /** Returns the content of a small file. Damaged bytes become characters, too, which the caller then rejects. */
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

    /** Returns the folder of its files. */
    public Path folder() {
        return files.path();
    }

    LogFolder files() {
        return files;
    }

    StoredPatches patches() {
        return patches;
    }

    @Override
    public long first() throws IOException {
        return patches.first();
    }

    @Override
    public Checkpoint checkpoint(long upTo) throws IOException {
        return new Checkpoints(this).newest(upTo);
    }

    // --- the head

    @Override
    public LogHead head() throws IOException {
        long version = headOfThisLog();
        if (version != known.version()) {
            PatchHeader header = version == 0 ? null : headerAt(version, first());
            known = header == null ? LogHead.EMPTY : new LogHead(version, header.id());
            knownHash = header == null ? Chain.START : header.hash();
        }
        return known;
    }

    /** Returns the newest version, even if its patch is damaged, after checking that the folder has the log and its history still. */
    private long headOfThisLog() throws IOException {
        requireThisLog();
        LogLayout layout = patches.layout();
        long first = layout.isEmpty() ? files.withoutPatches() + 1 : layout.first();
        long version = layout.isEmpty() ? first - 1 : layout.last();
        requireHistory(first, version);
        return version;
    }

    /** Checks that the folder still has the log that this object opened. */
    private void requireThisLog() throws IOException {
        Path file = files.path().resolve(PROPERTIES);
        Object found;
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            found = List.of(LogIndex.Row.key(attributes), attributes.lastModifiedTime());
        } catch (NoSuchFileException e) {
            throw LogProperties.missing(name());
        }
        if (!found.equals(properties)) {
            String there = LogProperties.id(text(file), files.nameOf(PROPERTIES));
            if (!there.equals(id)) {
                throw exchanged("is the log " + there + " now");
            }
            properties = found;
        }
    }

    /** Checks that the log still has the patch that was its head when last seen, unless it was pruned. */
    private void requireHistory(long first, long version) throws IOException {
        if (known.version() == 0) {
            return;
        }
        if (version < known.version()) {
            throw exchanged("ends with version " + version + " now");
        }
        if (known.version() < first - 1) {
            return;
        }
        String hash = known.version() < first ? hashBefore(first, version) : headerAt(known.version(), first).hash();
        if (hash != null && !hash.equals(knownHash)) {
            throw exchanged("has another patch as version " + known.version() + " now");
        }
    }

    /** Returns the hash before the first patch; null if unknown. */
    private String hashBefore(long first, long version) throws IOException {
        return version < first ? headerAt(first - 1, first).hash() : headerAt(first, first).chain().before();
    }

    private IOException exchanged(String how) {
        return new IOException(name() + " was opened as the log " + id + " with " + known + ", and " + how
                + ": another copy took its place, or patches were taken away; nothing was done, open it again if that is right");
    }

    /** Returns the newest version, even if its patch is damaged; 0 for an empty log. */
    public long headVersion() throws IOException {
        return patches.newest();
    }

    /**
     * Looks at each file again.
     *
     * @throws IOException versions are missing, or two files have a version, each another patch
     */
    public void requireOneOfEach() throws IOException {
        patches.layoutAnew();
    }

    /** Returns the hash of the head that was seen last, which the next patch must follow. */
    public String headHash() {
        return knownHash;
    }

    /** Returns the headers of the patch of a version, or of the checkpoint in its place. */
    private PatchHeader headerAt(long version, long first) throws IOException {
        if (version < first) {
            return Checkpoint.read(files.checkpoint(version)).header();
        }
        return new Entry(version).headerInLog();
    }

    /**
     * Returns the version of the patch with an id; 0 if there is none. The patch may have been pruned, if the index still
     * knows it.
     *
     * @param patchId the id as in the header, a term in canonical N-Triples
     */
    public long versionWith(byte[] patchId) throws IOException {
        String id = PatchIds.of(patchId);
        LogIndex.Row found = id == null ? null : patches.find(id, headVersion());
        return found == null ? 0 : found.version();
    }

    /**
     * The bytes of a version's patch, a Jelly-Patch stream of its own.
     *
     * @param in     a stream that the caller must close
     * @param length the number of bytes
     */
    public record PatchBytes(InputStream in, long length) {
    }

    /** Returns the number of bytes of a version's patch. */
    public long length(long version) throws IOException {
        return patches.whereItIs(version, FileSlice::length);
    }

    /**
     * Returns the place of a version's patch. A compaction may delete the file; then ask again.
     *
     * @throws FileNotFoundException there is no such version any more, or not yet
     */
    public FileSlice stored(long version) throws IOException {
        return patches.whereItIs(version, patch -> patch);
    }

    /**
     * Opens a version's patch as it is stored.
     *
     * @throws FileNotFoundException there is no such version any more, or not yet
     */
    public PatchBytes bytes(long version) throws IOException {
        return patches.whereItIs(version, patch -> new PatchBytes(patch.open(), patch.length()));
    }

    // --- reading

    @Override
    public LogEntries fetch(long from, long to) throws IOException {
        long last = Math.min(to, headOfThisLog());
        long first = Math.max(from, first());
        return LogEntries.range(first, last, Entry::new);
    }

    /** A patch in its file. */
    private final class Entry extends StoredEntry {

        Entry(long version) {
            super(version, null);
        }

        @Override
        public String log() {
            return id;
        }

        @Override
        public PatchHeader header() throws IOException {
            LogIndex.Row row = patches.knownRow(version());
            return row != null ? row.header() : super.header();
        }

        @Override
        public String hash() throws IOException {
            String known = patches.row(version()).hash();
            return known != null ? known : super.hash(); // the error of a placeholder
        }

        @Override
        public long rows() throws IOException {
            LogIndex.Row row = patches.row(version());
            return row.hash() != null ? row.rows() : super.rows(); // the error of a placeholder
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return patches.whereItIs(version(),
                    patch -> StoredPatches.read(patch, patches.nameOf(version(), patch), terms));
        }

        @Override
        public String name() {
            try {
                return patches.nameOf(version(), patches.slice(version()));
            } catch (IOException e) {
                return files.nameOf(LogFolder.fileName(version())); // there is none; returns the place where it would be
            }
        }
    }

    /** Reads all patches of a file in the folder, whatever its name is, and returns a description of each. */
    public List<FileHeader> read(String fileName) throws IOException {
        Path file = files.path().resolve(fileName);
        if (!Files.isRegularFile(file)) {
            return List.of(FileHeader.none("it is no file"));
        }
        List<FileHeader> found = new ArrayList<>();
        long first = LogFolder.versionOf(fileName);
        for (FileSlice patch : LogFolder.slices(file)) {
            String which = found.isEmpty() ? "" : ", its patch " + (found.size() + 1);
            found.add(FileHeader.of(StoredPatches.check(patch, files.nameOf(fileName) + which, first == 0 ? null : id,
                    first + found.size())));
        }
        return found;
    }

    // --- appending

    /**
     * Appends a patch.
     *
     * @throws IOException      the patch can't be stored, for example because the file system has no hard links
     * @throws LogBusyException a capture writes to the log
     */
    @Override
    public LogHead append(PatchIntake patch, Follows follows) throws IOException {
        LogHead head = settledHead();
        String given = patch.header().id();
        LogIndex.Row there = given == null ? null : patches.find(given, head.version());
        if (there != null) {
            return again(patch, follows, there);
        }
        if (given != null && given.equals(idBeforeFirst())) {
            throw LogConflictException.taken(name(), new LogHead(first() - 1, given));
        }
        String prev = follows.prev(head);
        if (!Objects.equals(prev, head.id())) {
            throw new LogConflictException(name(), prev, head);
        }
        long version = head.version() + 1;
        String hashBefore = knownHash;
        Path made = files.temporary();
        try {
            ChainedFile written = ChainedFile.write(made, name(), new ChainPlace(id, version, hashBefore),
                    patch.header(given != null ? given : PatchIds.random(), prev), patch::copyTo);
            PatchHeader header = written.header();
            ContentHash content = written.content();
            if (given == null && follows.isHead() && head.version() >= first()
                    && content.hash().equals(patches.row(head.version()).hash())) {
                return head; // a repeated patch, which changes nothing
            }
            FileSlice whole = new FileSlice(made, 0, Files.size(made));
            LogIndex.Row row = LogIndex.Row.of(version, header, content.rows(), content.hash(), version, whole);
            putAfter(head, hashBefore, made, prev);
            patches.add(row);
            known = new LogHead(version, header.id());
            knownHash = header.hash();
        } catch (FileAlreadyExistsException e) {
            throw new LogConflictException(name(), prev, head());
        } finally {
            Files.deleteIfExists(made);
        }
        return known;
    }

    /** Returns the id of the checkpoint that the first patch follows; null if unknown. */
    private String idBeforeFirst() throws IOException {
        long first = first();
        return first == 1 ? null : new Checkpoints(this).idAt(first - 1);
    }

    /** Handles a patch whose id is in the log already. */
    private LogHead again(PatchIntake patch, Follows follows, LogIndex.Row there) throws IOException {
        LogHead found = new LogHead(there.version(), there.id());
        ContentHash content = new ContentHash();
        patch.copyTo(content, there.id(), there.header().prev());
        if (!follows.allows(there.header().prev()) || !content.hash().equals(there.hash())) {
            throw LogConflictException.taken(name(), found);
        }
        return found;
    }

    /** Links a patch after the head, if it is still the head and nobody writes to the log exclusively. */
    private void putAfter(LogHead head, String hashBefore, Path made, String prev) throws IOException {
        try (FolderLock lock = files.lockForAppend()) {
            if (lock == null) {
                throw new LogBusyException(name());
            }
            LogWriter.settleBehind(this, head.version());
            LogHead now = head();
            if (!now.equals(head) || !knownHash.equals(hashBefore)) {
                throw new LogConflictException(name(), prev, now);
            }
            put(head.version() + 1, made);
        }
    }

    /** Returns the head, after completing the file of a capture that crashed. */
    private LogHead settledHead() throws IOException {
        LogHead head = head();
        if (!Files.exists(files.part(head.version() + 1))) {
            return head;
        }
        try (FolderLock lock = files.lockForWriter()) {
            if (lock != null) {
                LogWriter.settleBehind(this, head.version());
            }
        }
        return head();
    }

    /**
     * Fills the place of a lost patch with a placeholder. Readers get an error there.
     *
     * @param patchId the lost patch's id, from the patch after it
     * @param prevId  the id of the patch before it; null for the first patch
     * @param reason  the reason why it was lost
     * @throws FileAlreadyExistsException there is a patch
     */
    public void putStandIn(long version, String patchId, String prevId, String reason) throws IOException {
        Path made = files.temporary();
        try {
            PatchHeader known = new PatchHeader(patchId, prevId, null, chainBetween(version));
            ChainedFile.write(made, name(), null, known, (patch, header) -> {
                PatchIds.write(patch, header.id(), header.prev());
                header.chain().writeTo(patch);
                byte[] text = reason.getBytes(StandardCharsets.UTF_8);
                patch.header(EntryCheck.LOST, new Utf8Terms().literal(text, 0, text.length));
                patch.endPatch();
            });
            put(version, made);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /** Returns the chain of a lost patch, as far as its neighbours know it. The rest is random. */
    private Chain chainBetween(long version) throws IOException {
        PatchHeader before = neighbour(version - 1);
        PatchHeader after = neighbour(version + 1);
        String hashBefore = version == 1 ? Chain.START : before == null ? Chain.placeholder() : before.hash();
        return new Chain(hashBefore, after == null ? Chain.placeholder() : after.chain().before());
    }

    private PatchHeader neighbour(long version) throws IOException {
        try {
            PatchHeader header = version == 0 ? null : headerAt(version, first());
            return header == null || header.chain() == null ? null : header;
        } catch (IOException | RuntimeException e) {
            return null; // verifying the log reports the error
        }
    }

    /** Splits a file into one file for each patch. Nobody may append, capture or compact meanwhile. */
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

    /**
     * Gives a finished file the name of a version, which puts all its patches into the log.
     *
     * @throws FileAlreadyExistsException there is a patch of that version already
     */
    void put(long version, Path made) throws IOException {
        LogFolder.link(files.file(version), made);
        files.force();
    }

    private static void writeForced(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
    }

    @Override
    public void close() {
        // nothing is open
    }
}
