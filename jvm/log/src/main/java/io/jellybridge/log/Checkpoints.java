package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.files.AtomicFolder;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The checkpoints of a log. Each is a folder below {@code checkpoints}, named by its version. A checkpoint appears complete and
 * never changes: a folder of this machine is renamed, and elsewhere the description is created after all other files. If several
 * processes create the same one, only one succeeds. What a process leaves that is killed meanwhile is no checkpoint.
 */
public final class Checkpoints {
    /** The folder of all checkpoints. */
    static final String FOLDER = "checkpoints";

    private final StoreLog log;
    private final LogStore store;

    public Checkpoints(StoreLog log) {
        this.log = log;
        this.store = log.store();
    }

    // --- finding

    /** Returns the versions that have a checkpoint. */
    public SortedSet<Long> versions() throws IOException {
        SortedSet<Long> versions = new TreeSet<>();
        for (long version : listNames(store)) {
            if (isThere(store, version)) {
                versions.add(version);
            }
        }
        return versions;
    }

    private static NavigableSet<Long> listNames(LogStore store) throws IOException {
        NavigableSet<Long> versions = new TreeSet<>();
        for (String folder : store.list(FOLDER).keySet()) {
            LogObject object = LogObject.parseName(folder + ".jellyp");
            if (object != null && object.isCounted()) {
                versions.add(object.first());
            }
        }
        return versions;
    }

    /** Returns true if a folder is a checkpoint, even one whose description is lost, and not the rest of an unfinished one. */
    private static boolean isThere(LogStore store, long version) throws IOException {
        return store.lengthOf(describeVersion(version)) >= 0 || lacksDescription(store, version);
    }

    /**
     * Returns true if the description of a checkpoint is lost. An unfinished one of another store, which was copied, had none, but
     * no log begins with it.
     */
    private static boolean lacksDescription(LogStore store, long version) throws IOException {
        Set<String> files = store.hasWholeFolders() ? store.list(Checkpoint.folderOf(version)).keySet() : Set.of();
        return !files.isEmpty() && (!files.stream().allMatch(Checkpoint::isHashed) || beginsBehind(store, version));
    }

    /** Returns true if a log has no patches up to a version, and then the next one or none. */
    private static boolean beginsBehind(LogStore store, long version) throws IOException {
        VersionMap layout = VersionMap.estimate(store.list("").keySet());
        return layout.isEmpty() || layout.first() == version + 1;
    }

    private static String describeVersion(long version) {
        return Checkpoint.folderOf(version) + "/" + Checkpoint.DESCRIPTION;
    }

    /** Returns the newest version that has a checkpoint; 0 if there is none. */
    static long newestIn(LogStore store) throws IOException {
        return newestIn(store, Long.MAX_VALUE);
    }

    private static long newestIn(LogStore store, long upTo) throws IOException {
        for (long version : listNames(store).headSet(upTo, true).descendingSet()) {
            if (isThere(store, version)) {
                return version;
            }
        }
        return 0;
    }

    /** Returns the newest checkpoint up to a version, see {@link #at}; null if there is none. */
    Checkpoint findNewest(long upTo) throws IOException {
        long version = newestIn(store, Math.min(upTo, log.headVersion()));
        return version == 0 ? null : read(version);
    }

    /**
     * Returns the checkpoint of a version; null if there is none. One beyond the head counts as none: its patches are lost, or not
     * copied yet.
     *
     * @throws IOException it is damaged, or belongs to another log or another history of this log
     */
    public Checkpoint at(long version) throws IOException {
        return version > log.headVersion() ? null : read(version);
    }

    /** Reads the checkpoint of a version, even of one beyond the head. Otherwise like {@link #at}. */
    public Checkpoint read(long version) throws IOException {
        Checkpoint found = readUnchecked(version);
        if (found != null) {
            requireHistory(found);
        }
        return found;
    }

