package io.jellybridge.jena.tdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.JavaProcess;
import io.jellybridge.jena.dataset.DatasetStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.jena.system.Txn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TdbDirectoryTest {
    private static final int TIMES = 5;

    /** Jena's own close collects it, which takes up to 0.9 s in the driver of a long Spark session. */
    @Test
    void aDatabaseIsClosedWithoutACollectionOfTheWholeHeap(@TempDir Path folder) throws Exception {
        ProcessBuilder builder = JavaProcess.of(TdbDirectoryTest.class, folder.resolve("database")).redirectErrorStream(true);
        builder.command().add(1, "-Xlog:gc");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), said);
        assertFalse(said.contains("System.gc()"), said);
    }

    /** As another process does that is about to close it, or an older one of Jena's. */
    @Test
    void aDatabaseWhoseGenerationWasLockedElsewhereIsOpenedLater(@TempDir Path folder) throws Exception {
        Path database = folder.resolve("database");
        main(new String[] {database.toString()});
        Process holder = JavaProcess.of(LockHolder.class, database.resolve("Data-0001").resolve("tdb.lock")).start();
        try {
            assertEquals('L', holder.getInputStream().read());
            for (int i = 0; i < 2; i++) {
                String refused = assertThrows(IllegalStateException.class, () -> TdbDirectory.open(database)).getMessage();
                assertTrue(refused.contains("is open in another process"), refused);
            }
        } finally {
            holder.destroyForcibly().waitFor();
        }
        try (TdbDirectory opened = TdbDirectory.open(database)) {
            assertEquals(TIMES, Txn.calculateRead(opened.dataset(), () -> opened.dataset().stream().count()));
        }
    }

    /** As on a disk that can't be read for a while. */
    @Test
    void aDatabaseThatCouldNotBeRepairedIsOpenedLater(@TempDir Path folder) throws IOException {
        TdbDirectory.open(folder).close();
        Files.write(folder.resolve("Data-0001").resolve("journal.jrnl"), new byte[1]);
        Path lock = folder.resolve("tdb.lock");
        Files.delete(lock);
        Files.createDirectory(lock);
        assertThrows(IOException.class, () -> TdbDirectory.open(folder));
        Files.delete(lock);
        TdbDirectory.open(folder).close();
    }

    /** Holds a lock until it is killed. */
    static final class LockHolder {
        private LockHolder() {
        }

        public static void main(String[] arguments) throws Exception {
            try (FileChannel file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE); FileLock lock = file.lock()) {
                System.out.print(lock.isValid() ? 'L' : '-');
                System.out.flush();
                Thread.sleep(Long.MAX_VALUE);
            }
        }
    }

    /** Opens and closes a database, each time with a statement more. */
    public static void main(String[] arguments) throws IOException {
        for (int i = 1; i <= TIMES; i++) {
            try (DatasetStore store = DatasetStore.open("tdb2:" + arguments[0])) {
                store.update("INSERT DATA { <urn:s> <urn:p> " + i + " }");
                assertEquals(i, store.size());
            }
        }
    }
}
