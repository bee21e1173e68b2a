package io.jellybridge.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * An exclusive lock on a file. It works between processes, as far as the file system supports locks, and between the threads
 * of this process. It is released when its process dies.
 *
 * <p>Only the holder has the file open. On POSIX systems a process loses its lock when it closes any channel of the file, even
 * in a thread that failed to lock it.
 */
final class FolderLock implements Closeable {
    private static final Map<Path, Semaphore> IN_PROCESS = new ConcurrentHashMap<>();
    private static final long PAUSE_MILLIS = 2;

    private final Semaphore inProcess;
    private final FileChannel channel;
    private boolean closed;

    private FolderLock(Semaphore inProcess, FileChannel channel) {
        this.inProcess = inProcess;
        this.channel = channel;
    }

    /**
     * Acquires the lock.
     *
     * @param millis the longest time to wait for it
     * @return null if it was locked all that time
     */
    static FolderLock take(Path file, long millis) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        Path real = file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
        Semaphore inProcess = IN_PROCESS.computeIfAbsent(real, path -> new Semaphore(1, true));
        try {
            if (!inProcess.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                return null;
            }
            FolderLock lock = null;
            try {
                lock = lock(real, inProcess, end);
                return lock;
            } finally {
                if (lock == null) {
                    inProcess.release();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the lock " + file, e);
        }
    }

    private static FolderLock lock(Path file, Semaphore inProcess, long end) throws IOException, InterruptedException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean held = false;
        try {
            while (true) {
                held = tryLock(channel);
                if (held) {
                    return new FolderLock(inProcess, channel);
                }
                if (System.nanoTime() >= end) {
                    return null;
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } finally {
            if (!held) {
                channel.close();
            }
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // another copy of these classes in this process has it
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            channel.close();
        } finally {
            inProcess.release();
        }
    }
}
