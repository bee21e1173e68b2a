package io.jellybridge.log;

import io.jellybridge.codec.StreamFrames;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.files.BoundedInputStream;
import io.jellybridge.files.FileSlice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a log's folder: their names, and the operations of the file system on them.
 *
 * @param path the folder
 * @param name the folder's name in errors
 */
record LogFolder(Path path, String name) {
    static final String PROPERTIES = LogProperties.NAME;
    static final String APPEND_PREFIX = ".append-";
    static final String SUFFIX = ".jellyp";
    /** The folder of files that were set aside. */
    static final String QUARANTINE = "quarantine";
    /** The folder of {@link Checkpoints}. */
    static final String CHECKPOINTS = "checkpoints";
    /** The number of digits, so that names sort like their versions. */
    private static final int DIGITS = 20;
    private static final Pattern FILE = Pattern.compile("[0-9]{" + DIGITS + "}" + Pattern.quote(SUFFIX));
    private static final Pattern CHECKPOINT = Pattern.compile("[0-9]{" + DIGITS + "}");
    private static final Pattern PART =
            Pattern.compile("\\.([0-9]{" + DIGITS + "}" + Pattern.quote(SUFFIX) + ")\\.part");
    /** The lock to hold for giving a file the name of a version. A capture holds it as long as it runs. */
    private static final String WRITER_LOCK = ".writer.lock";
    /** The lock to hold for deleting files of patches. */
    private static final String COMPACT_LOCK = ".compact.lock";
    /** A number of bytes that is enough for a frame's length and the restart point after it. */
    private static final int BEGINNING_BYTES = 64;
    /** The longest wait for an append, which only holds the lock as long as the disk needs. */
    private static final long APPEND_MILLIS = 10_000;

    // --- names

    /** Returns the name of the file whose first patch has a version. */
    static String fileName(long first) {
        return digits(first) + SUFFIX;
    }

    /** Returns a version as it is in names. */
    static String digits(long version) {
        String digits = Long.toString(version);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    /** Returns the version in a file's name; 0 if the name has none. */
    static long versionOf(String fileName) {
        if (!FILE.matcher(fileName).matches()) {
            return 0;
        }
        try {
            return Long.parseLong(fileName.substring(0, DIGITS));
        } catch (NumberFormatException e) {
            return 0; // larger than a version can be
        }
    }

    /** Returns the file whose first patch has a version. */
    Path file(long first) {
        return path.resolve(fileName(first));
    }

    /** Returns the hidden file of a capture whose first patch will have a version. */
    Path part(long first) {
        return path.resolve("." + fileName(first) + ".part");
    }

    /** Returns the folder of the checkpoint of a version. */
    Path checkpoint(long version) {
        return path.resolve(CHECKPOINTS).resolve(digits(version));
    }

    /**
     * Returns the newest version of a log without patches: the version of its newest checkpoint. That is the beginning of the
     * log, or a repair set the patch after the pruned ones aside. Returns 0 for an empty log.
     */
    long withoutPatches() throws IOException {
        SortedSet<Long> made = checkpoints();
        return made.isEmpty() ? 0 : made.last();
    }

    /** Returns a name for an unfinished file. */
    Path temporary() {
        return path.resolve(APPEND_PREFIX + PatchIds.random());
    }

    /** Returns the name of a file in errors. */
    String nameOf(String file) {
        return name + "/" + file;
    }

    static boolean isHidden(Path file) {
        return file.getFileName().toString().startsWith(".");
    }

    /** Returns the first versions of the files. */
    NavigableSet<Long> firsts() throws IOException {
        NavigableSet<Long> versions = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            files.forEach(file -> versions.add(versionOf(file.getFileName().toString())));
        }
        versions.remove(0L);
        return versions;
    }

    /** Returns the first versions of the hidden files of captures. */
    NavigableSet<Long> parts() throws IOException {
        NavigableSet<Long> versions = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Matcher part = PART.matcher(file.getFileName().toString());
                if (part.matches()) {
                    versions.add(versionOf(part.group(1)));
                }
            }
        }
        return versions;
    }

    /** Returns the versions that have checkpoints. */
    SortedSet<Long> checkpoints() throws IOException {
        SortedSet<Long> versions = new TreeSet<>();
        try (DirectoryStream<Path> made = Files.newDirectoryStream(path.resolve(CHECKPOINTS),
                folder -> CHECKPOINT.matcher(folder.getFileName().toString()).matches())) {
            for (Path folder : made) {
                versions.add(Long.valueOf(folder.getFileName().toString()));
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            // no checkpoint was ever created
        }
        return versions;
    }

    // --- what is in a file

    /**
     * Returns the patches of a file, each a stream of its own. If bytes at the end are not a complete frame, they are a patch
     * that was cut in its first frame, or belong to the last patch. Reading that patch throws an error.
     */
    static List<FileSlice> slices(Path file) throws IOException {
        long size = Files.size(file);
        List<Long> starts = starts(size, offset -> new FileSlice(file, offset, size - offset).open());
        List<FileSlice> slices = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            long end = i + 1 < starts.size() ? starts.get(i + 1) : size;
            slices.add(new FileSlice(file, starts.get(i), end - starts.get(i)));
        }
        return slices;
    }

    /** The bytes of a file on any file system. */
    @FunctionalInterface
    interface Bytes {
        /** Opens the bytes from an offset on. The caller must close the stream. */
        InputStream from(long offset) throws IOException;
    }

    /** Returns the offset of each patch in a file, see {@link #slices}. */
    static List<Long> starts(long size, Bytes file) throws IOException {
        List<Long> starts = new ArrayList<>();
        long whole = 0;
        try (StreamFrames frames = new StreamFrames(file.from(0))) {
            for (; frames.next(); whole = frames.end()) {
                if (frames.beginsStream()) {
                    starts.add(whole);
                }
            }
        }
        if (starts.isEmpty() || whole < size && beginsWithRestart(file.from(whole))) {
            starts.add(whole);
        }
        return starts;
    }

    /** Returns true if bytes begin with a restart point, which separates a stream from the one before it in a joined file. */
    static boolean beginsWithRestart(FileSlice bytes) throws IOException {
        return beginsWithRestart(bytes.open());
    }

    private static boolean beginsWithRestart(InputStream bytes) throws IOException {
        try (InputStream beginning = new BoundedInputStream(bytes, BEGINNING_BYTES)) {
            return StreamFrames.beginnings(beginning) > 0;
        }
    }

    // --- the file system

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
        Files.delete(path.resolve(PROPERTIES));
        Files.deleteIfExists(path.resolve(WRITER_LOCK));
        try (Stream<Path> others = Files.list(path)) {
            if (others.findAny().isPresent()) {
                return;
            }
        }
        Files.delete(path);
    }

    /** Acquires the writer lock; null if a capture holds it, which appends exclusively. */
    FolderLock lockForAppend() throws IOException {
        return FolderLock.take(path.resolve(WRITER_LOCK), APPEND_MILLIS);
    }

    /** Tries to acquire the writer lock without waiting; null if it is held. */
    FolderLock lockForWriter() throws IOException {
        return FolderLock.take(path.resolve(WRITER_LOCK), 0);
    }

    /** Tries to acquire the compaction lock without waiting; null if it is held. */
    FolderLock lockForCompaction() throws IOException {
        return FolderLock.take(path.resolve(COMPACT_LOCK), 0);
    }
}
