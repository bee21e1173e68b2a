package io.jellybridge.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.convert.InputLocation;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.LogCompaction;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.MemoryStore;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** States, checkpoints, pruning and verification in a store that can do what each store does and nothing more. */
class StoredStatesTest {
    private static final int ROWS = 3;

    @TempDir
    Path temporary;

    private final MemoryStore store = new MemoryStore();

    private StoreLog open() throws IOException {
        return StoreLog.open(store);
    }

    private void fill(int patches) throws IOException {
        StoreLog log = StoreLog.openOrCreate(store);
        long head = log.head().version();
        for (int number = 1; number <= patches; number++) {
            StateLog.append(log, (int) head + number, ROWS);
        }
    }

    private Checkpoint make(long version) throws IOException {
        return CheckpointFiles.make(open(), version, ProgressListener.NONE);
    }

    private Set<String> names(long version) {
        return store.list("checkpoints/" + String.format("%020d", version)).keySet();
    }

    private void assertStates(long first, long last) throws IOException {
        for (long version = first; version <= last; version++) {
            assertEquals(StateLog.quads(version, ROWS), StateLog.lines(open(), version).size(), "at " + version);
        }
        assertEquals(List.of(), LogVerification.of(open(), ProgressListener.NONE).faults());
    }

    @Test
    void aCheckpointIsItsFilesAndThenItsDescription() throws IOException {
        fill(5);
        Checkpoint made = make(3);
        assertEquals(made, make(3));
        assertEquals(made, open().findCheckpoint(4));
        String part = made.parts().get(0).file();
        assertTrue(part.matches("part-00000-[0-9a-f]{16}.jelly"), part);
        assertEquals(Set.of("checkpoint.json", part), names(3));
        assertStates(1, 5);
    }

    @Test
    void withoutItsDescriptionItIsNoneAndIsMadeAgain() throws IOException {
        fill(4);
        make(3);
        store.objects.remove("checkpoints/00000000000000000003/checkpoint.json");
        assertEquals(new TreeSet<>(), new Checkpoints(open()).versions());
        assertStates(1, 4);
        assertEquals(3, make(3).version());
        assertEquals(2, names(3).size());
        assertStates(1, 4);
    }

    @Test
    void aFileThatIsMissingOrAnotherIsNamed() throws IOException {
        fill(3);
        Checkpoint made = make(2);
        String part = "checkpoints/00000000000000000002/" + made.parts().get(0).file();
        byte[] whole = store.objects.get(part);
        byte[] other = whole.clone();
        other[other.length - 3] ^= 1;
        for (byte[] bytes : new byte[][] {null, other, new byte[0]}) {
            store.objects.remove(part);
            if (bytes != null) {
                store.objects.put(part, bytes);
            }
            String message = assertThrows(IOException.class, () -> StateLog.lines(open(), 3)).getMessage();
            assertTrue(message.contains(part) && message.contains("make the checkpoint anew"), message);
        }
        store.objects.put(part, whole);
        assertStates(1, 3);
    }

    @Test
    void whatACheckpointCoversIsPrunedAndAllStatesFromThereOnStay() throws IOException {
        fill(4);
        make(2);
        LogCompaction.run(open(), Long.MAX_VALUE);
        fill(6);
        make(5);
        make(9);
        Pruning.Report report = Pruning.before(open(), 7);
        assertEquals(List.of(6L, 5L, 1), List.of(report.first(), report.versions(), report.checkpoints()));
        assertStates(5, 10);
        assertEquals(0, Pruning.before(open(), 6).versions());
        assertEquals(5, LogVersions.withId(open(), open().findCheckpoint(5).id()));
        fill(1);
        assertStates(5, 11);
    }

    @Test
    void aLogBeginsWithAState() throws IOException {
        Path file = Files.writeString(temporary.resolve("state.nq"), "<urn:a> <urn:p> <urn:o> .\n<urn:b> <urn:p> <urn:o> .\n");
        Checkpoint made = CheckpointFiles.begin(store, new InputLocation(file.toString()), ProgressListener.NONE);
        assertEquals(List.of(1L, 2L), List.of(open().head().version(), open().first()));
        StateLog.append(open(), 2, ROWS);
        assertEquals(2 + ROWS + 1, StateLog.lines(open(), 2).size());
        assertEquals(made.id(), LogVersions.headerOf(open(), 2).prev());
        assertThrows(IllegalStateException.class,
                () -> CheckpointFiles.begin(store, new InputLocation(file.toString()), ProgressListener.NONE));
        assertEquals(List.of(), LogVerification.of(open(), ProgressListener.NONE).faults());
    }

    @Test
    void aStateThatComesAfterAPatchIsNone() throws IOException {
        Path file = Files.writeString(temporary.resolve("state.nq"), "<urn:a> <urn:p> <urn:o> .\n");
        StoreLog log = StoreLog.create(store);
        store.before("checkpoints/00000000000000000001/checkpoint.json", () -> LogPatches.append(open(), LogPatches.patch(null, null)));
        assertThrows(IllegalStateException.class,
                () -> CheckpointFiles.begin(store, new InputLocation(file.toString()), ProgressListener.NONE));
        assertEquals(List.of(1L, 1L), List.of(log.first(), log.head().version()));
        assertEquals(Set.of(), names(1));
    }
}
