package io.jellybridge.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that answers every request in the same way. */
public final class AnsweringServer implements AutoCloseable {
    private final HttpServer server;
    private final AtomicInteger requests = new AtomicInteger();

    public AnsweringServer(int status, String contentType, String body) throws IOException {
        this(status, contentType, body.getBytes(UTF_8));
    }

    public AnsweringServer(int status, String contentType, byte[] body) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Type", contentType);
                exchange.sendResponseHeaders(status, 0);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    /** Its address, with a slash at the end. */
    public String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    /** Returns the number of requests so far. */
    public int requests() {
        return requests.get();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
