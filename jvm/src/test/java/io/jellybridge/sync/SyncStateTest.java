package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.data.Position;
import io.jellybridge.log.ContentHash;
import io.jellybridge.sync.SyncState.Applied;
import io.jellybridge.sync.SyncState.SetAside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyncStateTest {
    private static final String ONE = "TX .\nA <urn:s> <urn:p> <urn:o> .\nTC .\n";
    private static final String TEXT_OF_A = ONE + "Z .\n" + ONE + "Z .\n";
    private static final String TEXT_OF_B = "H id <urn:b> .\n" + ONE + "Z .\n";
    private static final String NOTE_OF_A = note("a.rdfp", 2, 6, TEXT_OF_A);
    private static final String NOTE_OF_B = note("b.rdfp", 1, 4, TEXT_OF_B);

    @TempDir
    Path folder;

    private static String note(String file, int patches, int rows, String text) {
        String hash = HexFormat.of().formatHex(ContentHash.newSha256().digest(text.getBytes(UTF_8)));
        return String.format("{\"file\":\"%s\",\"patches\":%d,\"rows\":%d,\"hash\":\"%s\"}", file, patches, rows, hash);
    }

    /** Of file a two patches, of b one, of c two. */
    private List<SyncPatch> patches() throws IOException {
        return FilePatches.list(List.of(
                Files.writeString(folder.resolve("a.rdfp"), TEXT_OF_A),
                Files.writeString(folder.resolve("b.rdfp"), TEXT_OF_B),
                Files.writeString(folder.resolve("c.rdfp"), ONE + "Z .\n" + ONE + "Z .\n")), ProgressListener.NONE);
    }

    private final FilePatches.Cursor cursor = new FilePatches.Cursor();

    @AfterEach
    void close() throws IOException {
        cursor.close();
    }

    private Position position(SyncState state, SyncPatch last) throws IOException {
        return state.positionAfter(last, cursor.readContent(last));
    }

    @Test
    void whereNamesAreTheOrderEachFileThatIsPassedIsNotedOnceWithAllItsPatches() throws IOException {
        List<SyncPatch> patches = patches();
        SyncState state = SyncState.ofNames(null, patches, List.of());
        assertEquals(List.of(), state.notesFor(patches.get(1)), "the file of the position is not passed");
        assertEquals(List.of(NOTE_OF_A), state.notesFor(patches.get(2)));
        assertEquals(List.of(NOTE_OF_A, NOTE_OF_B), state.notesFor(patches.get(3)));
        assertEquals(List.of(NOTE_OF_A, NOTE_OF_B), state.notesFor(patches.get(4)), "what was not committed is not noted yet");
        state.onCommitted(patches.get(2), position(state, patches.get(2)));
        assertEquals(List.of(), state.notesFor(patches.get(2)));
        assertEquals(List.of(NOTE_OF_B), state.notesFor(patches.get(3)));
        state.onCommitted(patches.get(3), position(state, patches.get(3)));
        assertEquals(List.of(), state.notesFor(patches.get(4)));
    }

    @Test
    void whatTheDatasetHasNotedOfAFileIsNotNotedAgainButWhatBecameOfItIs() throws IOException {
        List<SyncPatch> patches = patches();
        assertEquals(List.of(NOTE_OF_B), SyncState.ofNames(null, patches, List.of(NOTE_OF_A)).notesFor(patches.get(4)));
        String shorter = note("a.rdfp", 2, 3, TEXT_OF_A);
        assertEquals(List.of(NOTE_OF_A, NOTE_OF_B), SyncState.ofNames(null, patches, List.of(shorter)).notesFor(patches.get(4)));
    }

    @Test
    void theNoteOfAPatchThatWasSetAsideWaitsForATransactionThatIsCommitted() throws IOException {
        List<SyncPatch> patches = patches();
        SyncState state = SyncState.ofPatches(null);
        state.setAside(patches.get(0), "<urn:named-by-the-next>", cursor);
        state.setAside(patches.get(2), "<urn:other>", cursor);
        List<SetAside> noted = state.notesFor(patches.get(3)).stream().map(SetAside::parse).toList();
        assertEquals(List.of("a.rdfp#0", "b.rdfp#0"), noted.stream().map(SetAside::aside).toList());
        assertEquals(List.of("<urn:named-by-the-next>", "<urn:b>"), noted.stream().map(SetAside::id).toList());
        assertEquals(cursor.readContent(patches.get(0)), new SyncPatch.Content(noted.get(0).rows(), noted.get(0).hash()));
        assertEquals(2, state.notesFor(patches.get(4)).size());
        state.onCommitted(patches.get(4), position(state, patches.get(4)));
        assertEquals(List.of(), state.notesFor(patches.get(4)));
    }

    @Test
    void aPatchThatCantBeReadIsSetAsideByItsNameAndTheIdThatIsKnown() throws IOException {
        SyncPatch broken = FilePatches.list(List.of(Files.writeString(folder.resolve("x.rdfp"), "TX .\nX\n")),
                ProgressListener.NONE).get(0);
        assertEquals(new SetAside("x.rdfp#0", "<urn:x>", null, null, null, null),
                SetAside.parse(SetAside.of(broken, "<urn:x>", null, cursor).note()));
    }

    @Test
    void thePositionIsThatOfTheLastPatchWithWhatItSaysUnlessIdsAloneAreKept() throws IOException {
        List<SyncPatch> patches = patches();
        Position before = Position.of("<urn:before>");
        SyncPatch last = patches.get(2);
        for (boolean names : new boolean[] {true, false}) {
            SyncState state = names ? SyncState.ofNames(before, patches, List.of()) : SyncState.ofPatches(before);
            assertEquals(before, state.at());
            Applied applied = Applied.at(position(state, last));
            assertEquals(new Applied("<urn:b>", "b.rdfp#0", null, 4, cursor.readContent(last).hash(), names ? "names" : null, null),
                    applied);
            state.onCommitted(last, position(state, last));
            assertEquals(applied, Applied.at(state.at()));
        }
        SyncState ids = SyncState.ofIds(before);
        assertEquals("<urn:b>", position(ids, last).id());
        assertNull(position(ids, last).applied());
        assertEquals(List.of(), ids.notesFor(last));
    }

    @Test
    void whatIsBesideAPositionIsOfItsPatchOrSaysNothing() {
        String text = "{\"patch\":\"<urn:b>\",\"name\":\"b\",\"rows\":4,\"hash\":\"h\"}";
        assertEquals(new Applied("<urn:b>", "b", null, 4, "h", null, null), Applied.at(new Position("<urn:b>", text)));
        assertNull(Applied.at(null));
        assertNull(Applied.at(Position.of("<urn:b>")));
        assertNull(Applied.at(new Position("<urn:c>", text)), "of another position");
        assertNull(Applied.at(new Position("<urn:b>", text.replace("hash", "other"))));
        assertNull(Applied.at(new Position("<urn:b>", "applied by hand")));
    }
}
