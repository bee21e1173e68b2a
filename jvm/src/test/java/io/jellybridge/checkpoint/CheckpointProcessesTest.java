package io.jellybridge.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Folders;
import io.jellybridge.Full;
import io.jellybridge.JavaProcess;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that die while they make checkpoints, or take patches away; and several that do it at once. */
@Full("kills processes that make checkpoints")
class CheckpointProcessesTest {
    private static final int KILLS = 20;
    private static final int MOST_RUNS = 10 * KILLS;
    private static final long MOST_SECONDS = 120;

    @TempDir
    Path temporary;

    private Path words;

    @BeforeEach
    void nameFile() {
        words = temporary.resolve("words");
    }

    /** Starts a {@link CheckpointWorker} whose words go to a file. */
    private Process start(Path log, String work) throws IOException {
        Files.deleteIfExists(words);
        return JavaProcess.of(CheckpointWorker.class, log, work).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(words.toFile())).start();
    }

    private static long leftovers(Path log) throws IOException {
        Path checkpoints = log.resolve("checkpoints");
        if (!Files.exists(checkpoints)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(checkpoints)) {
            return files.filter(file -> file.getFileName().toString().startsWith(".")).count();
        }
    }

    /** What a process said whole lines of: that it is ready, then each version that is done. */
    private List<String> said() throws IOException {
        String said = Files.exists(words) ? Files.readString(words) : "";
        return said.substring(0, said.lastIndexOf('\n') + 1).lines().toList();
    }

    /** Kills a process some time after it said that so many versions are done; the last version that it said. */
    private long kill(Process process, int versions, int millis) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (said().size() <= versions) {
            assertTrue(System.nanoTime() < end && process.isAlive() || said().size() > versions, () -> "it did not come so far");
            Thread.sleep(1);
        }
        Thread.sleep(millis);
        process.destroyForcibly().waitFor();
        List<String> lines = said();
        return lines.size() == 1 ? 0 : Long.parseLong(lines.get(lines.size() - 1));
    }

    @Test
    void aProcessThatIsKilledLeavesWholeCheckpointsOnly() throws Exception {
        int rows = 2_000;
        int patches = 12;
        Path whole = temporary.resolve("whole");
        StateLog.create(whole, patches, rows);
        Random random = new Random(7);
        int within = 0;
        for (int run = 0; run < KILLS || within < KILLS / 2; run++) {
            assertTrue(run < MOST_RUNS, "only " + within + " processes were killed within the making of a checkpoint");
            Path folder = temporary.resolve("log" + run);
            Folders.copy(whole, folder);
            long said = kill(start(folder, "checkpoint"), random.nextInt(patches), random.nextInt(60));
            within += leftovers(folder) > 0 ? 1 : 0;
            StoreLog log = StoreLog.open(folder);
            Checkpoints checkpoints = new Checkpoints(log);
            LogVerification.Report report = LogVerification.of(log, ProgressListener.NONE);
            assertEquals(List.of(), report.faults());
            assertTrue(report.checkpoints() >= said, report.checkpoints() + " of " + said);
            assertEquals(StateLog.quads(patches, rows), StateLog.hash(log, patches).quads());
            // The next one goes on, whatever was left.
            Checkpoint made = CheckpointFiles.make(log, patches, ProgressListener.NONE);
            assertEquals(StateLog.quads(patches, rows), made.quads());
        }
    }

    @Test
    void aProcessThatIsKilledLeavesALogThatWasPrunedLessFar() throws Exception {
        int rows = 20;
        int patches = 40;
        Path whole = temporary.resolve("whole");
        StoreLog made = StateLog.create(whole, patches, rows);
        Checkpoints all = new Checkpoints(made);
        List<String> hashes = new ArrayList<>();
        for (int version = 1; version <= patches; version++) {
            hashes.add(CheckpointFiles.make(made, version, ProgressListener.NONE).hash());
        }
        Random random = new Random(7);
        int within = 0;
        for (int run = 0; run < KILLS || within < KILLS / 2; run++) {
            assertTrue(run < MOST_RUNS, "only " + within + " processes were killed before they were done");
            Path folder = temporary.resolve("log" + run);
            Folders.copy(whole, folder);
            long said = kill(start(folder, "prune"), random.nextInt(patches), random.nextInt(10));
            within += said > 0 && said < patches ? 1 : 0;
            StoreLog log = StoreLog.open(folder);
            assertTrue(log.first() >= Math.min(said + 1, patches), log.first() + " after " + said);
            assertEquals(List.of(), LogVerification.of(log, ProgressListener.NONE).faults());
            for (long version = Math.max(log.first() - 1, 1); version <= patches; version++) {
                assertEquals(hashes.get((int) version - 1), StateLog.hash(log, version).hash());
            }
            // The next one goes on.
            assertEquals(patches, Pruning.before(log, patches + 1).first());
            assertEquals(patches, log.head().version());
        }
    }

    @Test
    void ofProcessesThatMakeTheSameCheckpointsAtOnceEachIsDoneOnce() throws Exception {
        Path folder = temporary.resolve("log");
        StoreLog log = StateLog.create(folder, 12, 300);
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            words = temporary.resolve("words" + i);
            processes.add(start(folder, "checkpoint"));
        }
        for (Process process : processes) {
            assertTrue(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue(), Files.readString(words));
        }
        LogVerification.Report report = LogVerification.of(log, ProgressListener.NONE);
        assertEquals(List.of(12L, 12L, List.of()), List.of(report.patches(), report.checkpoints(), report.faults()));
        assertEquals(0, leftovers(folder));
    }
}
