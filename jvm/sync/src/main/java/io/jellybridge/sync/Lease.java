package io.jellybridge.sync;

import io.jellybridge.codec.Threads;
import io.jellybridge.http.HttpOptions.Ticker;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A lock with a time limit, which keeps two syncs apart at a Fuseki without our module. Such a server compares no positions. A
 * lease is two quads in the graph of positions: the token of its holder and the time when it ends. It is short, and its holder
 * renews it. So the lease of a killed process ends soon.
 *
 * <ol>
 *  <li>One SPARQL Update takes the lease if it is free, ended, or the caller's already. A query then tells who holds it.
 *  <li>A thread renews the lease after each third of its time, as long as the caller holds it.
 *  <li>The holder sends the patch. Fuseki opens its transaction before it asks for the body (by {@code 100 Continue}), and has
 *      one writer at a time. From there on nobody else can move the position or take the lease. The last rows set the
 *      position. Before it sends them, the holder asks again whether it still {@link #holds} the lease, and whether the
 *      position is the expected one. If not, the body ends with {@code TA} and the server applies nothing. So a holder that
 *      slept, and lost the lease meanwhile, writes nothing. A server that does not ask for the body soon gets it unasked. The
 *      holder then asks when it has sent all but the last rows.
 *  <li>The last rows delete the lease, so it ends in the transaction that sets the new position.
 *  <li>Before a retry the holder takes the lease again. This waits for the transaction of the first try if that is still
 *      running.
 * </ol>
 *
 * <p>Clocks: the server alone writes and compares the end of the lease, so the clocks of the syncs do not matter. A server may
 * answer no query within the transaction, because its dataset can't be read while it is written. The holder then uses its own
 * monotonic clock. It counts the time of the lease from before its request, so the lease ends for the holder before it ends
 * for the server.
 *
 * <p>While a long transaction of the holder runs, renewals wait for it, and the lease seems to end. Another sync that takes
 * the lease then waits too, and finds the position moved.
 *
 * <p>Limit: a proxy that receives the whole body, and passes it on after the holder is gone and the lease ended. The key has
 * two positions then, and the next sync reports it. This can't happen with the module, which compares positions in the
 * transaction.
 */
final class Lease implements AutoCloseable {
    private static final String NAME = "<urn:jellybridge:lease>";
    private static final String TOKEN = "<urn:jellybridge:token>";
    private static final String EXPIRES = "<urn:jellybridge:expires>";
    private static final Duration POLL = Duration.ofMillis(500);
    /** The timeout of the query within the transaction. */
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(10);

    /**
     * The clients for the server. All leases of a target share them.
     *
     * @param holder    the client that also sends the patch
     * @param renewals  the client for renewals. It has the full timeout, so that only one renewal at a time waits for a long
     *                  transaction
     * @param questions the client for queries within the transaction of the holder
     */
    record Clients(SparqlClient holder, SparqlClient renewals, SparqlClient questions) {

        static Clients of(SparqlClient holder) {
            return new Clients(holder, holder.with(options -> options.withAttempts(1)), holder.with(options ->
                    options.withAttempts(1).withTimeout(Collections.min(List.of(options.timeout(), LONGEST_QUESTION)))));
        }
    }

    private final Clients clients;
    private final Ticker ticker;
    private final LeaseOptions options;
    private final String graph;
    private final String token = "\"" + UUID.randomUUID() + "\"";
    private final Thread renewals = Threads.newDaemon(this::renew, "jellybridge-lease");
    private volatile String expires;
    /** The end of the lease, by the {@link #ticker}. */
    private volatile long endsAt;
    /** True if the last rows of the body delete the whole lease. */
    private boolean deletesAll;
    private boolean renewing;
    /** True if the caller holds the lease, or may hold it. */
    private boolean held;
    private boolean applied;
    private boolean breaks;

    Lease(Clients clients, LeaseOptions options) {
        this.clients = clients;
        this.ticker = clients.holder().updates().calls().options().ticker();
        this.options = options;
        this.graph = "<" + StoredPosition.GRAPH + ">";
        this.breaks = options.breaks();
    }

    /**
     * Takes the lease or renews it.
     *
     * @throws SyncLeaseException another sync still holds it after {@link LeaseOptions#longestWait}
     */
    void take() throws IOException {
        long start = ticker.nanos();
        while (!tryToTake()) {
            if (ticker.nanos() - start >= options.longestWait().toNanos()) {
                throw lossError();
            }
            ticker.sleep(POLL.toMillis());
        }
        if (renewals.getState() == Thread.State.NEW) {
            renewals.start();
        }
    }

    /** Returns the error that another sync holds the lease. */
    SyncLeaseException lossError() {
        return new SyncLeaseException(clients.holder().updates().calls().options().base().toString(), expires);
    }

    private boolean tryToTake() throws IOException {
        String condition = breaks ? "" : "FILTER (!bound(?token) || ?token = %s || !bound(?expires) || ?expires < now())"
                .formatted(token);
        breaks = false;
        synchronized (this) {
            deletesAll = false;
        }
        held = true; // also if the response is lost
        held = prolongLease(clients.holder(), "OPTIONAL { GRAPH %s { %s %s ?token } }".formatted(graph, NAME, TOKEN), condition);
        return held;
    }

    /** Sets the token and a new end if a condition holds. Returns true if the caller holds the lease then. */
    private boolean prolongLease(SparqlClient asks, String found, String condition) throws IOException {
        long before = ticker.nanos();
        asks.update("""
                PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
                DELETE { GRAPH %1$s { %2$s %3$s ?token ; %4$s ?expires } }
                INSERT { GRAPH %1$s { %2$s %3$s %5$s ; %4$s ?new } }
                WHERE {
                  %6$s
                  OPTIONAL { GRAPH %1$s { %2$s %4$s ?expires } }
                  %7$s
                  BIND (coalesce(now() + "PT%8$sS"^^xsd:dayTimeDuration, "%9$s"^^xsd:dateTime) AS ?new)
                }""".formatted(graph, NAME, TOKEN, EXPIRES, token, found, condition, options.lasts().toMillis() / 1000.0,
                // For a store that can't add durations, which SPARQL 1.1 does not require. Its clock and ours must agree.
                Instant.now().plus(options.lasts()).truncatedTo(ChronoUnit.MILLIS)), true);
        List<Map<String, String>> held = asks.select("SELECT ?token ?expires { GRAPH %s { %s %s ?token ; %s ?expires } }"
                .formatted(graph, NAME, TOKEN, EXPIRES));
        boolean mine = held.size() == 1 && token.equals(held.get(0).get("token"));
        expires = held.isEmpty() ? null : held.get(0).get("expires");
        if (mine) {
            endsAt = before + options.lasts().toNanos();
        }
        return mine;
    }

    private void renew() {
        try {
            while (true) {
                ticker.sleep(options.lasts().toMillis() / 3);
                renewOnce();
            }
        } catch (InterruptedIOException e) {
            // closed
        }
    }

    private void renewOnce() throws InterruptedIOException {
        try {
            startRenewal();
            prolongLease(clients.renewals(),
                    "GRAPH %s { %s %s %s } BIND (%4$s AS ?token)".formatted(graph, NAME, TOKEN, token), "");
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            // The next renewal tries again, or the lease ends.
        } finally {
            endRenewal();
        }
    }

    private synchronized void startRenewal() {
        renewing = true;
        deletesAll = false;
    }

    private synchronized void endRenewal() {
        renewing = false;
    }

    /**
     * Returns true if the caller holds the lease and a key has the expected position. Called within the caller's transaction.
     *
     * @return null if there is no answer, for example because the dataset can't be read while it is written
     */
    Boolean holds(PositionUpdate advance) {
        try {
            List<Map<String, String>> found = clients.questions().select("""
                    SELECT ?position ?applied {
                      GRAPH %1$s { %2$s %3$s %4$s }
                      OPTIONAL { GRAPH %1$s { <%5$s> <%6$s> ?position OPTIONAL { <%5$s> <%7$s> ?applied } } }
                    }""".formatted(graph, NAME, TOKEN, token, advance.key(), StoredPosition.PREDICATE,
                    StoredPosition.APPLIED));
            return found.size() == 1 && advance.beginsAt(readPosition(found.get(0)));
        } catch (IOException e) {
            return null;
        }
    }

    private static Position readPosition(Map<String, String> row) {
        String id = row.get("position");
        return id == null ? null : new Position(id, StoredPosition.fromLiteral(row.get("applied")));
    }

    /** Returns true if the lease has not ended by the caller's clock. */
    boolean isCurrent() {
        return endsAt - ticker.nanos() > 0;
    }

    /** Returns a SPARQL triple that is in the graph of positions as long as the caller holds the lease. */
    String claim() {
        return NAME + " " + TOKEN + " " + token;
    }

    /** Returns a SPARQL triple that is there as long as anybody holds the lease. Its variable is {@code ?token}. */
    static String anyClaim() {
        return NAME + " " + TOKEN + " ?token";
    }

    /**
     * Returns a SPARQL triple for the whole lease, for an update that ends it. Its variables are {@code ?lease} and
     * {@code ?held}.
     */
    synchronized String all() {
        deletesAll = true; // a later renewal requires the token
        return NAME + " ?lease ?held";
    }

    /** Returns the rows of RDF Patch text that end the lease. */
    synchronized String ends() {
        deletesAll = !renewing;
        return "D %2$s %3$s %5$s %1$s .\nD %2$s %4$s %6$s %1$s .\n".formatted(graph, NAME, TOKEN, EXPIRES, token, expires);
    }

    /** Records that the last rows of the patch were applied, which ended the lease. */
    void ended() {
        applied = true;
    }

    /**
     * Ends the lease if it is still held. If this fails, nothing is thrown, since the lease ends by its time.
     *
     * @throws InterruptedIOException the thread was interrupted before the lease was ended
     */
    @Override
    public void close() throws IOException {
        stopRenewals();
        boolean isLeft;
        synchronized (this) {
            isLeft = applied ? !deletesAll : held;
        }
        if (isLeft) {
            try {
                release();
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                // The server can't be reached.
            }
        }
    }

    private void stopRenewals() throws InterruptedIOException {
        renewals.interrupt();
        try {
            renewals.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a lease ended");
        }
    }

    private void release() throws IOException {
        clients.holder().update("""
                DELETE { GRAPH %1$s { %2$s ?p ?o } }
                WHERE {
                  GRAPH %1$s { %2$s ?p ?o }
                  FILTER NOT EXISTS { GRAPH %1$s { %2$s %3$s ?other } FILTER (?other != %4$s) }
                }""".formatted(graph, NAME, TOKEN, token), true);
    }
}
