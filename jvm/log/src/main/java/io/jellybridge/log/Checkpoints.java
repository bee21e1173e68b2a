package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.files.AtomicFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedSet;
import java.util.UUID;

/**
 * The checkpoints of a log in a folder. Each is a folder below {@code checkpoints}, named by its version like the files of
 * patches. A checkpoint appears complete, by renaming, and never changes. If several processes create the same one, only one
 * succeeds. A process that is killed meanwhile leaves a folder with a hidden name. The next creation of a checkpoint deletes
 * it if nobody wrote to it for an hour.
 */
public final class Checkpoints {
    private static final Duration UNFINISHED_AGE = Duration.ofHours(1);

    private final FolderLog log;
    private final Path folder;

    public Checkpoints(FolderLog log) {
        this.log = log;
        this.folder = log.folder().resolve(LogFolder.CHECKPOINTS);
    }

    // --- finding

    /** Returns the versions that have a checkpoint. */
    public SortedSet<Long> versions() throws IOException {
        return log.files().checkpoints();
    }

    /** Returns the newest checkpoint up to a version; null if there is none. */
    public Checkpoint newest(long upTo) throws IOException {
        SortedSet<Long> found = upTo == Long.MAX_VALUE ? versions() : versions().headSet(upTo + 1);
        return found.isEmpty() ? null : at(found.last());
    }

    /**
     * Returns the checkpoint of a version; null if there is none.
     *
     * @throws IOException it is damaged, or belongs to another log or another history of this log
     */
    public Checkpoint at(long version) throws IOException {
        Checkpoint found = described(version);
        if (found != null) {
            requireHistory(found);
        }
        return found;
    }

    /** Reads a checkpoint without comparing it with the patches. */
    private Checkpoint described(long version) throws IOException {
        Path place = place(version);
        Checkpoint found;
        try {
            found = Checkpoint.read(place);
        } catch (NoSuchFileException e) {
            if (!Files.exists(place)) {
                return null;
            }
            throw new IOException(place + " has no " + Checkpoint.DESCRIPTION + "; " + Checkpoint.anew(place), e);
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
        PatchHeader patch = isBefore ? ofPatch(log.first()) : version < log.first() ? null : ofPatch(version);
        String id = patch == null ? null : isBefore ? patch.prev() : patch.id();
        String hash = patch == null || patch.chain() == null ? null
                : isBefore ? patch.chain().before() : patch.chain().own();
        if (id != null && !id.equals(checkpoint.id()) || hash != null && !hash.equals(checkpoint.chain().own())) {
            throw new IOException(place(version) + " is the state after patch " + checkpoint.id() + " of the hash "
                    + checkpoint.chain().own() + ", and "
                    + (isBefore ? "the first patch of " + log.name() + " follows patch "
                            : "version " + version + " of " + log.name() + " is patch ") + id + " of the hash " + hash
                    + "; one of the two was replaced: if the patches are right, " + Checkpoint.anew(place(version)));
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
            Checkpoint found = described(version);
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
        long version = log.versionWith(position.getBytes(UTF_8));
        if (version >= log.first()) {
            return version;
        }
        long before = log.first() - 1;
        if (before > 0 && position.equals(PatchIds.term(prevOfFirst()))) {
            return before;
        }
        for (long one : versions()) {
            Checkpoint checkpoint = at(one);
            if (one >= before && checkpoint != null && checkpoint.position().equals(position)) {
                return one;
            }
        }
        return 0;
    }

    /** Returns the id in the header {@code prev} of the first patch; null if there is none, or it can't be read. */
    private String prevOfFirst() throws IOException {
        PatchHeader first = ofPatch(log.first());
        return first == null ? null : first.prev();
    }

    /** Returns the headers of the patch of a version; null if there is none, or it can't be read. */
    private PatchHeader ofPatch(long version) throws IOException {
        return LogVersions.headerOf(log, version);
    }

    private Path place(long version) {
        return log.files().checkpoint(version);
    }

    // --- making

    /**
     * Starts a checkpoint. Returns a folder to fill.
     *
     * @return a folder whose {@link AtomicFolder#commit()} returns false if the checkpoint exists already
     */
    public AtomicFolder begin(long version) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            AtomicFolder.force(log.folder(), StandardOpenOption.READ);
        }
        removeUnfinished();
        return new AtomicFolder(place(version), folder.resolve(".making-" + UUID.randomUUID()));
    }

    /**
     * Commits the checkpoint of version 1 of an empty log. The log then begins with it, and its first patch will be version 2,
     * which follows the id of the checkpoint. If others begin the log or append to it at the same time, only one succeeds.
     *
     * @throws IllegalStateException the log has versions
     * @throws LogBusyException      a capture writes to the log
     */
    public void commitFirst(AtomicFolder made) throws IOException {
        try (FolderLock lock = log.files().lockForAppend()) {
            if (lock == null) {
                throw new LogBusyException(log.name());
            }
            LogWriter.settleBehind(log, 0);
            requireNoVersion();
            if (!made.commit()) {
                throw hasVersions(1);
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
            throw hasVersions(newest);
        }
    }

    private IllegalStateException hasVersions(long newest) {
        return new IllegalStateException(log.name() + " has versions already, the newest is " + newest
                + ", and only an empty log begins with a state; append what is different from it, as jellybridge.diff finds"
                + " it, or begin another log");
    }

    // --- taking away

    /** Deletes a checkpoint. Nobody sees half of it. */
    public void remove(long version) throws IOException {
        Path aside = folder.resolve(".removed-" + UUID.randomUUID());
        try {
            Files.move(place(version), aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return; // another process deleted it
        }
        AtomicFolder.delete(aside);
    }

    /** Deletes unfinished checkpoints of processes that were killed. */
    public void removeUnfinished() throws IOException {
        Instant old = Instant.now().minus(UNFINISHED_AGE);
        try (DirectoryStream<Path> hidden = Files.newDirectoryStream(folder, ".{making,removed}-*")) {
            for (Path path : hidden) {
                if (lastWritten(path).isBefore(old)) {
                    AtomicFolder.delete(path);
                }
            }
        } catch (NoSuchFileException e) {
            // no checkpoint was ever created
        }
    }

    private static Instant lastWritten(Path path) throws IOException {
        Instant last = Instant.EPOCH;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            last = Files.getLastModifiedTime(path).toInstant();
            for (Path file : files) {
                Instant written = Files.getLastModifiedTime(file).toInstant();
                last = written.isAfter(last) ? written : last;
            }
        } catch (NoSuchFileException e) {
            // it is being deleted, or is being renamed to its final name
            last = Instant.now();
        }
        return last;
    }
}
