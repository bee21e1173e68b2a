package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.jena.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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

    @Test
    void whatAUrlSaysIsTakenAndCredentialsLeaveIt() {
        FusekiOptions plain = FusekiOptions.of("http://host:3030/a/ds/");
        assertEquals("http://host:3030/a/ds", plain.dataset().toString());
        assertNull(plain.authorization());
        assertEquals(Duration.ofMinutes(10), plain.timeout());
        FusekiOptions user = FusekiOptions.of("https://me:p%40ss@host/ds");
        assertEquals("https://host/ds", user.dataset().toString());
        assertEquals("Basic bWU6cEBzcw==", user.authorization());
        assertFalse(user.toString().contains("bWU6"), user.toString());
    }

    @Test
    void settingsComeBeforeTheUrl() {
        FusekiOptions options = FusekiOptions.of("http://other:x@host/ds",
                Map.of("user", "me", "password", "p@ss", "timeout", "1.5", "connectTimeout", "2", "attempts", "7"));
        assertEquals("Basic bWU6cEBzcw==", options.authorization());
        assertEquals(Duration.ofMillis(1500), options.timeout());
        assertEquals(Duration.ofSeconds(2), options.connectTimeout());
        assertEquals(7, options.attempts());
        assertEquals("Bearer abc", FusekiOptions.of("http://host/ds", Map.of("token", "abc")).authorization());
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://host:3030", "http://host:3030/", "http:///ds", "ftp://host/ds", "http://host/ds?query=x",
        "http://host/ds#x", "http://ho st/ds"})
    void whatIsNoUrlOfADatasetIsRefused(String url) {
        assertThrows(IllegalArgumentException.class, () -> FusekiOptions.of(url));
    }

    @ParameterizedTest
    @ValueSource(strings = {"timeout=0", "timeout=soon", "attempts=0", "attempts=1.5", "retries=1"})
    void settingsThatAreNoneAreNamed(String setting) {
        String[] parts = setting.split("=");
        String message = assertThrows(IllegalArgumentException.class,
                () -> FusekiOptions.of("http://host/ds", Map.of(parts[0], parts[1]))).getMessage();
        assertTrue(message.contains(parts[0]), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://host/ds", "http://me@host/ds", "http://me:secret@host/ds"})
    void aPasswordWithoutAUserIsRefused(String url) {
        String message = assertThrows(IllegalArgumentException.class,
                () -> FusekiOptions.of(url, Map.of("password", "secret"))).getMessage();
        assertTrue(message.contains("'user'") && !message.contains("secret"), message);
    }

    @Test
    void aServerWithPasswordsLetsInWhoHasOne() throws IOException {
        Path passwords = Files.writeString(folder.resolve("passwords"), "me: secret\n");
        FusekiServer server = FusekiServer.create().port(0).loopback(true).add("/ds", DatasetGraphFactory.createTxnMem())
                .passwordFile(passwords.toString()).serverAuthPolicy(Auth.ANY_USER).build().start();
        try {
            String host = "localhost:" + server.getPort() + "/ds";
            try (SyncTarget target = new FusekiTarget(FusekiOptions.of("http://me:secret@" + host))) {
                target.apply(TextBatch.of("A <urn:s> <urn:p> 1 ."), new Advance("urn:k", null, "<urn:1>"),
                        ProgressListener.NONE);
                assertEquals("<urn:1>", target.position("urn:k"));
            }
            for (String wrong : new String[] {"http://" + host, "http://me:wrong@" + host}) {
                FusekiException refused = assertThrows(FusekiException.class,
                        () -> FusekiDataset.open(FusekiOptions.of(wrong)));
                assertEquals(401, refused.status());
                assertFalse(refused.getMessage().contains("wrong@"), refused.getMessage());
            }
        } finally {
            server.stop();
        }
    }
}
