package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract, and what is special of RDF Delta, against {@link DeltaServer}, which stands in for the real server. */
class DeltaLogTest extends PatchLogContract {
    private DeltaServer server;

    @Override
    PatchLog create() throws IOException {
        server = new DeltaServer();
        return PatchLogs.create(server.url("ABC"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Override
    PatchLog open() throws IOException {
        return PatchLogs.open(server.url("ABC"));
    }

    @Override
    void createAgain() throws IOException {
        PatchLogs.create(server.url("ABC"));
    }

    @Test
    void aNameThatTheServerWouldNotTakeIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> PatchLogs.open(server.url("a b")));
        assertThrows(FileNotFoundException.class, () -> PatchLogs.open(server.url("other")).head());
    }

    @Test
    void anAppendWhoseAnswerIsLostIsMadeOnce() throws IOException {
        String first = append(log, patch(newId(), null, add(1)), null).id();
        String second = newId();
        server.loseAnswers(2);
        assertEquals(new LogHead(2, second), append(log, patch(second, first, add(2)), first));
        assertEquals(2, texts(log, 1, 9).size());
    }

    @Test
    void versionsMayJump() throws IOException {
        String first = append(log, patch(newId(), null, add(1)), null).id();
        server.skipVersions(3);
        String second = newId();
        assertEquals(new LogHead(5, second), append(log, patch(second, first, add(2)), first));
        assertEquals(new LogHead(5, second), log.head());
        assertEquals(2, texts(log, 1, 5).size());
        assertEquals(1, texts(log, 2, 5).size());
    }

    @Test
    void aPoisonPatchStopsOrGoesIntoQuarantine() throws IOException {
        String first = append(log, patch(newId(), null, add(1)), null).id();
        String poison = newId();
        server.put("ABC", "H id <uuid:" + poison + "> .\nH prev <uuid:" + first + "> .\nTX .\n" + add(2) + "\n");
        append(log, patch(newId(), poison, add(3)), poison);
        try (LogReader reader = new LogReader(log.fetch(1, 9), 0, null, null)) {
            assertEquals(1, reader.next().version());
            assertEquals(2, assertThrows(PoisonPatchException.class, reader::next).version());
        }
        List<String> reasons = new ArrayList<>();
        Quarantine quarantine = (entry, reason) -> reasons.add(reason.getMessage());
        try (LogReader reader = new LogReader(log.fetch(1, 9), 0, null, quarantine)) {
            assertEquals(1, reader.next().version());
            assertEquals(3, reader.next().version());
        }
        assertEquals(1, reasons.size());
        assertTrue(reasons.get(0).contains("transaction"), reasons.get(0));
    }

    @Test
    void aPatchThatIsMissingBreaksTheChain() throws IOException {
        append(log, patch(newId(), null, add(1)), null);
        server.put("ABC", patch(newId(), newId(), add(2)));
        try (LogReader reader = new LogReader(log.fetch(1, 9), 0, null, (entry, reason) -> { })) {
            assertEquals(1, reader.next().version());
            assertEquals(2, assertThrows(BrokenChainException.class, reader::next).version());
        }
    }
}
