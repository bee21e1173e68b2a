package io.jellybridge.spark.sink;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.sink.JenaSinkOptions.TargetLocation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
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
            try {
                target.open(dataset -> assertNull(dataset.readPosition("urn:key")));
                return null;
            } catch (IOException | RuntimeException e) {
                return e;
            }
        });
    }

    private static Thread startWaiting(FutureTask<Exception> query) {
        Thread thread = new Thread(query);
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            LockSupport.parkNanos(5_000_000);
        }
        return thread;
    }

    private static Exception outcome(FutureTask<Exception> query) {
        return assertDoesNotThrow(() -> query.get(30, TimeUnit.SECONDS));
    }

    @Test
    void whoeverComesWhileADatabaseIsOpenWaitsByWhateverNameItHasIt() throws Exception {
        Files.createSymbolicLink(folder.resolve("link"), folder);
        FutureTask<Exception> query = query(target(folder.resolve("link").resolve("tdb2")));
        target(folder.resolve("tdb2")).open(dataset -> {
            startWaiting(query);
            assertFalse(query.isDone());
        });
        assertNull(outcome(query));
    }

    @Test
    void whoWaitsCanBeInterruptedAndTakesNobodysTurn() throws Exception {
        TargetLocation target = target(folder.resolve("tdb2"));
        FutureTask<Exception> query = query(target);
        target.open(dataset -> {
            startWaiting(query).interrupt();
            assertInstanceOf(InterruptedIOException.class, outcome(query));
            assertNull(dataset.readPosition("urn:key"));
        });
        target.open(dataset -> { });
    }

    @Test
    void whoCannotOpenTheDatabaseGivesTheTurnBack() throws Exception {
        TargetLocation target = target(folder.resolve("tdb2"));
        try (DatasetStore other = DatasetStore.open("tdb2:" + folder.resolve("tdb2"))) {
            IllegalStateException e = assertThrows(IllegalStateException.class, () -> target.open(dataset -> { }));
            assertTrue(e.getMessage().contains("open in this process already"), e.getMessage());
        }
        FutureTask<Exception> query = query(target);
        new Thread(query).start();
        assertNull(outcome(query));
    }

    @Test
    void theMicroBatchesOfAQueryShareIt() {
        Map<String, String> options = Map.of("target", "https://host:3030/ds", "breakLease", "true", "stagingDir", folder.toString());
        SupportsWrite table = (SupportsWrite) new JenaTableProvider().tableOf(ChangeColumn.SCHEMA, options);
        LogicalWriteInfo batch = new LogicalWriteInfo() {
            @Override
            public CaseInsensitiveStringMap options() {
                return fail("another target, which would break a lease again");
            }

            @Override
            public String queryId() {
                return "query";
            }

            @Override
            public StructType schema() {
                return ChangeColumn.SCHEMA;
            }
        };
        assertDoesNotThrow(() -> table.newWriteBuilder(batch).build());
    }

    @Test
    void itsNameHasNoCredentials() {
        Map<String, String> login = Map.of("user", "me", "password", "secret");
        assertEquals("https://host:3030/ds", new TargetLocation("https://host:3030/ds", login).toString());
    }
}
