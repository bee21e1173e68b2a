package io.jellybridge.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
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
 * A folder of files that appears whole or not at all, as {@link AtomicFile} does: made beside its place under a hidden name,
 * and renamed by {@link #commit()}. {@link #close()} without that leaves nothing.
 */
public final class AtomicFolder implements Closeable {
    private final Path target;
    private final Path temporary;
    private boolean ended;

    /**
     * @param temporary what it is called until then, in the same folder
     * @throws IOException it can't be made
     */
    public AtomicFolder(Path target, Path temporary) throws IOException {
        this.target = target;
        this.temporary = Files.createDirectory(temporary);
    }

    /** Where its files are to be written. */
    public Path path() {
        return temporary;
    }

    /** What it is to be called. */
    public Path target() {
        return target;
    }

    /**
     * Gives the folder its name, when all that is in it is on the disk.
     *
     * @return whether it has it; not where another folder has the name already
     */
    public boolean commit() throws IOException {
        for (Path file : files(temporary)) {
            force(file, StandardOpenOption.WRITE);
        }
        force(temporary, StandardOpenOption.READ);
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

    /** Takes it away, also while others still write into it, whose files are lost. */
    @Override
    public void close() throws IOException {
        if (ended) {
            return;
        }
        ended = true;
        // Under another name nobody puts one more file into it.
        Path aside = temporary.resolveSibling(temporary.getFileName() + "-removed");
        try {
            Files.move(temporary, aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return; // another one took it away
        }
        delete(aside);
    }

    /** Deletes a folder of files, and what another process has left of it. */
    public static void delete(Path folder) throws IOException {
        try {
            for (Path file : files(folder)) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (NoSuchFileException e) {
            // another one did it
        }
    }

    /** Forces a file, or the names in a folder, to the disk. */
    public static void force(Path path, OpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
