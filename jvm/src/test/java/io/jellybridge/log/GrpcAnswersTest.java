package io.jellybridge.log;

import static io.jellybridge.grpc.ScriptedServer.message;
import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.jellybridge.TemporaryFiles;
import io.jellybridge.grpc.GrpcException;
import io.jellybridge.grpc.ScriptedServer;
import io.jellybridge.http.UnreachableException;
import io.jellybridge.jena.data.Position;
import io.jellybridge.spark.log.PatchLogStream;
import io.jellybridge.sync.FollowedLog;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a log over gRPC makes of answers that our server gives seldom, or not at all. */
class GrpcAnswersTest {
    private static final int ATTEMPTS = 2;

    @TempDir
    Path folder;

    private final ScriptedServer server;
    private final PatchLog log;
    private final String id = newId();
    private final String first = newId();
    private final byte[] frame;

    GrpcAnswersTest() throws IOException {
        server = new ScriptedServer();
        log = PatchLogs.open(server.url("changes"), Map.of("attempts", "" + ATTEMPTS));
        server.connect(log::head);
        byte[] stream = LogPatches.jelly(patch(first, null, add(1)));
        frame = Arrays.copyOfRange(stream, stream[0] < 0 ? 2 : 1, stream.length);
    }

    @AfterEach
    void stop() throws IOException {
        log.close();
        server.close();
    }

    private void answerHead(long version) {
        server.answer(Status.OK, message(1, id, 2, 1, 3, version, 4, first));
    }

    @Test
    void aTopicThatIsNotThereIsAFileThatIsNotAndWhatElseIsRefusedIsNot() {
        server.answer(Status.NOT_FOUND.withDescription("no topic"));
        assertTrue(assertThrows(FileNotFoundException.class, log::head).getCause() instanceof GrpcException);
        server.answer(Status.PERMISSION_DENIED);
        assertThrows(GrpcException.class, log::head);
    }

    @Test
    void whereALogBeginsAndEndsIsWhatTheServerSays() throws IOException {
        server.answer(Status.OK, message(1, id, 2, 4, 3, 6, 4, first));
        assertEquals(new LogHead(6, first), log.head());
        server.answer(Status.OK, message(1, id, 2, 4));
        assertEquals(LogHead.EMPTY, log.head());
        server.answer(Status.OK, message(1, id, 2, 4));
        assertEquals(4, log.first());
        log.close();
        assertThrows(UnreachableException.class, log::head, "its connection is closed");
        assertEquals(3, server.calls().size());
    }

    @Test
    void aDatasetAtTheHeadDownloadsNoPatch() throws IOException {
        String text = "{\"patch\":\"<urn:uuid:%1$s>\",\"name\":\"6\",\"version\":6,\"rows\":3,\"hash\":\"%2$s\",\"chain\":\"%2$s\"}"
                .formatted(first, Chain.START);
        for (int i = 0; i < 20; i++) {
            server.answer(Status.OK, message(1, id, 2, 1, 3, 6, 4, first, 5, Chain.START));
        }
        try (FollowedLog followed = FollowedLog.open(log, new Position("<urn:uuid:" + first + ">", text), List.of())) {
            assertEquals(List.of(), followed.patches());
        }
        assertEquals(Set.of("GetHead"), server.calls().stream().map(ScriptedServer.Call::method).collect(Collectors.toSet()));
    }

    @Test
    void anIdleStreamOfSparkDownloadsNoPatch() {
        for (int i = 0; i < 40; i++) {
            server.answer(Status.OK, message(1, id, 2, 1, 3, 6, 4, first, 5, Chain.START));
        }
        PatchLogStream stream = PatchLogStream.of(Map.of("path", server.url("changes")), log -> log.head().version() + 1,
                new StructType(), readers -> readers);
        Offset start = stream.initialOffset();
        assertTrue(start.json().contains("\"version\":6,\"id\":\"" + first + "\",\"chain\":\"" + Chain.START), start.json());
        assertEquals(start, stream.latestOffset(start, ReadLimit.allAvailable()));
        String restarted = start.json().replace(Chain.START, "0a".repeat(32));
        assertThrows(IllegalStateException.class,
                () -> stream.latestOffset(stream.deserializeOffset(restarted), ReadLimit.allAvailable()));
        stream.stop();
        assertEquals(Set.of("GetHead"), server.calls().stream().map(ScriptedServer.Call::method).collect(Collectors.toSet()));
    }

    @Test
    void aVersionIsFoundByTheFirstFrameOfItsPatch() throws IOException {
        server.answer(Status.OK, message(1, 5, 3, frame));
        assertEquals(5, log.versionWith(first));
        for (Status none : List.of(Status.NOT_FOUND, Status.OUT_OF_RANGE, Status.OK)) {
            server.answer(none);
            assertEquals(0, log.versionWith(first));
        }
        assertEquals(4, server.calls().size());
    }

