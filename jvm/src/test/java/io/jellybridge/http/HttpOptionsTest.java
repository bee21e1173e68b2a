package io.jellybridge.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpOptionsTest {
    private static final String ME = "Basic bWU6cEBzcw==";

    @TempDir
    Path folder;

    private static HttpOptions of(String url, String... given) {
        return of(url, map(given), Map.of());
    }

    private static HttpOptions of(String url, Map<String, String> given, Map<String, String> environment) {
        Map<String, String> allowed = new LinkedHashMap<>(given);
        allowed.put("insecure", "true");
        return HttpOptions.of(url, allowed, "URL of a server", environment);
    }

    private static Map<String, String> map(String... namesAndValues) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    private static String authorization(HttpOptions options) {
        return options.credentials().authorization();
    }

    private static String refused(String url, Map<String, String> given, Map<String, String> environment) {
        return assertThrows(IllegalArgumentException.class,
                () -> of(url, given, environment)).getMessage();
    }

    private String file(String content) throws IOException {
        return Files.writeString(folder.resolve("secret-" + content.length()), content).toString();
    }

    // --- the URL

    @Test
    void whatAUrlSaysIsTakenAndCredentialsLeaveIt() {
        HttpOptions plain = of("http://host:3030/a/ds/");
        assertEquals("http://host:3030/a/ds", plain.base().toString());
        assertNull(authorization(plain));
        assertEquals(Duration.ofMinutes(10), plain.timeout());
        HttpOptions user = of("https://me:p%40ss@host/ds");
        assertEquals("https://host/ds", user.base().toString());
        assertEquals(ME, authorization(user));
        assertFalse(user.toString().contains("bWU6") || user.toString().contains("ss@"), user.toString());
        assertEquals("http://[::1]:3030/ds", of("http://me@[::1]:3030/ds").base().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"http:///ds", "ftp://me:secret@host/ds", "http://host/ds?query=x", "http://host/ds#x",
        "http://ho st/ds", "http://me:sec/ret@host/ds", "http://me:sec@ret@host/ds", "http://me:secret",
        "http://me:secret%40host/ds", "http:me:secret@host", "http://me:se%zzcret@host/ds", "http://me:sec\nret@host/ds",
        "http://3030:123/secret@host/ds"})
    void whatIsNoUrlOfAServerIsRefusedWithoutWhatItHides(String url) {
        String message = refused(url, Map.of(), Map.of());
        assertTrue(message.contains("is no URL of a server"), message);
        assertFalse(message.contains("sec") || message.contains("ret"), message);
    }

    @Test
    void anUnderscoreInAHostIsNamed() {
        for (String url : new String[] {"http://fuseki_db:3030/ds", "https://me:se_cret@a_b/ds"}) {
            String message = refused(url, Map.of(), Map.of());
            assertTrue(message.contains("is no URL of a server: the name of a host has no '_'"), message);
            assertFalse(message.contains("cret"), message);
        }
        assertFalse(refused("http://me:se_cret@/ds", Map.of(), Map.of()).contains("'_'"));
    }

    // --- who asks

    @Test
    void theOptionsComeBeforeTheUrlAndTheUrlBeforeTheEnvironment() {
        Map<String, String> environment =
                map("JELLYBRIDGE_TOKEN", "ambient", "JELLYBRIDGE_HOSTS", "elsewhere:1, HOST:3030");
        assertEquals(ME, authorization(of("http://other:x@host:3030/ds", map("user", "me", "password", "p@ss"),
                environment)));
        assertEquals(ME, authorization(of("http://me:p%40ss@host:3030/ds", Map.of(), environment)));
        assertEquals("Bearer ambient", authorization(of("http://host:3030/ds", Map.of(), environment)));
        assertEquals("Bearer abc", authorization(of("http://host/ds", "token", "abc")));
        assertEquals("Basic bWU6", authorization(of("http://host/ds", "user", "me")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''                     | http://host/ds       | false",
        "other                  | http://host/ds       | false",
        "host                   | http://host:3030/ds  | true",
        "host:80                | http://host/ds       | true",
        "host:443               | https://host/ds      | true",
        "host:80                | http://host:3030/ds  | false",
        "host                   | http://host.evil/ds  | false",
        "host                   | http://evil.host/ds  | false",
    })
    void theEnvironmentsCredentialsGoToTheHostsThatItNames(String hosts, String url, boolean sent) {
        HttpOptions options = of(url, Map.of(),
                map("JELLYBRIDGE_USER", "me", "JELLYBRIDGE_PASSWORD", "p@ss", "JELLYBRIDGE_HOSTS", hosts));
        assertEquals(sent ? ME : null, authorization(options));
        assertEquals(sent, options.credentials().hint().isEmpty(), options.credentials().hint());
        assertNull(authorization(of(url, Map.of(), map("JELLYBRIDGE_TOKEN", "abc"))));
    }

    @Test
    void aFileHoldsASecretAndALineBreakAtItsEndIsNone() throws IOException {
        assertEquals("Bearer abc", authorization(of("http://host/ds", "tokenFile", file("abc\n"))));
        assertEquals("Bearer abc", authorization(of("http://host/ds", "tokenFile", file("abc\r\n"))));
        assertEquals(ME, authorization(of("http://host/ds", "user", "me", "passwordFile", file("p@ss"))));
        assertEquals(ME, authorization(of("http://host/ds", Map.of(), map("JELLYBRIDGE_USER", "me",
                "JELLYBRIDGE_PASSWORD_FILE", file("p@ss"), "JELLYBRIDGE_HOSTS", "host"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"user,me,token,secret", "password,secret,token,secret", "password,secret", "passwordFile,/x",
        "token,secret,tokenFile,/x", "user,me,password,secret,passwordFile,/x", "token,sec ret", "token,secret\n",
        "token,se\ncret", "token,sécret", "token,''", "user,me:secret", "user,me,password,sec\nret",
        "user,me,passwordFile,/there/is/no/secret", "tokenFile,secret\u0000"})
    void credentialsThatContradictEachOtherOrCantBeAreRefusedUnseen(String pairs) {
        Map<String, String> given = map(pairs.replace("''", "").split(",", -1));
        String message = refused("http://host/ds", given, Map.of());
        assertFalse(message.contains("sec"), message);
        assertTrue(given.keySet().stream().anyMatch(name -> message.contains("'" + name + "'")), message);
        Map<String, String> environment = map("JELLYBRIDGE_HOSTS", "host");
        given.forEach((name, value) -> environment.put(
                "JELLYBRIDGE_" + name.replace("File", "_FILE").toUpperCase(java.util.Locale.ROOT), value));
        String ofEnvironment = refused("http://host/ds", Map.of(), environment);
        assertTrue(ofEnvironment.contains("JELLYBRIDGE_"), ofEnvironment);
        assertFalse(ofEnvironment.contains("sec"), ofEnvironment);
    }

    @Test
    void aTokenAndAUserOfTheUrlAreRefused() {
        for (String url : new String[] {"http://me:secret@host/ds", "http://me@host/ds"}) {
            assertFalse(refused(url, map("token", "hidden"), Map.of()).contains("hidden"));
            String message = refused(url, map("password", "hidden"), Map.of());
            assertTrue(message.contains("'user'") && !message.contains("hidden"), message);
        }
    }

    /** Whoever is on the way could read it. */
    @ParameterizedTest
    @CsvSource({"http://host/ds", "HTTP://HOST/ds", "http://127.evil.com/ds", "http://localhost.evil.com/ds",
        "http://10.0.0.1:3030/ds", "http://[::2]/ds", "http://[::ffff:10.0.0.1]/ds"})
    void whoAsksDoesNotGoToAnotherMachineWithoutTls(String url) {
        Map<String, String> environment = map("JELLYBRIDGE_TOKEN", "secret", "JELLYBRIDGE_HOSTS", URI.create(url).getAuthority());
        for (Executable call : new Executable[] {
            () -> HttpOptions.of(url, map("token", "secret"), "URL", Map.of()),
            () -> HttpOptions.of(url, map("user", "me", "password", "secret"), "URL", Map.of()),
            () -> HttpOptions.of(url.replace("//", "//me:secret@"), Map.of(), "URL", Map.of()),
            () -> HttpOptions.of(url, Map.of(), "URL", environment)
        }) {
            String message = assertThrows(IllegalArgumentException.class, call).getMessage();
            assertTrue(message.endsWith(" has no TLS: who asks would go over the network for everybody to read; write https://, or "
                    + "allow it by the option insecure"), message);
            assertFalse(message.contains("secret"), message);
        }
        String secure = url.replaceFirst("(?i)http", "https");
        assertEquals("Bearer secret", authorization(HttpOptions.of(secure, map("token", "secret"), "URL", Map.of())));
        assertEquals("Bearer secret",
                authorization(HttpOptions.of(url, map("token", "secret", "insecure", "true"), "URL", Map.of())));
        assertNull(authorization(HttpOptions.of(url, Map.of(), "URL", Map.of())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost/ds", "http://LocalHost:3030/ds", "http://127.0.0.1:3030/ds", "http://127.1.2.3/ds",
        "http://[::1]:3030/ds"})
    void whoAsksGoesToThisMachineWithoutTls(String url) {
        assertEquals("Bearer abc", authorization(HttpOptions.of(url, map("token", "abc"), "URL", Map.of())));
    }

    // --- the rest

    @Test
    void timesAndAttemptsAreTaken() {
        HttpOptions options = of("http://host/ds", "timeout", "1.5", "connectTimeout", "2", "attempts", "7");
        assertEquals(Duration.ofMillis(1500), options.timeout());
        assertEquals(Duration.ofSeconds(2), options.connectTimeout());
        assertEquals(7, options.attempts());
    }

    @ParameterizedTest
    @ValueSource(strings = {"timeout=0", "timeout=soon", "timeout=NaN", "connectTimeout=-1", "attempts=0", "attempts=1.5"})
    void optionsThatCantBeAreNamed(String option) {
        String[] parts = option.split("=");
        String message = refused("http://host/ds", map(parts), Map.of());
        assertTrue(message.contains(parts[0]), message);
    }

    /** Executors get the options of a log, with what the driver read from files. */
    @Test
    void optionsTravel() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(of("http://host/log", "tokenFile", file("abc")));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertEquals("Bearer abc", authorization((HttpOptions) in.readObject()));
        }
    }
}
