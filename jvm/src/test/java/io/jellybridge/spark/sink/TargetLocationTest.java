package io.jellybridge.spark.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.jena.DatasetStore;
import io.jellybridge.sync.SyncTarget;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TargetLocationTest {
    @TempDir
    Path folder;

    private TargetLocation target(Path directory) {
        return new TargetLocation("tdb2:" + directory, Map.of());
    }

    /** Another query, which opens the dataset and closes it; what it failed with comes back. */
    private static FutureTask<Exception> query(TargetLocation target) {
        return new FutureTask<>(() -> {
            try (SyncTarget opened = target.open()) {
                assertNull(opened.position("urn:key"));
                return null;
            } catch (IOException | RuntimeException e) {
                return e;
            }
        });
    }

    private static Thread startWaiting(FutureTask<Exception> query) throws InterruptedException {
        Thread thread = new Thread(query);
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.sleep(5);
        }
        return thread;
    }

    @Test
    void whoeverComesWhileADatabaseIsOpenWaitsByWhateverNameItHasIt() throws Exception {
        Files.createSymbolicLink(folder.resolve("link"), folder);
        FutureTask<Exception> query = query(target(folder.resolve("link").resolve("tdb2")));
        SyncTarget first = target(folder.resolve("tdb2")).open();
        startWaiting(query);
        assertFalse(query.isDone());
        first.close();
        assertNull(query.get(30, TimeUnit.SECONDS));
    }

    @Test
    void whoWaitsCanBeInterruptedAndTakesNobodysTurn() throws Exception {
        TargetLocation target = target(folder.resolve("tdb2"));
        FutureTask<Exception> query = query(target);
        try (SyncTarget first = target.open()) {
            startWaiting(query).interrupt();
            assertInstanceOf(InterruptedIOException.class, query.get(30, TimeUnit.SECONDS));
            assertNull(first.position("urn:key"));
        }
        target.open().close();
    }

    @Test
    void whoCannotOpenTheDatabaseGivesTheTurnBack() throws Exception {
        TargetLocation target = target(folder.resolve("tdb2"));
        try (DatasetStore other = DatasetStore.open("tdb2:" + folder.resolve("tdb2"))) {
            IllegalStateException e = assertThrows(IllegalStateException.class, target::open);
            assertTrue(e.getMessage().contains("open in this process already"), e.getMessage());
        }
        FutureTask<Exception> query = query(target);
        new Thread(query).start();
        assertNull(query.get(30, TimeUnit.SECONDS));
    }

    @Test
    void itsNameHasNoCredentials() {
        Map<String, String> login = Map.of("user", "me", "password", "secret");
        assertEquals("http://host:3030/ds", new TargetLocation("http://host:3030/ds", login).toString());
    }
}
