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
 * The checkpoints of a log that is a folder: folders of their own below {@code checkpoints}, named like the files of patches
 * by their versions. Each appears whole, by its renaming, and does not change; of who makes the same one at once, one does.
 * What a process leaves that is killed in between has a hidden name, and the next one to make a checkpoint takes it away
 * when it was not written to for an hour.
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

    /** The versions of which there is one. */
    public SortedSet<Long> versions() throws IOException {
        return log.files().checkpoints();
    }

    /** The newest, up to a version; null where there is none. */
    public Checkpoint newest(long upTo) throws IOException {
        SortedSet<Long> found = upTo == Long.MAX_VALUE ? versions() : versions().headSet(upTo + 1);
        return found.isEmpty() ? null : at(found.last());
    }

    /**
     * The one of a version; null where there is none.
     *
     * @throws IOException it is damaged, or is of another log, or of another history of this one
     */
    public Checkpoint at(long version) throws IOException {
        Checkpoint found = described(version);
        if (found != null) {
            requireHistory(found);
        }
        return found;
    }

    /** As {@link #at}, whatever the patches say. */
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
     * The id of the patch of a version, as its checkpoint knows it, be the patch gone; null where there is no checkpoint, or
     * it can't be read: who verifies the log has the error.
     */
    public String idAt(long version) {
        PatchHeader found = headerAt(version);
        return found == null ? null : found.id();
    }

    /** As {@link #idAt}, with all that the patch said of itself but what it followed. */
    public PatchHeader headerAt(long version) {
        try {
            Checkpoint found = described(version);
            return found == null ? null : found.header();
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * The version of a patch that a dataset may be at, which is one of the log, or the last one before them: that of which a
     * checkpoint is, or which the first patch names as the one before it. 0 where it is none.
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

    /** The id that the first patch names as the one before it; null: none, or it can't be read. */
    private String prevOfFirst() throws IOException {
        PatchHeader first = ofPatch(log.first());
        return first == null ? null : first.prev();
    }

    /** What the patch of a version says; null: there is none, or it can't be read. */
    private PatchHeader ofPatch(long version) throws IOException {
        return LogVersions.headerOf(log, version);
    }

    private Path place(long version) {
        return log.files().checkpoint(version);
    }

    // --- making

    /**
     * Begins one, a folder that is to be filled.
     *
     * @return {@link AtomicFolder#commit()} says whether there was none yet
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
     * Commits the checkpoint of version 1 of a log that has no version: the log begins with it then, and its first patch
     * will be version 2, which follows the id of the checkpoint. Of those that begin a log, or append to it, at once, one wins.
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

    /** @throws IllegalStateException the log has versions */
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

    /** Takes a checkpoint away, which nobody sees half of. */
    public void remove(long version) throws IOException {
        Path aside = folder.resolve(".removed-" + UUID.randomUUID());
        try {
            Files.move(place(version), aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return; // another one took it
        }
        AtomicFolder.delete(aside);
    }

    /** Takes away what processes left that were killed. */
    public void removeUnfinished() throws IOException {
        Instant old = Instant.now().minus(UNFINISHED_AGE);
        try (DirectoryStream<Path> hidden = Files.newDirectoryStream(folder, ".{making,removed}-*")) {
            for (Path path : hidden) {
                if (lastWritten(path).isBefore(old)) {
                    AtomicFolder.delete(path);
                }
            }
        } catch (NoSuchFileException e) {
            // none was ever made
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
            // it is being taken away, or gets its name
            last = Instant.now();
        }
        return last;
    }
}
