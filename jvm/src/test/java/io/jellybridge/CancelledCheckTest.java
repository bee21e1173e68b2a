package io.jellybridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.codec.FormatException;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.sync.Follower;
import io.jellybridge.sync.SyncOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Work that only checks is ended too: the fault at the end of these patches is never reached. */
class CancelledCheckTest {
    @TempDir
    private Path folder;
    private Path file;

    @BeforeEach
    void writePatch() throws IOException {
        file = folder.resolve("long.rdfp");
        Files.writeString(file, "A <urn:s> <urn:p> <urn:o> .\n".repeat(20_000) + "what is this\n");
    }

    private static long[] apply(OpenDataset dataset, Path file, Bridge.Progress progress) throws IOException {
        return Bridge.apply(dataset, file.toString(), file.toString(), null, false, "none", progress);
    }

    private static Bridge.Progress cancelled() {
        Bridge.Progress progress = Bridge.newProgress();
        progress.cancel();
        return progress;
    }

    @Test
    void theCheckOfAnApplyEndsWhenItIsCancelled() throws IOException {
        try (OpenDataset dataset = DatasetStore.open("mem:")) {
            assertThrows(CancellationException.class, () -> apply(dataset, file, cancelled()));
            assertThrows(FormatException.class, () -> apply(dataset, file, Bridge.newProgress()));
            assertEquals(0, dataset.size());
        }
    }

    @Test
    void aSyncEndsWhileItLooksForWhatIsNew() throws IOException {
        SyncOptions options = SyncBridge.options(SyncOptions.LOG, false, 1_000, 1_000, 1, false);
        try (OpenDataset dataset = DatasetStore.open("mem:")) {
            Follower follower = SyncBridge.follower(dataset, options, null, null, null);
            assertThrows(CancellationException.class, () -> SyncBridge.files(follower, file.toString(), false, cancelled()));
        }
    }

    @Test
    void theRowsThatWereCheckedAreSeen() throws IOException {
        Bridge.Progress progress = Bridge.newProgress();
        try (OpenDataset dataset = DatasetStore.open("mem:")) {
            assertThrows(FormatException.class, () -> apply(dataset, file, progress));
        }
        assertEquals(List.of(0L, true), List.of(progress.rows(), progress.rowsRead() >= 10_000));
    }
}
