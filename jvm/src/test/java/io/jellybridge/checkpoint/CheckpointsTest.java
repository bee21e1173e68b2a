package io.jellybridge.checkpoint;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.jellybridge.codec.FormatException;
import io.jellybridge.convert.QuadsHash;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.BrokenChainException;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.PartFile;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {
    @TempDir
    Path temporary;

    private Path folder;
    private StoreLog log;
    private Checkpoints checkpoints;

    @BeforeEach
    void create() throws IOException {
        folder = temporary.resolve("log");
        log = StateLog.create(folder, 5, 3);
        checkpoints = new Checkpoints(log);
    }

    private Checkpoint make(long version) throws IOException {
        return CheckpointFiles.make(log, version, ProgressListener.NONE);
    }

    private Path folder(Checkpoint made) {
        return folder.resolve("checkpoints/" + String.format("%020d", made.version()));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("checkpoints"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void whatIsCancelledLeavesNothing() throws IOException {
        StateLog.append(log, 6, 20_000);
        for (long heardBefore : new long[]{0, 20_000}) { // while patches are read; while quads are written
            ProgressListener cancel = cancelledAfter(heardBefore);
            assertThrows(CancellationException.class, () -> CheckpointFiles.make(log, 6, cancel));
            assertThrows(CancellationException.class, () -> {
                try (State state = State.at(log, 6, cancel)) {
                    state.write(temporary.resolve("state.nq").toString());
                }
            });
        }
        assertEquals(List.of(), names());
        try (Stream<Path> files = Files.list(temporary)) {
            assertEquals(List.of(folder), files.toList());
        }
        assertEquals(StateLog.quads(5, 3) + 20_000, make(6).quads());
    }

    @Test
    void aCheckpointOfALostPatchIsNoStateToBeginWith() throws IOException {
        make(3);
        String position = make(5).position();
        Files.move(StateLog.file(log, 5), temporary.resolve("aside"));
        StoreLog shorter = StoreLog.open(folder);
        assertEquals(3, shorter.findCheckpoint(Long.MAX_VALUE).version());
        assertThrows(IllegalArgumentException.class, () -> StateLog.lines(shorter, 5));
        assertEquals(0, new Checkpoints(shorter).versionWith(position));
        Files.move(temporary.resolve("aside"), StateLog.file(log, 5));
        assertEquals(5, StoreLog.open(folder).findCheckpoint(Long.MAX_VALUE).version());
    }

    @Test
    void aQuadThatIsAddedAgainIsThereOnce() throws IOException {
        make(2);
        String again = "A <urn:item1-1> <urn:p> <urn:o> <urn:g> .";
        LogPatches.append(log, LogPatches.patch(null, null, again, "A <urn:item1-11> <urn:p> <urn:o> <urn:g> .", again));
        List<String> lines = StateLog.lines(log, 6);
        assertEquals(StateLog.quads(5, 3) + 1, lines.size());
        assertEquals(lines.stream().distinct().sorted().toList(), lines.stream().sorted().toList());
        assertEquals(lines.size(), make(6).quads());
    }

    @Test
    void aPatchWhoseTransactionsDoNotBalanceMakesNoState() throws IOException {
        LogPatches.unbalance(StateLog.file(log, 3));
        assertEquals(StateLog.quads(2, 3), StateLog.lines(log, 2).size());
        assertTrue(assertThrows(FormatException.class, () -> StateLog.lines(StoreLog.open(folder), 4)).getMessage()
                .contains("TC outside of a transaction"));
    }

    @Test
    void aStateIsWrittenIntoAFileWithAllItsQuads() throws IOException {
        Path file = temporary.resolve("state.nq");
        try (State state = State.at(log, 4, ProgressListener.NONE)) {
            assertEquals(StateLog.quads(4, 3), state.write(file.toString()));
            assertEquals(4, state.version());
        }
        assertEquals(StateLog.lines(log, 4), Files.readAllLines(file));
    }

    private static ProgressListener cancelledAfter(long rows) {
        return new ProgressListener() {

            @Override
            public void progress(long done) {
                reading(done);
            }

            @Override
            public void reading(long read) {
                if (read > rows) {
                    throw new CancellationException();
                }
            }
        };
    }

    @Test
    void aCheckpointIsAFolderOfSortedQuadsAndWhatTheyAre() throws IOException {
        Checkpoint made = make(2);
        assertEquals(List.of("00000000000000000002"), names());
        JsonObject said = JsonParser.parseString(Files.readString(folder(made).resolve("checkpoint.json"))).getAsJsonObject();
        QuadsHash hash = StateLog.hash(log, 2);
        assertEquals(7, hash.quads());
        assertEquals(Map.of("format", "3", "log", log.id(), "version", "2", "quads", "7", "hash", hash.hash()),
                Map.of("format", said.get("format").getAsString(), "log", said.get("log").getAsString(), "version",
                        said.get("version").getAsString(), "quads", said.get("quads").getAsString(), "hash",
                        said.get("hash").getAsString()));
        assertEquals(2, log.versionWith(said.get("id").getAsString()));
        try (CheckpointQuads quads = new CheckpointQuads(made)) {
            assertEquals(List.of(
                    "<urn:counter> <urn:p> \"2\" .",
                    "<urn:item1-0> <urn:p> <urn:o> <urn:g> .",
                    "<urn:item1-1> <urn:p> <urn:o> <urn:g> .",
                    "<urn:item1-2> <urn:p> <urn:o> <urn:g> .",
                    "<urn:item2-0> <urn:p> <urn:o> <urn:g> .",
                    "<urn:item2-1> <urn:p> <urn:o> <urn:g> .",
                    "<urn:item2-2> <urn:p> <urn:o> <urn:g> ."), StateLog.lines(quads));
        }
    }

    @Test
    void madeAgainItIsTheOneThatIsThere() throws IOException {
        Checkpoint made = make(5);
        FileTime written = Files.getLastModifiedTime(folder(made));
        assertEquals(made, make(5));
        assertEquals(made, log.findCheckpoint(Long.MAX_VALUE));
        assertEquals(written, Files.getLastModifiedTime(folder(made)));
        assertEquals(List.of("00000000000000000005"), names());
    }

    @Test
    void madeAtOnceThereIsOneAndAllAnswerTheSame() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (long version = 1; version <= 5; version++) {
                List<Callable<Checkpoint>> makers = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    StoreLog own = StoreLog.open(folder);
                    long wanted = version;
                    makers.add(() -> CheckpointFiles.make(own, wanted, ProgressListener.NONE));
                }
                for (Future<Checkpoint> made : threads.invokeAll(makers)) {
                    assertEquals(checkpoints.at(version), made.get());
                }
            }
        } finally {
            threads.shutdown();
        }
        assertEquals(5, names().size(), () -> "something was left");
    }

    @Test
    void aStateIsMadeOfTheNearestCheckpointAndThePatchesBehindIt() throws IOException {
        List<String> expected = StateLog.lines(log, 5);
        make(2);
        make(4);
        for (int version = 1; version <= 4; version++) {
            Files.write(StateLog.file(log, version), new byte[] {1, 2, 3}); // which nobody reads
        }
        assertEquals(expected, StateLog.lines(log, 5));
        assertEquals(StateLog.quads(4, 3), StateLog.lines(log, 4).size());
        assertThrows(FormatException.class, () -> StateLog.lines(log, 3));
    }

    @Test
    void whatAnAbortedBlockHoldsIsNotThereAndPrefixesAre() throws IOException {
        LogPatches.append(log, "TX .\nPA a: <urn:a> .\nPA b: <urn:b> .\nTC .\nTX .\nA <urn:no> <urn:p> <urn:o> .\nPD a: .\nTA .\n"
                + "TX .\nPD b: .\nPA c: <urn:c> .\nA <urn:yes> <urn:p> <urn:o> .\nTC .\n");
        make(6);
        StateLog.append(log, 7, 0);
        for (long version : new long[] {6, 7}) {
            try (State state = State.at(log, version, ProgressListener.NONE)) {
                assertEquals(List.of("a", "c"), List.copyOf(state.prefixes().keySet()));
                List<String> lines = StateLog.lines(state.quads());
                assertTrue(lines.contains("<urn:yes> <urn:p> <urn:o> ."));
                assertFalse(lines.contains("<urn:no> <urn:p> <urn:o> ."));
            }
        }
    }

    @Test
    void aCheckpointOfNothingIsOne() throws IOException {
        StoreLog empty = StoreLog.create(temporary.resolve("empty"));
        LogPatches.append(empty, LogPatches.patch(null, null));
        Checkpoint made = CheckpointFiles.make(empty, 1, ProgressListener.NONE);
        assertEquals(0, made.quads());
        assertEquals("0".repeat(64), made.hash());
        CheckpointFiles.check(made, ProgressListener.NONE);
        LogPatches.append(empty, LogPatches.patch(null, null, LogPatches.add(1)));
        assertEquals(1, StateLog.lines(empty, 2).size());
    }

    @Test
    void versionsThatAreNotThereAreNamed() {
        assertEquals(folder + " has no version 6; its newest is 5",
                assertThrows(IllegalArgumentException.class, () -> make(6)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> make(0));
    }

    /** Every byte of a small one, and its ends. */
    @Test
    void aDamagedCheckpointIsNamedWhereverItIsDamaged() throws IOException {
        Checkpoint made = make(2);
        Path part = folder(made).resolve("part-00000.jelly");
        byte[] whole = Files.readAllBytes(part);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 1;
            Files.write(part, damaged);
            assertRefused("00000000000000000002/part-00000.jelly has bytes of the SHA-256 ");
        }
        for (int length = 0; length < whole.length; length++) {
            Files.write(part, Arrays.copyOf(whole, length));
            assertRefused("00000000000000000002/part-00000.jelly has " + length + " bytes, and had " + whole.length);
        }
        Files.delete(part);
        assertRefused("00000000000000000002/part-00000.jelly is not there; ");
        Files.write(part, whole);
        assertEquals(StateLog.quads(3, 3), StateLog.lines(log, 3).size());
    }

    private void assertRefused(String says) {
        String message = assertThrows(IOException.class, () -> StateLog.lines(log, 3)).getMessage();
        assertTrue(message.contains(says), message);
        assertTrue(message.contains("make the checkpoint anew"), message);
        List<LogVerification.Fault> faults = assertDoesNotThrow(() -> LogVerification.of(log, ProgressListener.NONE)).faults();
        assertEquals(List.of(LogVerification.Kind.DAMAGED), faults.stream().map(LogVerification.Fault::kind).toList());
        assertTrue(faults.get(0).found().contains(says), faults::toString);
    }

    @Test
    void theFilesOfACheckpointAreThoseThatItLists() throws IOException {
        Checkpoint made = make(2);
        assertEquals(List.of("part-00000.jelly"), made.files().stream().map(file -> file.name().replaceAll(".*/", "")).toList());
        assertEquals(7, made.parts().get(0).quads());
        assertEquals(Files.size(folder.resolve(made.files().get(0).path())), made.parts().get(0).bytes());
        Path part = folder(made).resolve("part-00000.jelly");
        byte[] whole = Files.readAllBytes(part);
        Path more = folder(made).resolve("part-00001.jelly");
        Files.write(more, whole);
        assertRefused("00000000000000000002/part-00001.jelly is none of the 1 files of the checkpoint");
        Files.write(more, new byte[0]);
        assertRefused("00000000000000000002/part-00001.jelly is none of the 1 files of the checkpoint");
        Files.delete(more);
        Files.write(folder(made).resolve("notes.txt"), whole);
        assertEquals(StateLog.quads(3, 3), StateLog.lines(log, 3).size());
        Checkpoint other = make(3);
        Files.copy(folder(other).resolve("part-00000.jelly"), part, StandardCopyOption.REPLACE_EXISTING);
        String message = assertThrows(IOException.class, () -> CheckpointFiles.check(made, ProgressListener.NONE)).getMessage();
        assertTrue(message.contains("00000000000000000002/part-00000.jelly has "), message);
    }

    @Test
    void aFolderWhoseNameIsLargerThanAVersionIsNoCheckpoint() throws IOException {
        Files.createDirectories(folder.resolve("checkpoints").resolve("9".repeat(20)));
        assertEquals(Set.of(), checkpoints.versions());
        assertEquals(StateLog.quads(5, 3), StateLog.lines(log, 5).size());
    }

    /** As of a copy of a bucket, where a process was killed before it created the description. */
    @Test
    void filesOfAnUnfinishedCheckpointInABucketAreNoCheckpointInAFolderEither() throws IOException {
        Path left = Files.createDirectories(folder.resolve(Checkpoint.folderOf(4))).resolve("part-00000-0123456789abcdef.jelly");
        Files.write(left, new byte[9]);
        assertEquals(Set.of(), checkpoints.versions());
        assertEquals(StateLog.quads(5, 3), StateLog.lines(log, 5).size());
        assertNull(checkpoints.at(4));
        assertEquals(StateLog.quads(4, 3), make(4).quads());
        assertFalse(Files.exists(left));
        assertEquals(1, checkpoints.at(4).files().size());
    }

    /** As of a copy of a bucket that lacks the description. */
    @Test
    void theStateThatALogBeginsWithIsDamagedWithoutItsDescription() throws IOException {
        Path files = folder(make(2));
        Pruning.before(log, 3);
        Path part = Files.move(files.resolve("part-00000.jelly"), files.resolve("part-00000-0123456789abcdef.jelly"));
        Files.delete(files.resolve("checkpoint.json"));
        assertEquals(Set.of(2L), checkpoints.versions());
        List<LogVerification.Fault> faults = LogVerification.of(log, ProgressListener.NONE).faults();
        assertEquals(List.of(LogVerification.Kind.DAMAGED), faults.stream().map(LogVerification.Fault::kind).toList());
        for (long version = 3; version <= 5; version++) {
            Files.delete(StateLog.file(log, version));
        }
        StoreLog empty = StoreLog.open(folder);
        assertEquals(2, empty.headVersion());
        assertThrows(IOException.class, () -> LogPatches.append(empty, LogPatches.patch(null, null, "A <urn:s> <urn:p> <urn:o> .")));
        new Checkpoints(empty).begin(2).close();
        assertTrue(Files.exists(part));
    }

    @Test
    void aCheckpointThatIsTakenAwayMeanwhileIsNotDamaged() throws IOException {
        Checkpoint made = make(2);
        PartFile file = made.files().get(0);
        checkpoints.remove(2);
        for (Executable read : List.<Executable>of(made::files, file::open)) {
            String message = assertThrows(NoSuchFileException.class, read).getMessage();
            assertTrue(message.contains("it was pruned meanwhile; do it once more"), message);
        }
    }

    @Test
    void aCheckpointIsOfThePatchThatTheFirstOneFollows() throws IOException {
        make(2);
        Pruning.before(log, 3);
        StoreLog pruned = StoreLog.open(folder);
        assertEquals(3, pruned.first());
        Path description = folder.resolve("checkpoints/00000000000000000002/checkpoint.json");
        String said = Files.readString(description);
        Checkpoint is = new Checkpoints(pruned).at(2);
        Files.writeString(description, said.replace(is.id(), "00000000-0000-0000-0000-000000000000"));
        String message = assertThrows(IOException.class, () -> new Checkpoints(StoreLog.open(folder)).at(2)).getMessage();
        assertTrue(message.contains("the first patch of " + folder + " follows patch " + is.id()), message);
    }

    @Test
    void whatSaysThatItIsSomethingElseIsRefused() throws IOException {
        Checkpoint made = make(2);
        Path description = folder(made).resolve("checkpoint.json");
        String said = Files.readString(description);
        for (String other : new String[] {said.replace(log.id(), LogPatches.patch(null, null).trim()), said.substring(1),
            said.replace("\"version\":2", "\"version\":3"), said.replace("\"format\":3", "\"format\":1"), said.replace("\"chain\":\"", "\"chain\":\"x"), "",
            said.replace(made.id(), "00000000-0000-0000-0000-000000000000"), said.replace("\"quads\":7", "\"quads\":8")}) {
            Files.writeString(description, other);
            IOException error = assertThrows(IOException.class, () -> StateLog.lines(log, 3), other);
            assertTrue(error.getMessage().contains("00000000000000000002"), error.getMessage());
        }
        Files.delete(description);
        assertThrows(IOException.class, () -> StateLog.lines(log, 3));
    }

    @Test
    void aPatchThatDoesNotFollowIsNoPartOfAState() throws IOException {
        StoreLog other = StateLog.create(temporary.resolve("other"), 5, 3);
        Files.copy(StateLog.file(other, 4), StateLog.file(log, 4), StandardCopyOption.REPLACE_EXISTING);
        Files.delete(folder.resolve(".index"));
        StoreLog again = StoreLog.open(folder);
        assertEquals(StateLog.quads(3, 3), StateLog.lines(again, 3).size());
        assertThrows(BrokenChainException.class, () -> StateLog.lines(again, 4));
    }

    @Test
    void whatIsLeftOfAKilledProcessGoesWhenItIsOld() throws IOException {
        make(1);
        Path old = Files.createDirectory(folder.resolve("checkpoints/.making-old"));
        Path written = Files.createDirectory(folder.resolve("checkpoints/.making-written"));
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
        for (Path made : List.of(old, written)) {
            Files.setLastModifiedTime(Files.write(made.resolve("part-00000.jelly"), new byte[9]), longAgo);
            Files.setLastModifiedTime(made, longAgo);
        }
        Files.setLastModifiedTime(written.resolve("part-00000.jelly"), FileTime.from(Instant.now()));
        Files.createDirectory(folder.resolve("checkpoints/.making-new"));
        make(2);
        assertEquals(List.of(".making-new", ".making-written", "00000000000000000001", "00000000000000000002"), names());
        assertNull(checkpoints.at(3));
    }
}
