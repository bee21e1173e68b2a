package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.codec.FormatException;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.log.CaptureWriter;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The entrance of a Java program that follows a log. */
class FollowerTest {
    private static final SyncOptions DRY = new SyncOptions(SyncOptions.LOG, true, 100, 1000, 1, false);

    @TempDir
    Path folder;

    private Path files;
    private DatasetStore primary;

    @BeforeEach
    void open() throws IOException {
        files = folder.resolve("log");
        primary = DatasetStore.open("mem:");
        record(1);
        record(2);
    }

    private void record(int value) throws IOException {
        CaptureOptions options = CaptureOptions.DEFAULT.withFsync(false)
                .withRotation(new CaptureWriter.Rotation(1 << 20, 1, 10_000));
        try (AutoCloseable capture = primary.startCapture(files, options)) {
            primary.update("INSERT DATA { <http://e/s> <http://e/p> " + value + " }");
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Follower.Report sync(DatasetStore dataset) throws IOException {
        try (PatchLog log = PatchLogs.open(files.toString())) {
            return new Follower(dataset).followLog(log);
        }
    }

    @Test
    void aDatasetComesToTheEndOfTheLogInOneCallAndASecondOneDoesNothing() throws IOException {
        try (DatasetStore replica = DatasetStore.open("mem:")) {
            Follower.Report report = sync(replica);
            assertEquals(2, report.patches());
            assertEquals(1, report.transactions());
            assertEquals(0, sync(replica).patches());
            record(3);
            assertEquals(1, sync(replica).patches());
            assertEquals(3, replica.size());
        }
    }

    /** The way to capture a dataset that has data. */
    @Test
    void anEmptyDatasetBeginsWithTheStateOfTheLogAndIsThenCapturedIntoIt() throws IOException {
        Path state = Files.writeString(folder.resolve("state.nq"), "<urn:s> <urn:p> <urn:o> .\n");
        files = folder.resolve("begun");
        CheckpointFiles.begin(new FolderStore(files), new FileLocation(state.toString()),
                ConvertOptions.strict(false), ProgressListener.NONE);
        primary = DatasetStore.open("mem:");
        SyncOptions asCaptured = new SyncOptions(CaptureOptions.POSITION_KEY, false, 100, 1000, 1, false);
        try (PatchLog log = PatchLogs.open(files.toString()); DatasetStore dry = DatasetStore.open("mem:")) {
            assertEquals(0, new Follower(dry, DRY).followLog(log).patches());
            assertEquals(0, dry.size());
            assertEquals(0, new Follower(primary, asCaptured).followLog(log).patches());
        }
        assertEquals(1, primary.size());
        record(1);
        try (DatasetStore replica = DatasetStore.open("mem:")) {
            assertEquals(1, sync(replica).patches());
            assertEquals(2, replica.size());
            assertEquals(0, sync(replica).patches());
        }
    }

    /** Loose files have the ids of other programs, and a log has them in one form. */
    @ParameterizedTest
    @ValueSource(strings = {"uuid:", "urn:uuid:"})
    void aDatasetThatAppliedLooseFilesGoesOnWithTheLogThatWasMadeOfThem(String scheme) throws IOException {
        Path loose = Files.createDirectory(folder.resolve("loose"));
        files = folder.resolve("made");
        try (StoreLog log = StoreLog.create(files); DatasetStore replica = DatasetStore.open("mem:")) {
            for (int number = 1; number <= 3; number++) {
                String term = id("urn:uuid:", number).toLowerCase(Locale.ROOT);
                String patch = "H id " + id(scheme, number) + " .\n" + (number == 1 ? "" : "H prev " + id(scheme, number - 1) + " .\n")
                        + "TX .\nA <urn:s> <urn:p> \"" + number + "\" .\nTC .\n";
                Files.writeString(loose.resolve(number + ".rdfp"), patch);
                LogPatches.append(log, patch);
                if (number == 2) {
                    Follower untilSecond = new Follower(replica, SyncOptions.DEFAULT, term, term, null);
                    assertEquals(2, untilSecond.followFiles(loose, false, ProgressListener.NONE).patches());
                    new Follower(replica, SyncOptions.DEFAULT).followFiles(loose, false, ProgressListener.NONE);
                }
            }
            assertEquals(2, replica.size());
            assertEquals(1, sync(replica).patches());
            assertEquals(3, replica.size());
        }
    }

    /** Whatever id it has now; and what a rotated log has under its name is not it. */
    @Test
    void aPatchThatWasSetAsideAndIsMendedIsNotPassedOver() throws IOException {
        Path log = Files.createDirectory(folder.resolve("rotated")).resolve("log.rdfp");
        String first = patch(1, null, "<urn:jellybridge:sync>") + patch(2, 1, "");
        Files.writeString(log, first);
        try (DatasetStore replica = DatasetStore.open("mem:")) {
            Follower follower = new Follower(replica, SyncOptions.DEFAULT, null, null, folder.resolve("quarantine"));
            assertEquals(1, follower.followFiles(log.getParent(), false, ProgressListener.NONE).quarantined().size());
            Files.move(log, log.resolveSibling("log.rdfp.001"));
            for (int number = 3; number <= 4; number++) {
                Files.writeString(log, patch(number, number - 1, ""), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                assertEquals(1, follower.followFiles(log.getParent(), false, ProgressListener.NONE).patches());
            }
            Files.writeString(log.resolveSibling("log.rdfp.001"), first.replace(" <urn:jellybridge:sync>", ""));
            String said = assertThrows(IllegalStateException.class,
                    () -> follower.followFiles(log.getParent(), false, ProgressListener.NONE)).getMessage();
            assertTrue(said.startsWith("log.rdfp.001#0 was set aside"), said);
        }
        Path damaged = Files.createDirectory(folder.resolve("damaged")).resolve("log.rdfp");
        Files.writeString(damaged.resolveSibling("log.rdfp.001"), "damaged");
        Files.writeString(damaged, patch(2, 1, ""));
        try (DatasetStore replica = DatasetStore.open("mem:")) {
            Follower follower = new Follower(replica, SyncOptions.DEFAULT, null, null, folder.resolve("quarantine"));
            assertEquals(1, follower.followFiles(damaged.getParent(), false, ProgressListener.NONE).patches());
            Files.move(damaged.resolveSibling("log.rdfp.001"), damaged.resolveSibling("log.rdfp.002"));
            Files.move(damaged, damaged.resolveSibling("log.rdfp.001"));
            Files.writeString(damaged, patch(3, 2, ""));
            assertEquals(1, follower.followFiles(damaged.getParent(), false, ProgressListener.NONE).patches());
            assertEquals(0, follower.followFiles(damaged.getParent(), false, ProgressListener.NONE).patches());
            Files.delete(damaged.resolveSibling("log.rdfp.002"));
            Files.delete(damaged.resolveSibling("log.rdfp.001"));
            assertEquals(0, follower.followFiles(damaged.getParent(), false, ProgressListener.NONE).patches());
        }
        for (String names : List.of("log.rdfp.001 log.rdfp", "log.rdfp.0001 log.rdfp.0002")) {
            Path runs = Files.createDirectory(folder.resolve(names.substring(0, names.indexOf(' '))));
            String[] pair = names.split(" ");
            Files.writeString(runs.resolve(pair[0]), "damaged");
            Files.writeString(runs.resolve(pair[1]), patch(2, null, "") + patch(3, 2, ""));
            try (DatasetStore stops = DatasetStore.open("mem:"); DatasetStore replica = DatasetStore.open("mem:")) {
                for (int i = 0; i < 2; i++) {
                    assertThrows(FormatException.class, () -> new Follower(stops).followFiles(runs, false, ProgressListener.NONE));
                }
                Follower follower = new Follower(replica, SyncOptions.DEFAULT, null, null, folder.resolve("quarantine"));
                assertEquals(2, follower.followFiles(runs, false, ProgressListener.NONE).patches());
                assertEquals(0, follower.followFiles(runs, false, ProgressListener.NONE).patches());
                Files.writeString(runs.resolve(pair[0]), patch(1, null, ""));
                String said = assertThrows(IllegalStateException.class, () -> follower.followFiles(runs, false, ProgressListener.NONE)).getMessage();
                assertTrue(said.startsWith(pair[0] + "#0 was set aside"), said);
            }
        }
        Path files = Files.createDirectory(folder.resolve("numbered"));
        for (int number = 1; number <= 3; number++) {
            Files.writeString(files.resolve(number + ".rdfp"), patch(number, number == 1 ? null : number - 1, number == 2 ? "<urn:jellybridge:sync>" : ""));
        }
        try (DatasetStore replica = DatasetStore.open("mem:")) {
            Follower follower = new Follower(replica, SyncOptions.DEFAULT, null, null, folder.resolve("quarantine"));
            assertEquals(2, follower.followFiles(files, false, ProgressListener.NONE).patches());
            Files.writeString(files.resolve("2.rdfp"), patch(9, 1, ""));
            String said = assertThrows(IllegalStateException.class, () -> follower.followFiles(files, false, ProgressListener.NONE)).getMessage();
            assertTrue(said.startsWith("2.rdfp#0 was set aside"), said);
        }
    }

    private static String patch(int number, Integer prev, String graph) {
        return "H id " + id("urn:uuid:", number) + " .\n" + (prev == null ? "" : "H prev " + id("urn:uuid:", prev) + " .\n")
                + "TX .\nA <urn:s> <urn:p> \"" + number + "\" " + graph + " .\nTC .\n";
    }

    private static String id(String scheme, int number) {
        return "<" + scheme + "11111111-AAAA-4111-8111-11111111111" + number + ">";
    }

    @Test
    void aDryRunAppliesNothing() throws IOException {
        try (DatasetStore replica = DatasetStore.open("mem:"); StoreLog log = StoreLog.open(files)) {
            assertEquals(2, new Follower(replica, DRY).followLog(log).patches());
            assertEquals(0, replica.size());
        }
    }

    @Test
    void aDatasetOfAnotherLogIsRefused() throws IOException {
        try (DatasetStore replica = DatasetStore.open("mem:"); StoreLog other = StoreLog.create(folder.resolve("other"))) {
            sync(replica);
            String said = assertThrows(IllegalStateException.class, () -> new Follower(replica).followLog(other)).getMessage();
            assertTrue(said.contains("which is no patch of the log " + folder.resolve("other")), said);
        }
    }

    @Test
    void aDamagedPatchIsAnErrorAfterThePatchesBeforeIt() throws IOException {
        Path last;
        try (Stream<Path> found = Files.list(files)) {
            last = found.filter(file -> file.toString().endsWith("2.jellyp")).findFirst().orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(last);
        bytes[bytes.length / 2] ^= 1;
        Files.write(last, bytes);
        try (DatasetStore replica = DatasetStore.open("mem:")) {
            assertThrows(FormatException.class, () -> sync(replica));
            assertEquals(1, replica.size());
        }
    }

    /** As a DataFrame is followed, whose patches have another form in the next file. */
    @Test
    void changesOfAnotherHistoryAreRefusedAndThoseOfTheSameOneApplied() throws IOException {
        try (DatasetStore replica = DatasetStore.open("mem:")) {
            Follower follower = new Follower(replica);
            assertEquals(3, follower.followChanges(chain(1, 2, 3), null, ProgressListener.NONE).patches());
            assertEquals(0, follower.followChanges(chain(1, 2, 3), null, ProgressListener.NONE).patches());
            String message = assertThrows(IllegalStateException.class,
                    () -> follower.followChanges(chain(1, 77, 2, 3, 4), null, ProgressListener.NONE)).getMessage();
            assertTrue(message.contains("<urn:id:3>") && message.contains("follows other patches now than then"), message);
            assertEquals(3, replica.size());
            assertEquals(1, follower.followChanges(chain(1, 2, 3, 4), null, ProgressListener.NONE).patches());
            assertThrows(IllegalStateException.class, () -> follower.followChanges(chain(1, 77, 3, 4, 5), null, ProgressListener.NONE));
            assertEquals(4, replica.size());
        }
    }

    /** A file of patches with these numbers, each after the one before it. */
    private Path chain(int... numbers) throws IOException {
        StringBuilder text = new StringBuilder();
        String before = "";
        for (int number : numbers) {
            text.append("H id <urn:id:").append(number).append("> .\n").append(before)
                    .append("TX .\nA <urn:s> <urn:p> \"").append(number).append("\" .\nTC .\nZ .\n");
            before = "H prev <urn:id:" + number + "> .\n";
        }
        return Files.writeString(folder.resolve("changes.rdfp"), text);
    }
}
