package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.TermSource;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpException;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.http.Redaction;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.log.JsonText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

/**
 * Sends patches to a dataset of a Fuseki server, with our module or without it. Each body is one request, whose transaction
 * stores the new position. The position is the receipt: the patches were applied exactly if it is there, whatever the server
 * answered.
 *
 * <p>A server with the module ({@code io.jellybridge.fuseki}) gets Jelly-Patch and compares the position in the transaction.
 * Other servers get RDF Patch text, and a {@link Lease} keeps two syncs apart. Fuseki answers 200 to text that it could not
 * apply; the receipt shows it.
 *
 * <p>After a failed connection, an incomplete response, a timeout or a 5xx, the position is read before the next attempt.
 * There are up to {@link io.jellybridge.http.HttpOptions#attempts()} attempts in all.
 */
final class FusekiDelivery {
    /** The rule of a row that a dataset can't store. */
    private static final String APPLY = "apply";

    private final FusekiClient client;
    /** True if the server has our module; null if not known yet. */
    private Boolean module;
    /** True if the next lease may be taken from another sync. */
    private boolean breakLease;
    /** The clients of leases; null before the first lease. */
    private Lease.Clients leases;
    /** True if the server, as far as is known, answers queries while a transaction writes. */
    private volatile boolean answersWithin = true;

    FusekiDelivery(FusekiClient client) {
        this.client = client;
        this.breakLease = client.options().lease().breaks();
    }

    /** Creates an empty body in the format that the server accepts. */
    <T> PatchBody<T> newBody(TermSource<T> terms) throws IOException {
        return new PatchBody<>(hasModule(), terms);
    }

    /** Returns true if the server has our module. It then gets Jelly-Patch, and otherwise text. */
    boolean hasModule() throws IOException {
        if (module == null) {
            module = client.takesJelly();
        }
        return module;
    }

    /**
     * Thrown when our module was added to the server or removed since it was asked. The next body has the format that it
     * accepts now.
     */
    static final class OtherFormatException extends HttpException {
        private static final long serialVersionUID = 1L;

        private OtherFormatException(URI service, int status, boolean hadModule) {
            super(service, status, "the server " + (hadModule ? "does not take Jelly-Patch any more"
                    : "takes Jelly-Patch now") + ", and nothing of this patch was applied; send it again", null);
        }
    }

    private OtherFormatException otherFormatError(int status) {
        boolean hadModule = module;
        module = null;
        return new OtherFormatException(client.patchAddress(), status, hadModule);
    }

    /**
     * Sends a body until it is known whether it was applied.
     *
     * @param file      a finished {@link PatchBody}
     * @param contended true if others may take the same step
     * @return true if another copy of it may still arrive, after an attempt without an answer
     */
    boolean deliver(Path file, PositionUpdate advance, boolean contended) throws IOException {
        if (hasModule() || !contended) {
            return sendOnce(file, advance, contended, null, List.of());
        }
        boolean breaks = breakLease;
        breakLease = false;
        leases = leases == null ? Lease.Clients.of(client) : leases;
        try (Lease lease = new Lease(leases, client.options().lease().withBreaks(breaks))) {
            lease.take();
            SparqlClient.Stored before = client.fetchStored(advance.key());
            advance.check(before.position());
            boolean isRepeated = sendOnce(file, advance, true, lease, before.applied());
            lease.ended();
            return isRepeated;
        }
    }

    /**
     * Sends a body in up to the allowed number of attempts.
     *
     * @param applied the texts beside the position, which this step replaces
     * @return true if an attempt without an answer may still arrive
     */
    private boolean sendOnce(Path file, PositionUpdate advance, boolean contended, Lease lease, List<String> applied)
            throws IOException {
        IOException failure = null;
        int unanswered = 0;
        for (int attempt = 1; attempt <= client.options().http().attempts(); attempt++) {
            if (failure != null) {
                client.calls().pause(attempt - 1);
                if (arrivedMeanwhile(advance, lease, failure)) {
                    return unanswered > 1;
                }
            }
            try {
                LastRows lastRows = new LastRows(advance, lease, applied);
                HttpResponse<byte[]> answer = sendFile(file, advance, lastRows);
                failure = lastRows.tookBack
                        ? lease.lossError()
                        : findFailure(answer, advance, attempt > 1 || !contended);
                if (failure == null) {
                    return unanswered > 0;
                }
                unanswered++;
            } catch (InterruptedIOException | HttpException e) {
                throw e;
            } catch (IOException e) {
                unanswered += e instanceof ConnectException ? 0 : 1;
                failure = client.unreachableError(attempt, e);
            }
        }
        if (!arrivedMeanwhile(advance, lease, failure)) {
            throw failure;
        }
        return unanswered > 1;
    }

