package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.ProjectFiles;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code jellybridge serve}, as the project's Python has it, with folders as logs. */
final class GrpcServer implements AutoCloseable {
    private final Path folder;
    private final int port;
    private Process process;

    /** @param settings more lines of its section {@code [server]} */
    GrpcServer(Path folder, List<String> logs, String... settings) throws IOException {
        this.folder = folder;
        try (ServerSocket found = new ServerSocket(0)) {
            this.port = found.getLocalPort();
        }
        StringBuilder config = new StringBuilder("[server]\nlisten = 127.0.0.1:" + port + "\npoll_seconds = 0.05\n");
        for (String setting : settings) {
            config.append(setting).append('\n');
        }
        for (String log : logs) {
            StoreLog.create(folder.resolve(log)).close();
            config.append("[topic ").append(log).append("]\nlog = ").append(log).append('\n');
        }
        Files.writeString(folder.resolve("server.ini"), config);
        start();
    }

    void start() throws IOException {
        process = new ProcessBuilder(ProjectFiles.folder(".venv/bin/python").toString(), "-m", "jellybridge", "serve",
                folder.resolve("server.ini").toString()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("server.log").toFile()).start();
        while (!said().contains("listening on")) {
            assertTrue(process.isAlive(), said());
            pause(20);
        }
    }

    /** What it has written since it was started. */
    String said() throws IOException {
        return Files.readString(folder.resolve("server.log"));
    }

    static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String url(String log) {
        return "grpc://127.0.0.1:" + port + "/" + log;
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
