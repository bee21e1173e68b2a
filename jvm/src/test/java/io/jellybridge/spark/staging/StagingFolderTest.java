package io.jellybridge.spark.staging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that make files while the driver removes their folder. */
class StagingFolderTest {

    @TempDir
    java.nio.file.Path parent;

    private final Configuration hadoop = new Configuration();
    private Path path;
    private StagingFolder folder;

    /** The disk, on which something happens once between the look for a file's folder and the making, or before a folder goes. */
    public static final class Raced extends LocalFileSystem {
        static Callable<?> beforeMaking;
        static Callable<?> beforeChecksums;
        static Callable<?> withinRemoval;
        /** As stores of objects do. */
        static boolean makesWhenClosed;
        static boolean isInterruptedOnceMade;
        static boolean isStuck;

        public Raced() {
            super(new RawLocalFileSystem() {
                @Override
                public FSDataOutputStream create(Path file, FsPermission permission, boolean overwrite, int buffer,
                        short replication, long block, Progressable progress) throws IOException {
                    if (file.getName().endsWith("one.crc")) {
                        Callable<?> now = beforeChecksums;
                        beforeChecksums = null;
                        call(now);
                    }
                    return super.create(file, permission, overwrite, buffer, replication, block, progress);
                }
            });
        }

        @Override
        public FSDataOutputStream createNonRecursive(Path file, FsPermission permission, boolean overwrite, int buffer,
                short replication, long block, Progressable progress) throws IOException {
            if (!exists(file.getParent())) {
                throw new FileNotFoundException(file.getParent().toString());
            }
            Callable<?> now = beforeMaking;
            beforeMaking = null;
            call(now);
            FSDataOutputStream out = create(file, permission, overwrite, buffer, replication, block, progress);
            if (isInterruptedOnceMade) {
                out.close();
                throw new InterruptedIOException("interrupted");
            }
            return !makesWhenClosed ? out : new FSDataOutputStream(out, null) {
                @Override
                public void close() throws IOException {
                    super.close();
                    Raced.this.create(file, true).close();
                }
            };
        }

        @Override
        public boolean delete(Path file, boolean all) throws IOException {
            if (isStuck) {
                throw new IOException("no permission");
            }
            if (all && withinRemoval != null) {
                Callable<?> now = withinRemoval;
                withinRemoval = null;
                call(now);
                return false;
            }
            return super.delete(file, all);
        }

        private static void call(Callable<?> what) throws IOException {
            try {
                if (what != null) {
                    what.call();
                }
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @BeforeEach
    void make() throws IOException {
        hadoop.set("fs.file.impl", Raced.class.getName());
        hadoop.setBoolean("fs.file.impl.disable.cache", true);
        path = new Path(parent.toUri().toString(), "staging");
        folder = new StagingFolder(path, hadoop);
        folder.make();
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        Raced.makesWhenClosed = false;
        Raced.isInterruptedOnceMade = false;
        Raced.isStuck = false;
        folder.remove();
        try (var left = Files.list(parent)) {
            assertEquals(0, left.count());
        }
    }

    private OutputStream file(String name) throws IOException {
        return folder.createFile(new Path(path, name));
    }

    private boolean isThere() {
        return Files.exists(parent.resolve("staging"));
    }

    @Test
    void aTaskThatComesAfterTheRemovalIsRefused() throws IOException {
        file("one").close();
        folder.remove();
        assertThrows(FileNotFoundException.class, () -> file("two"));
        assertFalse(isThere());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFolderThatATaskBroughtBackGoesAgain(boolean makesWhenClosed) {
        Raced.makesWhenClosed = makesWhenClosed;
        Raced.beforeMaking = () -> {
            folder.remove();
            return null;
        };
        String refused = assertThrows(FileNotFoundException.class, () -> file("one")).getMessage();
        assertTrue(refused.contains("was removed: the write was stopped"), refused);
        assertFalse(isThere());
    }

    @Test
    void theChecksumsOfAFileThatIsGoneDoNotStay() {
        Raced.beforeChecksums = () -> {
            folder.remove();
            return null;
        };
        assertThrows(FileNotFoundException.class, () -> file("one"));
        assertFalse(isThere());
    }

    @Test
    void whatAnInterruptedTaskMadeDoesNotStay() throws IOException {
        Raced.isInterruptedOnceMade = true;
        assertThrows(InterruptedIOException.class, () -> file("one"));
        assertTrue(isThere());
        assertFalse(Files.exists(parent.resolve("staging/one")));
        Raced.beforeMaking = () -> {
            folder.remove();
            return null;
        };
        assertThrows(InterruptedIOException.class, () -> file("two"));
        assertFalse(isThere());
    }

    @Test
    void aFileThatIsThereIsLeft() throws IOException {
        file("one").close();
        assertThrows(FileAlreadyExistsException.class, () -> file("one"));
        assertTrue(Files.exists(parent.resolve("staging/one")));
    }

    @Test
    void aFileThatIsMadeWhileTheFolderIsRemovedGoesToo() throws IOException {
        Raced.withinRemoval = () -> Files.createFile(parent.resolve("staging/late"));
        folder.remove();
        assertFalse(isThere());
    }

    @Test
    void aFolderThatCannotBeRemovedIsNoFaultOfItsBatch() {
        Raced.isStuck = true;
        StagingFolder.removeOrWarn(path, hadoop);
        assertTrue(isThere());
        Raced.isStuck = false;
        StagingFolder.removeOrWarn(path, hadoop);
        assertFalse(isThere());
    }

    @Test
    void anotherRunBeginsWithAnEmptyFolder() throws IOException {
        file("one").close();
        folder.make();
        file("one").close();
        folder.deleteFile(new Path(path, "one"));
        assertTrue(isThere());
    }
}
