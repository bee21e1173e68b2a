package io.jellybridge.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.files.SpillBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests to a server. A response counts if it is complete and in time. Otherwise requests that are safe to repeat are
 * retried, after growing pauses. Redirects are not followed, since credentials are for one host.
 *
 * <p>The memory for a response is limited, see {@link #readFirst}, {@link #body} and {@link #writeTo}. Of an error response at most
 * {@value #ERROR_BYTES} bytes are fetched.
 */
public final class HttpCalls {
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(200);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(10);
    private static final Duration LONGEST_CONTINUE = Duration.ofSeconds(10);
    private static final String NO_RIGHT = "; name user and password, or a token, that may do this";
    private static final int ERROR_BYTES = 1 << 16;
    private static final int TEXT_BYTES = 1 << 20;
    private static final int MEMORY_BYTES = 16 << 20;

    private final HttpOptions options;
    private volatile HttpClient http;

    public HttpCalls(HttpOptions options) {
        this.options = options;
        renew();
    }

    /**
     * Replaces the client. A client whose thread died, such as of an OutOfMemoryError, never responds again, so a failed client
     * is not reused.
     */
    private void renew() {
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(options.tls().context())
                .connectTimeout(options.connectTimeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    public HttpOptions options() {
        return options;
    }

    /** Creates a request for a path below the base URL, with the credentials. */
    public HttpRequest.Builder newRequest(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(options.base() + path));
        if (options.credentials().authorization() != null) {
            request.header("Authorization", options.credentials().authorization());
        }
        return request;
    }

    // --- attempts

    /** The condition for a retry. */
    public enum Repeat {
        /** Retry only if there was no connection, since the request must arrive at most once. */
        UNSENT,
        /** Retry also if there was no complete response, or one of a gateway or a busy server. */
        GATEWAY_ERRORS,
        /** Retry also after any other 5xx. */
        SERVER_ERRORS
    }

    /** A response. */
    public record Answer<T>(HttpResponse<T> response) {

        public int status() {
            return response.statusCode();
        }

        public boolean isSuccess() {
            return status() / 100 == 2;
        }

        public T body() {
            return response.body();
        }
    }

    /**
     * Sends a request until there is a response that is not a temporary failure.
     *
     * @throws UnreachableException there is none
     */
    public <T> Answer<T> send(HttpRequest request, BodyHandler<T> handler, Repeat repeat) throws IOException {
        for (int attempt = 1; ; attempt++) {
            boolean last = attempt == options.attempts();
            try {
                HttpResponse<T> answer = sendOnce(request, handler);
                if (last || repeat == Repeat.UNSENT || !isTrouble(answer.statusCode(), repeat == Repeat.SERVER_ERRORS)) {
                    return new Answer<>(answer);
                }
                pause(attempt, answer);
                continue;
            } catch (InterruptedIOException | FileSystemException | HttpException e) {
                throw e;
            } catch (IOException e) {
                if (last || repeat == Repeat.UNSENT && !isNotSent(e)) {
                    throw unreachableError(request.uri(), attempt, e);
                }
            }
            pause(attempt);
        }
    }

    /**
     * Sends a repeatable request whose response is a text of ours. At most {@value #TEXT_BYTES} bytes are read.
     *
     * @throws HttpException the text is not UTF-8
     */
    public Answer<String> sendForText(HttpRequest.Builder request) throws IOException {
        HttpRequest built = request.build();
        return send(built, answer -> BodySubscribers.mapping(readFirst(TEXT_BYTES).apply(answer),
                bytes -> decodeBody(built.uri(), answer, bytes)), Repeat.GATEWAY_ERRORS);
    }

    private static String decodeBody(URI uri, ResponseInfo answer, byte[] bytes) {
        String text = new String(bytes, UTF_8);
        boolean isWhole = isSuccess(answer) && bytes.length < TEXT_BYTES;
        if (isWhole && !(MediaType.of(answer.headers()).isUtf8() && Arrays.equals(text.getBytes(UTF_8), bytes))) {
            throw new UncheckedIOException(new HttpException(withoutQuery(uri), answer.statusCode(),
                    "the answer is not in UTF-8; is the address right?", null));
        }
        return text;
    }

    /** Sends a repeatable request and writes the response to a file, replacing its content. */
    public Answer<Path> sendForFile(HttpRequest.Builder request, Path file) throws IOException {
        return send(request.build(), writeTo(file), Repeat.GATEWAY_ERRORS);
    }

    // --- bodies

    /** Creates a handler that reads only the first bytes of a response. */
    public static BodyHandler<byte[]> readFirst(int most) {
        return answer -> new BodyWriter<>(new BodyWriter.Sink<>() {
            private final ByteArrayOutputStream out = new ByteArrayOutputStream();

            @Override
            public OutputStream open() {
                return out;
            }

            @Override
            public byte[] written() {
                return out.toByteArray();
            }
        }, isSuccess(answer) ? most : Math.min(most, ERROR_BYTES));
    }

    /** Creates a handler for a short response that confirms something. */
    public static BodyHandler<byte[]> receipt() {
        return readFirst(ERROR_BYTES);
    }

    /**
     * Creates a handler for a response of any size. It keeps the first {@value #MEMORY_BYTES} bytes in memory, and the rest in
     * a temporary file.
     */
    public static BodyHandler<SpillBuffer> body() {
        return answer -> new BodyWriter<>(new BodyWriter.Sink<>() {
            private final SpillBuffer out = new SpillBuffer(Path.of(System.getProperty("java.io.tmpdir")), MEMORY_BYTES);

            @Override
            public OutputStream open() {
                return out;
            }

            @Override
            public SpillBuffer written() {
                return out;
            }

            @Override
            public IOException toFailure(IOException cause) {
                return BodyWriter.ofFile("a temporary file for the answer", cause);
            }

            @Override
            public void discard() {
                out.discard();
            }
        }, maximumOf(answer));
    }

    /**
     * Creates a handler that writes a response to a file, replacing the content of an earlier attempt. If the file can't be
     * written, it throws a {@link FileSystemException} with its name, and the request is not retried.
     */
    public static BodyHandler<Path> writeTo(Path file) {
        return answer -> new BodyWriter<>(new BodyWriter.Sink<>() {

            @Override
            public OutputStream open() throws IOException {
                return Files.newOutputStream(file);
            }

            @Override
            public Path written() {
                return file;
            }

            @Override
            public IOException toFailure(IOException cause) {
                return BodyWriter.ofFile(file.toString(), cause);
            }
        }, maximumOf(answer));
    }

    private static long maximumOf(ResponseInfo answer) {
        return isSuccess(answer) ? Long.MAX_VALUE : ERROR_BYTES;
    }

    private static boolean isSuccess(ResponseInfo answer) {
        return answer.statusCode() / 100 == 2;
    }

    // --- what failed

    /** Checks whether the failure means that the request was never sent. */
    private static boolean isNotSent(IOException e) {
        return e instanceof ConnectException || e instanceof HttpConnectTimeoutException;
    }

    /** Checks whether a status may be a temporary failure of the server, or of a proxy before it. */
    public static boolean isTrouble(int status, boolean any5xx) {
        return status == 408 || status == 429 || (any5xx ? status / 100 == 5 : status >= 502 && status <= 504);
    }

    /** Waits before the attempt that follows this one. */
    public void pause(int attempt) throws InterruptedIOException {
        pause(options, attempt);
    }

    /** Waits before the next attempt, for other kinds of calls. */
    public static void pause(HttpOptions options, int attempt) throws InterruptedIOException {
        long longest = Math.min(LONGEST_BACKOFF.toMillis(), FIRST_BACKOFF.toMillis() << Math.min(attempt - 1, 16));
        options.ticker().sleep(longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1));
    }

    /** Waits before the next attempt. The response may give the time ({@code Retry-After}, in seconds), up to the timeout. */
    public void pause(int attempt, HttpResponse<?> answer) throws InterruptedIOException {
        String asked = answer.headers().firstValue("Retry-After").orElse("").strip();
        if (asked.matches("[0-9]{1,9}")) {
            options.ticker().sleep(Math.min(Long.parseLong(asked) * 1000, options.timeout().toMillis()));
        }
        pause(attempt);
    }

    // --- one request

    /** Sends a request once and waits for the complete response. */
    public <T> HttpResponse<T> sendOnce(HttpRequest request, BodyHandler<T> handler) throws IOException {
        return waitFor(http.sendAsync(request, handler));
    }

    /**
     * Sends a request whose body waits for {@code 100 Continue}.
     *
     * @param request a request made with {@link HttpRequest.Builder#expectContinue}
     * @param asked   completes when the server asks for the body
     * @return null if the server did not ask for the body in time; nothing of it was sent, and the request was cancelled. The
     *         server is busy, does not know the header, or rejects the request: the JDK's client does not report a response
     *         other than 100.
     */
    public <T> HttpResponse<T> exchangeIfAsked(HttpRequest request, BodyHandler<T> handler, CompletableFuture<?> asked)
            throws IOException {
        CompletableFuture<HttpResponse<T>> answer = http.sendAsync(request, handler);
        try {
            CompletableFuture.anyOf(asked, answer).get(LONGEST_CONTINUE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            return null;
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw interruptedError();
        } catch (ExecutionException e) {
            // Handled below, with the other outcomes of a response.
        }
        return waitFor(answer);
    }

    private <T> HttpResponse<T> waitFor(CompletableFuture<HttpResponse<T>> answer) throws IOException {
        // The timeout of a request ends with the headers of the response. This one covers the body too.
        try {
            return answer.get(options.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            renew();
            throw new IOException("no whole answer within " + options.timeout().toMillis() / 1000.0 + " s", e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw interruptedError();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() instanceof UncheckedIOException found ? found.getCause() : e.getCause();
            if (!(cause instanceof ConnectException)) {
                renew();
            }
            if (cause instanceof IOException failure) {
                throw failure;
            }
            throw new IOException(cause.toString(), cause);
        }
    }

    private static InterruptedIOException interruptedError() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while waiting for a server");
    }

    // --- errors

    /** Creates the error for a request without a response. */
    public UnreachableException unreachableError(URI uri, int attempts, IOException cause) {
        String times = attempts == 1 ? "" : ", tried " + attempts + " times";
        String advice = cause.getCause() instanceof TimeoutException ? "; give it more time by the option timeout" : "";
        return new UnreachableException(withoutQuery(uri), 0, describeError(cause) + times + advice, cause);
    }

    private static String describeError(IOException e) {
        if (e instanceof ConnectException) {
            return "no connection; is the server running?";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** Creates the error for an unexpected response. */
    public HttpException toFailure(HttpResponse<?> answer) throws IOException {
        int status = answer.statusCode();
        URI uri = withoutQuery(answer.uri());
        String message = responseText(answer) + hintFor(answer);
        return isTrouble(status, false)
                ? new UnreachableException(uri, status, message, null)
                : new HttpException(uri, status, message, null);
    }

    /** Creates the error for a response of a server of another kind. */
    public HttpException unexpectedError(HttpResponse<?> answer, String server) throws IOException {
        return unexpectedError(answer, server, "is the address right?");
    }

    /**
     * Creates the error for a response of a server of another kind.
     *
     * @param advice what the user can do
     */
    public HttpException unexpectedError(HttpResponse<?> answer, String server, String advice) throws IOException {
        return new HttpException(withoutQuery(answer.uri()), answer.statusCode(),
                responseText(answer) + ", which is no answer of " + server + "; " + advice, null);
    }

    private String responseText(HttpResponse<?> answer) throws IOException {
        String text = AnswerText.of(MediaType.of(answer.headers()).type(), toText(answer.body()));
        String shown = Redaction.redactText(options.credentials().hide(text));
        return "answered " + answer.statusCode() + (shown.isEmpty() ? "" : ": " + shown);
    }

    private String hintFor(HttpResponse<?> answer) {
        return switch (answer.statusCode()) {
            case 401 -> options.credentials().authorization() == null ? NO_RIGHT + options.credentials().hint()
                    : "; the server knows no such user with that password, or no such token";
            case 403 -> NO_RIGHT + options.credentials().hint();
            case 404 -> "; is the name right, and has the server this service?";
            case 405 -> "; does the server allow changes?";
            case 301, 302, 303, 307, 308 -> "; it has moved to " + answer.headers().firstValue("Location")
                    .map(Redaction::redactAddress).map(options.credentials()::hide).orElse("another place");
            default -> "";
        };
    }

    private static String toText(Object body) throws IOException {
        if (body instanceof Path || body instanceof SpillBuffer) {
            try (InputStream in = body instanceof Path file ? Files.newInputStream(file) : ((SpillBuffer) body).read()) {
                return new String(in.readNBytes(ERROR_BYTES), UTF_8);
            }
        }
        return body instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(body);
    }

    private static URI withoutQuery(URI uri) {
        return URI.create(uri.toString().replaceFirst("\\?.*", ""));
    }

    /** Formats the body of an error response as one line for a message. */
    private static final class AnswerText {
        private static final int SHOWN = 400;

        private AnswerText() {
        }

        /**
         * Returns the text on one line, cut after {@value #SHOWN} characters. Of an error page of Jetty, this is the message. Other
         * HTML loses its tags. In any other text {@code <…>} is an IRI and stays.
         *
         * @param mediaType the type, see {@link MediaType#type}
         */
        static String of(String mediaType, String body) {
            String line = (mediaType.equals("text/html") ? withoutTags(body) : body).replaceAll("\\s+", " ").trim();
            return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
        }

        private static String withoutTags(String page) {
            return page.replaceFirst("(?is)^.*<th>MESSAGE:</th>\\s*<td>(.*?)</td>.*$", "$1")
                    .replaceAll("(?is)<!--.*?-->|<(script|style)\\b.*?</\\1\\s*>|<[^>]*>", " ")
                    .replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'")
                    .replace("&#39;", "'").replace("&nbsp;", " ")
                    .replace("&amp;", "&"); // last, so that nothing is decoded twice
        }
    }
}
