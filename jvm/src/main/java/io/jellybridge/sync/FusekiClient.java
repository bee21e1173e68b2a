package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.jena.StoredPosition;
import io.jellybridge.log.AnswerText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.riot.rowset.RowSetReader;
import org.apache.jena.shared.JenaException;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.RowSet;
import org.apache.jena.sparql.util.Context;

/**
 * Speaks HTTP with a dataset of a Fuseki server, at its usual services: {@code query}, {@code update}, {@code patch}. An
 * answer counts when it is whole and came in time; what may be sent twice without harm is sent again when it did not.
 */
final class FusekiClient {
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(10);
    private static final String JSON_RESULTS = "application/sparql-results+json";

    private final FusekiOptions options;
    private final HttpClient http;

    FusekiClient(FusekiOptions options) {
        this.options = options;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(options.connectTimeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    FusekiOptions options() {
        return options;
    }

    // --- services

    /** The address of a service, with parameters. */
    URI service(String name, String... namesAndValues) {
        StringBuilder uri = new StringBuilder(options.dataset().toString()).append('/').append(name);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            uri.append(i == 0 ? '?' : '&').append(namesAndValues[i]).append('=')
                    .append(URLEncoder.encode(namesAndValues[i + 1], UTF_8));
        }
        return URI.create(uri.toString());
    }

    HttpRequest.Builder request(URI uri) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (options.authorization() != null) {
            request.header("Authorization", options.authorization());
        }
        return request;
    }

    private HttpRequest post(String service, String contentType, String accept, String body) {
        return request(service(service)).header("Content-Type", contentType).header("Accept", accept)
                .POST(BodyPublishers.ofString(body)).build();
    }

    /** Whether the patch endpoint is that of our module. */
    boolean takesJelly() throws IOException {
        HttpRequest request = request(service("patch")).method("OPTIONS", BodyPublishers.noBody()).build();
        HttpResponse<byte[]> answer = again(request, BodyHandlers.ofByteArray(), true);
        return answer.statusCode() / 100 == 2
                && answer.headers().allValues("Accept-Post").stream().anyMatch(types -> types.contains(PatchProtocol.JELLY));
    }

    /** The answers of a SELECT: by the names of variables, in canonical N-Triples. For few rows. */
    List<Map<String, String>> select(String sparql) throws IOException {
        HttpRequest request = post("query", "application/sparql-query", JSON_RESULTS, sparql);
        for (int attempt = 1; ; attempt++) {
            HttpResponse<byte[]> answer = expect(again(request, BodyHandlers.ofByteArray(), true), 200);
            try {
                return rows(answer.body());
            } catch (JenaException e) {
                if (attempt == options.attempts()) {
                    throw new FusekiException(request.uri(), 200,
                            "the answer is no result of a query: " + e.getMessage(), e);
                }
                pause(attempt);
            }
        }
    }

    private static List<Map<String, String>> rows(byte[] json) {
        RowSet found = RowSetReader.createReader(ResultSetLang.RS_JSON).read(new ByteArrayInputStream(json), new Context());
        List<Map<String, String>> rows = new ArrayList<>();
        while (found.hasNext()) {
            Binding binding = found.next();
            Map<String, String> row = new LinkedHashMap<>();
            found.getResultVars().forEach(name -> {
                Node term = binding.get(name);
                row.put(name.getVarName(), term == null ? null : StoredPosition.canonical(term));
            });
            rows.add(row);
        }
        return rows;
    }

    /** Sends a query, and gives the whole answer to the handler. */
    <T> HttpResponse<T> query(String sparql, String accept, BodyHandler<T> handler) throws IOException {
        return again(post("query", "application/sparql-query", accept, sparql), handler, false);
    }

    /**
     * Sends an update.
     *
     * @param repeatable whether it may be done twice: then it is sent again when the outcome is not known
     */
    void update(String sparql, boolean repeatable) throws IOException {
        HttpRequest request = post("update", "application/sparql-update", "*/*", sparql);
        HttpResponse<byte[]> answer = repeatable
                ? again(request, BodyHandlers.ofByteArray(), true)
                : once(request, BodyHandlers.ofByteArray());
        if (answer.statusCode() / 100 != 2) {
            throw failure(answer);
        }
    }

