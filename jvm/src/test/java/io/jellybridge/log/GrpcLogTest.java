package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.http.UnreachableException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract over gRPC, at the server as users start it. */
class GrpcLogTest extends PatchLogContract {
    private static final int LOGS = 80;
    private static final Map<String, String> ONCE = Map.of("attempts", "1", "connectTimeout", "2", "timeout", "10");

    @TempDir
    private static Path folder;

    private static GrpcServer server;
    private static int used;

    private final List<PatchLog> opened = new ArrayList<>();
    private String name;

    @BeforeAll
    static void start() throws IOException {
        used = 0;
        server = new GrpcServer(folder, IntStream.range(0, LOGS).mapToObj(number -> "log" + number).toList(),
                "idle_seconds = 1");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    StoreLog original() throws IOException {
        return StoreLog.open(folder.resolve(name));
    }

    @Override
    StoreLog stored() throws IOException {
        return original();
    }

    @Override
    boolean changesObjects() {
        return false;
    }

    @Override
    void exchange(MemoryStore.Action others) throws IOException {
        server.kill();
        others.run();
        server.start();
    }

    @Override
    boolean putsTogether() {
        return false;
    }

    @Override
    int rounds() {
        return 50;
    }

    @Override
    PatchLog create() throws IOException {
        name = "log" + used++;
        return open();
    }

    @Override
    PatchLog open() throws IOException {
        return open(server.url(name), Map.of());
    }

    private PatchLog open(String url, Map<String, String> options) throws IOException {
        opened.add(PatchLogs.open(url, options));
        return opened.get(opened.size() - 1);
    }

    @AfterEach
    void close() throws IOException {
        for (PatchLog one : opened) {
            one.close();
        }
    }

    @Override
    void createAgain() throws IOException {
        StoreLog.create(folder.resolve(name));
    }

    @Test
    void aLogIsMadeWhereItsFolderIs() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> PatchLogs.create(server.url("new"))).getMessage()
                .endsWith("/new: a log that is served over gRPC is made where its folder is"));
    }

    @Test
    void aServerThatIsLostMeanwhileIsAskedForTheRest() throws IOException {
        List<String> made = appended(5, 1);
        try (LogEntries entries = log.fetch(1, Long.MAX_VALUE)) {
            assertEquals(made.get(0), entries.next().header().id());
            server.kill();
            server.start();
            for (String id : made.subList(1, 5)) {
                assertEquals(id, entries.next().header().id());
            }
            assertNull(entries.next());
        }
        LogHead head = append(log, patch(newId(), made.get(4), add(9)));
        assertEquals(6, head.version(), "the same object goes on too");
    }

    /** The server lets go of who takes nothing for a second; here that is while a patch of many bytes is looked at. */
    @Test
    void whoTakesLongWithAPatchGetsTheOthersAfterIt() throws IOException {
        List<String> made = appended(8, 5000);
        try (LogEntries entries = log.fetch(1, Long.MAX_VALUE)) {
            for (String id : made) {
                LogEntry entry = entries.next();
                if (entry.version() == 2) {
                    GrpcServer.pause(1500);
                }
                assertEquals(id, entry.header().id());
                assertEquals(entry.version() == 1 ? 5005 : 5006, entry.rows());
            }
            assertNull(entries.next());
        }
        assertTrue(server.said().contains("SubscribePatch " + name + " "), server.said());
        assertTrue(server.said().contains("DEADLINE_EXCEEDED"), server.said());
    }

    private List<String> appended(int patches, int rows) throws IOException {
        List<String> ids = new ArrayList<>();
        String text = "literal ".repeat(20);
        for (int number = 0; number < patches; number++) {
            String id = newId();
            String[] added = IntStream.range(0, rows)
                    .mapToObj(row -> "A <urn:s> <urn:p> \"" + row + text + "\" .").toArray(String[]::new);
            append(log, patch(id, number == 0 ? null : ids.get(number - 1), added), number == 0 ? null : ids.get(number - 1));
            ids.add(id);
        }
        return ids;
    }

    /** The patches are too large for the server to have sent all before the folder is exchanged. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFetchDoesNotJoinPatchesOfTwoLogs(boolean isFork) throws IOException {
        List<String> made = appended(6, 20_000);
        Path there = folder.resolve(name);
        Path away = folder.resolve(name + "-away");
        try (LogReader reader = new LogReader(log.fetch(1, 6), 0, null, null, null)) {
            assertEquals(made.subList(0, 2), List.of(reader.next().header().id(), reader.next().header().id()));
            Files.move(there, away);
            Files.createDirectory(there);
            if (isFork) {
                Files.copy(away.resolve(LogProperties.NAME), there.resolve(LogProperties.NAME));
                Files.copy(away.resolve(LogObject.fileName(1)), there.resolve(LogObject.fileName(1)));
            }
            try (StoreLog other = isFork ? StoreLog.open(there) : StoreLog.create(there)) {
                for (int version = isFork ? 2 : 1; version <= 6; version++) {
                    append(other, patch(made.get(version - 1), null, add(version)));
                }
            }
            int read = 2;
            Exception end = null;
            while (end == null) {
                try {
                    LogEntry entry = reader.next();
                    assertEquals(made.get(read++), entry.header().id());
                    assertEquals(20_006, entry.rows(), "of the log that was opened");
                } catch (IOException | RuntimeException e) {
                    end = e;
                }
            }
            assertTrue(end.getMessage().contains("another log took the place of " + name)
                    || end.getMessage().contains("another copy took its place")
                    || end.getMessage().contains("the log has a gap or a fork, or patches of two logs")
                    || end.getMessage().contains(LogObject.fileName(read + 1) + ", frame"), end.getMessage()); // shorter than known
        }
        assertThrows(IOException.class, log::head);
    }

    @Test
    void aPatchOfManyFramesGoesThereAndComesBack() throws IOException {
        appended(1, 20_000);
        try (LogEntries entries = open().fetch(1, 1); StoreLog there = StoreLog.open(folder.resolve(name));
                LogEntries stored = there.fetch(1, 1)) {
            assertEquals(stored.next().hash(), entries.next().hash());
        }
    }

    @Test
    void aTopicThatIsNotThereIsSaid() throws IOException {
        PatchLog none = open(server.url("nothing"), ONCE);
        for (FileNotFoundException e : List.of(assertThrows(FileNotFoundException.class, none::head),
                assertThrows(FileNotFoundException.class, () -> none.fetch(1, 2)))) {
            assertTrue(e.getMessage().endsWith("/nothing: answered NOT_FOUND: there is no topic 'nothing' here"), e.getMessage());
        }
    }

    @Test
    void aServerThatIsNotThereIsUnreachable() throws IOException {
        PatchLog none = open("grpc://127.0.0.1:1/changes", ONCE);
        UnreachableException refused = assertThrows(UnreachableException.class, none::head);
        assertTrue(refused.getMessage().startsWith("grpc://127.0.0.1:1/changes: UNAVAILABLE"), refused.getMessage());
        PatchLog plain = open(server.url("changes").replace("grpc:", "grpcs:"), ONCE);
        assertThrows(UnreachableException.class, plain::head, "a server without TLS");
    }

    @Test
    void whoAsksIsNotSentForEverybodyToRead() {
        String message = assertThrows(IllegalArgumentException.class,
                () -> open("grpc://example.org:7878/changes", Map.of("token", "secret"))).getMessage();
        assertEquals("grpc://example.org:7878/changes has no TLS: who asks would go over the network for everybody to read; "
                + "write grpcs://, or allow it by the option insecure", message);
        assertFalse(message.contains("secret"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"grpc://localhost:7878", "grpc://localhost:7878/", "grpc://localhost/changes", "grpc://:7878/changes",
            "grpc://localhost:7878/a/b", "grpc://localhost:7878/a?b"})
    void anAddressThatIsNoneIsRefused(String address) {
        String message = assertThrows(IllegalArgumentException.class, () -> open(address, Map.of())).getMessage();
        assertTrue(message.contains("is no address of a patch log; write grpc://host:7878/NAME"), message);
    }
}