    @Test
    void aPatchGoesBehindTheOneThatItFollowsAndHasTheVersionThatTheServerSays() throws IOException {
        answerHead(6);
        server.answer(Status.OK, message(1, 7));
        String second = newId();
        assertEquals(new LogHead(7, second), LogPatches.append(log, patch(second, first, add(2)), first));
        assertArrayEquals(message(1, "changes", 2, first),
                Arrays.copyOf(server.calls().get(1).messages().get(0), message(1, "changes", 2, first).length));
        answerHead(0);
        server.answer(Status.OK, message(1, 1));
        assertEquals(1, LogPatches.append(log, patch(newId(), null, add(2)), null).version());
        assertArrayEquals(message(1, "changes", 2, ""), Arrays.copyOf(server.calls().get(3).messages().get(0), 11));
    }

    /** It says so by ABORTED; what is in its place is asked for. */
    @Test
    void aPatchThatDoesNotFollowIsAConflictAndOneWhoseIdIsThereIsTaken() throws IOException {
        String second = newId();
        for (Status none : List.of(Status.NOT_FOUND, Status.OK)) {
            answerHead(6);
            server.answer(Status.ABORTED.withDescription("it follows another"));
            server.answer(none);
            answerHead(7);
            LogConflictException conflict = assertThrows(LogConflictException.class,
                    () -> LogPatches.append(log, patch(second, second, add(2)), second));
            assertEquals(List.of(second, new LogHead(7, first)), List.of(conflict.expected(), conflict.found()));
            assertFalse(conflict.isTaken());
            assertTrue(conflict.getMessage().endsWith("ABORTED: it follows another"), conflict.getMessage());
        }
        answerHead(6);
        server.answer(Status.ABORTED.withDescription("there was version 2"));
        server.answer(Status.OUT_OF_RANGE);
        LogConflictException pruned = assertThrows(LogConflictException.class,
                () -> LogPatches.append(log, patch(second, first, add(2)), first));
        assertEquals(List.of(true, second), List.of(pruned.isTaken(), pruned.found().id()));
        assertTrue(pruned.getMessage().endsWith("ABORTED: there was version 2"), pruned.getMessage());
        answerHead(6);
        server.answer(Status.ABORTED);
        server.answer(Status.OK, message(1, 5, 3, frame));
        LogConflictException taken = assertThrows(LogConflictException.class,
                () -> LogPatches.append(log, patch(second, first, add(2)), first));
        assertTrue(taken.isTaken());
        assertEquals(new LogHead(5, second), taken.found());
        for (boolean atOnce : new boolean[] {true, false}) {
            answerHead(6);
            server.answer(atOnce ? Status.INVALID_ARGUMENT : Status.ABORTED);
            if (!atOnce) {
                server.answer(Status.INVALID_ARGUMENT);
            }
            assertThrows(GrpcException.class, () -> LogPatches.append(log, patch(second, first, add(2)), first));
        }
    }

    @Test
    void anotherVersionThanTheNextOrAStateIsNoPatchOfALog() throws IOException {
        for (byte[] wrong : List.of(message(1, 2, 3, frame, 5, 1), message(1, 0, 3, frame, 5, 1), message(1, 1, 4, frame, 5, 1))) {
            answerHead(2);
            server.answer(Status.OK, wrong);
            try (LogEntries entries = log.fetch(1, 9)) {
                String message = assertThrows(IOException.class, entries::next).getMessage();
                assertTrue(message.startsWith(log.name() + " gives version ")
                        && message.endsWith(" where 1 is to come; is it a server of patch logs?"), message);
            }
        }
        assertEquals(6, server.calls().size(), "nothing was asked for again");
    }

    @Test
    void aPatchThatIsCutOffIsAskedForAgainAndNothingIsLeftOfWhatCame() throws IOException {
        answerHead(1);
        server.answer(Status.OK, message(1, 1, 3, frame), message(1, 1, 3, frame));
        server.answer(Status.OK, message(1, 1, 3, frame, 5, 1));
        try (LogEntries entries = log.fetch(1, 9)) {
            LogEntry entry = entries.next();
            assertEquals(List.of(1L, first), List.of(entry.version(), entry.header().id()));
            assertEquals(patch(first, null, add(1)), LogPatches.text(entry));
            assertEquals(log.name() + ", version 1", entry.name());
            assertNull(entries.next());
        }
        answerHead(1);
        for (int i = 0; i < ATTEMPTS; i++) {
            server.answer(Status.OK, message(1, 1, 3, frame));
        }
        try (LogEntries entries = log.fetch(1, 9)) {
            String message = assertThrows(UnreachableException.class, entries::next).getMessage();
            assertEquals(log.name() + ": ended before the end of what it sent", message);
        }
    }

    @Test
    void nothingIsAskedForBeyondTheHeadOrWhenNoMoreIsWanted() throws Exception {
        answerHead(1);
        try (LogEntries entries = log.fetch(2, 9)) {
            assertNull(entries.next());
        }
        answerHead(2);
        server.answer(Status.OK, message(1, 2, 3, frame, 5, 1));
        try (LogEntries entries = log.fetch(2, 9)) {
            assertEquals(2, entries.next().version());
            assertNull(entries.next());
        }
        assertArrayEquals(message(1, "changes", 5, 1, 6, 2, 3, 1), server.calls().get(2).messages().get(0));
        answerHead(2);
        server.answer(null, message(1, 1, 3, frame, 5, 1));
        LogEntries entries = log.fetch(-5, 9);
        assertEquals(1, entries.next().version());
        assertEquals(1, TemporaryFiles.with(first).size());
        entries.close();
        assertNull(entries.next());
        entries.close();
        assertEquals(List.of(), TemporaryFiles.with(first));
        assertEquals(5, server.calls().size());
        assertTimeoutPreemptively(Duration.ofSeconds(30), server::awaitCancelled);
    }

