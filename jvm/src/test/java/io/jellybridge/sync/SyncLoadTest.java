package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.sync.Synchronizer.SyncReport;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Following a long log into an empty TDB2 database, which is filled in one go. */
class SyncLoadTest {
    private static final int ROWS = 850;

    @TempDir
    Path folder;

    private Path log;

    @BeforeEach
    void makeFolder() throws IOException {
        log = Files.createDirectory(folder.resolve("log"));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    /** A patch of so many rows, a few more, which takes back some of what the one before added. */
    private void patch(int number, int rows, String subjectOfOne) throws IOException {
        Path file = log.resolve(number + ".jellyp");
        try (PatchWriter<byte[]> writer = new PatchWriter<>(new BufferedOutputStream(Files.newOutputStream(file)), null,
                new Utf8Terms(), PatchOptions.DEFAULT.withGeneralizedStatements(true), WriteOptions.DEFAULT)) {
            writer.header(utf8("id"), utf8("<urn:id:" + number + ">"));
            if (number > 1) {
                writer.header(utf8("prev"), utf8("<urn:id:" + (number - 1) + ">"));
            }
            writer.transaction(Op.TX);
            writer.statement(Op.A, utf8(subjectOfOne), utf8("<urn:p>"), utf8("\"one\""), null);
            for (int i = 0; i < rows; i++) {
                boolean deletes = i % 10 == 0;
                int patch = deletes ? number - 1 : number;
                int item = deletes ? i + 1 : i;
                writer.statement(deletes ? Op.D : Op.A, utf8("<urn:item:" + patch + ":" + item + ">"), utf8("<urn:p>"),
                        utf8("\"" + item + "\""), item % 2 == 0 ? null : utf8("<urn:g>"));
            }
            writer.transaction(Op.TC);
        }
    }

    private void patches(int count) throws IOException {
        for (int number = 1; number <= count; number++) {
            patch(number, ROWS, "<urn:one>");
        }
    }

    private DatasetStore open() throws IOException {
        return DatasetStore.open("tdb2:" + folder.resolve("database"));
    }

    private static SyncOptions options(boolean dryRun) {
        return new SyncOptions(SyncOptions.LOG, dryRun, 1_500, 64 << 20, 10, false);
    }

    /** The patches from a number on. */
    private List<SyncPatch> from(int first) throws IOException {
        List<Path> files = new ArrayList<>();
        for (int number = first; Files.exists(log.resolve(number + ".jellyp")); number++) {
            files.add(log.resolve(number + ".jellyp"));
        }
        return FilePatches.list(files, ProgressListener.NONE);
    }

    private SyncReport sync(OpenDataset target, int first) throws IOException {
        return SyncRun.run(from(first), target, options(false), ProgressListener.NONE);
    }

    private boolean isLoaded() {
        return Files.exists(folder.resolve("database").resolve("Data-0002"));
    }

    /** Follows the log into a dataset in memory, by transactions; the store must hold the same. */
    private SyncReport byTransactions(DatasetStore store) throws IOException {
        try (DatasetStore memory = DatasetStore.open("mem:")) {
            SyncReport report = sync(memory, 1);
            if (report.faulty() >= 0) {
                sync(memory, report.faulty() + 2);
            }
            assertEquals(OpenDatasetTest.content(memory), OpenDatasetTest.content(store));
            return report;
        }
    }

    @Test
    void anEmptyDatabaseIsFilledInOneGoAndFollowsOn() throws IOException {
        patches(7);
        try (DatasetStore store = open()) {
            List<Long> told = new ArrayList<>();
            SyncReport report = SyncRun.run(from(1), store, options(false), told::add);
            assertTrue(isLoaded());
            assertEquals(1, report.transactions());
            assertEquals(told.stream().sorted().toList(), told);
            // with the headers and the transaction of each patch
            assertEquals(7 * (ROWS + 5) - 1, told.get(told.size() - 1));
            SyncReport expected = byTransactions(store);
            assertTrue(expected.transactions() > 1);
            assertEquals(List.of(expected.patches(), expected.added(), expected.deleted(), expected.aborted(),
                            expected.position()),
                    List.of(report.patches(), report.added(), report.deleted(), report.aborted(), report.position()));
            patch(8, 100, "<urn:another>");
            SyncReport next = sync(store, 8);
            assertEquals(1, next.patches());
            assertEquals("<urn:id:8>", next.position());
        }
        try (DatasetStore again = open()) {
            assertEquals("<urn:id:8>", again.readPosition(SyncOptions.LOG));
            assertEquals(0, sync(again, 9).patches());
        }
    }

    @Test
    void aDryRunLoadsNothing() throws IOException {
        patches(7);
        try (DatasetStore store = open()) {
            SyncReport dry = SyncRun.run(from(1), store, options(true), ProgressListener.NONE);
            assertEquals(7, dry.patches());
            assertEquals(0, store.size());
            assertFalse(isLoaded());
        }
    }

    @Test
    void aShortLogIsAppliedInTransactions() throws IOException {
        patches(2);
        try (DatasetStore store = open()) {
            assertEquals(2, sync(store, 1).patches());
            assertFalse(isLoaded());
        }
    }

    @Test
    void whatIsBeforeABadPatchIsLoadedStill() throws IOException {
        patches(12);
        patch(11, 10, "\"a literal\"");
        try (DatasetStore store = open()) {
            SyncReport stopped = sync(store, 1);
            assertEquals(10, stopped.faulty());
            assertTrue(stopped.fault() instanceof FormatException);
            assertTrue(isLoaded());
            assertEquals("<urn:id:10>", store.readPosition(SyncOptions.LOG));
            assertEquals("<urn:id:12>", sync(store, 12).position());
            byTransactions(store);
        }
    }

    @Test
    void whoeverIsOvertakenIsTold() throws IOException {
        patches(7);
        try (DatasetStore store = open()) {
            OpenDataset overtaken = TestDataset.overtaken(store, () -> store.apply(
                    TextBatch.of("A <urn:s> <urn:p> 1 ."), new PositionUpdate(SyncOptions.LOG, null, "<urn:other>"),
                    ProgressListener.NONE));
            PositionConflictException conflict = assertThrows(PositionConflictException.class, () -> sync(overtaken, 1));
            assertEquals("<urn:other>", conflict.found());
            assertEquals(1, store.size());
        }
    }
}
