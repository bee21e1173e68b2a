package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.spark.log.HadoopStores;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a log in a bucket, and what a server of S3 and the network do to it. */
@EnabledForJreRange(max = JRE.JAVA_21) // Hadoop asks for Subject.getSubject, which is not there since 24
@Full("starts a server of S3")
class S3LogTest extends HadoopLogContract {
    private static S3Server server;
    private static FileSystem bucket;

    @BeforeAll
    static void startServer(@TempDir Path folder) throws IOException {
        server = new S3Server(folder.resolve("said"));
        bucket = bucket("bucket", server.configuration());
    }

    private static FileSystem bucket(String name, Configuration settings) throws IOException {
        return server.openBucket(name, settings);
    }

    @AfterAll
    static void stopServer() throws IOException {
        bucket.close();
        server.close();
    }

    @Override
    FileSystem files() {
        return bucket;
    }

    /** The client repeats the request, and meets what it has put itself. */
    @Test
    void anAppendWhoseAnswerIsLostIsInOnce() throws IOException {
        for (int number = 1; number <= 5; number++) {
            server.fault("lose", number % 3);
            assertEquals(number, append(log, patch(number == 4 ? newId() : null, null, add(number))).version());
        }
        assertEquals(5, texts(open(), 1, 99).size());
        server.fault("lose", 1);
        String first = log.id();
        create();
        assertFalse(log.id().equals(open().id()), first);
    }

    @Test
    void anAppendThatDoesNotArriveIsSentAgain() throws IOException {
        server.fault("cut", 2);
        assertEquals(1, append(log, patch(null, null, add(1))).version());
        server.fault("cut", 1000);
        assertThrows(IOException.class, () -> append(open(), patch(null, null, add(2))));
        server.fault("cut", 0);
        assertEquals(2, append(log, patch(null, null, add(2))).version());
        assertEquals(2, texts(open(), 1, 99).size());
    }

    @Test
    void ofWritersThatAreKilledWhileObjectsAreJoinedNothingIsLostOrThereTwice(@TempDir Path folder) throws Exception {
        String seen = LogStorm.run(address + "-storm", folder, 2, 30, 6, 11, server.environment());
        assertTrue(seen.contains("0 lost, 0 twice"), seen);
    }

    /** An answer that is lost does not make another's patch one's own. */
    @Test
    void aNameThatAnotherObjectHasIsNotTaken(@TempDir Path folder) throws IOException {
        LogStore store = new HadoopStores().at(address);
        Path one = Files.writeString(folder.resolve("one"), "x".repeat(100_000) + 1);
        Path other = Files.writeString(folder.resolve("other"), "x".repeat(100_000) + 2);
        store.create("object", one);
        store.create("object", one);
        server.fault("lose", 1);
        assertThrows(FileAlreadyExistsException.class, () -> store.create("object", other));
        assertThrows(FileAlreadyExistsException.class,
                () -> store.create("object", Files.writeString(folder.resolve("part"), "x".repeat(100_000))));
        assertEquals(100_001, store.lengthOf("object"));
        server.fault("lose", 0);
    }

    @Test
    void anUploadThatFailsHalfwayLeavesNoObject(@TempDir Path folder) throws IOException {
        LogStore store = new HadoopStores().at(address);
        assertThrows(IOException.class, () -> store.create("object", folder));
        assertEquals(-1, store.lengthOf("object"));
        assertThrows(FileNotFoundException.class, () -> store.open("object", 0).read());
    }

    @Test
    void aServerThatReplacesObjectsIsRefusedBeforeTheFirstPatch() throws IOException {
        LogHead head = append(log, patch(newId(), null, add(1)));
        String other = "s3a://forgetful/log";
        try (FileSystem files = bucket("forgetful", server.configuration())) {
            server.fault("forget", 1);
            String refused = assertThrows(IOException.class, () -> PatchLogs.create(other)).getMessage();
            assertTrue(refused.contains(other) && refused.contains("conditional writes"), refused);
            server.fault("forget", 0);
            PatchLog made = PatchLogs.create(other.replace("log", "made"));
            assertEquals(1, append(made, patch(newId(), null, add(1))).version());
        } finally {
            server.fault("forget", 0);
        }
        assertEquals(head, open().head());
    }

    @Test
    void aClientThatMayNotCreateConditionallyIsRefusedByName() throws IOException {
        Configuration off = server.configuration();
        off.set("fs.s3a.create.conditional.enabled", "false");
        try (FileSystem files = bucket("off", off)) {
            String refused = assertThrows(IllegalArgumentException.class, () -> PatchLogs.open("s3a://off/log")).getMessage();
            assertTrue(refused.contains("s3a") && refused.contains("fs.s3a.create.conditional.enabled"), refused);
        }
    }

    @Test
    void anErrorNamesTheBucketAndNoSecret() throws IOException {
        Configuration wrong = server.configuration();
        wrong.set("fs.s3a.access.key", "stranger");
        Configuration away = server.configuration();
        away.set("fs.s3a.endpoint", "http://127.0.0.1:1");
        away.set("fs.s3a.attempts.maximum", "1");
        for (var client : List.of(List.of("denied", wrong, "403"), List.of("away", away, "refused"),
                List.of("nowhere", server.configuration(), "bucket does not exist"))) {
            URI uri = URI.create("s3a://" + client.get(0) + "/");
            try (FileSystem files = FileSystem.get(uri, (Configuration) client.get(1))) {
                for (var call : List.<org.junit.jupiter.api.function.Executable>of(
                        () -> PatchLogs.open(uri + "log"), () -> PatchLogs.create(uri + "log"))) {
                    String message = assertThrows(IOException.class, call).getMessage();
                    assertTrue(message.contains(client.get(0) + "/log") && message.contains((String) client.get(2)), message);
                    assertFalse(message.contains("a secret"), message);
                }
            }
        }
    }
}