    // --- checkpoints

    private static final String HASH = "0a".repeat(32);

    private Checkpoint checkpoint(String ofLog, long version) {
        return new Checkpoint("made", null, ofLog, version, first, null, Chain.NONE, 5, HASH,
                List.of(part(0, 2, "\1\1\2\2\3"), part(1, 3, "\1\4"), part(2, 0, "\1\5")));
    }

    private static Checkpoint.Part part(int number, long quads, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        return new Checkpoint.Part(Checkpoint.partName(number), quads, bytes.length,
                HexFormat.of().formatHex(ContentHash.newSha256().digest(bytes)));
    }

    private byte[] begins(Checkpoint checkpoint, byte[] content) {
        return message(1, checkpoint.version(), 4, content, 7, checkpoint.json());
    }

    @Test
    void whereThereIsNoCheckpointThereIsNone() throws IOException {
        assertNull(log.findCheckpoint(0));
        assertEquals(0, server.calls().size());
        server.answer(Status.OK);
        assertNull(log.findCheckpoint(1));
        assertEquals(1, server.calls().size());
        server.answer(Status.OK, message(1, 1, 3, frame, 5, 1));
        assertNull(log.findCheckpoint(3), "it begins with a patch");
        server.answer(Status.OUT_OF_RANGE);
        assertNull(log.findCheckpoint(3), "nor the patches up to it");
        server.answer(Status.NOT_FOUND);
        assertThrows(GrpcException.class, () -> log.findCheckpoint(3));
    }

    @Test
    void aCheckpointIsOneOfTheLogUpToTheVersion() throws IOException {
        server.answer(Status.OK, begins(checkpoint(id, 3), new byte[] {1}));
        answerHead(5);
        Checkpoint found = log.findCheckpoint(3);
        assertEquals(List.of(3L, 5L, HASH, log.name() + ", checkpoint of version 3"),
                List.of(found.version(), found.quads(), found.hash(), found.name()));
        for (byte[] wrong : List.of(begins(checkpoint(id, 4), new byte[] {1}), begins(checkpoint(newId(), 3), new byte[] {1}),
                message(1, 3, 4, new byte[] {1}, 7, "{\"format\":9}"))) {
            server.answer(Status.OK, wrong);
            answerHead(5);
            String message = assertThrows(IOException.class, () -> log.findCheckpoint(3)).getMessage();
            assertTrue(message.startsWith(log.name() + " gives a checkpoint that is none of this log up to version 3"), message);
            if (server.calls().get(server.calls().size() - 1).method().equals("SubscribePatch")) {
                log.head(); // that was not asked for
            }
        }
    }

    @Test
    void theFilesOfACheckpointAreThoseThatItsFramesAreOf() throws IOException {
        Checkpoint wanted = described();
        server.answer(Status.OK, begins(checkpoint(id, 3), new byte[] {1}), message(1, 3, 4, new byte[] {2, 3}),
                message(1, 3, 4, new byte[] {4}, 6, 1), message(1, 3, 4, new byte[] {5}, 6, 2, 5, 1));
        answerHead(5);
        Checkpoint there = log.fetchFiles(wanted, folder);
        assertEquals(new FolderStore(folder), there.store());
        List<String> found = new ArrayList<>();
        for (PartFile file : there.files()) {
            try (InputStream in = file.open()) {
                found.add(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
            }
        }
        assertEquals(List.of("\1\1\2\2\3", "\1\4", "\1\5"), found);
    }

    private Checkpoint described() throws IOException {
        server.answer(Status.OK, begins(checkpoint(id, 3), new byte[] {1}));
        answerHead(5);
        return log.findCheckpoint(3);
    }

    @Test
    void aCheckpointThatIsAnotherNowOrIsCutOffIsNotAtHand() throws IOException {
        Checkpoint wanted = described();
        server.answer(Status.OK, begins(checkpoint(id, 2), new byte[] {1}));
        answerHead(5);
        String message = assertThrows(IOException.class, () -> log.fetchFiles(wanted, folder)).getMessage();
        assertTrue(message.contains("it was pruned meanwhile"), message);
        server.answer(Status.OK);
        assertTrue(assertThrows(IOException.class, () -> log.fetchFiles(wanted, folder)).getMessage().contains("pruned"));
        for (int i = 0; i < ATTEMPTS; i++) {
            server.answer(Status.OK, begins(checkpoint(id, 3), new byte[] {1}));
            answerHead(5);
        }
        assertThrows(UnreachableException.class, () -> log.fetchFiles(wanted, folder));
    }
}
