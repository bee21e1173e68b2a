package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that append to one folder, and processes that die while they do. */
@Full("kills processes that append")
class FolderProcessesTest {
    private static final int KILLS = 25;
    private static final int MOST_KILLS = 10 * KILLS;
    private static final int MANY = 1_000_000;
    private static final long MOST_SECONDS = 120;

    @TempDir
    Path temporary;

    /** Starts a {@link FolderAppender} whose words go to a file. */
    private Process start(Path log, int patches, int rows, Path words) throws IOException {
        return JavaProcess.of(FolderAppender.class, log, patches, rows)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(words.toFile()))
                .redirectError(new File(temporary.toFile(), "errors"))
                .start();
    }

    private static long lines(Path words) throws IOException {
        return Files.readString(words).lines().count();
    }

    private void awaitLines(Process process, Path words, long count) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (lines(words) < count) {
            assertTrue(process.isAlive() && System.nanoTime() < end, () -> read(temporary.resolve("errors")));
            Thread.sleep(5);
        }
    }

    /** What a process said that it appended; its last line may be cut. */
    private static Map<Long, String> said(Path words) throws IOException {
        Map<Long, String> said = new TreeMap<>();
        for (String line : Files.readString(words).split("(?<=\n)")) {
            String[] parts = line.trim().split(" ");
            if (line.endsWith("\n") && parts.length == 2) {
                String before = said.put(Long.valueOf(parts[0]), parts[1]);
                assertEquals(null, before, "version " + parts[0] + " was said twice");
            }
        }
        return said;
    }

    /** What is in the log, each patch read to its end. */
    private static Map<Long, String> inLog(Path folder) throws IOException {
        Map<Long, String> found = new TreeMap<>();
        try (PatchLog log = StoreLog.open(folder);
                LogReader reader = new LogReader(log.fetch(1, Long.MAX_VALUE), 0, null, null, null)) {
            for (LogEntry entry = reader.next(); entry != null; entry = reader.next()) {
                found.put(entry.version(), entry.header().id());
            }
        }
        assertEquals(LongStream.rangeClosed(1, found.size()).boxed().toList(), List.copyOf(found.keySet()));
        assertEquals(found.size(), Set.copyOf(found.values()).size(), "each id once");
        return found;
    }

    /** Whether a process died within an append. */
    private static boolean hasUnfinished(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith(FolderStore.APPEND_PREFIX));
        }
    }

    @Test
    void aProcessThatIsKilledLeavesWholePatchesOnly() throws Exception {
        Path folder = temporary.resolve("log");
        StoreLog.create(folder).close();
        Path words = temporary.resolve("words");
        Random random = new Random(7);
        boolean withinAppend = false;
        for (int kill = 0; kill < KILLS || !withinAppend; kill++) {
            assertTrue(kill < MOST_KILLS, "no process was killed within an append");
            Process process = start(folder, MANY, 200, words);
            process.getOutputStream().close();
            awaitLines(process, words, lines(words) + 2); // until it appends
            Thread.sleep(random.nextInt(60));
            assertTrue(process.isAlive(), () -> read(temporary.resolve("errors")));
            process.destroyForcibly().waitFor();
            withinAppend |= hasUnfinished(folder);
        }
        Map<Long, String> found = inLog(folder);
        said(words).forEach((version, id) -> assertEquals(id, found.get(version), "version " + version + " was lost"));
    }

    @Test
    void ofProcessesThatAppendAtOnceEachPatchIsThereOnce() throws Exception {
        Path folder = temporary.resolve("log");
        StoreLog.create(folder).close();
        int patches = 150;
        List<Path> words = List.of(temporary.resolve("one"), temporary.resolve("two"), temporary.resolve("three"));
        List<Process> processes = new ArrayList<>();
        for (Path word : words) {
            processes.add(start(folder, patches, 5, word));
        }
        for (int i = 0; i < words.size(); i++) {
            awaitLines(processes.get(i), words.get(i), 1);
        }
        // All have seen the same head, so only one of them can go on from it.
        for (Process process : processes) {
            process.getOutputStream().close();
        }
        Map<Long, String> said = new TreeMap<>();
        int met = 0;
        for (int i = 0; i < words.size(); i++) {
            assertTrue(processes.get(i).waitFor(MOST_SECONDS, TimeUnit.SECONDS));
            assertEquals(0, processes.get(i).exitValue(), () -> read(temporary.resolve("errors")));
            for (Map.Entry<Long, String> one : said(words.get(i)).entrySet()) {
                assertEquals(null, said.put(one.getKey(), one.getValue()), "two patches of version " + one.getKey());
            }
            met += Files.readString(words.get(i)).contains("conflict") ? 1 : 0;
        }
        assertEquals(words.size() * patches, said.size());
        assertEquals(said, inLog(folder));
        assertTrue(met >= words.size() - 1, met + " met another's append");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
