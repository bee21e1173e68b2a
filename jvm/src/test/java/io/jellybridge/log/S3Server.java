package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.ProjectFiles;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** The S3 server of {@code tests/s3_server.py} in a process of its own, which loses answers when it is told to. */
final class S3Server implements AutoCloseable {
    static final String KEY = "tester";
    private static final String VARIABLE = "JELLYBRIDGE_S3_SERVER";

    private final String url;
    private final Process process;

    S3Server(Path said) throws IOException {
        Path site = ProjectFiles.folder("build/s3/site");
        assertTrue(Files.isDirectory(site), site + " is not there; make build/s3/.ready makes it");
        int port;
        try (ServerSocket found = new ServerSocket(0)) {
            port = found.getLocalPort();
        }
        url = "http://127.0.0.1:" + port;
        ProcessBuilder server = new ProcessBuilder(ProjectFiles.folder(".venv/bin/python").toString(),
                ProjectFiles.folder("tests/s3_server.py").toString(), Integer.toString(port));
        server.environment().put("PYTHONPATH", site.toString());
        process = server.redirectErrorStream(true).redirectOutput(said.toFile()).start();
        while (!Files.readString(said).contains("Running on")) {
            assertTrue(process.isAlive(), Files.readString(said));
            GrpcServer.pause(20);
        }
    }

    private void call(String method, String path) throws IOException {
        HttpURLConnection request = (HttpURLConnection) new URL(url + path).openConnection();
        request.setRequestMethod(method);
        request.setRequestProperty("Authorization", "AWS4-HMAC-SHA256 Credential=" + KEY + "/20260101/us-east-1/s3/aws4_request");
        assertEquals(200, request.getResponseCode(), path);
    }

    /** Sets a fault: {@code lose} and {@code cut} count the PUTs that it meets, {@code forget} lasts while it is not 0. */
    void fault(String name, int number) throws IOException {
        call("GET", "/faults?" + name + "=" + number);
    }

    /** Makes a bucket, and the client of it that everything in this process then uses. */
    FileSystem openBucket(String name, Configuration settings) throws IOException {
        call("PUT", "/" + name);
        return FileSystem.get(URI.create("s3a://" + name + "/"), settings);
    }

    /** Returns the environment in which {@link #useByEnvironment} makes the client of a bucket in another process. */
    Map<String, String> environment() {
        return Map.of(VARIABLE, url);
    }

    /** Makes the client of the bucket that an address names, if the environment names the server. */
    static void useByEnvironment(String address) throws IOException {
        if (System.getenv(VARIABLE) != null) {
            new org.apache.hadoop.fs.Path(address).getFileSystem(configuration(System.getenv(VARIABLE)));
        }
    }

    /** Hadoop's settings for the buckets of this server. */
    Configuration configuration() {
        return configuration(url);
    }

    private static Configuration configuration(String url) {
        Configuration settings = new Configuration();
        settings.set("fs.s3a.endpoint", url);
        settings.set("fs.s3a.endpoint.region", "us-east-1");
        settings.set("fs.s3a.path.style.access", "true");
        settings.set("fs.s3a.connection.ssl.enabled", "false");
        settings.set("fs.s3a.access.key", KEY);
        settings.set("fs.s3a.secret.key", "a secret");
        settings.set("fs.s3a.aws.credentials.provider", "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider");
        settings.set("fs.s3a.retry.limit", "2");
        settings.set("fs.s3a.retry.interval", "50ms");
        return settings;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
