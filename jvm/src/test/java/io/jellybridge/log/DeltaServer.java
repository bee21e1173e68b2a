package io.jellybridge.log;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands in for RDF Delta's server, whose releases no registry has: answers as release 1.1.2 was observed to, its
 * oddities included. It takes patches that end in TA or do not end their transaction, as the real one does; it can lose
 * answers and skip versions, for tests of what the client makes of it.
 */
final class DeltaServer implements Closeable {
    private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]*)\"");
    private static final Pattern URI = Pattern.compile("\"uri\":\"([^\"]*)\"");
    private static final Pattern HEADER = Pattern.compile("^H (id|prev) <(?:urn:)?uuid:([^>]*)> \\.$", Pattern.MULTILINE);

    /** A data source with its log. */
    private static final class Source {
        private final String id = UUID.randomUUID().toString();
        private final TreeMap<Long, String> patches = new TreeMap<>();
        private String uri;
        private String latest;
    }

    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final HttpServer server;
    private final ExecutorService pool = Executors.newFixedThreadPool(4);
    private final List<String> paths = new ArrayList<>();
    private int answersToLose;
    private boolean losesRequest;
    private String next;
    private int refusal;
    private boolean namesVersions;
    private long versionsToSkip;

    DeltaServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(pool);
        server.createContext("/", this::serve);
        server.start();
    }

    String url(String name) {
        return "delta:http://localhost:" + server.getAddress().getPort() + "/" + name;
    }

    /** The next appends are made, and their connections closed without an answer. */
    synchronized void loseAnswers(int count) {
        answersToLose = count;
    }

    /** Of the next append the request is lost, or the answer alone; another patch is there when it is sent again. */
    synchronized void lose(boolean request, String other) {
        answersToLose = 1;
        losesRequest = request;
        next = other;
    }

    /** All that is asked of patches is answered with a status; 0: as it is. */
    synchronized void refuse(int status) {
        refusal = status;
    }

    /** Versions are said as {@code ver:1}. */
    synchronized void nameVersions() {
        namesVersions = true;
    }

    /** A version is not there any more. */
    synchronized void forget(String name, long version) {
        sources.get(name).patches.remove(version);
    }

    /** The paths of what was asked of patches. */
    synchronized List<String> paths() {
        return List.copyOf(paths);
    }

    /** The next append leaves out versions. */
    synchronized void skipVersions(long count) {
        versionsToSkip = count;
    }

    /** Puts a patch into a log whatever it says, as the real server does. */
    synchronized void put(String name, String patch) {
        append(sources.get(name), patch);
    }

    private void serve(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath().substring(1);
        synchronized (this) {
            if (path.equals("$/rpc")) {
                rpc(exchange, body);
                return;
            }
            paths.add(path);
            if (refusal != 0) {
                answer(exchange, refusal, "text/html", "<html>not now</html>");
            } else if (exchange.getRequestMethod().equals("POST")) {
                post(exchange, sources.get(path), path, body);
            } else {
                get(exchange, path);
            }
        }
    }

    private void rpc(HttpExchange exchange, String body) throws IOException {
        if (body.contains("\"operation\":\"list_log_info\"")) {
            StringBuilder array = new StringBuilder();
            sources.forEach((name, source) -> array.append(array.isEmpty() ? "" : ",").append(info(name, source)));
            answer(exchange, 200, "application/json", "{\"array\":[" + array + "]}");
            return;
        }
        Matcher name = NAME.matcher(body);
        Matcher uri = URI.matcher(body);
        if (!body.contains("\"operation\":\"create_datasource\"") || !name.find() || !uri.find()) {
            answer(exchange, 500, "text/html", "<html>NullPointerException</html>");
            return;
        }
        Source made = new Source();
        made.uri = uri.group(1);
        sources.put(name.group(1), made);
        answer(exchange, 200, "application/json", "{\"id\":\"" + made.id + "\"}");
    }

    private String version(long version) {
        return namesVersions ? "\"ver:" + version + "\"" : "" + version;
    }

    private String info(String name, Source source) {
        long min = source.patches.isEmpty() ? 0 : source.patches.firstKey();
        long max = source.patches.isEmpty() ? 0 : source.patches.lastKey();
        return "{\"id\":\"" + source.id + "\",\"name\":\"" + name + "\",\"uri\":\"" + source.uri
                + "\",\"min_version\":" + version(min)
                + ",\"max_version\":" + version(max) + ",\"latest\":\"" + Objects.requireNonNullElse(source.latest, "") + "\"}";
    }

    private void post(HttpExchange exchange, Source source, String name, String patch) throws IOException {
        if (source == null) {
            answer(exchange, 404, "text/html", "<html>Not found</html>");
            return;
        }
        String id = header(patch, "id");
        if (id == null) {
            answer(exchange, 400, "text/html", "<html>No id</html>");
            return;
        }
        if (!isText(patch)) {
            answer(exchange, 500, "text/html", "<html>Server error</html>");
            return;
        }
        boolean again = id.equals(source.latest);
        if (!again && !Objects.equals(header(patch, "prev"), source.latest)) {
            answer(exchange, 400, "application/json",
                    "{\"error\":\"patch-conflict\",\"log_info\":" + info(name, source) + "}");
            return;
        }
        if (!again && !losesRequest) {
            append(source, patch);
        }
        if (answersToLose > 0) {
            answersToLose--;
            losesRequest = false;
            if (next != null) {
                append(source, next);
                next = null;
            }
            exchange.close();
            return;
        }
        long version = source.patches.lastKey();
        answer(exchange, 200, "application/json",
                "{\"version\":" + version(version) + ",\"location\":\"/" + name + "?version=ver:" + version + "\"}");
    }

    private void append(Source source, String patch) {
        long last = source.patches.isEmpty() ? 0 : source.patches.lastKey();
        source.patches.put(last + 1 + versionsToSkip, patch);
        versionsToSkip = 0;
        source.latest = header(patch, "id");
    }

    /** Whether the syntax of each row is right; transactions are not looked at. */
    private static boolean isText(String patch) {
        try (PatchSource<byte[]> source = LogPatches.source(patch.replaceAll("(?m)^T[XCA] \\.$", ""))) {
            PatchIntake intake = PatchIntake.next(source);
            intake.copyTo(new RdfPatchWriter<>(OutputStream.nullOutputStream(), null, new Utf8Terms(),
                    RdfPatchWriteOptions.DEFAULT), LogPatches.newId(), null);
            return true;
        } catch (RuntimeException | IOException e) {
            return false;
        }
    }

    private static String header(String patch, String name) {
        Matcher header = HEADER.matcher(patch);
        while (header.find()) {
            if (header.group(1).equals(name)) {
                return header.group(2);
            }
        }
        return null;
    }

    private void get(HttpExchange exchange, String path) throws IOException {
        String[] parts = path.split("/");
        Source source = sources.get(parts[0]);
        if (parts.length > 2) {
            answer(exchange, 400, "text/html", "<html>too many components</html>");
            return;
        }
        String patch = source == null ? null : parts[1].contains("-")
                ? source.patches.values().stream().filter(text -> parts[1].equals(header(text, "id"))).findAny().orElse(null)
                : source.patches.get(Long.parseLong(parts[1]));
        answer(exchange, patch == null ? 404 : 200, "application/rdf-patch", patch == null ? "" : patch);
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        pool.shutdownNow();
    }
}
