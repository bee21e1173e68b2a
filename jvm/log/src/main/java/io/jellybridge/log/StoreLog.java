package io.jellybridge.log;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.files.FileSlice;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A log of Jelly-Patch objects in a {@link LogStore}: a folder, or another place that can create, list, read and delete
 * objects. It needs no server.
 *
 * <p>The name of an object says which versions it has, see {@link LogObject}. Each patch is a stream of its own; the streams
 * are joined byte by byte. Versions begin with 1 and have no gaps. The ids and the {@link Chain} are only in the headers of the
 * patches: the objects are the log. If a log begins with a state, version 1 is a checkpoint and not a patch, see
 * {@link Checkpoints#commitFirst}. The object {@code patch-log.properties} makes the place a log and holds its id.
 *
 * <p>Append: the patches of a call are written to a local file. Then the store creates the object with the name of the next
 * version, which fails if the name exists. So if several processes append after the same head, one succeeds. The others append
 * after its patches, or get a {@link LogConflictException} if a patch says which one it follows. If a process dies, its patches
 * are in the log completely or not at all. A patch in the log never changes. In a store without locks, a compaction or a
 * pruning may have deleted the name meanwhile. So the writer lists the objects once more, and takes its own object back if it
 * is not the next one.
 *
 * <p>{@link LogCompaction} joins objects: it creates the joined one, then deletes the others. {@link VersionMap} defines the
 * object of each version, even if the deletion is incomplete.
 *
 * <p>A handle belongs to one log and one history of it. If the place later has another log, or another copy without the head
 * that was seen last, each call throws an error.
 */
public final class StoreLog implements PatchLog {
    /** A server that answers earlier, and has nothing new, did not wait. */
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(250);

    private final LogStore store;
    private final String id;
    private final StoredPatches patches;
    /** The head that was seen last. The log only grows. */
    private LogHead known = LogHead.EMPTY;
    /** The hash of that head. */
    private String knownHash = Chain.START;
    /** The hash of its content; null if not read yet. */
    private String knownContent;
    /** The stamp of the properties file when it was last read. */
    private String properties;

    private StoreLog(LogStore store, String id) throws IOException {
        this.store = store;
        this.id = id;
        this.patches = new StoredPatches(store, id);
    }

    /**
     * Creates a log.
     *
     * @throws FileAlreadyExistsException there is a log
     * @throws IOException                there are other files, or the log can't be created
     */
    public static StoreLog create(LogStore store) throws IOException {
        requireNothing(store);
        return create(store, PatchIds.random());
    }

    private static void requireNothing(LogStore store) throws IOException {
        Map<String, Long> there = store.list("");
        if (there.containsKey(LogProperties.NAME)) {
            throw LogProperties.existsError(store.name());
        }
        for (String file : there.keySet()) {
            if (!file.startsWith(".")) {
                throw LogProperties.occupiedError(store.name(), file);
            }
        }
    }

    /**
     * Creates a log from the properties that a client wrote.
     *
     * @return false if it is there already
     * @throws IllegalArgumentException   they are no properties of a log
     * @throws FileAlreadyExistsException there is another log
     */
    public static boolean put(LogStore store, String properties) throws IOException {
        String id;
        try {
            id = LogProperties.parseId(properties, LogProperties.NAME);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        if (isLog(store)) {
            if (id.equals(readId(store))) {
                return false; // the answer to the first request was lost
            }
            throw LogProperties.existsError(store.name());
        }
        requireNothing(store);
        create(store, id);
        return true;
    }

    private static StoreLog create(LogStore store, String id) throws IOException {
        Path made = Files.createTempFile("jellybridge-", ".properties");
        try {
            Files.writeString(made, LogProperties.contentFor(id));
            store.create(LogProperties.NAME, made);
        } catch (FileAlreadyExistsException e) {
            throw LogProperties.existsError(store.name());
        } finally {
            Files.delete(made);
        }
        return new StoreLog(store, id);
    }

    /** Creates a log in a folder, see {@link #create(LogStore)}. */
    public static StoreLog create(Path folder) throws IOException {
        return create(new FolderStore(folder));
    }

    /**
     * Opens a log.
     *
     * @throws FileNotFoundException there is none
     * @throws IOException           the properties file is damaged
     */
    public static StoreLog open(LogStore store) throws IOException {
        return new StoreLog(store, readId(store));
    }

    /** Opens the log in a folder, see {@link #open(LogStore)}. */
    public static StoreLog open(Path folder) throws IOException {
        return open(new FolderStore(folder));
    }

    private static String readId(LogStore store) throws IOException {
        // Damaged bytes become characters, too, which are then rejected.
        try (InputStream in = store.open(LogProperties.NAME, 0)) {
            String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return LogProperties.parseId(text, store.name() + "/" + LogProperties.NAME);
        } catch (FileNotFoundException e) {
            store.lengthOf(LogProperties.NAME); // throws the error of a place that is not there, such as a bucket
            throw LogProperties.missingFileError(store.name());
        }
    }

    /** Opens a log, or creates it. */
    public static StoreLog openOrCreate(LogStore store) throws IOException {
        try {
            return isLog(store) ? open(store) : create(store);
        } catch (FileAlreadyExistsException e) {
            return open(store); // another process was faster
        }
    }

    /** Returns true if there is a log. */
    public static boolean isLog(LogStore store) throws IOException {
        return store.lengthOf(LogProperties.NAME) >= 0;
    }

    /** Returns the bytes of the objects with patches of a range of versions. The patches are not read. */
    public static long countBytes(LogStore store, long from, long to) throws IOException {
        Map<String, Long> names = store.list("");
        long bytes = 0;
        for (LogObject object : VersionMap.estimate(names.keySet()).objects()) {
            if (object.first() <= to && object.last() >= from) {
                long listed = names.get(object.name());
                bytes += listed >= 0 ? listed : Math.max(0, store.lengthOf(object.name()));
            }
        }
        return bytes;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String name() {
        return store.name();
    }

    /** Returns the store of its objects. */
    public LogStore store() {
        return store;
    }

    /**
     * Returns the folder of its files.
     *
     * @throws IllegalArgumentException they are not in a folder of this machine
     */
    public Path folder() {
        return store.folder().path();
    }

    @Override
    public boolean awaitNewer(long after, Duration longest) throws IOException {
        long begun = System.nanoTime();
        if (!store.awaitNewer(after, longest)) {
            return false;
        }
        // A cache on the way may give an answer of before, at once.
        long least = Math.min(longest.toNanos(), SHORTEST_WAIT.toNanos());
        return headVersion() > after || System.nanoTime() - begun >= least;
    }

    @Override
    public StoreLog stored() {
        return this;
    }

    StoredPatches patches() {
        return patches;
    }

    @Override
    public long first() throws IOException {
        requireThisLog();
        return patches.first();
    }

    @Override
    public Checkpoint findCheckpoint(long upTo) throws IOException {
        return new Checkpoints(this).findNewest(upTo);
    }

    @Override
    public Checkpoint fetchFiles(Checkpoint checkpoint, Path folder) throws IOException {
        if (store.server() == null) {
            return checkpoint;
        }
        Checkpoint fetched = checkpoint.in(folder);
        for (PartFile file : checkpoint.files()) {
            try (InputStream in = file.open(store)) {
                Files.copy(in, folder.resolve(file.path()));
            }
        }
        return fetched;
    }

    // --- the head

    @Override
    public LogHead head() throws IOException {
        long version = headOfThisLog();
        if (version != known.version()) {
            PatchHeader header = version == 0 ? null : headerAt(version, patches.firstSeen());
            known = header == null ? LogHead.EMPTY : new LogHead(version, header.id());
            knownHash = header == null ? Chain.START : header.hash();
            knownContent = null;
        }
        return known;
    }

    /** Returns the newest version, even if its patch is damaged, after checking that the store has the log and its history still. */
    private long headOfThisLog() throws IOException {
        requireThisLog();
        VersionMap layout = patches.layout();
        long first = patches.firstSeen();
        long version = layout.isEmpty() ? first - 1 : layout.last();
        requireHistory(first, version);
        return version;
    }

    /** Checks that the store still has the log that this object opened. */
    private void requireThisLog() throws IOException {
        String found = store.stampOf(LogProperties.NAME);
        if (found == null || !found.equals(properties)) {
            String there = readId(store);
            if (!there.equals(id)) {
                throw exchangedLogError("is the log " + there + " now");
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
            throw exchangedLogError("ends with version " + version + " now");
        }
        if (known.version() < first - 1) {
            return;
        }
        String hash = known.version() < first ? hashBefore(first, version) : headerAt(known.version(), first).hash();
        if (hash != null && !hash.equals(knownHash)) {
            throw exchangedLogError("has another patch as version " + known.version() + " now");
        }
    }

    /** Returns the hash before the first patch; null if unknown. */
    private String hashBefore(long first, long version) throws IOException {
        return version < first ? headerAt(first - 1, first).hash() : headerAt(first, first).chain().before();
    }

    private IOException exchangedLogError(String how) {
        return new IOException(name() + " was opened as the log " + id + " with " + known + ", and " + how
                + ": another copy took its place, or patches were taken away; nothing was done, open it again if that is right");
    }

    @Override
    public long headVersion() throws IOException {
        return patches.newest();
    }

    /**
     * Looks at each file again.
     *
     * @throws IOException versions are missing, or two files have a version, each another patch
     */
    public void requireOneObjectPerVersion() throws IOException {
        patches.rereadLayout();
    }

    @Override
    public String headHash() {
        return knownHash;
    }

    /** Returns the headers of the patch of a version, or of the checkpoint in its place. */
    PatchHeader headerAt(long version, long first) throws IOException {
        if (version < first) {
            return Checkpoint.read(store, version).header();
        }
        return new Entry(version).headerInLog();
    }

    /** {@inheritDoc} The patch may have been pruned, if the index still knows it. */
    @Override
    public long versionWith(String patchId) throws IOException {
        IndexCache.Row found = patches.find(patchId, headVersion());
        return found == null ? 0 : found.version();
    }

    /** Returns the number of bytes of a version's patch. */
    public long lengthOf(long version) throws IOException {
        return patches.useSlice(version, StoredSlice::length);
    }

    /**
     * Returns the place of a version's patch in a folder of this machine. A compaction may delete the file; then ask again.
     *
     * @throws FileNotFoundException there is no such version any more, or not yet
     */
    public FileSlice storedSlice(long version) throws IOException {
        return patches.useSlice(version, patch -> new FileSlice(folder().resolve(patch.file()), patch.offset(), patch.length()));
    }

    // --- reading

    @Override
    public LogEntries fetch(long from, long to) throws IOException {
        long last = Math.min(to, headOfThisLog());
        long first = Math.max(from, patches.firstSeen());
        return LogEntries.ofRange(first, last, Entry::new);
    }

    /** A patch in its file. */
    private final class Entry extends StoredEntry {

        Entry(long version) {
            super(version);
        }

        @Override
        public String log() {
            return id;
        }

        @Override
        public PatchHeader header() throws IOException {
            IndexCache.Row row = patches.knownRow(version());
            return row != null ? row.header() : super.header();
        }

        @Override
        public String hash() throws IOException {
            String known = patches.rowOf(version()).hash();
            return known != null ? known : super.hash(); // the error of a placeholder
        }

        @Override
        public long rows() throws IOException {
            IndexCache.Row row = patches.rowOf(version());
            return row.hash() != null ? row.rows() : super.rows(); // the error of a placeholder
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return patches.useSlice(version(),
                    patch -> patch.read(patches.nameOf(version(), patch), terms));
        }

        @Override
        public String name() {
            try {
                return patches.nameOf(version(), patches.sliceOf(version()));
            } catch (IOException e) {
                return StoreLog.this.name() + "/" + LogObject.fileName(version()); // there is none; returns the place where it would be
            }
        }
    }

    // --- appending

    /**
     * Appends a patch.
     *
     * @throws IOException      the patch can't be stored, for example because the file system has no hard links
     * @throws LogBusyException a capture writes to the log
     */
    @Override
    public LogHead append(CheckedPatch patch, ExpectedPrevious follows) throws IOException {
        try (LogBatch call = new LogBatch(this, false)) {
            call.append(patch, follows);
            return call.put().get(0);
        }
    }

    @Override
    public Batch batch() {
        return new LogBatch(this, true);
    }

    /** Returns the hash of a head's content; null if there is no patch. */
    String hashOfContent(LogHead head) throws IOException {
        if (knownContent == null && head.version() >= patches.firstSeen()) {
            knownContent = patches.rowOf(head.version()).hash();
        }
        return knownContent;
    }

    /** Returns the id of what the first patch follows, from its checkpoint or else from that patch; null if unknown. */
    String idBeforeFirst() throws IOException {
        long first = patches.firstSeen();
        String known = first == 1 ? null : new Checkpoints(this).idAt(first - 1);
        PatchHeader before = first == 1 || known != null ? null : LogVersions.headerBefore(this, first);
        return before == null ? known : before.id();
    }

    /** Notes that an object with these patches was appended. */
    void noteAppended(List<IndexCache.Row> written, String file, long bytes) throws IOException {
        IndexCache.Row last = written.get(written.size() - 1);
        known = new LogHead(last.version(), last.id());
        knownHash = last.header().hash();
        knownContent = last.hash();
        patches.addAppended(written, file, bytes);
    }

    /** Completes the file of a capture that crashed behind a version. */
    void completeCapture(long version) throws IOException {
        if (store.hasPart(version + 1)) {
            CaptureWriter.settle(this, version + 1);
        }
    }

    /** Returns the head that was seen last. */
    LogHead known() {
        return known;
    }

    /** Returns the head, after completing the file of a capture that crashed. */
    LogHead headAfterCapture() throws IOException {
        LogHead head = head();
        if (!store.hasPart(head.version() + 1)) {
            return head;
        }
        try (FolderLock lock = store.folder().tryLockForAppend()) {
            if (lock != null) {
                completeCapture(head.version());
            }
        }
        return head();
    }

    @Override
    public void close() throws IOException {
        store.release();
    }
}