    /** Returns true if an attempt with an unknown result was applied. */
    private boolean arrivedMeanwhile(PositionUpdate advance, Lease lease, IOException failure) throws IOException {
        Position found;
        SyncLeaseException lost = null;
        try {
            if (lease != null) {
                lost = takeAgain(lease);
            }
            found = client.storedPosition(advance.key());
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            HttpException unknown = HttpException.ofUnknown(client.options().url(), "the patches were applied", "sync again",
                    failure, e);
            throw unknown;
        }
        if (advance.next().isAt(found)) {
            return true;
        }
        advance.check(found);
        if (lost != null) {
            throw lost;
        }
        return false;
    }

    private static SyncLeaseException takeAgain(Lease lease) throws IOException {
        try {
            lease.take();
            return null;
        } catch (SyncLeaseException e) {
            return e;
        }
    }

    private HttpResponse<byte[]> sendFile(Path file, PositionUpdate advance, LastRows lastRows) throws IOException {
        BodyHandler<byte[]> handler = HttpCalls.receipt();
        if (lastRows.lease != null) {
            // Fuseki begins its transaction and then asks for the body. So the last rows are made within the transaction.
            CompletableFuture<Void> asked = new CompletableFuture<>();
            HttpRequest request = newRequest(file, advance, lastRows, asked).expectContinue(true).build();
            HttpResponse<byte[]> answer = client.calls().exchangeIfAsked(request, handler, asked);
            if (answer != null) {
                return answer;
            }
        }
        return client.calls().sendOnce(newRequest(file, advance, lastRows, new CompletableFuture<>()).build(), handler);
    }

    private HttpRequest.Builder newRequest(Path file, PositionUpdate advance, LastRows lastRows, CompletableFuture<Void> asked)
            throws IOException {
        if (module) {
            return client.patchRequest(toParameters(advance))
                    .header("Content-Type", PatchProtocol.JELLY)
                    .header("Content-Encoding", "gzip")
                    .POST(BodyPublishers.ofFile(file));
        }
        BodyPublisher body = BodyPublishers.concat(BodyPublishers.ofFile(file), BodyPublishers.ofByteArrays(lastRows));
        return client.patchRequest().header("Content-Type", PatchProtocol.TEXT).POST(new AskedFor(body, asked));
    }

    private static String[] toParameters(PositionUpdate advance) {
        List<String> step = new ArrayList<>(List.of(PatchProtocol.KEY, advance.key()));
        addPosition(step, advance.next(), PatchProtocol.NEXT, PatchProtocol.NEXT_APPLIED);
        addPosition(step, advance.expected(), PatchProtocol.EXPECTED, PatchProtocol.EXPECTED_APPLIED);
        if (advance.version() != null) {
            step.addAll(List.of(PatchProtocol.EXPECTED_VERSION, advance.version()));
        }
        return step.toArray(String[]::new);
    }

    private static void addPosition(List<String> step, Position position, String id, String applied) {
        if (position != null) {
            step.addAll(List.of(id, position.id()));
            if (position.applied() != null) {
                step.addAll(List.of(applied, position.applied()));
            }
        }
    }

    /** A body that reports when the server asks for it. */
    private record AskedFor(BodyPublisher body, CompletableFuture<Void> asked) implements BodyPublisher {

