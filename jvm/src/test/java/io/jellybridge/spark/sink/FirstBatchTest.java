package io.jellybridge.spark.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.files.AtomicFolder;
import io.jellybridge.Full;
import io.jellybridge.JavaProcess;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.spark.sink.ExactlyOnceStep.BatchPosition;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The first batch of a sink into an empty TDB2 database, which a bulk loader fills. */
@Timeout(600)
class FirstBatchTest {
    private static final int ROWS = 6_000;
    /** So many that a load takes long enough to be killed; a process of its own loads as many in bulk as users' do. */
    private static final int ROWS_TO_KILL = 120_000;
    /** The first ten of what is added are deleted again. */
    private static final int DELETED = 10;
    private static final int KILLS = 5;
    private static final String KEY = "urn:jellybridge:query:" + BatchCommitter.WRITER;

    @TempDir
    Path folder;

    private int rows;
    private Path staged;
    private Path database;

    private void stage(int rows) throws IOException {
        this.rows = rows;
        staged = folder.resolve("staged.jellyp");
        database = folder.resolve("tdb2");
        try (PatchWriter<byte[]> writer = new PatchWriter<>(new BufferedOutputStream(Files.newOutputStream(staged)), null,
                new Utf8Terms(), PatchOptions.DEFAULT, WriteOptions.DEFAULT)) {
            for (int i = 0; i < rows; i++) {
                boolean deletes = i >= rows - DELETED;
                int item = deletes ? i - (rows - DELETED) : i;
                writer.statement(deletes ? Op.D : Op.A, utf8("<urn:item:" + item + ">"), utf8("<urn:p>"),
                        utf8("\"" + item + "\""), null);
            }
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    private String target() {
        return "tdb2:" + database;
    }

    private boolean isLoaded() {
        return Files.exists(database.resolve("Data-0002"));
    }

    /** Whether the batch is there: with all of it or nothing, and its number with it. */
    private boolean isThere() throws IOException {
        try (DatasetStore store = DatasetStore.open(target())) {
            if (store.readPosition(KEY) == null) {
                assertEquals(0, store.size());
                return false;
            }
            assertEquals(0, BatchPosition.parsePosition(store.readPosition(KEY), KEY).number());
            assertEquals(rows - 2 * DELETED, store.size());
            return true;
        }
    }

    @Test
    void itIsLoadedAndAppliedOnce() throws IOException {
        stage(ROWS);
        BatchCommitter.commit(target(), staged.toString(), rows);
        assertTrue(isLoaded());
        assertTrue(isThere());
        try (DatasetStore store = DatasetStore.open(target())) {
            store.update("DELETE WHERE { <urn:item:50> ?p ?o }");
        }
        BatchCommitter.commit(target(), staged.toString(), rows);
        try (DatasetStore store = DatasetStore.open(target())) {
            assertEquals(rows - 2 * DELETED - 1, store.size(), "the batch came again, and was not applied");
        }
    }

    @Full("kills processes that load a database")
    @Test
    void whoIsKilledWhileItIsLoadedLeavesNothingOrAllOfIt() throws Exception {
        stage(ROWS_TO_KILL);
        Random random = new Random(5);
        Path loading = database.resolve("Data-0002-tmp");
        int killed = 0;
        for (int attempt = 0; killed < KILLS && attempt < 10 * KILLS; attempt++) {
            Process process = start();
            while (process.isAlive() && !Files.exists(loading)) {
                Thread.sleep(2);
            }
            Thread.sleep(random.nextInt(400));
            boolean within = Files.exists(loading);
            process.destroyForcibly().waitFor();
            killed += within ? 1 : 0;
            if (isThere()) {
                AtomicFolder.delete(database);
            }
        }
        assertEquals(KILLS, killed);
        BatchCommitter.commit(target(), staged.toString(), rows);
        assertTrue(isThere());
        assertTrue(isLoaded());
    }

    private Process start() throws IOException {
        return JavaProcess.of(BatchCommitter.class, target(), staged, rows).redirectErrorStream(true).redirectOutput(folder.resolve("words").toFile()).start();
    }
}