    /** Reads a checkpoint without comparing it with the patches. */
    private Checkpoint readUnchecked(long version) throws IOException {
        String place = placeOf(version);
        Checkpoint found;
        try {
            found = Checkpoint.read(store, version);
        } catch (FileNotFoundException e) {
            if (!lacksDescription(store, version)) {
                return null;
            }
            throw new IOException(place + " has no " + Checkpoint.DESCRIPTION + "; " + Checkpoint.rebuildAdvice(place), e);
        }
        if (found.version() != version) {
            throw new IOException(place + " says that it is of version " + found.version() + "; remove this checkpoint");
        }
        if (!found.log().equals(log.id())) {
            throw new IOException(place + " is a checkpoint of the patch log " + found.log() + ", and " + log.name()
                    + " is the patch log " + log.id() + "; remove this checkpoint");
        }
        return found;
    }

    private void requireHistory(Checkpoint checkpoint) throws IOException {
        long version = checkpoint.version();
        boolean isBefore = version == log.first() - 1;
        PatchHeader patch = isBefore ? LogVersions.headerBefore(log, log.first())
                : version < log.first() ? null : LogVersions.headerOf(log, version);
        String id = patch == null ? null : patch.id();
        String hash = patch == null ? null : patch.hash();
        if (id != null && !id.equals(checkpoint.id()) || hash != null && !hash.equals(checkpoint.chain().own())) {
            throw new IOException(placeOf(version) + " is the state after patch " + checkpoint.id() + " of the hash "
                    + checkpoint.chain().own() + ", and "
                    + (isBefore ? "the first patch of " + log.name() + " follows patch "
                            : "version " + version + " of " + log.name() + " is patch ") + id + " of the hash " + hash
                    + "; one of the two was replaced: if the patches are right, " + Checkpoint.rebuildAdvice(placeOf(version)));
        }
    }

    /**
     * Returns the id of the patch of a version from its checkpoint, even if the patch was deleted. Returns null if there is no
     * checkpoint, or it can't be read; verifying the log reports that error.
     */
    public String idAt(long version) {
        PatchHeader found = headerAt(version);
        return found == null ? null : found.id();
    }

