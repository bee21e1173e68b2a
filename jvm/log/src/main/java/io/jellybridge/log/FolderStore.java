package io.jellybridge.log;

import io.jellybridge.codec.Io;
import io.jellybridge.files.AtomicFolder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log's folder on a disk of this machine, or on a file system that several machines share. A file is written under a hidden
 * name, forced to the disk, and linked to its name by {@code link(2)}, which fails if the name exists. This needs hard links,
 * which local file systems and NFS have.
 *
 * <p>Beside the objects, the folder has what no other process needs:
 *
 * <ul>
 *   <li>{@code .index}, see {@link IndexCache};</li>
 *   <li>{@code .append-*}, unfinished files of running or interrupted writers, which nobody reads;</li>
 *   <li>{@code .*.part}, the file that a {@link CaptureWriter} writes;</li>
 *   <li>{@code .writer.lock}, {@code .compact.lock};</li>
 *   <li>{@code quarantine}, files that a repair set aside.</li>
 * </ul>
 *
 * @param path the folder
 * @param name the folder's name in errors
 */
public record FolderStore(Path path, String name) implements LogStore {
    static final String APPEND_PREFIX = ".append-";
    /** The folder of files that were set aside. */
    static final String QUARANTINE = "quarantine";
    private static final Pattern PART = Pattern.compile("\\.([0-9]{20}\\.jellyp)\\.part");
    /** The lock to hold for giving a file the name of a version. A capture holds it as long as it runs. */
    private static final String WRITER_LOCK = ".writer.lock";
    /** The lock to hold for deleting files of patches. */
    private static final String COMPACT_LOCK = ".compact.lock";
    /** The longest wait for a capture to end. */
    private static final long APPEND_MILLIS = 10_000;
    private static final Duration UNFINISHED_AGE = Duration.ofHours(1);

    /** Creates the store of a folder, whose name in errors is its path. */
    public FolderStore(Path path) {
        this(path, path.toString());
    }

    @Override
    public String address() {
        return path.toAbsolutePath().toString();
    }

    // --- the store

