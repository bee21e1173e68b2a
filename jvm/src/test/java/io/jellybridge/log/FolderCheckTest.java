package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.jelly;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a check of a log finds, and what a repair does about it and leaves alone. */
class FolderCheckTest {
    private static final String FORKED = "it follows %s, but the patch before it is %s";

    @TempDir
    Path temporary;

    private Path folder;
    private FolderLog log;
    private final List<String> ids = new ArrayList<>();

    @BeforeEach
    void fill() throws IOException {
        folder = temporary.resolve("log");
        log = FolderLog.create(folder);
        for (int number = 1; number <= 4; number++) {
            ids.add(append(log, patch(null, null, add(number))).id());
        }
    }

    private Path file(int version) {
        return folder.resolve(FolderLog.fileName(version));
    }

    private void replace(int version, String id, String prev) throws IOException {
        Files.delete(file(version));
        Files.write(file(version), jelly(patch(id, prev, add(version))));
    }

    private Map<String, String> content() throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(folder.relativize(file).toString(), new String(Files.readAllBytes(file), "ISO-8859-1"));
            }
        }
        return content;
    }

    @Test
    void aCheckChangesNothing() throws IOException {
        Files.write(file(2), new byte[] {1, 2, 3});
        Files.move(file(3), folder.resolve("elsewhere.jellyp"));
        Path cut = Files.write(folder.resolve(FolderLog.APPEND_PREFIX + newId()), new byte[] {1});
        Files.setLastModifiedTime(cut, FileTime.from(Instant.now().minus(Duration.ofDays(30))));
        Map<String, String> before = content();
        assertTrue(before.containsKey(FolderLog.HEAD_HINT));
        List<LogFault> faults = FolderCheck.check(log);
        assertFalse(faults.isEmpty());
        for (LogFault fault : faults) {
            assertNull(fault.repaired(), fault.found());
        }
        assertEquals(before, content());
    }

    @Test
    void aRepairForgetsTheHint() throws IOException {
        FolderCheck.repair(log);
        assertFalse(Files.exists(folder.resolve(FolderLog.HEAD_HINT)));
        assertEquals(new LogHead(4, ids.get(3)), FolderLog.open(folder).head());
    }

    @Test
    void whatFollowsAnotherPatchThanTheOneBeforeIsAFork() throws IOException {
        String other = newId();
        replace(1, ids.get(0), other);
        replace(3, ids.get(2), null);
        List<LogFault> faults = FolderCheck.check(log);
        assertEquals(List.of(FORKED.formatted("patch " + other, "none"), FORKED.formatted("no patch", ids.get(1))),
                faults.stream().map(LogFault::found).toList());
        assertEquals(List.of(1L, 3L), faults.stream().map(LogFault::version).toList());
        assertEquals(faults, FolderCheck.repair(log), "a fork is left as it is");
    }

    @Test
    void twoPatchesOfOneIdAreAFork() throws IOException {
        replace(4, ids.get(1), ids.get(2));
        LogFault fault = FolderCheck.check(log).get(0);
        assertEquals(List.of(4L, "it has the id of version 2, " + ids.get(1)), List.of(fault.version(), fault.found()));
    }

    @Test
    void aRepairIsReportedAndStaysKnown() throws IOException {
        Files.write(file(2), new byte[] {1, 2, 3});
        LogFault mended = FolderCheck.repair(log).get(0);
        assertEquals("moved to " + FolderLog.QUARANTINE + "/" + FolderLog.fileName(2) + ", a stand-in is in its place",
                mended.repaired());
        Files.delete(file(3));
        LogFault gap = FolderCheck.repair(log).stream().filter(fault -> fault.version() == 3).findFirst().orElseThrow();
        assertEquals("a stand-in is in its place", gap.repaired());
        List<LogFault> lost = FolderCheck.check(log);
        assertEquals(List.of(LogFault.Kind.LOST, LogFault.Kind.LOST), lost.stream().map(LogFault::kind).toList());
        assertEquals(lost, FolderCheck.repair(log), "nothing is left to be done");
    }

    @Test
    void theQuarantineKeepsEveryFileOfOneName() throws IOException {
        for (int time = 1; time <= 3; time++) {
            Files.write(file(4), new byte[] {(byte) time});
            FolderCheck.repair(log);
        }
        Path quarantine = folder.resolve(FolderLog.QUARANTINE);
        String name = FolderLog.fileName(4);
        assertEquals(List.of(1, 2, 3), List.of((int) Files.readAllBytes(quarantine.resolve(name))[0],
                (int) Files.readAllBytes(quarantine.resolve(name + ".1"))[0],
                (int) Files.readAllBytes(quarantine.resolve(name + ".2"))[0]));
        assertTrue(Files.exists(quarantine.resolve(name + ".2.reason.txt")));
    }

    @Test
    void aStandInIsOnePatchWithTheIdThatTheNextOneNames() throws IOException {
        Files.delete(file(1));
        FolderCheck.repair(log);
        try (LogEntries entries = FolderLog.open(folder).fetch(1, 4)) {
            LogEntry first = entries.next();
            PatchHeader header = first.header();
            assertEquals(ids.get(0), header.id());
            assertNull(header.prev());
            assertEquals(ids.get(0), entries.next().header().prev());
        }
    }

    @Test
    void aYoungAppendIsLeftToItsWriter() throws IOException {
        Path cut = Files.write(folder.resolve(FolderLog.APPEND_PREFIX + newId()), new byte[] {1});
        assertEquals(List.of(), FolderCheck.repair(log));
        assertTrue(Files.exists(cut));
        Files.setLastModifiedTime(cut, FileTime.from(Instant.now().minus(Duration.ofDays(30))));
        assertEquals(List.of("UNFINISHED null"), FolderCheck.check(log).stream()
                .map(fault -> fault.kind() + " " + fault.repaired()).toList());
        assertEquals("removed", FolderCheck.repair(log).get(0).repaired());
        assertFalse(Files.exists(cut));
    }
}
