package io.jellybridge.fuseki;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.apache.jena.fuseki.main.FusekiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Is not compiled against Jena 6, which has no such server. */
class ServerCmdTest {
    @TempDir
    Path folder;

    @Test
    void theServerWithPagesRecordsToo() throws Exception {
        assumeTrue(getClass().getClassLoader().getResource("org/apache/jena/fuseki/server/FusekiServerRunner.class") != null,
                "Jena 6 needs no such command");
        Path log = folder.resolve("log");
        Map<String, String> properties = Map.of(LoggedDatasets.PROPERTY, "/ds=" + log, LogServlets.READERS, "_", "FUSEKI_BASE",
                folder.resolve("base").toString());
        FusekiServer server = LogServer.with(properties, () -> ServerCmd.build("--port=0", "--localhost", "--mem", "/ds").start());
        try {
            HttpRequest.Builder update = HttpRequest.newBuilder(URI.create(server.serverURL() + "ds/update"))
                    .header("Content-Type", "application/sparql-update")
                    .POST(BodyPublishers.ofString("INSERT DATA { <urn:s> <urn:p> 1 }"));
            HttpClient client = HttpClient.newHttpClient();
            assertEquals(2, client.send(update.build(), BodyHandlers.discarding()).statusCode() / 100);
            try (PatchLog recorded = PatchLogs.open(server.serverURL() + "$/patch-logs/ds")) {
                assertEquals(1, recorded.head().version());
            }
            HttpRequest datasets = HttpRequest.newBuilder(URI.create(server.serverURL() + "$/datasets")).build();
            assertEquals(200, client.send(datasets, BodyHandlers.discarding()).statusCode());
        } finally {
            server.stop();
        }
    }
}