        @Override
        public long contentLength() {
            return body.contentLength();
        }

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
            asked.complete(null);
            body.subscribe(subscriber);
        }
    }

    /** The end of a text. It is created when it is sent, after everything before it. */
    private final class LastRows implements Iterable<byte[]> {
        private final PositionUpdate advance;
        private final Lease lease;
        private final List<String> applied;
        private volatile boolean tookBack;

        LastRows(PositionUpdate advance, Lease lease, List<String> applied) {
            this.advance = advance;
            this.lease = lease;
            this.applied = applied;
        }

        @Override
        public Iterator<byte[]> iterator() {
            return Stream.generate(this::text).limit(1).iterator();
        }

        private byte[] text() {
            tookBack = lease != null && !holdsLease(lease, advance);
            return (tookBack ? "TA .\n" : makeReceipt(advance, lease, applied)).getBytes(UTF_8);
        }
    }

    private boolean holdsLease(Lease lease, PositionUpdate advance) {
        Boolean holds = answersWithin ? lease.holds(advance) : null;
        answersWithin = holds != null;
        return holds == null ? lease.isCurrent() : holds;
    }

    /** Returns the last rows of the text: the position, the end of the lease and the end of the transaction. */
    private String makeReceipt(PositionUpdate advance, Lease lease, List<String> applied) {
        Receipt rows = new Receipt(SparqlClient.escapeText(advance.key()));
        if (advance.expected() != null) {
            rows.row("D", StoredPosition.PREDICATE, StoredPosition.toCanonical(advance.expected().id()));
        }
        applied.forEach(text -> rows.row("D", StoredPosition.APPLIED, text));
        advance.forEachTerm((predicate, term) -> rows.row("A", predicate, term));
        return rows.text + (lease == null ? "" : lease.ends()) + "TC .\n";
    }

    /** Rows of RDF Patch text about a key. */
    private record Receipt(String key, StringBuilder text) {

        Receipt(String key) {
            this(key, new StringBuilder());
        }

        void row(String op, String predicate, String term) {
            text.append("%s <%s> <%s> %s <%s> .\n".formatted(op, key, predicate, term, StoredPosition.GRAPH));
        }
    }

    /**
     * Interprets a response.
     *
     * @param mayBeOurs true if the dataset may be at the next position because of this call: an earlier attempt, or a proxy that
     *                  sent this one twice
     * @return null if the patches were applied; otherwise a failure with an unknown effect
     * @throws HttpException   the patches were not applied, and will not be
     * @throws FormatException the dataset can't store a row, see {@link #unstorableError}
     */
    private IOException findFailure(HttpResponse<byte[]> answer, PositionUpdate advance, boolean mayBeOurs) throws IOException {
        int status = answer.statusCode();
        if (module) {
            return judgeModule(answer, advance, mayBeOurs);
        }
        if (status / 100 == 2) {
            Position found;
            try {
                found = client.storedPosition(advance.key());
            } catch (HttpException e) {
                return e;
            }
            if (advance.next().isAt(found)) {
                return null;
            }
            advance.check(found);
            throw new HttpException(client.patchAddress(), status, "answered " + status
                    + ", but applied nothing; the log of the server may say why", null);
        }
        if (status == 400 && client.takesJelly()) {
            throw otherFormatError(status); // our module accepts no position in text
        }
        return judgeFailure(answer);
    }

    private IOException judgeModule(HttpResponse<byte[]> answer, PositionUpdate advance, boolean mayBeOurs) throws IOException {
        JsonObject json = parseJson(answer);
        if (answer.statusCode() == 200) {
            boolean receipt = json != null && advance.next().id().equals(JsonText.getString(json, "position"));
            return receipt ? null : client.calls().toFailure(answer);
        }
        if (answer.statusCode() == 409 && json != null && json.has("found")) {
            String found = JsonText.getString(json, "found");
            if (mayBeOurs && advance.next().id().equals(found) && advance.next().isAt(client.storedPosition(advance.key()))) {
                return null;
            }
            throw new PositionConflictException(advance, Position.of(found));
        }
        if (answer.statusCode() == 500 && json != null && json.has("error")) {
            throw client.calls().toFailure(answer); // our module reports that everything was rolled back
        }
        if (answer.statusCode() == 400 && json != null && APPLY.equals(JsonText.getString(json, "rule"))) {
            throw unstorableError(String.valueOf(JsonText.getString(json, "message")));
        }
        if (answer.statusCode() == 415) {
            throw otherFormatError(answer.statusCode());
        }
        return judgeFailure(answer);
    }

    /**
     * Creates the error for a row that the dataset behind our module can't store, which the client can't know. Other errors of a
     * format are no fault of the patches, since the client has checked these.
     *
     * @param message the server's, which begins with the place in the body
     */
    private FormatException unstorableError(String message) {
        String text = Redaction.toPrintable(message.replaceFirst("^\\[" + APPLY + "] [^:]*: ", ""));
        String[] parts = text.split("; ", 2);
        return FormatException.ofRow(APPLY, client.patchAddress().toString(), parts[0],
                parts.length > 1 ? parts[1] : "nothing was applied");
    }

    private IOException judgeFailure(HttpResponse<byte[]> answer) throws IOException {
        HttpException failure = client.calls().toFailure(answer);
        if (HttpCalls.isTrouble(answer.statusCode(), true)) {
            return failure;
        }
        throw failure;
    }

    private static JsonObject parseJson(HttpResponse<byte[]> answer) {
        try {
            return JsonText.parseObject(new String(answer.body(), UTF_8));
        } catch (IOException e) {
            return null; // a response of another program
        }
    }
}
