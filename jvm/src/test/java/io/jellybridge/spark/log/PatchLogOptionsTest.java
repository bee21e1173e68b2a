package io.jellybridge.spark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.StateLog;
import io.jellybridge.http.AnsweringServer;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.StoreLog;
import io.jellybridge.options.OptionDocuments;
import io.jellybridge.options.OptionTable;
import io.jellybridge.spark.log.PatchLogPartitionReader.PatchLogPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatchLogOptionsTest {

    /** Those of a server are the same everywhere, and in a document of their own; the path is the argument of load. */
    @Test
    void theDocumentsHaveTheOptionsOfTheSource() throws IOException {
        Set<String> without = new HashSet<>(OptionTable.names(HttpOptions.OPTIONS));
        without.add("path");
        OptionDocuments.assertHas("docs/log-in-spark.md", without, PatchLogOptions.TABLE);
    }

    @Test
    void aRelativeFolderOfAQuarantineIsThatOfTheDriver() {
        assertEquals("file:" + Path.of("aside").toAbsolutePath(), quarantine("aside"));
        assertEquals("/aside", quarantine("/aside"));
        assertEquals("s3a://bucket/aside", quarantine("s3a://bucket/aside"));
    }

    @Test
    void readsOfALogOnAServerHaveTheSamePartitionsHoweverTheyConnect() {
        Map<String, String> options = Map.of("path", "http://localhost:1/log", "user", "me", "password", "secret");
        assertEquals(PatchLogOptions.of(options).range(), PatchLogOptions.of(options).range());
    }

    private static String quarantine(String folder) {
        return PatchLogOptions.of(Map.of("path", "/log", "onError", "quarantine", "quarantinePath", folder)).quarantine();
    }

    @Test
    void aReadBeginsWithNoStateBehindItsLastVersion(@TempDir Path folder) throws IOException {
        try (StoreLog log = StoreLog.create(folder.resolve("log"))) {
            for (int number = 1; number <= 3; number++) {
                StateLog.append(log, number, 1);
            }
            CheckpointFiles.make(log, 3, ProgressListener.NONE);
            PatchLogOptions options = PatchLogOptions.of(Map.of("path", log.folder().toString(), "startingVersion", "state"));
            PatchLogPartition first = (PatchLogPartition) new PatchLogScan(options).cut(log, 2)[0];
            assertEquals(1, first.from());
            assertEquals(2, first.to());
        }
    }

    @Test
    void theSizeOfALogOnAServerIsAskedForWithTheOptionsOfTheRead() throws IOException {
        try (AnsweringServer server = new AnsweringServer(503, "text/plain", "")) {
            PatchLogOptions options = PatchLogOptions.of(Map.of("path", server.url(), "attempts", "1"));
            assertEquals(ScanSize.UNKNOWN, new PatchLogScan(options).estimateStatistics());
            assertEquals(1, server.requests());
        }
    }
}
