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

/**
 * The files of a log's folder: their names, and what the file system promises for them.
 *
 * @param path where they are
 * @param name what errors call the folder
 */
record LogFolder(Path path, String name) {
    static final String PROPERTIES = LogProperties.NAME;
    static final String APPEND_PREFIX = ".append-";
    static final String SUFFIX = ".jellyp";
    /** The folder of what was put away. */
    static final String QUARANTINE = "quarantine";
    /** The folder of {@link Checkpoints}. */
    static final String CHECKPOINTS = "checkpoints";
    /** Names that sort as their versions do. */
    private static final int DIGITS = 20;
    private static final Pattern FILE = Pattern.compile("[0-9]{" + DIGITS + "}" + Pattern.quote(SUFFIX));
    private static final Pattern CHECKPOINT = Pattern.compile("[0-9]{" + DIGITS + "}");
    private static final Pattern PART =
            Pattern.compile("\\.([0-9]{" + DIGITS + "}" + Pattern.quote(SUFFIX) + ")\\.part");
    /** Whoever gives a file the name of a version holds it; a capture for as long as it runs. */
    private static final String WRITER_LOCK = ".writer.lock";
    /** Whoever takes files of patches away holds it. */
    private static final String COMPACT_LOCK = ".compact.lock";
    /** More than a frame's length and the restart point behind it take. */
    private static final int BEGINNING_BYTES = 64;
    /** An append holds the lock no longer than the disk needs. */
    private static final long APPEND_MILLIS = 10_000;

    // --- names

    /** The name of the file whose first patch has that version. */
    static String fileName(long first) {
        return digits(first) + SUFFIX;
    }

    /** A version as names have it. */
    static String digits(long version) {
        String digits = Long.toString(version);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    /** The version that a file's name says; 0 where the name is no such. */
    static long versionOf(String fileName) {
        if (!FILE.matcher(fileName).matches()) {
            return 0;
        }
        try {
            return Long.parseLong(fileName.substring(0, DIGITS));
        } catch (NumberFormatException e) {
            return 0; // more than a version can be
        }
    }

    /** The file whose first patch has that version. */
    Path file(long first) {
        return path.resolve(fileName(first));
    }

    /** The hidden file of a capture, whose first patch is to have that version. */
    Path part(long first) {
        return path.resolve("." + fileName(first) + ".part");
    }

    /** The folder of the checkpoint of a version. */
    Path checkpoint(long version) {
        return path.resolve(CHECKPOINTS).resolve(digits(version));
    }

    /**
     * The newest version of a log without patches, that of the newest checkpoint: of its beginning, or where the patch behind
     * those that were pruned went aside. 0: it is empty.
     */
    long withoutPatches() throws IOException {
        SortedSet<Long> made = checkpoints();
        return made.isEmpty() ? 0 : made.last();
    }

    /** A name for a file in the making. */
    Path temporary() {
        return path.resolve(APPEND_PREFIX + PatchIds.random());
    }

    /** What errors call a file of the folder. */
    String nameOf(String file) {
        return name + "/" + file;
    }

    static boolean isHidden(Path file) {
        return file.getFileName().toString().startsWith(".");
    }

    /** With which versions files begin. */
    NavigableSet<Long> firsts() throws IOException {
        NavigableSet<Long> versions = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            files.forEach(file -> versions.add(versionOf(file.getFileName().toString())));
        }
        versions.remove(0L);
        return versions;
    }

    /** With which versions the hidden files of captures begin. */
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

    /** Of which versions there are checkpoints. */
    SortedSet<Long> checkpoints() throws IOException {
        SortedSet<Long> versions = new TreeSet<>();
        try (DirectoryStream<Path> made = Files.newDirectoryStream(path.resolve(CHECKPOINTS),
                folder -> CHECKPOINT.matcher(folder.getFileName().toString()).matches())) {
            for (Path folder : made) {
                versions.add(Long.valueOf(folder.getFileName().toString()));
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            // none was ever made
        }
        return versions;
    }

    // --- what is in a file

    /**
     * The patches of a file, each a stream of its own. Bytes behind them that are no whole frame are a patch that is cut off
     * within its first frame, or go with the last; who reads that is told.
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

    /** The bytes of a file, wherever it is. */
    @FunctionalInterface
    interface Bytes {
        /** Those from a place on; the caller closes the stream. */
        InputStream from(long offset) throws IOException;
    }

    /** Where in a file of patches each begins, see {@link #slices}. */
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

    /** Whether bytes begin with a restart point, by which a stream is told from the one before it in a joined file. */
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
     * Gives a file a second name, if that is free.
     *
     * @throws FileAlreadyExistsException the name is taken by another file
     */
    static void link(Path name, Path file) throws IOException {
        try {
            Files.createLink(name, file);
        } catch (FileAlreadyExistsException e) {
            // Over NFS the answer to a link that was made can be lost, and the second try finds the name taken.
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

    /** Takes the lock of who writes; null: a capture has it, which appends alone. */
    FolderLock lockForAppend() throws IOException {
        return FolderLock.take(path.resolve(WRITER_LOCK), APPEND_MILLIS);
    }

    /** Takes the lock of who writes, at once; null: someone else has it. */
    FolderLock lockForWriter() throws IOException {
        return FolderLock.take(path.resolve(WRITER_LOCK), 0);
    }

    /** Takes the lock of who takes files away, at once; null: someone else has it. */
    FolderLock lockForCompaction() throws IOException {
        return FolderLock.take(path.resolve(COMPACT_LOCK), 0);
    }
}
