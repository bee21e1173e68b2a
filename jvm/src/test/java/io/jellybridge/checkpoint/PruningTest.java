package io.jellybridge.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.Io;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.LogBusyException;
import io.jellybridge.log.LogConflictException;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.LogPruning;
import io.jellybridge.log.LogTimes;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PruningTest {
    private static final int ROWS = 3;

    @TempDir
    Path temporary;

    private Path folder;
    private StoreLog log;
    private Checkpoints checkpoints;

    @BeforeEach
    void create() throws IOException {
        folder = temporary.resolve("log");
        log = StateLog.create(folder, 10, ROWS);
        checkpoints = new Checkpoints(log);
    }

    private void make(long... versions) throws IOException {
        for (long version : versions) {
            CheckpointFiles.make(log, version, ProgressListener.NONE);
        }
    }

    private void assertStates(long first, long last) throws IOException {
        for (StoreLog one : List.of(log, StoreLog.open(folder))) {
            for (long version = first; version <= last; version++) {
                assertEquals(StateLog.quads(version, ROWS), StateLog.lines(one, version).size(), "at " + version);
            }
        }
    }

    @Test
    void withoutACheckpointNothingGoesAndTheOneToMakeIsNamed() throws IOException {
        String refused = assertThrows(IllegalStateException.class, () -> Pruning.before(log, 7)).getMessage();
        assertTrue(refused.endsWith("make one first: jellybridge log checkpoint " + folder + " --version 6"), refused);
        make(9); // which would leave no state of version 7 and 8
        assertThrows(IllegalStateException.class, () -> Pruning.before(log, 7));
        assertEquals(1, log.first());
        assertStates(1, 10);
    }

    @Test
    void thePatchOfTheVersionItselfStaysAlsoWhereACheckpointHasIt() throws IOException {
        make(7);
        Pruning.Report report = Pruning.before(log, 7);
        assertEquals(List.of(7L, 6L), List.of(report.first(), report.versions()));
        assertStates(7, 10);
    }

    @Test
    void aCheckpointOfTheOldestVersionAloneCoversThat() throws IOException {
        make(1);
        assertEquals(List.of(2L, 1L), List.of(Pruning.before(log, 9).first(), (long) checkpoints.versions().size()));
        assertStates(1, 10);
    }

    @Test
    void theHeadStays() throws IOException {
        make(10);
        assertEquals(10, Pruning.before(log, 1000).first());
        assertEquals(10, StoreLog.open(folder).head().version());
        StateLog.append(log, 11, ROWS);
        assertStates(10, 11);
    }

    @Test
    void theIndexMayBeLostAfterwards() throws IOException {
        make(5, 7);
        Pruning.before(log, 6);
        Files.delete(folder.resolve(".index"));
        StoreLog again = StoreLog.open(folder);
        assertEquals(10, again.head().version());
        assertEquals(5, LogVersions.withId(again, checkpoints.at(5).id()), "of which the checkpoint alone is there");
        StateLog.append(again, 11, ROWS);
        assertStates(5, 11);
    }

    @Test
    void aPatchThatWasPrunedDoesNotComeAgain() throws IOException {
        String id = "00000000-0000-4000-8000-000000000001";
        String text = LogPatches.patch(id, null, LogPatches.add(1));
        LogHead appended = LogPatches.append(log, text);
        StateLog.append(log, 12, ROWS);
        make(11);
        for (boolean pruned : new boolean[] {false, true}) {
            if (pruned) {
                assertEquals(12, Pruning.before(log, 12).first());
            }
            for (StoreLog one : List.of(log, StoreLog.open(folder))) {
                assertEquals(appended, LogPatches.append(one, text));
                assertEquals(11, one.versionWith(id));
                assertEquals(12, one.head().version());
                assertTrue(assertThrows(LogConflictException.class,
                        () -> LogPatches.append(one, LogPatches.patch(id, null, LogPatches.add(2)))).isTaken());
            }
        }
    }

    @Test
    void aDamagedCheckpointCoversNothing() throws IOException {
        make(5);
        Path part = folder.resolve("checkpoints/00000000000000000005/part-00000.jelly");
        byte[] whole = Files.readAllBytes(part);
        whole[whole.length - 2] ^= 1;
        Files.write(part, whole);
        assertThrows(Exception.class, () -> Pruning.before(log, 6));
        assertEquals(1, StoreLog.open(folder).first());
    }

    @Test
    void aCheckpointOfALostPatchCoversNothing() throws IOException {
        make(5, 10);
        Files.delete(StateLog.file(log, 10));
        log = StoreLog.open(folder);
        assertEquals(6, Pruning.before(log, 10).first());
        assertStates(5, 9);
    }

    /** As by a repair, after the checkpoint was checked and before the pruning has its lock. */
    @Test
    void nothingGoesWhoseCheckpointIsOfAPatchThatWasLostMeanwhile() throws IOException {
        make(5, 10);
        Files.delete(StateLog.file(log, 10));
        assertThrows(IllegalStateException.class, () -> LogPruning.run(log, 9, 10));
        log = StoreLog.open(folder);
        assertStates(1, 9);
        StateLog.append(log, 11, ROWS);
        assertThrows(IOException.class, () -> LogPruning.run(log, 9, 10));
        assertEquals(1, log.first());
    }

    @Test
    void aCheckpointOfAnotherHistoryCoversNothing() throws IOException {
        make(5);
        StoreLog other = StateLog.create(temporary.resolve("other"), 10, ROWS);
        for (int version = 1; version <= 10; version++) {
            Files.copy(StateLog.file(other, version), StateLog.file(log, version), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.delete(folder.resolve(".index"));
        assertTrue(assertThrows(IOException.class, () -> Pruning.before(StoreLog.open(folder), 6)).getMessage()
                .contains("one of the two was replaced"));
        assertEquals(1, StoreLog.open(folder).first());
    }

    @Test
    void whileAnotherProcessHasFilesInHandNothingGoes() throws IOException {
        make(5);
        try (FileChannel lock = FileChannel.open(folder.resolve(".compact.lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
            lock.lock();
            assertThrows(LogBusyException.class, () -> Pruning.before(log, 6));
        }
        assertEquals(6, Pruning.before(log, 6).first());
    }

    @Test
    void aVerificationMeanwhileFindsNoFault() throws IOException {
        StateLog.append(log, 11, 5000);
        for (int number = 12; number <= 14; number++) {
            StateLog.append(log, number, ROWS);
        }
        make(3, 5, 11, 12, 13);
        LogVerification.Report report = LogVerification.of(StoreLog.open(folder), new ProgressListener() {
            @Override
            public void progress(long rows) {
                // nothing is applied
            }

            @Override
            public void reading(long read) {
                if (read == 2 || read == 4096) { // the second patch; in the checkpoint of version 11
                    Io.unchecked(() -> Pruning.before(log, read == 2 ? 6 : 14));
                }
            }
        });
        assertEquals(List.of(), report.faults());
        assertEquals(List.of(10L, 14L), List.of(report.patches(), log.first()));
    }

    /** Creates a log of six patches, an hour apart, and a checkpoint of the third. */
    private StoreLog timed(Instant start) throws IOException {
        StoreLog timed = StoreLog.create(temporary.resolve("timed"));
        for (int hour = 1; hour <= 6; hour++) {
            LogPatches.append(timed, "H time \"" + start.plus(Duration.ofHours(hour))
                    + "\"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\nTX .\n" + LogPatches.add(hour) + "\nTC .\n");
        }
        assertEquals(start.plus(Duration.ofHours(3)), CheckpointFiles.make(timed, 3, ProgressListener.NONE).time());
        return timed;
    }

    @Test
    void aDamagedCheckpointBeforeTheFirstPatchHidesNoTimesAndIsPruned() throws IOException {
        Instant start = Instant.parse("2024-05-01T12:00:00Z");
        StoreLog timed = timed(start);
        Pruning.before(timed, 4);
        CheckpointFiles.make(timed, 5, ProgressListener.NONE);
        Files.writeString(temporary.resolve("timed").resolve(Checkpoint.folderOf(3)).resolve("checkpoint.json"), "{");
        assertEquals(4, LogTimes.of(timed).at(start.plus(Duration.ofHours(4))));
        Pruning.Report report = Pruning.olderThan(timed, start.plus(Duration.ofHours(6)));
        assertEquals(List.of(6L, 1), List.of(report.first(), report.checkpoints()));
    }

    @Test
    void whatIsOlderThanAMomentGoesByTheTimesOfThePatches() throws IOException {
        Instant start = Instant.parse("2024-05-01T12:00:00Z");
        StoreLog timed = timed(start);
        assertEquals(4, LogTimes.of(timed).at(start.plus(Duration.ofMinutes(299))));
        assertEquals(5, LogTimes.of(timed).at(start.plus(Duration.ofMinutes(300))));
        assertEquals(6, LogTimes.of(timed).at(Instant.now()));
        assertThrows(IllegalArgumentException.class, () -> LogTimes.of(timed).at(start));
        assertEquals(1, Pruning.olderThan(timed, start).first());
        assertEquals(4, Pruning.olderThan(timed, start.plus(Duration.ofHours(4))).first());
        assertEquals(3, LogTimes.of(timed).at(start.plus(Duration.ofHours(3))));
        assertEquals(3, StateLog.lines(timed, 3).size());
    }
}
