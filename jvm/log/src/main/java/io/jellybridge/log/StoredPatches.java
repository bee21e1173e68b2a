package io.jellybridge.log;

import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.StreamFrames;
import io.jellybridge.codec.Utf8Terms;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The patches in a log's store: their versions, their objects, and facts about them from the {@link IndexCache} or from the
 * patches. Compactions move them to other objects meanwhile, and appends add patches.
 */
final class StoredPatches {
    /** The largest number of attempts if an object is missing although none was deleted meanwhile. */
    private static final int MOST_TRIES = 10;
    /** The number of names that each store lists at one moment. */
    private static final int LISTED_AT_ONCE = 500;
    /** The largest size of an object that is kept in memory, if its store is elsewhere. */
    private static final int KEPT_BYTES = 1 << 20;
    private static final int MOST_COUNTS = 100_000;

    private final LogStore store;
    private final String log;
    /** What is known of the patches. Where objects have no stamps, it is what was read since they changed. */
    private volatile IndexCache index;
    /** The names and lengths when they were last listed, and what follows from them. */
    private volatile Map<String, Long> names = Map.of();
    private volatile VersionMap layout = new VersionMap(List.of());
    /** The numbers of patches of objects, by their names and lengths or stamps. */
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    /** Pairs of objects that have the same patches. */
    private final Set<String> compared = new HashSet<>();
    /** The stamp of the objects when they were last listed; null if unknown. */
    private String stamp;
    /** The version up to which all patches were looked up. */
    private long indexed;
    /** The versions of these patches by their ids, where no index has them. */
    private final Map<String, Long> versions = new HashMap<>();
    /** The patches of the joined object that was read last; null if there is none. */
    private volatile Sliced sliced;
    /** The bytes of the object that was read last; null if there is none. */
    private volatile Kept kept;

    /**
     * Creates the view of a store.
     *
     * @param log the log's id
     */
    StoredPatches(LogStore store, String log) throws IOException {
        this.store = store;
        this.log = log;
        this.index = new IndexCache(store.index(), log);
    }

    // --- which there are

    /** Returns the oldest version, even of a log with faults. Without patches, it returns the version of the first one. */
    long first() throws IOException {
        return retryWhileObjectsMove(() -> {
            names = listed();
            layout = mapOf(names);
            return firstSeen();
        });
    }

    /** Returns the oldest version when the objects were last listed, as {@link #first} does. */
    long firstSeen() throws IOException {
        return layout.isEmpty() ? versionWithoutPatches() + 1 : layout.first();
    }

    /** Returns the newest version, even if its patch is damaged. Without patches, it returns that of the newest checkpoint. */
    long newest() throws IOException {
        return layout().isEmpty() ? versionWithoutPatches() : layout.last();
    }

    /**
     * Returns the newest version of a log without patches: the version of its newest checkpoint. That is the beginning of the
     * log, or a repair set the patch after the pruned ones aside. Returns 0 for an empty log.
     */
    long versionWithoutPatches() throws IOException {
        return Checkpoints.newestIn(store);
    }

    /**
     * Returns the map of versions to objects.
     *
     * @throws IOException a version is missing before others, so that an append would fork the log; or two objects have
     *                     different patches of one version
     */
    VersionMap layout() throws IOException {
        return retryWhileObjectsMove(this::readLayout);
    }

    /** As {@link #layout}, where every object is looked at again. */
    VersionMap rereadLayout() throws IOException {
        compared.clear();
        return layout();
    }

    private VersionMap readLayout() throws IOException {
        names = listed();
        layout = mapOf(names);
        long missing = layout.isEmpty() ? 0 : layout.missing();
        if (missing > 0) {
            throw new MissingVersionException(store.name() + ": version " + missing + " is missing, and version "
                    + layout.last() + " is there; check the log, and repair it");
        }
        layout.findOverlaps(this::requireSame);
        return layout;
    }

    /** Returns the map of the objects of a list. It reads the beginning of those that say themselves how many patches they have. */
    VersionMap mapOf(Map<String, Long> listed) throws IOException {
        return VersionMap.of(listed.keySet(), object -> countOf(object, listed.get(object.name())));
    }

