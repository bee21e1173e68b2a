package io.jellybridge.jena.tdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.jellybridge.JavaProcess;
import io.jellybridge.jena.dataset.DatasetStore;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TdbDirectoryTest {
    private static final int TIMES = 5;

    /** Jena's own close does, which takes a second of each batch of a Spark driver. */
    @Test
    void aDatabaseIsClosedWithoutACollectionOfTheWholeHeap(@TempDir Path folder) throws Exception {
        ProcessBuilder builder = JavaProcess.of(TdbDirectoryTest.class, folder.resolve("database")).redirectErrorStream(true);
        builder.command().add(1, "-Xlog:gc");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), said);
        assertFalse(said.contains("System.gc()"), said);
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
