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
 * Requests to a server. An answer counts when it is whole and came in time; what may be sent twice without harm is sent
 * again when it did not, after pauses that grow. Redirects are not followed: credentials go to the host that they are for.
 *
 * <p>An answer takes no more memory than it may, see {@link #first}, {@link #body} and {@link #into}. Of one that is an error
 * no more than {@value #ERROR_BYTES} bytes are fetched.
 */
public final class HttpCalls {
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(200);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(10);
    private static final Duration LONGEST_CONTINUE = Duration.ofSeconds(10);
    private static final int ERROR_BYTES = 1 << 16;
    private static final int TEXT_BYTES = 1 << 20;
    private static final int MEMORY_BYTES = 16 << 20;

    private final HttpOptions options;
    private volatile HttpClient http;

    public HttpCalls(HttpOptions options) {
        this.options = options;
        renew();
    }

    /** A client whose thread ended, of a memory fault say, answers nothing any more; so one that failed is not used again. */
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

    /** A request to a place below the base, with the credentials. */
    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(options.base() + path));
        if (options.credentials().authorization() != null) {
            request.header("Authorization", options.credentials().authorization());
        }
        return request;
    }

    // --- attempts

    /** When a request is sent again. */
    public enum Repeat {
        /** Only while there was no connection: it may arrive once. */
        UNSENT,
        /** Also where no whole answer came, and where a gateway, or a busy server, gave one. */
        GATEWAY_ERRORS,
        /** Also after any other 5xx. */
        SERVER_ERRORS
    }

    /**
     * An answer.
     *
     * @param repeated whether an earlier attempt of the same request may have been served too
     */
    public record Answer<T>(HttpResponse<T> response, boolean repeated) {

        public int status() {
            return response.statusCode();
        }

        public boolean isFine() {
            return status() / 100 == 2;
        }

        public T body() {
            return response.body();
        }
    }

    /**
     * Sends a request until there is an answer that is none of a moment's trouble.
     *
     * @throws UnreachableException there is none
     */
    public <T> Answer<T> send(HttpRequest request, BodyHandler<T> handler, Repeat repeat) throws IOException {
        for (int attempt = 1; ; attempt++) {
            boolean last = attempt == options.attempts();
            try {
                HttpResponse<T> answer = exchange(request, handler);
                if (last || repeat == Repeat.UNSENT || !isTrouble(answer.statusCode(), repeat == Repeat.SERVER_ERRORS)) {
                    return new Answer<>(answer, attempt > 1);
                }
                pause(attempt, answer);
                continue;
            } catch (InterruptedIOException | FileSystemException | HttpException e) {
                throw e;
            } catch (IOException e) {
                if (last || repeat == Repeat.UNSENT && !isNotSent(e)) {
                    throw unreachable(request.uri(), attempt, e);
                }
            }
            pause(attempt);
        }
    }

    /**
     * Likewise, of a request that may be sent twice, for an answer that is a text of ours: of more than {@value #TEXT_BYTES}
     * bytes, those.
     *
     * @throws HttpException it is not UTF-8
     */
    public Answer<String> text(HttpRequest.Builder request) throws IOException {
        HttpRequest built = request.build();
        return send(built, answer -> BodySubscribers.mapping(first(TEXT_BYTES).apply(answer),
                bytes -> decoded(built.uri(), answer, bytes)), Repeat.GATEWAY_ERRORS);
    }

    private static String decoded(URI uri, ResponseInfo answer, byte[] bytes) {
        String text = new String(bytes, UTF_8);
        boolean isWhole = isFine(answer) && bytes.length < TEXT_BYTES;
        if (isWhole && !(MediaType.of(answer.headers()).isUtf8() && Arrays.equals(text.getBytes(UTF_8), bytes))) {
            throw new UncheckedIOException(new HttpException(bare(uri), answer.statusCode(),
                    "the answer is not in UTF-8; is the address right?", null));
        }
        return text;
    }

    /** Likewise, for an answer that goes into a file, in place of what the file holds. */
    public Answer<Path> file(HttpRequest.Builder request, Path file) throws IOException {
        return send(request.build(), into(file), Repeat.GATEWAY_ERRORS);
    }

    // --- bodies

    /** Takes the first bytes of an answer, and fetches no more. */
    public static BodyHandler<byte[]> first(int most) {
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
        }, isFine(answer) ? most : Math.min(most, ERROR_BYTES));
    }

    /** Likewise, of an answer in which little is said: whether something was done. */
    public static BodyHandler<byte[]> receipt() {
        return first(ERROR_BYTES);
    }

    /** Takes an answer of any size: the first {@value #MEMORY_BYTES} bytes in memory, the rest in a file that has no name. */
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
            public IOException failure(IOException cause) {
                return BodyWriter.ofFile("a temporary file for the answer", cause);
            }

            @Override
            public void discard() {
                out.discard();
            }
        }, most(answer));
    }

    /**
     * Takes an answer into a file, in place of what an answer before it left there. Where the file can't be written, the error
     * is a {@link FileSystemException} with its name, and the request is not sent again.
     */
    public static BodyHandler<Path> into(Path file) {
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
            public IOException failure(IOException cause) {
                return BodyWriter.ofFile(file.toString(), cause);
            }
        }, most(answer));
    }

    private static long most(ResponseInfo answer) {
        return isFine(answer) ? Long.MAX_VALUE : ERROR_BYTES;
    }

    private static boolean isFine(ResponseInfo answer) {
        return answer.statusCode() / 100 == 2;
    }

    // --- what failed

    /** Whether a request that failed so never left. */
    private static boolean isNotSent(IOException e) {
        return e instanceof ConnectException || e instanceof HttpConnectTimeoutException;
    }

    /** Whether an answer is of a server, or of something before it, that may answer otherwise in a moment. */
    public static boolean isTrouble(int status, boolean any5xx) {
        return status == 408 || status == 429 || (any5xx ? status / 100 == 5 : status >= 502 && status <= 504);
    }

    /** Waits before an attempt that follows this one. */
    public void pause(int attempt) throws InterruptedIOException {
        pause(options, attempt);
    }

    /** Likewise, for calls of another kind. */
    public static void pause(HttpOptions options, int attempt) throws InterruptedIOException {
        long longest = Math.min(LONGEST_BACKOFF.toMillis(), FIRST_BACKOFF.toMillis() << Math.min(attempt - 1, 16));
        options.ticker().sleep(longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1));
    }

    /** Likewise, after an answer that may say how long ({@code Retry-After}, in seconds); not longer than one may take. */
    public void pause(int attempt, HttpResponse<?> answer) throws InterruptedIOException {
        String asked = answer.headers().firstValue("Retry-After").orElse("").strip();
        if (asked.matches("[0-9]{1,9}")) {
            options.ticker().sleep(Math.min(Long.parseLong(asked) * 1000, options.timeout().toMillis()));
        }
        pause(attempt);
    }

    // --- one request

    /** Sends a request, once, and waits for all of the answer. */
    public <T> HttpResponse<T> exchange(HttpRequest request, BodyHandler<T> handler) throws IOException {
        return whole(http.sendAsync(request, handler));
    }

    /**
     * Sends a request whose body is to be asked for by {@code 100 Continue}.
     *
     * @param request one made with {@link HttpRequest.Builder#expectContinue}
     * @param asked   completes when the body is asked for
     * @return null: it was not asked for soon, nothing of it was sent, and the request was given up. That server is busy, or
     *         does not know the question, or refuses: of an answer that is no 100 the JDK's client says nothing.
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
            throw interrupted();
        } catch (ExecutionException e) {
            // Below, as what else the answer is.
        }
        return whole(answer);
    }

    private <T> HttpResponse<T> whole(CompletableFuture<HttpResponse<T>> answer) throws IOException {
        // The timeout of a request ends with the headers of the answer; this one is for its body too.
        try {
            return answer.get(options.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            renew();
            throw new IOException("no whole answer within " + options.timeout().toMillis() / 1000.0 + " s", e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw interrupted();
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

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while waiting for a server");
    }

    // --- errors

    /** The error that no answer is. */
    public UnreachableException unreachable(URI uri, int attempts, IOException cause) {
        String times = attempts == 1 ? "" : ", tried " + attempts + " times";
        return new UnreachableException(bare(uri), 0, describe(cause) + times, cause);
    }

    private static String describe(IOException e) {
        if (e instanceof ConnectException) {
            return "no connection; is the server running?";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** The error that an answer is which was not expected. */
    public HttpException failure(HttpResponse<?> answer) throws IOException {
        int status = answer.statusCode();
        URI uri = bare(answer.uri());
        String message = said(answer) + hint(answer);
        return isTrouble(status, false)
                ? new UnreachableException(uri, status, message, null)
                : new HttpException(uri, status, message, null);
    }

    /** The error that an answer of something else than the server that was asked is. */
    public HttpException unexpected(HttpResponse<?> answer, String server) throws IOException {
        return new HttpException(bare(answer.uri()), answer.statusCode(),
                said(answer) + ", which is no answer of " + server + "; is the address right?", null);
    }

    private String said(HttpResponse<?> answer) throws IOException {
        String text = AnswerText.of(MediaType.of(answer.headers()).type(), text(answer.body()));
        String shown = Redaction.text(options.credentials().hide(text));
        return "answered " + answer.statusCode() + (shown.isEmpty() ? "" : ": " + shown);
    }

    private String hint(HttpResponse<?> answer) {
        return switch (answer.statusCode()) {
            case 401, 403 -> "; name user and password, or a token, that may do this" + options.credentials().hint();
            case 404 -> "; is the name right, and has the server this service?";
            case 405 -> "; does the server allow changes?";
            case 301, 302, 303, 307, 308 -> "; it has moved to " + answer.headers().firstValue("Location")
                    .map(Redaction::address).map(options.credentials()::hide).orElse("another place");
            default -> "";
        };
    }

    private static String text(Object body) throws IOException {
        if (body instanceof Path || body instanceof SpillBuffer) {
            try (InputStream in = body instanceof Path file ? Files.newInputStream(file) : ((SpillBuffer) body).read()) {
                return new String(in.readNBytes(ERROR_BYTES), UTF_8);
            }
        }
        return body instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(body);
    }

    private static URI bare(URI uri) {
        return URI.create(uri.toString().replaceFirst("\\?.*", ""));
    }
}