    /** Returns the map of the objects that are there now. */
    VersionMap readMap() throws IOException {
        return retryWhileObjectsMove(() -> mapOf(list()));
    }

    /** Returns the number of patches that an object states. If its first frame is damaged, it counts them. */
    int countOf(LogObject object) throws IOException {
        return countOf(object, -1);
    }

    private int countOf(LogObject object, long listed) throws IOException {
        String file = object.name();
        String key = file + " " + (listed >= 0 ? listed : store.stampOf(file));
        Integer count = counts.get(key);
        if (count == null) {
            count = store.countOf(file);
        }
        if (count == null) {
            int stated;
            try (InputStream in = open(file, 0)) {
                stated = StreamFrames.readCount(in);
            }
            count = stated > 0 ? stated : StoredSlice.of(this::open, file, listed >= 0 ? listed : store.lengthOf(file)).size();
            rememberCount(key, count);
        }
        return count;
    }

    private void rememberCount(String key, int count) {
        if (counts.size() >= MOST_COUNTS) {
            counts.clear();
        }
        counts.put(key, count);
    }

    /** Lists the objects, and forgets what was known of them if they may have changed. */
    Map<String, Long> listed() throws IOException {
        Map<String, Long> found = list();
        if (store.index() == null) {
            String now = store.stampOf(LogStore.LISTED);
            if (now == null || !now.equals(stamp)) {
                forget();
                index = new IndexCache(null, log);
            }
            stamp = now;
        }
        return found;
    }

    /**
     * Lists the objects. If there are many, the list may lack a joined object that was created meanwhile, and also those that
     * were deleted for it. Then a second list lacks more than the first one.
     */
    private Map<String, Long> list() throws IOException {
        Map<String, Long> found = store.list("");
        while (found.size() >= LISTED_AT_ONCE) {
            Map<String, Long> again = store.list("");
            if (again.keySet().containsAll(found.keySet())) {
                return again;
            }
            found = again;
        }
        return found;
    }

    /**
     * Compares the patches of two objects with common versions.
     *
     * @throws IOException they differ
     */
    private void requireSame(LogObject before, LogObject object) throws IOException {
        String pair = before.name() + store.stampOf(before.name()) + object.name() + store.stampOf(object.name());
        if (compared.contains(pair)) {
            return;
        }
        List<StoredSlice> ones = slicesOf(before);
        List<StoredSlice> others = slicesOf(object);
        for (long version = object.first(); version <= Math.min(before.last(), object.last()); version++) {
            StoredSlice one = sliceAt(ones, version - before.first());
            StoredSlice other = sliceAt(others, version - object.first());
            if (one == null || other == null || !haveSameBytes(one, other) && !haveSamePatch(version, one, other)) {
                throw new IOException(store.name() + ": " + before.name() + " and " + object.name() + " both have version "
                        + version + ", and not the same patch: they are of two histories of the log,"
                        + " or one was damaged; find out which is right, by jellybridge log check, and move the other away");
            }
        }
        compared.add(pair);
    }

    private static StoredSlice sliceAt(List<StoredSlice> slices, long number) {
        return number < slices.size() ? slices.get((int) number) : null;
    }

    static boolean haveSameBytes(StoredSlice one, StoredSlice other) throws IOException {
        if (one.length() != other.length()) {
            return false;
        }
        try (InputStream bytes = one.open(); InputStream others = other.open()) {
            return Io.haveSameBytes(bytes, others);
        }
    }

    /** Returns true if both are the patch that was appended as that version, even if their bytes differ. */
    private boolean haveSamePatch(long version, StoredSlice one, StoredSlice other) throws IOException {
        Checked patch = checkPatch(version, one);
        Checked same = checkPatch(version, other);
        return patch.fault() == null && same.fault() == null && patch.header().equals(same.header());
    }

    /** Thrown when a version before existing patches is missing. */
    private static final class MissingVersionException extends IOException {
        private static final long serialVersionUID = 1L;

