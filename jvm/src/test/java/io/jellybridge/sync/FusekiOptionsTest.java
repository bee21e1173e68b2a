package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.http.HttpException;
import io.jellybridge.http.TestTicker;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.options.OptionDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.jena.fuseki.auth.Auth;
import org.apache.jena.fuseki.main.FusekiServer;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FusekiOptionsTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"http://host:3030", "http://host:3030/", "ftp://host/ds"})
    void whatIsNoUrlOfADatasetIsRefused(String url) {
        assertThrows(IllegalArgumentException.class, () -> FusekiOptions.of(url));
    }

    @Test
    void anOptionThatIsNoneIsNamed() {
        String message = assertThrows(IllegalArgumentException.class,
                () -> FusekiOptions.of("http://host/ds", Map.of("retries", "1"))).getMessage();
        assertTrue(message.startsWith("unknown option 'retries' of a Fuseki dataset"), message);
    }

    @Test
    void whatIsSetIsSetAndTheRestStays() {
        FusekiOptions options = FusekiOptions.of("http://me:secret@localhost/ds",
                Map.of("lease", "2", "leaseWait", "0", "breakLease", "true", "attempts", "7", "timeout", "3"));
        assertEquals(List.of(Duration.ofSeconds(2), Duration.ZERO, true, 7, Duration.ofSeconds(3)), List.of(options.lease().lasts(),
                options.lease().longestWait(), options.lease().breaks(), options.http().attempts(), options.http().timeout()));
        assertEquals("http://localhost/ds", options.url().toString());
        TestTicker ticker = TestTicker.jumping();
        FusekiOptions other = options.withHttp(http -> http.withTimeout(Duration.ofSeconds(9)).withAttempts(1).withTicker(ticker));
        assertEquals(List.of(Duration.ofSeconds(9), 1, ticker),
                List.of(other.http().timeout(), other.http().attempts(), other.http().ticker()));
        assertEquals(List.of(options.lease().lasts(), options.lease().longestWait(), true),
                List.of(other.lease().lasts(), other.lease().longestWait(), other.lease().breaks()));
        assertEquals(options.http(), options.withLease(new LeaseOptions(Duration.ofSeconds(1), Duration.ofSeconds(5), true)).http());
        assertFalse(options.withBreakLease(false).lease().breaks());
        assertEquals(options, options.withBreakLease(false).withBreakLease(true));
    }

    @Test
    void aLeaseThatCouldNotBeRenewedAndAWaitBackInTimeAreRefused() {
        assertEquals("lease=0.999: must be at least 1 second, so that it can be renewed",
                assertThrows(IllegalArgumentException.class,
                        () -> new LeaseOptions(Duration.ofMillis(999), Duration.ZERO, false)).getMessage());
        assertEquals("leaseWait=-0.001: must be at least 0 seconds", assertThrows(IllegalArgumentException.class,
                () -> new LeaseOptions(Duration.ofSeconds(1), Duration.ofMillis(-1), false)).getMessage());
    }

    @Test
    void theDocumentsHaveTheOptionsOfAFuseki() throws IOException {
        OptionDocuments.assertHas("docs/fuseki.md", Set.of(), FusekiOptions.TABLE);
    }

    @Test
    void aServerWithPasswordsLetsInWhoHasOne() throws IOException {
        Path passwords = Files.writeString(folder.resolve("passwords"), "me: secret\n");
        FusekiServer server = FusekiServer.create().port(0).loopback(true).add("/ds", DatasetGraphFactory.createTxnMem())
                .passwordFile(passwords.toString()).serverAuthPolicy(Auth.ANY_USER).build().start();
        try {
            String host = "localhost:" + server.getPort() + "/ds";
            try (OpenDataset target = new FusekiDataset(FusekiOptions.of("http://me:secret@" + host))) {
                target.apply(TextBatch.of("A <urn:s> <urn:p> 1 ."), new PositionUpdate("urn:k", null, "<urn:1>"),
                        ProgressListener.NONE);
                assertEquals("<urn:1>", target.readPosition("urn:k"));
            }
            for (String wrong : new String[] {"http://" + host, "http://me:wrong@" + host}) {
                HttpException refused = assertThrows(HttpException.class,
                        () -> FusekiDataset.open(FusekiOptions.of(wrong)));
                assertEquals(401, refused.status());
                assertFalse(refused.getMessage().contains("wrong@"), refused.getMessage());
            }
        } finally {
            server.stop();
        }
    }
}
