package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** One rule says where a version is, for whoever looks, with an index and without. */
class VersionMapTest {
    @TempDir
    Path temporary;

    private Path folder;
    private final List<String> ids = new ArrayList<>();

    @BeforeEach
    void create() throws IOException {
        folder = temporary.resolve("log");
        StoreLog.create(folder);
    }

    private StoreLog open() throws IOException {
        return StoreLog.open(folder);
    }

    private Path file(long first) {
        return folder.resolve(LogObject.fileName(first));
    }

    private Path index() {
        return folder.resolve(IndexCache.NAME);
    }

    private void fill(int count) throws IOException {
        StoreLog log = open();
        for (int i = 0; i < count; i++) {
            ids.add(append(log, patch(UUID.randomUUID().toString(), null, add(ids.size()))).id());
        }
    }

    /** Copies a folder with its times, or with the very files. */
    private Path copied(String name, boolean linked) throws IOException {
        Path copy = Files.createDirectory(temporary.resolve(name));
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (linked) {
                    Files.createLink(copy.resolve(file.getFileName()), file);
                } else {
                    Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
        return copy;
    }

    private static void compact(Path log) throws IOException {
        LogCompaction.run(StoreLog.open(log), Long.MAX_VALUE);
    }

    private static VersionMap layout(long... ends) {
        List<LogObject> objects = new ArrayList<>();
        for (int i = 0; i < ends.length; i += 2) {
            objects.add(new LogObject(ends[i], ends[i + 1]));
        }
        return new VersionMap(objects);
    }

    private static String of(LogObject object) {
        return object == null ? "none" : object.first() + "-" + object.last();
    }

    @Test
    void aVersionIsInTheObjectThatNoOtherCovers() throws IOException {
        VersionMap layout = layout(3, 4, 1, 6, 7, 7, 1, 2);
        assertEquals(List.of("1-6", "1-6", "1-6", "7-7", "none"),
                List.of(1, 3, 6, 7, 8).stream().map(version -> of(layout.objectWith(version))).toList());
        assertEquals(List.of(1L, 7L, 0L), List.of(layout.first(), layout.last(), layout.missing()));
        List<String> overlaps = new ArrayList<>();
        layout.findOverlaps((before, object) -> overlaps.add(of(before) + " " + of(object)));
        assertEquals(List.of("1-6 1-2", "1-6 3-4"), overlaps);
        assertEquals(List.of("1-6", "7-7"), layout.objects().stream().map(VersionMapTest::of).toList());
        assertEquals(4, layout(1, 3, 5, 5).missing());
        assertEquals(9, layout(1, 9, 2, 2).last());
        VersionMap overlapping = layout(1, 5, 4, 8, 6, 9);
        assertEquals(List.of("1-5", "1-5", "4-8", "4-8", "6-9"),
                List.of(1, 5, 6, 8, 9).stream().map(version -> of(overlapping.objectWith(version))).toList());
        List<String> both = new ArrayList<>();
        overlapping.findOverlaps((before, object) -> both.add(of(before) + " " + of(object)));
        assertEquals(List.of("1-5 4-8", "4-8 6-9"), both);
    }

    @Test
    void theNameOfAnObjectSaysItsVersions() {
        String one = "00000000000000000001";
        String four = "00000000000000000004";
        assertEquals(new LogObject(4, 4), LogObject.parseName(four + ".jellyp"));
        assertEquals(new LogObject(1, 4), LogObject.parseName(one + "-" + four + ".jellyp"));
        assertEquals(one + "-" + four + ".jellyp", new LogObject(1, 4).name());
        LogObject most = new LogObject(2, 1L + Integer.MAX_VALUE);
        assertEquals(most, LogObject.parseName(most.name()));
        for (String other : List.of(four + "-" + one + ".jellyp", four + "-" + four + ".jellyp", "0".repeat(20) + ".jellyp",
                "9".repeat(20) + ".jellyp", one + "-" + "9".repeat(20) + ".jellyp",
                new LogObject(1, 1L + Integer.MAX_VALUE).name(), "." + one + ".jellyp.part", "1.jellyp",
                one + ".jellyp.bak")) {
            assertNull(LogObject.parseName(other), other);
        }
    }

    @Test
    void aFileThatWasJoinedToOthersAndCameBackChangesNothing() throws IOException {
        fill(6);
        List<String> before = texts(open(), 1, 6);
        Path three = Files.copy(file(3), temporary.resolve("three"));
        compact(folder);
        for (boolean indexed : new boolean[] {true, false}) {
            Files.copy(three, file(3));
            if (!indexed) {
                Files.deleteIfExists(index());
            }
            assertEquals(before, texts(open(), 1, 9));
            assertEquals(new LogHead(6, ids.get(5)), open().head());
            for (long version = 1; version <= 6; version++) {
                assertEquals(ids.get((int) version - 1), LogPatches.idOf(open(), version));
                open().storedSlice(version).open().close();
            }
            compact(folder);
            assertFalse(Files.exists(file(3)));
            assertEquals(before, texts(open(), 1, 9));
        }
        Files.copy(three, file(3));
        Files.deleteIfExists(index());
        fill(1);
        assertEquals(new LogHead(7, ids.get(6)), open().head());
        assertTrue(Files.exists(file(7)));
    }

    @Test
    void noFileIsPrunedThatHasLaterVersions() throws IOException {
        fill(6);
        Path three = Files.copy(file(3), temporary.resolve("three"));
        compact(folder);
        Files.copy(three, file(3));
        Files.delete(index());
        assertEquals(0, LogPruning.run(open(), 4, 0).files());
        assertEquals(6, open().head().version());
        fill(1);
        assertEquals(7, LogPruning.run(open(), 6, 0).first());
        assertEquals(new LogHead(7, ids.get(6)), open().head());
    }

    /** As of two copies of a log that went on, and are put together by the names of their files. */
    @Test
    void whereTwoFilesHaveAVersionAndNotTheSamePatchAllRefuseAndNameBoth() throws IOException {
        fill(1);
        Path other = copied("other", false);
        fill(2);
        Path here = folder;
        folder = other;
        fill(2);
        compact(folder);
        folder = here;
        for (boolean indexed : new boolean[] {true, false}) {
            String joined = new LogObject(1, 3).name();
            Files.copy(other.resolve(joined), folder.resolve(joined), StandardCopyOption.REPLACE_EXISTING);
            if (!indexed) {
                Files.deleteIfExists(index());
            }
            for (Executable call : List.<Executable>of(() -> open().head(), () -> open().fetch(1, 9), () -> compact(folder),
                    () -> LogPruning.run(open(), 2, 0), () -> append(open(), patch(null, null, add(9))),
                    () -> new CaptureWriter(open(), new CaptureWriter.Rotation(9, 9, 9), false))) {
                String message = assertThrows(IOException.class, call).getMessage();
                assertTrue(message.contains(new LogObject(1, 3).name() + " and " + LogObject.fileName(2)
                        + " both have version 2, and not the same patch"), message);
            }
            assertTrue(Files.exists(file(2)) && Files.exists(file(3)), "nothing was deleted");
        }
    }

    @Test
    void theIndexOfACopyOfTheLogThatWentOnChangesNothing() throws IOException {
        for (boolean linked : new boolean[] {true, false}) {
            fill(2);
            int count = ids.size();
            Path copy = copied("copy-" + linked, linked);
            Path here = folder;
            folder = copy;
            fill(3); // where the very files are linked, into one index
            compact(folder);
            List<String> theirs = List.copyOf(ids.subList(count, count + 3));
            ids.subList(count, count + 3).clear();
            folder = here;
            if (!linked) {
                Files.copy(copy.resolve(IndexCache.NAME), index(), StandardCopyOption.REPLACE_EXISTING);
            }
            assertEquals(new LogHead(count, ids.get(count - 1)), open().head());
            for (String id : theirs) {
                assertEquals(0, open().versionWith(id));
            }
            LogHead made = append(open(), patch(theirs.get(1), null, add(77)));
            assertEquals(count + 1, made.version());
            assertEquals(count + 1, texts(open(), 1, 99).size(), "it is there afterwards");
            ids.add(made.id());
            compact(folder);
            assertEquals(ids.size(), texts(open(), 1, 99).size());
        }
    }

    @Test
    void theIndexOfAnotherLogThatLayThereChangesNothing() throws IOException {
        fill(3);
        for (long version = 1; version <= 3; version++) {
            Files.delete(file(version));
        }
        Files.delete(folder.resolve(LogProperties.NAME)); // as rm -rf log/* does, which leaves what is hidden
        StoreLog.create(folder);
        assertEquals(LogHead.EMPTY, open().head());
        LogHead made = append(open(), patch(ids.get(0), null, add(0)));
        assertEquals(new LogHead(1, ids.get(0)), made);
        assertEquals(1, texts(open(), 1, 9).size());
        assertEquals(2, append(open(), patch(ids.get(2), null, add(0))).version());
    }

    @Test
    void aPatchThatWasPrunedDoesNotComeAgainAndOneOfAnotherHistoryDoes() throws IOException {
        fill(4);
        LogPruning.run(open(), 2, 0);
        assertEquals(new LogHead(1, ids.get(0)), append(open(), patch(ids.get(0), null, add(0))));
        assertEquals(4, open().head().version());
    }

    @Test
    void anOpenLogEndsWhereAnotherOneOrAnotherHistoryTakesItsPlace() throws IOException {
        fill(2);
        Path backup = copied("backup", false);
        fill(2);
        StoreLog open = open();
        open.head();
        StoreLog reader = open();
        reader.head();
        Path now = Files.move(folder, temporary.resolve("now"));
        copyTo(backup);
        requireRefused(open, reader, "ends with version 2 now");
        fill(3);
        requireRefused(open, reader, "has another patch as version 4 now");
        assertEquals(5, open().head().version(), "nothing came from the open ones");
        Files.move(folder, temporary.resolve("restored"));
        StoreLog.create(folder);
        requireRefused(open, reader, "is the log ");
        Files.move(folder, temporary.resolve("new"));
        Files.move(now, folder);
        assertEquals(5, append(open, patch(null, null, add(9))).version());
        assertEquals(5, reader.head().version());
    }

    private void copyTo(Path backup) throws IOException {
        Path here = folder;
        folder = backup;
        copied("log", false);
        folder = here;
    }

    private static void requireRefused(StoreLog writer, StoreLog reader, String why) {
        for (Executable call : List.<Executable>of(writer::head, () -> append(writer, patch(null, null, add(5))),
                () -> reader.fetch(1, 9))) {
            String message = assertThrows(IOException.class, call).getMessage();
            assertTrue(message.contains(why) && message.contains("open it again"), message);
        }
    }
}