    /**
     * Returns the headers of the patch of a version from its checkpoint, without {@code prev}. Otherwise like {@link #idAt}.
     */
    public PatchHeader headerAt(long version) {
        try {
            Checkpoint found = readUnchecked(version);
            return found == null ? null : found.header();
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Returns the version of a patch that is a dataset's position. The patch is in the log, or is the last one before its
     * first patch. That one is known from a checkpoint, or from the header {@code prev} of the first patch. Returns 0 for any
     * other patch.
     *
     * @param position the patch's id, a term in canonical N-Triples
     */
    public long versionWith(String position) throws IOException {
        String id = PatchIds.of(position.getBytes(UTF_8));
        long version = id == null ? 0 : log.versionWith(id);
        if (version >= log.first()) {
            return version;
        }
        long before = log.first() - 1;
        PatchHeader patch = before > 0 ? LogVersions.headerBefore(log, log.first()) : null;
        if (patch != null && position.equals(patch.idTerm())) {
            return before;
        }
        for (long one : versions().headSet(log.headVersion() + 1)) {
            Checkpoint checkpoint = read(one);
            if (one >= before && checkpoint != null && checkpoint.position().equals(position)) {
                return one;
            }
        }
        return 0;
    }

    private String placeOf(long version) {
        return store.name() + "/" + Checkpoint.folderOf(version);
    }

    // --- making

    /** Starts a checkpoint. Returns a folder to fill, for {@link #commit}. */
    public AtomicFolder begin(long version) throws IOException {
        if (store.hasWholeFolders() && !isThere(store, version)) {
            for (String file : store.list(Checkpoint.folderOf(version)).keySet()) {
                if (Checkpoint.isHashed(file)) {
                    store.delete(Checkpoint.folderOf(version) + "/" + file);
                }
            }
        }
        return store.makeFolder(Checkpoint.folderOf(version));
    }

    /** Returns the name of a file in that folder. */
    public String partName(int number, String sha256) {
        return store.partName(number, sha256);
    }

    /** Returns a checkpoint of this log. */
    public Checkpoint of(long version, String id, Instant time, Chain chain, long quads, String hash, List<Checkpoint.Part> parts) {
        return new Checkpoint(placeOf(version), store, log.id(), version, id, time, chain, quads, hash, parts);
    }

    /**
     * Commits a checkpoint.
     *
     * @return false if there is one of that version already
     */
    public boolean commit(Checkpoint checkpoint, AtomicFolder made) throws IOException {
        checkpoint.write(made.path());
        String folder = Checkpoint.folderOf(checkpoint.version());
        boolean isFirst = store.createFolder(folder, made, Checkpoint.DESCRIPTION);
        if (store.hasWholeFolders()) {
            return isFirst;
        }
        removeOthers(isFirst ? checkpoint : readUnchecked(checkpoint.version()));
        try {
            if (isFirst) {
                checkpoint.files();
            }
        } catch (IOException e) {
            store.deleteFolder(folder, Checkpoint.DESCRIPTION); // somebody pruned it while it was made
            throw e;
        }
        return isFirst;
    }

    /** Deletes the files of other processes that made a checkpoint of the same version, and can't commit it any more. */
    private void removeOthers(Checkpoint made) throws IOException {
        if (made == null) {
            return;
        }
        String folder = Checkpoint.folderOf(made.version());
        Set<String> others = new HashSet<>(store.list(folder).keySet());
        others.remove(Checkpoint.DESCRIPTION);
        made.parts().forEach(part -> others.remove(part.file()));
        for (String file : others) {
            store.delete(folder + "/" + file);
        }
    }

    /**
     * Commits the checkpoint of version 1 of an empty log. The log then begins with it, and its first patch will be version 2,
     * which follows the id of the checkpoint. If others begin the log or append to it at the same time, only one succeeds.
     *
     * @throws IllegalStateException the log has versions
     * @throws LogBusyException      a capture writes to the log
     */
    public void commitFirst(Checkpoint checkpoint, AtomicFolder made) throws IOException {
        try (Closeable lock = store.lockForAppend()) {
            if (lock == null) {
                throw LogBusyException.ofCapture(log.name());
            }
            if (store.hasPart(1)) {
                CaptureWriter.settle(log, 1);
            }
            requireNoVersion();
            if (!commit(checkpoint, made)) {
                throw hasVersionsError(1);
            }
            if (!store.hasLocks() && !log.patches().layout().isEmpty()) {
                remove(checkpoint.version()); // a patch came first
                requireNoVersion();
            }
        }
    }

    /**
     * Checks that the log is empty.
     *
     * @throws IllegalStateException the log has versions
     */
    public void requireNoVersion() throws IOException {
        long newest = log.headVersion();
        if (newest > 0) {
            throw hasVersionsError(newest);
        }
    }

    private IllegalStateException hasVersionsError(long newest) {
        return new IllegalStateException(log.name() + " has versions already, the newest is " + newest
                + ", and only an empty log begins with a state; append what is different from it, as jellybridge.diff finds"
                + " it, or begin another log");
    }

    // --- taking away

    /** Deletes a checkpoint. Nobody sees half of it. */
    public void remove(long version) throws IOException {
        store.deleteFolder(Checkpoint.folderOf(version), Checkpoint.DESCRIPTION);
    }

    /**
     * Deletes the checkpoints before a version, and what is left of unfinished ones there.
     *
     * @return the number of the checkpoints
     */
    public int removeBefore(long version) throws IOException {
        int count = versions().headSet(version).size();
        for (long old : listNames(store).headSet(version)) {
            remove(old);
        }
        return count;
    }
}
