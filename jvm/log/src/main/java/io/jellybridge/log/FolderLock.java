package io.jellybridge.log;

import io.jellybridge.codec.Io;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * An exclusive lock on a file. It works between processes, as far as the file system supports locks, and between the threads
 * of this process. It is released when its process dies.
 *
 * <p>The first byte of the file is locked. Whoever keeps the lock for long also locks the second one, so that others don't wait for
 * long.
 *
 * <p>Only the holder has the file open, and who found it held by another copy of these classes. On POSIX systems a process loses
 * its lock when it closes any channel of the file, even in a thread that failed to lock it.
 */
final class FolderLock implements Closeable {
    private static final Map<Path, InProcess> IN_PROCESS = new ConcurrentHashMap<>();
    private static final long PAUSE_MILLIS = 2;
    /** The longest wait for many who hold the lock one after the other, each for a short time. */
    private static final long MAX_MILLIS = 120_000;

    private final InProcess inProcess;
    private final FileChannel channel;
    private boolean closed;

    private FolderLock(InProcess inProcess, FileChannel channel) {
        this.inProcess = inProcess;
        this.channel = channel;
    }

    /**
     * Acquires the lock, to hold it for a short time.
     *
     * @param millis the longest time to wait for somebody who keeps it; 0 to wait for nobody
     * @return null if it was locked all that time
     */
    static FolderLock take(Path file, long millis) throws IOException {
        long began = System.nanoTime();
        Path real = file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
        InProcess inProcess = IN_PROCESS.computeIfAbsent(real, path -> new InProcess());
        try {
            while (!inProcess.lock.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                if (hasWaited(began, millis, inProcess.kept)) {
                    return null;
                }
            }
            FolderLock lock = null;
            try {
                lock = lock(real, inProcess, began, millis);
                return lock;
            } finally {
                if (lock == null) {
                    inProcess.lock.release();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the lock " + file, e);
        }
    }

    /** Acquires the lock without waiting, to keep it for long; returns null if it is held. */
    static FolderLock keep(Path file) throws IOException {
        FolderLock lock = take(file, 0);
        if (lock != null) {
            lock.inProcess.kept = true;
            Io.closeOnFailure(lock, held -> held.channel.lock(1, 1, false));
        }
        return lock;
    }

    private static FolderLock lock(Path file, InProcess inProcess, long began, long millis)
            throws IOException, InterruptedException {
        FileChannel channel = inProcess.open(file);
        boolean held = false;
        try {
            while (true) {
                held = inProcess.tryLock(channel, 0) != null;
                if (held) {
                    inProcess.leftOpen = null; // closing it releases no lock but this one
                    return new FolderLock(inProcess, channel);
                }
                if (hasWaited(began, millis, true)) {
                    try (FileLock notKept = inProcess.tryLock(channel, 1)) {
                        if (hasWaited(began, millis, notKept == null)) {
                            return null;
                        }
                    }
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } finally {
            if (!held && channel != inProcess.leftOpen) {
                channel.close();
            }
        }
    }

    private static boolean hasWaited(long began, long millis, boolean kept) {
        long longest = millis == 0 || kept ? millis : MAX_MILLIS;
        return System.nanoTime() - began >= TimeUnit.MILLISECONDS.toNanos(longest);
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        inProcess.kept = false;
        try {
            channel.close();
        } finally {
            inProcess.lock.release();
        }
    }

    /** The lock between the threads of this process. */
    private static final class InProcess {
        private final Semaphore lock = new Semaphore(1, true);
        private volatile boolean kept;
        /** A channel of the file while another copy of these classes in this process has the lock, which closing it would release. */
        private FileChannel leftOpen;
        private Object leftFile;

        FileChannel open(Path file) throws IOException {
            FileChannel left = leftOpen;
            leftOpen = null;
            if (left != null && Files.exists(file) && Objects.equals(leftFile, keyOf(file))) {
                return left;
            }
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            leftFile = keyOf(file);
            return channel;
        }

        private static Object keyOf(Path file) throws IOException {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        }

        FileLock tryLock(FileChannel channel, long at) throws IOException {
            try {
                return channel.tryLock(at, 1, false);
            } catch (OverlappingFileLockException e) {
                leftOpen = channel;
                return null;
            }
        }
    }
}
