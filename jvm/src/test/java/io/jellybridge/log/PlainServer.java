package io.jellybridge.log;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A web server that knows nothing of logs: it serves the files of a folder. */
public final class PlainServer implements AutoCloseable {
    private final Path folder;
    private final HttpServer server;
    /** The requests so far. */
    public final List<String> requests = new CopyOnWriteArrayList<>();
    /** Whether the server takes files whatever the headers of a request, as some do. */
    volatile boolean isWritable;
    /** Whether a server of logs is behind this, a proxy with a page for each of its errors. */
    volatile boolean hidesErrors;
    /** Whether it gives what a cache kept of a server that waits. */
    volatile boolean saysItWaited;
    /** Whether it ends requests that ask it to wait, as a proxy with little patience. */
    volatile boolean cutsWaits;
    /** Whether it never answers requests that ask it to wait, as a machine that is gone. */
    volatile boolean leavesWaits;

    public PlainServer(Path folder) throws IOException {
        this.folder = folder;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    public String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        if (leavesWaits && exchange.getRequestURI().getQuery() != null) {
            return;
        }
        try (exchange) {
            String method = exchange.getRequestMethod();
            requests.add(method + " " + exchange.getRequestURI());
            if (cutsWaits && exchange.getRequestURI().getQuery() != null) {
                exchange.sendResponseHeaders(504, -1);
                return;
            }
            if (saysItWaited) {
                exchange.getResponseHeaders().set(HttpStore.WAITED, "1");
            }
            if (hidesErrors) {
                exchange.getResponseHeaders().set(method.equals("PUT") ? "Content-Language" : HttpStore.SERVER_OF_LOGS, "1");
            }
            if (method.equals("PUT") && hidesErrors) {
                exchange.sendResponseHeaders(200, -1);
                return;
            }
            Path file = folder.resolve(exchange.getRequestURI().getPath().substring(1));
            if (method.equals("PUT") && isWritable) {
                Files.write(file, exchange.getRequestBody().readAllBytes());
                exchange.sendResponseHeaders(201, -1);
                return;
            }
            boolean reads = method.equals("GET") || method.equals("HEAD");
            if (!reads || !Files.isRegularFile(file)) {
                exchange.sendResponseHeaders(reads ? 404 : 405, -1);
                return;
            }
            byte[] bytes = Files.readAllBytes(file);
            if (method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(bytes.length));
                exchange.sendResponseHeaders(200, -1);
                return;
            }
            exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
