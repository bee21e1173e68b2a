package io.jellybridge.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder of files that appears whole or not at all, like an {@link AtomicFile}. Its files go to a hidden folder beside it,
 * which {@link #commit()} renames. {@link #close()} without a commit removes it.
 */
public final class AtomicFolder implements Closeable {
    private static final int MAX_ATTEMPTS = 1000;

    private final Path target;
    private final Path temporary;
    private boolean ended;

    /**
     * Creates the hidden folder.
     *
     * @param target    the final path; null if it is not renamed, and somebody copies the files
     * @param temporary the hidden folder, in the same parent folder
     * @throws IOException it can't be created
     */
    public AtomicFolder(Path target, Path temporary) throws IOException {
        this.target = target;
        this.temporary = Files.createDirectory(temporary);
    }

    /** Returns the hidden folder, to write files into. */
    public Path path() {
        return temporary;
    }

    /** Returns the files in the hidden folder. */
    public List<Path> files() throws IOException {
        return listFiles(temporary);
    }

    /**
     * Forces all files to the disk and gives the folder its name.
     *
     * @return false if another folder already has the name
     */
    public boolean commit() throws IOException {
        forceAll(temporary);
        try {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            ended = true;
        } catch (FileSystemException e) {
            if (e instanceof NoSuchFileException || !Files.isDirectory(target)) {
                throw e;
            }
        }
        force(target.getParent(), StandardOpenOption.READ);
        return ended;
    }

    /** Removes the folder, even while others still write files into it. Their files are lost. */
    @Override
    public void close() throws IOException {
        if (ended) {
            return;
        }
        ended = true;
        // Nobody opens a file under the new name.
        Path aside = temporary.resolveSibling(temporary.getFileName() + "-removed");
        try {
            Files.move(temporary, aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return; // another thread or process removed it
        }
        delete(aside);
    }

    /**
     * Deletes a folder with all in it, or the rest of one that another process began to delete. Files that appear meanwhile are
     * deleted too: a thread may have found the folder just before it got another name.
     *
     * @throws DirectoryNotEmptyException if files appear again and again
     */
    public static void delete(Path folder) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                for (Path file : listFiles(folder)) {
                    if (Files.isDirectory(file)) {
                        delete(file);
                    } else {
                        Files.deleteIfExists(file);
                    }
                }
                Files.deleteIfExists(folder);
                return;
            } catch (NoSuchFileException e) {
                return; // another thread or process deleted it
            } catch (DirectoryNotEmptyException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Forces a file, or the directory entries of a folder, to the disk. */
    public static void force(Path path, OpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }

    /** Forces the files of a folder, and its directory entries, to the disk. */
    public static void forceAll(Path folder) throws IOException {
        for (Path file : listFiles(folder)) {
            force(file, StandardOpenOption.WRITE);
        }
        force(folder, StandardOpenOption.READ);
    }

    /** Returns the files of a folder. */
    public static List<Path> listFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