        MissingVersionException(String message) {
            super(message);
        }
    }

    /** Thrown when the log does not have a version. */
    private static final class NoVersionException extends FileNotFoundException {
        private static final long serialVersionUID = 1L;

        NoVersionException(String message) {
            super(message);
        }
    }

    // --- what is known of them

    /**
     * Returns the facts about a version, from the index or else from the patch.
     *
     * @throws RuntimeException the patch can't be read (the error of its format)
     */
    IndexCache.Row rowOf(long version) throws IOException {
        IndexCache.Row row = knownRow(version);
        if (row == null) {
            row = useSlice(version, patch -> {
                String stamp = store.stampOf(patch.file());
                Checked read = checkPatch(version, patch);
                if (read.header() == null) {
                    throw read.fault();
                }
                return rowOf(version, read, patch, stamp);
            });
            index.add(row);
        }
        return row;
    }

    private static IndexCache.Row rowOf(long version, Checked read, StoredSlice patch, String stamp) {
        String hash = read.fault() == null ? read.content().hash() : null; // the error of a placeholder
        return IndexCache.Row.of(version, read.header(), read.content().rows(), hash, patch, stamp);
    }

    /** Returns the row of a version in the index; null if it has none, or its object has changed. */
    IndexCache.Row knownRow(long version) throws IOException {
        IndexCache.Row row = index.rowOf(version);
        LogObject object = row == null ? null : layout.objectWith(version);
        if (row == null || object != null && !object.name().equals(row.file())) {
            return null;
        }
        boolean isThere = row.stamp().equals(IndexCache.UNKNOWN) ? store.index() == null && names.containsKey(row.file())
                : row.stamp().equals(store.stampOf(row.file()));
        return isThere ? row : null;
    }

    /** Finds a patch by its id, up to a version, even if it was pruned; null if there is none. */
    IndexCache.Row find(String patchId, long head) throws IOException {
        if (store.index() == null) {
            Long version = versionOf(patchId, head);
            if (version != null && version < firstSeen()) {
                return IndexCache.Row.ofPruned(version, patchId);
            }
            IndexCache.Row there = version == null ? null : rowOf(version);
            return there != null && there.id().equals(patchId) ? there : null;
        }
        IndexCache.Row found = index.rowOf(patchId);
        if (found == null || found.version() > head || knownRow(found.version()) == null) {
            completeIndex(head);
            found = index.rowOf(patchId);
        }
        if (found == null || found.version() > head) {
            return null;
        }
        if (found.version() < firstSeen()) {
            return wasPruned(found) ? found : null; // it must not be appended again
        }
        IndexCache.Row now = rowOf(found.version());
        return now.id().equals(patchId) ? now : null;
    }

    /**
     * Returns the version of a patch up to the head, from the server or by the headers, which each object reads once; null if there
     * is none. Only a server knows those before the first one.
     */
    private Long versionOf(String patchId, long head) throws IOException {
        Long known = store.versionWith(patchId);
        if (known != null) {
            return known == 0 || known > head ? null : known;
        }
        for (indexed = Math.max(indexed, firstSeen() - 1); indexed < head; indexed++) {
            try {
                versions.put(useSlice(indexed + 1, StoredPatches::readHeader).id(), indexed + 1);
            } catch (RuntimeException e) {
                // Its id is not known. Reading or verifying the log throws the error.
            }
        }
        Long found = versions.get(patchId);
        return found == null || found < firstSeen() || found > head ? null : found;
    }

    /**
     * Returns true if a patch is one of those before the first one that exists. The index must have an unbroken chain from it
     * to that first patch.
     */
    private boolean wasPruned(IndexCache.Row found) throws IOException {
        if (layout.isEmpty()) {
            return false;
        }
        PatchHeader after = rowOf(layout.first()).header();
        for (long version = layout.first() - 1; version >= found.version() && after.chain() != null; version--) {
            IndexCache.Row row = index.rowOf(version);
            if (row == null || !after.chain().before().equals(row.header().hash())) {
                return false;
            }
            after = row.header();
        }
        return after.chain() != null && after.equals(found.header());
    }

