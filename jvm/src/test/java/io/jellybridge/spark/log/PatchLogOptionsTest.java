package io.jellybridge.spark.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jellybridge.http.AnsweringServer;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.options.OptionDocuments;
import io.jellybridge.options.OptionTable;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PatchLogOptionsTest {

    /** Those of a server are the same everywhere, and in a document of their own; the path is the argument of load. */
    @Test
    void theDocumentsHaveTheOptionsOfTheSource() throws IOException {
        Set<String> without = new HashSet<>(OptionTable.names(HttpOptions.OPTIONS));
        without.add("path");
        OptionDocuments.assertHas("docs/log-in-spark.md", without, PatchLogOptions.TABLE);
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
