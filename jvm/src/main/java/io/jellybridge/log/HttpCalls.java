package io.jellybridge.log;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * Calls of a log server. A call without an answer, and one that is answered by a gateway's error (502, 503, 504), is made
 * again, up to five times with growing pauses: every call here may be made twice.
 */
final class HttpCalls {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration[] PAUSES =
            {Duration.ofMillis(100), Duration.ofMillis(400), Duration.ofMillis(1600), Duration.ofMillis(3200)};
    private static final Set<Integer> OF_GATEWAYS = Set.of(502, 503, 504);

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
    private final URI base;

    /** @param base what the paths are added to */
    HttpCalls(URI base) {
        this.base = base;
    }

    /**
     * An answer.
     *
     * @param contentType empty: it names none
     * @param again       whether an earlier try of the same call may have been served too
     */
    record Answer(int status, String contentType, String body, boolean again) {

        boolean isFine() {
            return status >= 200 && status < 300;
        }

        /** The error of an answer that was not expected. */
        IOException refused(String call) {
            String text = AnswerText.of(contentType, body);
            return new IOException(call + " was answered with status " + status + (text.isEmpty() ? "" : ": " + text));
        }
    }

    Answer get(String path) throws IOException {
        return text(HttpRequest.newBuilder(uri(path)).GET());
    }

    Answer put(String path) throws IOException {
        return text(HttpRequest.newBuilder(uri(path)).PUT(BodyPublishers.noBody()));
    }

    Answer post(String path, String contentType, String body) throws IOException {
        return text(HttpRequest.newBuilder(uri(path)).header("Content-Type", contentType)
                .POST(BodyPublishers.ofString(body, StandardCharsets.UTF_8)));
    }

    Answer post(String path, String contentType, Path body) throws IOException {
        BodyPublisher publisher = BodyPublishers.ofFile(body);
        return text(HttpRequest.newBuilder(uri(path)).header("Content-Type", contentType).POST(publisher));
    }

    /**
     * Fetches into a file, whole.
     *
     * @return a fine answer without a body: that is what the file holds; else an answer with the body that it has
     */
    Answer download(String path, Path file) throws IOException {
        Answer answer = call(HttpRequest.newBuilder(uri(path)).GET(), BodyHandlers.ofFile(file)).answer("");
        return answer.isFine() ? answer : new Answer(answer.status(), answer.contentType(),
                new String(Files.readAllBytes(file), StandardCharsets.UTF_8), answer.again());
    }

    private Answer text(HttpRequest.Builder request) throws IOException {
        Tried<String> tried = call(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
        return tried.answer(tried.response().body());
    }

    private record Tried<B>(HttpResponse<B> response, boolean again) {

        Answer answer(String body) {
            String contentType = response.headers().firstValue("Content-Type").orElse("");
            return new Answer(response.statusCode(), contentType, body, again);
        }
    }

    private <B> Tried<B> call(HttpRequest.Builder request, BodyHandler<B> body) throws IOException {
        HttpRequest made = request.timeout(ANSWER_TIMEOUT).build();
        try {
            for (int tries = 0; ; tries++) {
                boolean last = tries == PAUSES.length;
                try {
                    HttpResponse<B> response = client.send(made, body);
                    if (last || !OF_GATEWAYS.contains(response.statusCode())) {
                        return new Tried<>(response, tries > 0);
                    }
                } catch (IOException e) {
                    if (last) {
                        throw new IOException("no answer from " + made.uri() + " in " + (tries + 1) + " tries: "
                                + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()), e);
                    }
                }
                Thread.sleep(PAUSES[tries].toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for " + made.uri());
        }
    }

    private URI uri(String path) {
        return URI.create(base + path);
    }
}
