package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A dataset that has data is put at a version of a log that says the same, on every target. */
class AdoptTest {
    @TempDir
    Path folder;

    /** A log that begins with a dump of the dataset. */
    private StoreLog logOf(OpenDataset dataset, String name) throws IOException {
        Path dump = folder.resolve(name + ".nq");
        dataset.dump(dump.toString());
        Path log = folder.resolve(name);
        CheckpointFiles.begin(new FolderStore(log), new FileLocation(dump.toString()), ConvertOptions.strict(false), ProgressListener.NONE);
        return StoreLog.open(log);
    }

    private void load(OpenDataset dataset, String... lines) throws IOException {
        Path file = Files.write(folder.resolve("data.nq"), List.of(lines));
        dataset.load(file.toString());
    }

    private static LogComparison.Report adopt(StoreLog log, OpenDataset dataset, long version) throws IOException {
        return new LogPositions(log).adopt(dataset, SyncOptions.LOG, version, 5, ProgressListener.NONE);
    }

    private static long sync(StoreLog log, OpenDataset dataset) throws IOException {
        try (FollowedLog followed = FollowedLog.open(log, dataset.storedPosition(SyncOptions.LOG), dataset.readNotes(SyncOptions.LOG))) {
            return SyncRun.run(followed.patches(), dataset, new SyncOptions(SyncOptions.LOG, false, 100, 1000, 10, false),
                    ProgressListener.NONE).patches();
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void aDatasetWithDataFollowsALogThatWasMadeOfItsDump(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            load(dataset, "<urn:a> <urn:p> \"042\"^^<http://www.w3.org/2001/XMLSchema#integer> .", "_:b <urn:p> \"x\"@en <urn:g> .",
                    "<urn:a> <urn:p> _:b .", "<urn:a> <urn:p> \"1.50\"^^<http://www.w3.org/2001/XMLSchema#decimal> .");
            SortedSet<String> content = OpenDatasetTest.content(dataset);
            StoreLog log = logOf(dataset, "log");
            for (int time = 0; time < 2; time++) {
                LogComparison.Report report = adopt(log, dataset, 0);
                assertEquals(List.of(true, 1L, 4L), List.of(report.isEqual(), report.version(), report.datasetQuads()));
            }
            assertEquals(content, OpenDatasetTest.content(dataset));
            assertTrue(LogComparison.of(log, dataset, SyncOptions.LOG, 5, ProgressListener.NONE).isEqual());
            assertEquals(0, sync(log, dataset));
            LogPatches.append(log, "A <urn:new> <urn:p> <urn:o> .");
            assertEquals(1, sync(log, dataset));
            assertEquals(5, dataset.size());
        }
    }

    @ParameterizedTest
    @EnumSource(value = TestDataset.class, names = {"TDB2", "FUSEKI"})
    void aDatasetWithOtherDataStaysAtItsPosition(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            load(dataset, "<urn:a> <urn:p> <urn:o> .");
            StoreLog log = logOf(dataset, "log");
            load(dataset, "<urn:b> <urn:p> <urn:o> .");
            LogComparison.Report report = adopt(log, dataset, 1);
            assertEquals(List.of(0L, 1L, List.of("<urn:b> <urn:p> <urn:o> .")),
                    List.of(report.missing(), report.surplus(), report.surplusQuads()));
            assertNull(dataset.storedPosition(SyncOptions.LOG));
            StoreLog next = logOf(dataset, "next");
            assertTrue(adopt(next, dataset, 1).isEqual());
            StoreLog last = logOf(dataset, "last");
            assertTrue(adopt(last, dataset, 1).isEqual(), "the log before is lost");
            assertEquals(0, sync(last, dataset));
        }
    }

    @Test
    void aVersionThatIsAPatchIsAdoptedAndOneThatIsNotThereIsRefused() throws IOException {
        try (TestDataset.Opened opened = TestDataset.MEMORY.open(folder); StoreLog log = StoreLog.create(folder.resolve("log"))) {
            OpenDataset dataset = opened.dataset();
            String none = assertThrows(IllegalStateException.class, () -> adopt(log, dataset, 0)).getMessage();
            assertTrue(none.contains("has no version that the dataset could be at"), none);
            LogPatches.append(log, "A <urn:a> <urn:p> <urn:o> .");
            LogPatches.append(log, "A <urn:b> <urn:p> <urn:o> .");
            load(dataset, "<urn:a> <urn:p> <urn:o> .");
            String missing = assertThrows(IllegalArgumentException.class, () -> adopt(log, dataset, 3)).getMessage();
            assertTrue(missing.endsWith("has no version 3; it goes from 1 to 2"), missing);
            assertEquals(1, adopt(log, dataset, 0).missing());
            assertTrue(adopt(log, dataset, 1).isEqual());
            assertEquals(1, sync(log, dataset));
            assertEquals(2, dataset.size());
        }
    }

    @Test
    void aPatchOfALostLogThatWasSetAsideIsNoPatchOfTheLogThatIsAdopted() throws IOException {
        Path lost = folder.resolve("lost");
        try (TestDataset.Opened opened = TestDataset.MEMORY.open(folder); StoreLog log = StoreLog.create(lost)) {
            OpenDataset dataset = opened.dataset();
            for (int i = 1; i <= 5; i++) {
                LogPatches.append(log, LogPatches.add(i));
            }
            for (int version : new int[] {2, 3}) { // the one after the first can't be read, so that nobody knows its id
                Files.write(lost.resolve(LogPatches.object(version).substring(1)), new byte[] {1, 2, 3});
            }
            assertEquals(2, quarantining(dataset).followLog(StoreLog.open(lost)).quarantined().size());
            StoreLog next = logOf(dataset, "next");
            assertTrue(adopt(next, dataset, 1).isEqual());
            for (int i = 6; i <= 8; i++) {
                LogPatches.append(next, LogPatches.add(i));
                assertEquals(1, quarantining(dataset).followLog(next).patches());
            }
        }
    }

    private Follower quarantining(OpenDataset dataset) {
        return new Follower(dataset, SyncOptions.DEFAULT, null, null, folder.resolve("quarantine"));
    }
}