    /** Reads the patches that the index lacks. */
    private void completeIndex(long head) throws IOException {
        for (indexed = Math.max(indexed, firstSeen() - 1); indexed < head; indexed++) {
            try {
                index.keep(rowOf(indexed + 1));
            } catch (RuntimeException e) {
                // Its id is not known. Reading or verifying the log throws the error.
            }
        }
    }

    /** Adds the patches of an appended object to the index, which without a file has no others: a writer may never list the objects. */
    void addAppended(List<IndexCache.Row> written, String file, long length) throws IOException {
        if (store.index() == null) {
            index = new IndexCache(null, log);
        }
        String stamp = store.stampOf(file);
        rememberCount(file + " " + length, written.size());
        rememberCount(file + " " + stamp, written.size());
        index.add(written.stream().map(patch -> patch.in(new StoredSlice(this::open, file, patch.offset(), patch.bytes()), stamp))
                .toList());
    }

    // --- where they are

    /** Reads the objects. If a compaction deletes one meanwhile, it tries again as long as objects are deleted. */
    <R> R retryWhileObjectsMove(Io.Supplier<R> look) throws IOException {
        Set<String> seen = Set.of();
        for (int tries = 1; ; tries++) {
            try {
                return look.get();
            } catch (NoVersionException e) {
                throw e;
            } catch (FileNotFoundException | MissingVersionException e) {
                Map<String, Long> there = listed();
                if (!there.keySet().containsAll(seen)) {
                    tries = 0;
                } else if (tries >= MOST_TRIES) {
                    throw e;
                }
                seen = there.keySet();
                names = there;
                layout = new VersionMap(List.of());
                index.refresh();
            }
        }
    }

    /** Uses a version's patch at its place, even if a compaction moves it meanwhile. */
    <R> R useSlice(long version, Io.Function<StoredSlice, R> use) throws IOException {
        return retryWhileObjectsMove(() -> use.apply(sliceOf(version)));
    }

    /**
     * Returns the place of a version's patch, which is a stream of its own.
     *
     * @throws FileNotFoundException there is no such version any more, or not yet
     */
    StoredSlice sliceOf(long version) throws IOException {
        IndexCache.Row row = knownRow(version);
        if (row != null) {
            return new StoredSlice(this::open, row.file(), row.offset(), row.bytes());
        }
        LogObject object = layout.objectWith(version);
        if (object == null) {
            object = readLayout().objectWith(version);
        }
        StoredSlice slice = object == null ? null : sliceAt(slicesOf(object), version - object.first());
        if (slice == null) {
            throw new NoVersionException(store.name() + ": version " + version + " is not there"
                    + (object == null ? "" : ", although " + object.name() + " should have it; check the log"));
        }
        return slice;
    }

    /** Returns the patches of an object, without the index. The result for the last one with several is cached. */
    List<StoredSlice> slicesOf(LogObject object) throws IOException {
        String file = object.name();
        Long listed = names.getOrDefault(file, -1L);
        long length = listed >= 0 ? listed : store.lengthOf(file);
        if (length < 0) {
            throw new FileNotFoundException(store.name() + "/" + file + " is not there");
        }
        if (object.versions() == 1) {
            return List.of(new StoredSlice(this::open, file, 0, length));
        }
        String stamp = store.stampOf(file) + length;
        Sliced found = sliced;
        if (found == null || !found.object.equals(object) || !found.stamp.equals(stamp)) {
            found = new Sliced(object, stamp, StoredSlice.of(this::open, file, length));
            sliced = found;
        }
        return found.slices;
    }

    /** Returns the headers of a patch in an object. */
    PatchHeader headerIn(LogObject object, long version) throws IOException {
        return readHeader(slicesOf(object).get((int) (version - object.first())));
    }

    private static PatchHeader readHeader(StoredSlice slice) throws IOException {
        try (PatchSource<byte[]> patch = slice.read(slice.file(), new Utf8Terms())) {
            return HeaderReader.readHeader(patch);
        }
    }

