package io.jellybridge.files;

import io.jellybridge.codec.Io;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file that appears whole or not at all. Its bytes go to a hidden file in the same folder, which {@link #commit()} renames.
 * {@link #close()} without a commit removes it.
 */
public final class AtomicFile implements Closeable {
    /** All unfinished files, for {@link #abandonAll()}. */
    private static final Set<AtomicFile> UNFINISHED = ConcurrentHashMap.newKeySet();

    private static final int MOST_LINKS = 40;

    private final Path target;
    private final Path temporary;
    private final String name;
    private FileChannel channel;
    private NamedOutputStream out;
    private boolean ended;

    /**
     * Creates the hidden file.
     *
     * @param name the name of the file in errors
     * @throws IllegalArgumentException the name is that of a directory, a device or a pipe, which a file must not replace
     * @throws IOException the folder is missing or not writable
     */
    public AtomicFile(Path target, String name) throws IOException {
        // A symbolic link stays, and its target is written.
        this.target = Files.exists(target) ? target.toRealPath() : followLinks(target.toAbsolutePath());
        if (Files.exists(this.target) && !Files.isRegularFile(this.target)) {
            String found = Files.isDirectory(this.target) ? "directory" : "device or a pipe";
            throw new IllegalArgumentException(name + " is a " + found + "; give the name of a file");
        }
        Path folder = this.target.getParent();
        if (!Files.isDirectory(folder)) {
            throw new FileNotFoundException(folder + ": there is no such folder");
        }
        // Not Files.createTempFile, which would make the file unreadable for everybody else. And not with the target's name, which may be
        // as long as names can be.
        this.temporary = this.target.resolveSibling("." + UUID.randomUUID() + ".tmp");
        this.name = name;
        open(StandardOpenOption.CREATE_NEW);
        UNFINISHED.add(this);
        Io.closeOnFailure(this, AtomicFile::takePermissions);
    }

    /** Gives the hidden file the owner, group and permissions of the file that it replaces, before anything is written. */
    private Void takePermissions() throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(temporary, PosixFileAttributeView.class);
        if (view != null && Files.exists(target)) {
            PosixFileAttributes own = view.readAttributes();
            PosixFileAttributes wanted = Files.readAttributes(target, PosixFileAttributes.class);
            if (!own.owner().equals(wanted.owner()) || !own.group().equals(wanted.group())) {
                try {
                    view.setGroup(wanted.group());
                    view.setOwner(wanted.owner());
                } catch (IOException e) {
                    // Only the administrator may. What was private stays so, for another owner.
                }
            }
            Set<PosixFilePermission> permissions = new HashSet<>(wanted.permissions());
            permissions.add(PosixFilePermission.OWNER_WRITE);
            if (!permissions.equals(own.permissions())) {
                view.setPermissions(permissions);
            }
        }
        return null;
    }

    /** Returns the path of a file that is not there, which links may lead to. */
    private static Path followLinks(Path path) throws IOException {
        Path end = path;
        for (int links = 0; Files.isSymbolicLink(end); links++) {
            if (links == MOST_LINKS) {
                throw new FileSystemLoopException(path.toString());
            }
            end = end.resolveSibling(Files.readSymbolicLink(end));
        }
        return end;
    }

    private void open(StandardOpenOption how) throws IOException {
        channel = FileChannel.open(temporary, how, StandardOpenOption.WRITE);
        // Writers close their stream, but the channel is still needed then.
        out = new NamedOutputStream(
                new CloseShieldOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)), name);
    }

    /** Removes the hidden files of all unfinished files, for a process that is about to exit. */
    public static void abandonAll() throws IOException {
        for (AtomicFile file : UNFINISHED) {
            file.close();
        }
    }

    /** Returns the stream to write to. Closing it only flushes it. */
    public OutputStream out() {
        return out;
    }

    /** Returns the number of bytes so far, which this flushes. */
    public long flushedBytes() throws IOException {
        out.flush();
        return channel.position();
    }

    /** Cuts the file after a failed write, so that {@link #out} continues there. An interrupt may have closed the channel. */
    public void cutTo(long length) throws IOException {
        channel.close();
        open(StandardOpenOption.WRITE);
        channel.truncate(length);
        channel.position(length);
    }

    /** Forces the bytes to the disk and gives the file its name. It replaces a file of that name. */
    public void commit() throws IOException {
        finish(this::move);
    }

    /**
     * Forces the bytes to the disk and gives the file its name, without replacing another file.
     *
     * @param other the name to use if a file took the first name meanwhile
     * @return true if the file got its name, false if it got the other one
     */
    public boolean commitNew(Path other) throws IOException {
        finish(() -> {
            try {
                Files.move(temporary, target);
            } catch (FileAlreadyExistsException e) {
                Files.move(temporary, other);
            }
        });
        return !Files.exists(other);
    }

    private void finish(Io.Action move) throws IOException {
        out.flush();
        try {
            channel.force(true);
            channel.close();
            move.run();
        } catch (IOException e) {
            throw out.withFileName(e);
        }
        ended = true;
        UNFINISHED.remove(this);
    }

    private void move() throws IOException {
        try {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void close() throws IOException {
        if (ended) {
            return;
        }
        ended = true;
        UNFINISHED.remove(this);
        try {
            Files.deleteIfExists(temporary);
        } finally {
            channel.close();
        }
    }
}
