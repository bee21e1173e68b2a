package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.JavaProcess;
import io.jellybridge.codec.Io;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FolderLockTest {
    private static final long HELD_MILLIS = 1000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoAppendsIsWaitedForLongerThanACapture(boolean capture) throws Exception {
        Path file = folder.resolve("lock");
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        FutureTask<Void> holder = new FutureTask<>(() -> {
            try (FolderLock lock = take(file, capture)) {
                assertNotNull(lock);
                held.countDown();
                released.await();
            }
            return null;
        });
        new Thread(holder).start();
        held.await();
        assertWait(file, capture, released::countDown);
        holder.get();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void likewiseInAnotherProcess(boolean capture) throws Exception {
        Path file = folder.resolve("lock");
        Process process = JavaProcess.of(FolderLockTest.class, file, capture).start();
        try {
            assertEquals('h', process.getInputStream().read());
            assertWait(file, capture, () -> process.getOutputStream().close());
            assertEquals(0, process.waitFor());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aKeptLockIsFreeForAllWhenItIsReleased() throws IOException {
        Path file = folder.resolve("lock");
        for (int round = 0; round < 3; round++) {
            try (FolderLock kept = FolderLock.keep(file)) {
                assertNotNull(kept);
                assertNull(FolderLock.keep(file));
                assertNull(FolderLock.take(file, 0));
            }
            try (FolderLock taken = FolderLock.take(file, 0)) {
                assertNotNull(taken);
            }
        }
    }

    /** Each copy of the classes in a process has channels of its own, and POSIX drops all locks of a file when one of them is closed. */
    @Test
    void theLockOfAnotherCopyOfTheClassesStays() throws Exception {
        Path file = folder.resolve("lock");
        try (FileChannel other = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock held = other.lock(0, 1, false);
            assertNull(FolderLock.take(file, 0));
            assertNull(FolderLock.keep(file));
            Process process = JavaProcess.of(FolderLockTest.class, file, true).start();
            assertEquals('n', process.getInputStream().read(), "the lock is gone");
            process.getOutputStream().close();
            process.waitFor();
            held.release();
            try (FolderLock taken = FolderLock.take(file, 0)) {
                assertNotNull(taken);
            }
        }
    }

    /** The holder has the lock until it is told to release it: a capture after the wait, an append in the middle of it. */
    private static void assertWait(Path file, boolean capture, Io.Action release) throws Exception {
        long began = System.nanoTime();
        FutureTask<Void> releasing = new FutureTask<>(() -> {
            Thread.sleep(HELD_MILLIS);
            release.run();
            return null;
        });
        if (!capture) {
            new Thread(releasing).start();
        }
        try (FolderLock lock = FolderLock.take(file, HELD_MILLIS / 10)) {
            long millis = (System.nanoTime() - began) / 1_000_000;
            assertEquals(capture, lock == null);
            assertTrue(capture || millis >= HELD_MILLIS / 10, "after " + millis + " ms");
        } finally {
            if (capture) {
                release.run();
            }
        }
    }

    private static FolderLock take(Path file, boolean capture) throws IOException {
        return capture ? FolderLock.keep(file) : FolderLock.take(file, 0);
    }

    /** {@code FILE CAPTURE}: holds the lock until the input ends. */
    public static void main(String[] arguments) throws Exception {
        try (FolderLock lock = take(Path.of(arguments[0]), Boolean.parseBoolean(arguments[1]))) {
            System.out.print(lock == null ? "n" : "h");
            System.out.flush();
            System.in.read();
        }
    }
}
