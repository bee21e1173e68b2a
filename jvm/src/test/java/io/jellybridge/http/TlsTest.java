package io.jellybridge.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsTest {
    private static final char[] PASSWORD = "of the test".toCharArray();

    @TempDir
    private static Path folder;

    private static KeyStore store;

    @BeforeAll
    static void make() throws Exception {
        Path file = folder.resolve("server.p12");
        Process made = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair",
                "-alias", "server", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "SAN=IP:127.0.0.1", "-storetype",
                "PKCS12", "-keystore", file.toString(), "-storepass", new String(PASSWORD)).redirectErrorStream(true).start();
        String said = new String(made.getInputStream().readAllBytes(), US_ASCII);
        assertEquals(0, made.waitFor(), said);
        store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        pem("certificate.pem", "CERTIFICATE", store.getCertificate("server").getEncoded());
        pem("key.pem", "PRIVATE KEY", store.getKey("server", PASSWORD).getEncoded());
        Files.writeString(folder.resolve("empty.pem"), "");
    }

    private static void pem(String name, String kind, byte[] content) throws Exception {
        Files.writeString(folder.resolve(name), "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + kind + "-----\n");
    }

    private static HttpOptions options(String url, String... namesAndFiles) {
        Map<String, String> given = new java.util.HashMap<>(Map.of("attempts", "1"));
        for (int i = 0; i < namesAndFiles.length; i += 2) {
            given.put(namesAndFiles[i], folder.resolve(namesAndFiles[i + 1]).toString());
        }
        return HttpOptions.of(url, given, "URL");
    }

    @Test
    void aServerIsTrustedThatItsAuthorityVouchesForAndNoOther() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try {
            String url = "https://127.0.0.1:" + server.getAddress().getPort();
            HttpCalls trusting = new HttpCalls(options(url, "authority", "certificate.pem"));
            assertEquals(200, trusting.sendForText(trusting.newRequest("/")).status());
            HttpCalls other = new HttpCalls(options(url));
            assertTrue(assertThrows(UnreachableException.class, () -> other.sendForText(other.newRequest("/"))).getMessage()
                    .contains("unable to find valid certification path"));
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "authority|nowhere.pem|||the option 'authority' names no file that can be read as text (NoSuchFileException)",
            "authority|empty.pem|||the option 'authority' names no PEM file with certificates",
            "authority|key.pem|||the option 'authority' names no PEM file with certificates",
            "certificate|certificate.pem|||the options 'certificate' and 'certificateKey' go together",
            "certificateKey|key.pem|||the options 'certificate' and 'certificateKey' go together",
            "certificate|certificate.pem|certificateKey|certificate.pem|the option 'certificateKey' names no PEM file with a key",
            "certificate|empty.pem|certificateKey|key.pem|the option 'certificate' names no PEM file with certificates"})
    void aFileThatIsNoneOfItsKindIsRefused(String name, String file, String other, String otherFile, String said) {
        String message = assertThrows(IllegalArgumentException.class, () -> {
            if (other == null) {
                options("https://localhost", name, file);
            } else {
                options("https://localhost", name, file, other, otherFile);
            }
        }).getMessage();
        assertTrue(message.startsWith(said), message);
    }

    @Test
    void theKeyIsNotShown() {
        Tls tls = options("https://localhost", "certificate", "certificate.pem", "certificateKey", "key.pem").tls();
        assertTrue(tls.key().contains("BEGIN PRIVATE KEY"));
        assertFalse(tls.toString().contains("BEGIN"), tls.toString());
    }
}
