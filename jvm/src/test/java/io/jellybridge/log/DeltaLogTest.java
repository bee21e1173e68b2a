package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.http.HttpException;
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
        for (String none : List.of(server.url("-a"), server.url(""), "delta:http://localhost:1066")) {
            String message = assertThrows(IllegalArgumentException.class, () -> PatchLogs.open(none)).getMessage();
            assertTrue(message.contains("is no name of an RDF Delta data source"), message);
        }
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
    void anAppendWhoseAnswerIsLostIsFoundBehindWhatAnotherAppendedMeanwhile() throws IOException {
        String first = append(log, patch(newId(), null, add(1)), null).id();
        String second = newId();
        server.lose(false, patch(newId(), second, add(3)));
        assertEquals(new LogHead(2, second), append(log, patch(second, first, add(2)), first));
        assertEquals(3, log.head().version());
    }

    @Test
    void anAppendWhoseRequestIsLostIsAConflictWhereAnotherAppendedMeanwhile() throws IOException {
        String first = append(log, patch(newId(), null, add(1)), null).id();
        String other = newId();
        server.lose(true, patch(other, first, add(3)));
        LogConflictException conflict = assertThrows(LogConflictException.class,
                () -> append(log, patch(newId(), first, add(2)), first));
        assertEquals(new LogHead(2, other), conflict.found());
        assertEquals(first, conflict.expected());
        assertEquals(2, texts(log, 1, 9).size());
    }

    /** No word of a patch is not the word that it is not there. */
    @Test
    void whatAServerRefusesIsAnErrorAndNoVersionThatIsPassedOver() throws IOException {
        String first = append(log, patch(newId(), null, add(1)), null).id();
        for (int status : new int[] {400, 500}) {
            server.refuse(status);
            assertEquals(status, assertThrows(HttpException.class, () -> texts(log, 1, 9)).status());
            assertEquals(status, assertThrows(HttpException.class,
                    () -> append(log, patch(newId(), first, add(2)), first)).status());
            assertEquals(status, assertThrows(HttpException.class,
                    () -> append(log, patch(null, null, add(2)))).status());
        }
        server.refuse(0);
        assertEquals(1, log.head().version());
    }

    @Test
    void aDataSourceIsBelowItsServer() throws IOException {
        String message = assertThrows(HttpException.class,
                () -> PatchLogs.open(server.url("a/b/ABC")).head()).getMessage();
        assertTrue(message.startsWith(server.url("a/b/$/rpc").substring("delta:".length()) + ": "), message);
    }

    @Test
    void nothingIsLeftOfWhatWasSent() throws IOException {
        String first = append(log, patch(newId(), null, add(1)), null).id();
        String other = newId();
        assertThrows(LogConflictException.class, () -> append(log, patch(other, newId(), add(2))));
        assertEquals(List.of(0L, 0L), List.of(LogPatches.temporaryFiles(first), LogPatches.temporaryFiles(other)));
    }

    /** As its documentation has them. */
    @Test
    void versionsMayBeNamed() throws IOException {
        server.nameVersions();
        String first = append(log, patch(newId(), null, add(1)), null).id();
        assertEquals(new LogHead(1, first), log.head());
        assertEquals(2, append(log, patch(newId(), first, add(2)), first).version());
        assertEquals(1, log.first());
        assertEquals(2, texts(log, 1, 9).size());
    }

    @Test
    void whatIsBeforeTheFirstVersionIsNotAskedFor() throws IOException {
        String first = append(log, patch(newId(), null, add(1)), null).id();
        String second = append(log, patch(newId(), first, add(2)), first).id();
        append(log, patch(newId(), second, add(3)), second);
        server.forget("ABC", 1);
        server.forget("ABC", 2);
        assertEquals(3, log.first());
        int before = server.paths().size();
        assertEquals(1, texts(log, 1, 9).size());
        assertEquals(List.of("ABC/3"), server.paths().subList(before, server.paths().size()));
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