    @Override
    public Map<String, Long> list(String folder) throws IOException {
        Map<String, Long> names = new HashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path.resolve(folder))) {
            files.forEach(file -> names.put(file.getFileName().toString(), -1L));
        } catch (NoSuchFileException | NotDirectoryException e) {
            // nothing is there
        }
        return names;
    }

    @Override
    public long lengthOf(String file) throws IOException {
        BasicFileAttributes found = readAttributes(file);
        return found == null || found.isDirectory() ? -1 : found.size();
    }

    private BasicFileAttributes readAttributes(String file) throws IOException {
        try {
            return Files.readAttributes(path.resolve(file), BasicFileAttributes.class);
        } catch (FileSystemException e) {
            if (isMissing(e)) {
                return null;
            }
            throw e;
        }
    }

    /** Returns true if there is no file of the name, or no folder. */
    private boolean isMissing(FileSystemException e) {
        return e instanceof NoSuchFileException || !Files.isDirectory(path);
    }

    @Override
    public InputStream open(String file, long offset) throws IOException {
        try {
            return Io.closeOnFailure(FileChannel.open(path.resolve(file), StandardOpenOption.READ),
                    channel -> Channels.newInputStream(channel.position(offset)));
        } catch (FileSystemException e) {
            throw isMissing(e) ? (IOException) new FileNotFoundException(name + "/" + file + " is not there").initCause(e) : e;
        }
    }

    @Override
    public void create(String file, Path content) throws IOException {
        Path target = path.resolve(file);
        if (path.equals(content.getParent())) {
            link(target, content);
        } else {
            Files.createDirectories(target.getParent());
            Path copy = temporary();
            try (InputStream in = Files.newInputStream(content)) {
                Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING); // not by its path, which keeps the rights of a private file
                AtomicFolder.force(copy, StandardOpenOption.WRITE);
                link(target, copy);
            } finally {
                Files.deleteIfExists(copy);
            }
        }
        force();
    }

    @Override
    public void delete(String file) throws IOException {
        Files.deleteIfExists(path.resolve(file));
    }

    @Override
    public void replace(String file, Path content) throws IOException {
        Files.move(content, path.resolve(file), StandardCopyOption.ATOMIC_MOVE);
        force();
    }

    // --- what a folder can do in addition

    @Override
    public FolderStore folder() {
        return this;
    }

    @Override
    public String stampOf(String file) throws IOException {
        BasicFileAttributes found = readAttributes(file);
        return found == null ? null : String.join("-", Long.toString(found.size()),
                Long.toString(found.lastModifiedTime().toMillis()), String.valueOf(found.fileKey()).replace(' ', '_'));
    }

    @Override
    public Path index() {
        return path.resolve(IndexCache.NAME);
    }

    @Override
    public Path temporary() {
        return path.resolve(APPEND_PREFIX + PatchIds.random());
    }

    /** Acquires the writer lock; null if a capture holds it, which appends exclusively. */
    @Override
    public FolderLock lockForAppend() throws IOException {
        return FolderLock.take(path.resolve(WRITER_LOCK), APPEND_MILLIS);
    }

    @Override
    public boolean hasLocks() {
        return true;
    }

    /** Like {@link #lockForAppend}, without waiting. */
    FolderLock tryLockForAppend() throws IOException {
        return FolderLock.take(path.resolve(WRITER_LOCK), 0);
    }

    /** Tries to acquire the writer lock for a capture, without waiting; null if it is held. */
    FolderLock tryLockForCapture() throws IOException {
        return FolderLock.keep(path.resolve(WRITER_LOCK));
    }

    /** Tries to acquire the compaction lock without waiting; null if it is held. */
    @Override
    public FolderLock lockForCompaction() throws IOException {
        return FolderLock.take(path.resolve(COMPACT_LOCK), 0);
    }

    /** Returns the hidden file of a capture whose first patch will have a version. */
    Path partFile(long first) {
        return path.resolve("." + LogObject.fileName(first) + ".part");
    }

    @Override
    public boolean hasPart(long first) {
        return Files.exists(partFile(first));
    }

    /** Returns the first versions of the hidden files of captures. */
    NavigableSet<Long> parts() throws IOException {
        NavigableSet<Long> versions = new TreeSet<>();
        for (String file : list("").keySet()) {
            LogObject object = parsePart(file);
            if (object != null) {
                versions.add(object.first());
            }
        }
        return versions;
    }

    /** Returns the object of the first patch of a hidden file of a capture; null if it is not such a file. */
    static LogObject parsePart(String file) {
        Matcher part = PART.matcher(file);
        return part.matches() ? LogObject.parseName(part.group(1)) : null;
    }

    /**
     * Gives a file a second name if the name is free.
     *
     * @throws FileAlreadyExistsException another file has the name
     */
    static void link(Path name, Path file) throws IOException {
        try {
            Files.createLink(name, file);
        } catch (FileAlreadyExistsException e) {
            // Over NFS the response to a successful link can be lost. The second try then finds that the name exists.
            if (!Files.isSameFile(name, file)) {
                throw e;
            }
        } catch (UnsupportedOperationException | FileSystemException e) {
            throw new IOException("can't make the hard link " + name + " (" + e.getMessage()
                    + "); a patch log is appended to on a file system that has hard links and may be written to", e);
        }
    }

    /** Forces the names to the disk. */
    void force() throws IOException {
        AtomicFolder.force(path, StandardOpenOption.READ);
    }

    /** Removes an empty log. Of its folder only what belongs to the log is removed, and the folder if nothing else is in it. */
    void remove() throws IOException {
        Files.delete(path.resolve(LogProperties.NAME));
        Files.deleteIfExists(path.resolve(WRITER_LOCK));
        if (list("").isEmpty()) {
            Files.delete(path);
        }
    }

    // --- checkpoints

    @Override
    public String partName(int number, String sha256) {
        return Checkpoint.partName(number);
    }

    @Override
    public AtomicFolder makeFolder(String folder) throws IOException {
        Path target = path.resolve(folder);
        if (!Files.isDirectory(target.getParent())) {
            Files.createDirectories(target.getParent());
            force();
        }
        removeUnfinished();
        return new AtomicFolder(target, target.resolveSibling(".making-" + UUID.randomUUID()));
    }

    @Override
    public boolean createFolder(String folder, AtomicFolder made, String last) throws IOException {
        return made.commit();
    }

    @Override
    public boolean hasWholeFolders() {
        return true;
    }

    /** Deletes a folder of files. Nobody sees half of it. */
    @Override
    public void deleteFolder(String folder, String first) throws IOException {
        Path target = path.resolve(folder);
        Path aside = target.resolveSibling(".removed-" + UUID.randomUUID());
        try {
            Files.move(target, aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return; // another process deleted it
        }
        AtomicFolder.delete(aside);
    }

    /** Deletes unfinished checkpoints of processes that were killed, if nobody wrote to them for an hour. */
    @Override
    public void removeUnfinished() throws IOException {
        try (DirectoryStream<Path> hidden =
                Files.newDirectoryStream(path.resolve(Checkpoints.FOLDER), ".{making,removed}-*")) {
            for (Path left : hidden) {
                if (lastWritten(left).isBefore(now().minus(UNFINISHED_AGE))) {
                    AtomicFolder.delete(left);
                }
            }
        } catch (NoSuchFileException e) {
            // no checkpoint was ever created
        }
    }

    /** Returns the time by the clock of the disk, which may be that of a file server. */
    private Instant now() throws IOException {
        Path made = Files.createFile(temporary());
        try {
            return Files.getLastModifiedTime(made).toInstant();
        } finally {
            Files.delete(made);
        }
    }

    private static Instant lastWritten(Path folder) throws IOException {
        Instant last = Instant.EPOCH;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            last = Files.getLastModifiedTime(folder).toInstant();
            for (Path file : files) {
                Instant written = Files.getLastModifiedTime(file).toInstant();
                last = written.isAfter(last) ? written : last;
            }
        } catch (NoSuchFileException e) {
            // it is being deleted, or is being renamed to its final name
            last = Instant.MAX;
        }
        return last;
    }
}
