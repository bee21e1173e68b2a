package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands before a Fuseki, over real sockets: passes requests on, but for the next ones to a service for which there is a
 * fault.
 */
final class FaultyProxy implements AutoCloseable {

    /** What happens to a request. Those after {@code ARRIVES} reach the server, whose answer is lost. */
    enum Fault {
        CONNECTION_CLOSED(false),
        UNAVAILABLE(false),
        ERROR_IN_MID_BODY(false),
        OK_OF_SOMETHING_ELSE(false),
        TIMEOUT(false),
        ARRIVES_CONNECTION_CLOSED(true),
        ARRIVES_ERROR_IN_MID_BODY(true),
        ARRIVES_OK_IN_MID_BODY(true),
        ARRIVES_BAD_GATEWAY(true),
        ARRIVES_TIMEOUT(true),
        /** The server gets the request twice, and the client the second answer. */
        REPEATED(true),
        /** The client gives up, and the server gets the request later, just before it is sent again. */
        ARRIVES_LATE(true),
        /** The client gives up, and the server gets the request when the test says so. */
        HELD_BACK(true);

        private final boolean arrives;

        Fault(boolean arrives) {
            this.arrives = arrives;
        }

        boolean arrives() {
            return arrives;
        }

        /** Whether the client waits for an answer in vain. */
        boolean isSilent() {
            return this == TIMEOUT || this == ARRIVES_TIMEOUT || this == ARRIVES_LATE || this == HELD_BACK;
        }
    }

    private static final List<String> HEADERS = List.of("Content-Type", "Content-Encoding", "Accept", "Authorization");
    /** More than a slow machine takes. */
    private static final long MOST_SECONDS = 60;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private volatile int fusekiPort;
    private final String service;
    private final ConcurrentLinkedQueue<Fault> faults = new ConcurrentLinkedQueue<>();
    private final Map<Integer, Fault> faultsAt = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();
    /** Counted down when the next POST to the service is there. */
    private final AtomicReference<CountDownLatch> following = new AtomicReference<>(new CountDownLatch(1));
    /** Counted down when the server has answered the request that arrives late. */
    private final AtomicReference<CountDownLatch> late = new AtomicReference<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch arrived = new CountDownLatch(1);
    private volatile Fault lastFault;
    private volatile Runnable meanwhile;
    private volatile boolean gone;
    private volatile int mostBytes = Integer.MAX_VALUE;

    /** @param service the name of the service whose requests may fail, such as {@code patch} */
    FaultyProxy(TestFuseki fuseki, String service) throws IOException {
        fusekiPort = fuseki.port();
        this.service = service;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/ds";
    }

    /** From here on another server stands behind this. */
    void to(TestFuseki other) {
        fusekiPort = other.port();
    }

    /** The next POSTs to the service fail so, one after the other. */
    void fail(Fault... next) {
        faults.addAll(List.of(next));
    }

    /** That POST to the service fails so, counted from the next one, which is 1. */
    void failAt(int number, Fault fault) {
        faultsAt.put(requests.get() + number, fault);
    }

    /** What somebody else does when the next POST fails, before its client knows. */
    void meanwhile(Runnable action) {
        meanwhile = action;
    }

    /** Larger POSTs to the service are refused with 413. */
    void refuseLarger(int bytes) {
        mostBytes = bytes;
    }

    /** The next POST to the service fails so, and after it all requests are closed without an answer. */
    void failForGood(Fault next) {
        lastFault = next;
    }

    /** Lets the server have the request that was held back, and waits until it has answered. */
    void release() throws InterruptedException {
        released.countDown();
        if (!arrived.await(MOST_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the server did not answer");
        }
    }

    /** How many POSTs the service got. */
    int requests() {
        return requests.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (gone) {
                return;
            }
            Fault fault = null;
            CountDownLatch next = new CountDownLatch(1);
            CountDownLatch answered = new CountDownLatch(1);
            CountDownLatch before = null;
            if (exchange.getRequestMethod().equals("POST") && exchange.getRequestURI().getPath().endsWith("/" + service)) {
                int number = requests.incrementAndGet();
                following.getAndSet(next).countDown();
                if (body.length > mostBytes) {
                    send(exchange, 413, "too large".getBytes(UTF_8));
                    return;
                }
                fault = faultsAt.containsKey(number) ? faultsAt.remove(number) : faults.poll();
                if (fault == null && lastFault != null) {
                    fault = lastFault;
                    gone = true;
                }
                before = late.getAndSet(fault == Fault.ARRIVES_LATE ? answered : null);
            }
            if (fault == Fault.ARRIVES_LATE) {
                next.await();
            } else if (fault == Fault.HELD_BACK) {
                released.await();
            }
            if (before != null) {
                before.await();
            }
            HttpResponse<byte[]> answer = fault == null || fault.arrives() ? forward(exchange, body) : null;
            if (fault == Fault.REPEATED) {
                answer = forward(exchange, body);
                fault = null;
            }
            answered.countDown();
            if (fault == Fault.HELD_BACK) {
                arrived.countDown();
            }
            Runnable action = fault == null ? null : meanwhile;
            if (action != null) {
                meanwhile = null;
                action.run();
            }
            if (fault == null) {
                exchange.getResponseHeaders().putAll(headers(answer));
                send(exchange, answer.statusCode(), answer.body());
            } else {
                fail(exchange, fault);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Until this is closed, which ends its threads. */
    private static void waitForEver() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private static Map<String, List<String>> headers(HttpResponse<byte[]> answer) {
        Map<String, List<String>> headers = new HashMap<>(answer.headers().map());
        headers.keySet().removeIf(name -> name.equalsIgnoreCase("Content-Length")
                || name.equalsIgnoreCase("Transfer-Encoding"));
        return headers;
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        URI to = URI.create("http://localhost:" + fusekiPort + exchange.getRequestURI());
        HttpRequest.Builder request = HttpRequest.newBuilder(to)
                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        for (String name : HEADERS) {
            String value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static void fail(HttpExchange exchange, Fault fault) throws IOException, InterruptedException {
        switch (fault) {
            case UNAVAILABLE -> send(exchange, 503, "try later".getBytes(UTF_8));
            case ARRIVES_BAD_GATEWAY -> send(exchange, 502, "bad gateway".getBytes(UTF_8));
            case OK_OF_SOMETHING_ELSE -> send(exchange, 200, "<html>Welcome</html>".getBytes(UTF_8));
            case ERROR_IN_MID_BODY, ARRIVES_ERROR_IN_MID_BODY -> beginOnly(exchange, 500);
            case ARRIVES_OK_IN_MID_BODY -> beginOnly(exchange, 200);
            case TIMEOUT, ARRIVES_TIMEOUT -> waitForEver();
            default -> { /* the connection is closed without an answer */ }
        }
    }

    /** The connection is closed within the body. */
    private static void beginOnly(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, 1000);
        exchange.getResponseBody().write("{ \"applied\" : tr".getBytes(UTF_8));
        exchange.getResponseBody().flush();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