    /** The patches of an object. */
    private record Sliced(LogObject object, String stamp, List<StoredSlice> slices) {
    }

    /** The bytes of an object. */
    private record Kept(String file, byte[] bytes) {
    }

    /** Opens an object. A small one that is elsewhere is kept in memory, since its other patches are read next. */
    private InputStream open(String file, long offset) throws IOException {
        Long length = store.index() != null ? null : names.get(file);
        if (length == null || length < 0 || length > KEPT_BYTES) {
            return store.open(file, offset);
        }
        Kept found = kept;
        if (found == null || !found.file.equals(file)) {
            try (InputStream in = store.open(file, 0)) {
                found = new Kept(file, in.readAllBytes());
            }
            kept = found;
        }
        int from = (int) Math.min(offset, found.bytes.length);
        return new ByteArrayInputStream(found.bytes, from, found.bytes.length - from);
    }

    /** Forgets objects in memory, whose store may have exchanged them. */
    void forget() {
        kept = null;
        sliced = null;
    }

    /**
     * Reads the patches of an object, and checks that each is the appended patch. Returns null if one is not, or is a stream
     * that can't be joined to others.
     */
    List<IndexCache.Row> patchesOf(LogObject object) throws IOException {
        List<IndexCache.Row> rows = new ArrayList<>();
        String stamp = store.stampOf(object.name());
        for (StoredSlice patch : slicesOf(object)) {
            long version = object.first() + rows.size();
            Checked read = checkPatch(version, patch);
            boolean isOfLog = read.header() != null && read.header().chain() != null;
            if (!isOfLog || rows.isEmpty() && !patch.beginsWithRestart()) {
                return null;
            }
            rows.add(rowOf(version, read, patch, stamp));
        }
        return rows.size() == object.versions() ? rows : null;
    }

    /** Returns the bytes of a patch that the index describes. */
    StoredSlice sliceOf(IndexCache.Row row) {
        return new StoredSlice(this::open, row.file(), row.offset(), row.bytes());
    }

    /** Records that patches are in one object now, each at the given place. */
    void recordMove(List<IndexCache.Row> patches, LogObject object, List<StoredSlice> places) throws IOException {
        List<IndexCache.Row> rows = new ArrayList<>();
        String stamp = store.stampOf(object.name());
        for (StoredSlice place : places) {
            rows.add(patches.get(rows.size())
                    .in(new StoredSlice(this::open, object.name(), place.offset(), place.length()), stamp));
        }
        index.add(rows);
    }

    /** Shortens the index after objects were joined. */
    void forgetMoves() throws IOException {
        index.rewrite();
    }

    /** Returns the name of a patch in errors. */
    String nameOf(long version, StoredSlice patch) {
        String file = store.name() + "/" + patch.file();
        return patch.file().equals(LogObject.fileName(version)) ? file : file + " (version " + version + ")";
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

    private Checked checkPatch(long version, StoredSlice stored) throws IOException {
        return checkPatch(stored, nameOf(version, stored), log, version);
    }

    /**
     * Reads a whole patch and checks it.
     *
     * @param log the log's id; null if the version is unknown, so that the patch is not compared with the appended one
     */
    static Checked checkPatch(StoredSlice stored, String name, String log, long version) throws IOException {
        ContentHash content = new ContentHash();
        try (PatchSource<byte[]> patch = stored.read(name, new Utf8Terms())) {
            return new Checked(EntryCheck.checkPatch(patch, content, log, version), content, null);
        } catch (RuntimeException e) {
            return new Checked(readPlaceholderHeader(stored), content, e);
        }
    }

    /** Returns the headers of a placeholder; null if the patch is not a placeholder. */
    private static PatchHeader readPlaceholderHeader(StoredSlice stored) throws IOException {
        try (PatchSource<byte[]> patch = stored.read(stored.file(), new Utf8Terms())) {
            return HeaderReader.readPlaceholder(patch);
        } catch (RuntimeException e) {
            return null; // its fault is known already
        }
    }
}
