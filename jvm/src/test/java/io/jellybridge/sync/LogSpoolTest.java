package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.StoreLog;
import io.jellybridge.sync.LogPositions.LogPosition;
import io.jellybridge.sync.FollowedLog.LogSpool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogSpoolTest {
    private static final SyncOptions OPTIONS =
            new SyncOptions(SyncOptions.LOG, false, 100, 64 << 20, 10, false);

    @TempDir
    Path folder;

    private StoreLog log;

    @BeforeEach
    void create() throws IOException {
        log = StoreLog.create(folder.resolve("log"));
        for (int i = 1; i <= 5; i++) {
            LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(i)));
        }
    }

    @AfterEach
    void close() throws IOException {
        log.close();
    }

    private static List<String> names(LogSpool spool) {
        return spool.patches().stream().map(SyncPatch::name).toList();
    }

    private List<String> positions() throws IOException {
        try (LogSpool all = LogSpool.fetch(log, null, 0)) {
            return all.patches().stream().map(SyncPatch::position).toList();
        }
    }

    @Test
    void whatWasAppliedBeforeIsNotFetchedButForTheHead() throws IOException {
        List<String> positions = positions();
        assertEquals(5, positions.size());
        for (String[] expected : new String[][] {{positions.get(2), "4.jellyp#0", "5.jellyp#0"},
            {positions.get(3), "5.jellyp#0"}, {positions.get(4), "5.jellyp#0"}}) {
            try (LogSpool spool = LogSpool.fetch(log, expected[0], LogPosition.NOT_KNOWN)) {
                assertEquals(List.of(expected).subList(1, expected.length), names(spool));
            }
        }
        try (LogSpool unknown = LogSpool.fetch(log, "<urn:none>", LogPosition.NOT_KNOWN)) {
            assertEquals(5, unknown.patches().size());
        }
    }

    @Test
    void ofAVersionThatIsKnownOnlyWhatIsBehindIsFetched() throws IOException {
        for (int version = 0; version <= 5; version++) {
            try (LogSpool spool = LogSpool.fetch(log, "<urn:none>", version)) {
                int after = version;
                assertEquals(List.of("1.jellyp#0", "2.jellyp#0", "3.jellyp#0", "4.jellyp#0", "5.jellyp#0").subList(after, 5),
                        names(spool));
                assertTrue(spool.patches().stream().allMatch(patch -> patch.version() > after));
            }
        }
    }

    @Test
    void anEmptyLogHasNothing() throws IOException {
        try (StoreLog empty = StoreLog.create(folder.resolve("empty")); LogSpool spool = LogSpool.fetch(empty, null, 0)) {
            assertEquals(List.of(), spool.patches());
        }
    }

    @Test
    void whatWasFetchedGoesWithTheSpool() throws IOException {
        Path file;
        try (LogSpool spool = LogSpool.fetch(log, null, 0); DatasetStore store = DatasetStore.open("mem:")) {
            file = spool.patches().get(0).file();
            assertEquals(5, SyncRun.run(spool.patches(), store, OPTIONS, ProgressListener.NONE).patches());
            assertEquals(5, store.size());
            assertTrue(Files.exists(file));
        }
        assertFalse(Files.exists(file.getParent()));
    }

    /** Damaged in the log: what is behind it is fetched all the same, and nothing of it pretends to be a patch. */
    @Test
    void aPatchThatCantBeReadStaysInTheLogAndItsFaultIsAmongThePatches() throws IOException {
        List<String> positions = positions();
        Files.write(LogPatches.file(log, 3), new byte[] {1, 2, 3});
        try (LogSpool spool = LogSpool.fetch(log, positions.get(0), LogPosition.NOT_KNOWN)) {
            assertEquals(List.of("2.jellyp#0", "3.jellyp#0", "4.jellyp#0", "5.jellyp#0"), names(spool));
            SyncPatch lost = spool.patches().get(1);
            assertTrue(lost.fault().getMessage().contains(LogPatches.file(log, 3).getFileName().toString()),
                    lost.fault().getMessage());
            assertSame(lost.fault(), assertThrows(RuntimeException.class, () -> lost.open(new Utf8Terms())));
            assertNull(lost.id());
            assertNull(lost.prev());
            assertEquals(List.of(0L, 0L), List.of(lost.rows(), lost.bytes()));
            assertNull(lost.file());
        }
    }
}