    // --- attempts

    /** Sends a request that may be sent twice, until there is an answer that is none of a moment's trouble. */
    private <T> HttpResponse<T> again(HttpRequest request, BodyHandler<T> handler, boolean any5xx) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                HttpResponse<T> answer = exchange(request, handler);
                if (attempt == options.attempts() || !isTrouble(answer.statusCode(), any5xx)) {
                    return answer;
                }
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                if (attempt == options.attempts()) {
                    throw unreachable(request.uri(), attempt, e);
                }
            }
            pause(attempt);
        }
    }

    /** Sends a request that may arrive once only: again only while there was no connection. */
    private <T> HttpResponse<T> once(HttpRequest request, BodyHandler<T> handler) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return exchange(request, handler);
            } catch (IOException e) {
                if (!isNotSent(e) || attempt == options.attempts()) {
                    throw unreachable(request.uri(), attempt, e);
                }
            }
            pause(attempt);
        }
    }

    /** Whether a request that failed so never left. */
    static boolean isNotSent(IOException e) {
        return e instanceof ConnectException || e instanceof HttpConnectTimeoutException;
    }

    /** Whether an answer is of a server, or of something before it, that may answer otherwise in a moment. */
    static boolean isTrouble(int status, boolean any5xx) {
        return status == 408 || status == 429 || (any5xx ? status / 100 == 5 : status >= 502 && status <= 504);
    }

    FusekiException unreachable(URI uri, int attempts, IOException cause) {
        String times = attempts == 1 ? "" : ", tried " + attempts + " times";
        return new FusekiException(bare(uri), 0, describe(cause) + times, cause);
    }

    private static String describe(IOException e) {
        if (e instanceof ConnectException) {
            return "no connection; is the server running?";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** Waits before an attempt that follows this one. */
    void pause(int attempt) throws InterruptedIOException {
        long longest = Math.min(LONGEST_BACKOFF.toMillis(), options.backoff().toMillis() << Math.min(attempt - 1, 16));
        try {
            Thread.sleep(longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1));
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    // --- one request

    /** Sends a request, once, and waits for all of the answer. */
    <T> HttpResponse<T> exchange(HttpRequest request, BodyHandler<T> handler) throws IOException {
        // The timeout of a request ends with the headers of the answer; this one is for its body too.
        CompletableFuture<HttpResponse<T>> answer = http.sendAsync(request, handler);
        try {
            return answer.get(options.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("no whole answer within " + options.timeout().toMillis() / 1000.0 + " s", e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw interrupted();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException(e.getCause().toString(), e.getCause());
        }
    }

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while waiting for a server");
    }

    private <T> HttpResponse<T> expect(HttpResponse<T> answer, int status) throws FusekiException {
        if (answer.statusCode() != status) {
            throw failure(answer);
        }
        return answer;
    }

    /** The error that an answer is. */
    FusekiException failure(HttpResponse<?> answer) {
        String body = answer.body() instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(answer.body());
        String text = AnswerText.of(answer.headers().firstValue("Content-Type").orElse(""), body);
        String hint = switch (answer.statusCode()) {
            case 401, 403 -> "; name user and password, or a token, that may do this";
            case 404 -> "; is the dataset's name right, and has it this service?";
            case 405 -> "; does the dataset allow changes?";
            case 301, 302, 307, 308 -> "; it has moved to "
                    + answer.headers().firstValue("Location").orElse("another place");
            default -> "";
        };
        return new FusekiException(bare(answer.uri()), answer.statusCode(),
                "answered " + answer.statusCode() + (text.isEmpty() ? "" : ": " + text) + hint, null);
    }

    private static URI bare(URI uri) {
        return URI.create(uri.toString().replaceFirst("\\?.*", ""));
    }

    static BodyPublisher textAfter(BodyPublisher first, String text) {
        return BodyPublishers.concat(first, BodyPublishers.ofString(text));
    }
}
