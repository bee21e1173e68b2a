package io.jellybridge.sync;

import io.jellybridge.http.Ticker;
import io.jellybridge.jena.apply.Advance;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Keeps two syncs apart at a Fuseki without our module, which compares no positions. A lease is two quads in the graph of
 * positions: the token of its holder, and when it ends. It is short, and renewed while its holder lives; so what a holder
 * that was killed leaves ends soon.
 *
 * <ol>
 *   <li>One SPARQL Update takes it, if it is free, ended, or the caller's already; a query then tells whose it is.
 *   <li>A thread renews it, each third of its time, as long as it is the caller's.
 *   <li>The holder sends the patch. Fuseki opens its transaction before it asks for the body (by {@code 100 Continue}), and
 *       has one writer at a time: from there on nobody else can move the position or take the lease. Before the last rows,
 *       which set the position, the holder asks once more whether it still {@link #holds} the lease, and whether the
 *       position is the one that it starts from; if not, the body ends with {@code TA}, and nothing of it is applied. So a
 *       holder that slept, and lost the lease meanwhile, writes nothing. A server that does not ask for the body soon gets
 *       it unasked, and the question then comes when all of it but the last rows is sent.
 *   <li>The last rows delete the lease, so that it ends in the transaction that sets the new position.
 *   <li>Before it sends a patch again the holder takes the lease again. This waits for the transaction of the first try,
 *       if that is still running.
 * </ol>
 *
 * <p>Clocks: the end of the lease is written and compared by the server alone, so those of the syncs do not matter. Where
 * the server can't be asked within the transaction (its dataset lets no one read while it is written), the holder goes by
 * its own monotonic clock: the lease ends for it as long after it began to ask for it as the lease lasts, which is before it
 * ends for the server.
 *
 * <p>While a long transaction of the holder runs, renewals wait behind it, and the lease seems to end. Whoever takes it then
 * waits behind it too, and finds the position moved.
 *
 * <p>Its limit: something between client and server that takes the whole body by itself, and hands it on after the holder
 * is gone and the lease ended. The key has two positions then, and the next sync says so. With the module, which compares
 * positions in the transaction, it can't happen.
 */
final class Lease implements AutoCloseable {
    private static final String NAME = "<urn:jellybridge:lease>";
    private static final String TOKEN = "<urn:jellybridge:token>";
    private static final String EXPIRES = "<urn:jellybridge:expires>";
    private static final Duration POLL = Duration.ofMillis(500);
    /** How long the question may take that is asked within the transaction. */
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(10);

    /**
     * Who speaks to the server; all leases of a target have the same.
     *
     * @param holder    the one that also sends the patch
     * @param renewals  which wait behind a long transaction: with all of the timeout, so that one at a time waits there
     * @param questions within the transaction of the holder
     */
    record Clients(SparqlClient holder, SparqlClient renewals, SparqlClient questions) {

        static Clients of(SparqlClient holder) {
            return new Clients(holder, holder.with(options -> options.withAttempts(1)), holder.with(options ->
                    options.withAttempts(1).withTimeout(shorter(options.timeout(), LONGEST_QUESTION))));
        }

        private static Duration shorter(Duration one, Duration other) {
            return one.compareTo(other) < 0 ? one : other;
        }
    }

    private final Clients clients;
    private final Ticker ticker;
    private final LeaseOptions options;
    private final String graph;
    private final String token = "\"" + UUID.randomUUID() + "\"";
    private final Thread renewals = new Thread(this::renew, "jellybridge-lease");
    private volatile String expires;
    /** By the {@link #ticker}. */
    private volatile long endsAt;
    /** Whether what the last rows of the body delete is all that is there of the lease. */
    private boolean deletesAll;
    private boolean renewing;
    /** Whether it is the caller's, or may be. */
    private boolean held;
    private boolean applied;
    private boolean breaks;

    Lease(Clients clients, LeaseOptions options) {
        this.clients = clients;
        this.ticker = clients.holder().updates().calls().options().ticker();
        this.options = options;
        this.graph = "<" + StoredPosition.GRAPH + ">";
        this.breaks = options.breaks();
        renewals.setDaemon(true);
    }

    /**
     * Takes the lease, or prolongs it.
     *
     * @throws SyncLeaseException another one holds it, also at the end of {@link LeaseOptions#longestWait}
     */
    void take() throws IOException {
        long start = ticker.nanos();
        while (!tryToTake()) {
            if (ticker.nanos() - start >= options.longestWait().toNanos()) {
                throw lost();
            }
            ticker.sleep(POLL.toMillis());
        }
        if (renewals.getState() == Thread.State.NEW) {
            renewals.start();
        }
    }

    /** The error that it is another's. */
    SyncLeaseException lost() {
        return new SyncLeaseException(clients.holder().updates().calls().options().base().toString(), expires);
    }

    private boolean tryToTake() throws IOException {
        String condition = breaks ? "" : "FILTER (!bound(?token) || ?token = %s || !bound(?expires) || ?expires < now())"
                .formatted(token);
        breaks = false;
        setDeletesAll(false);
        held = true; // also where the answer is lost
        held = prolong(clients.holder(), "OPTIONAL { GRAPH %s { %s %s ?token } }".formatted(graph, NAME, TOKEN), condition);
        return held;
    }

    /** Sets the token and a new end where a condition holds, and tells whether the lease is the caller's then. */
    private boolean prolong(SparqlClient asks, String found, String condition) throws IOException {
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
                // For a store that can't add: SPARQL 1.1 has no such sum. There our clocks have to agree.
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
            prolong(clients.renewals(),
                    "GRAPH %s { %s %s %s } BIND (%4$s AS ?token)".formatted(graph, NAME, TOKEN, token), "");
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            // The next time, or the lease ends.
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

    private synchronized void setDeletesAll(boolean all) {
        deletesAll = all;
    }

    /**
     * Whether the caller holds the lease, and a key has the position that is expected; within the caller's transaction.
     *
     * @return null: there is no answer, as where nobody may read while the dataset is written
     */
    Boolean holds(Advance advance) {
        try {
            List<Map<String, String>> found = clients.questions().select("""
                    SELECT ?position ?applied {
                      GRAPH %1$s { %2$s %3$s %4$s }
                      OPTIONAL { GRAPH %1$s { <%5$s> <%6$s> ?position OPTIONAL { <%5$s> <%7$s> ?applied } } }
                    }""".formatted(graph, NAME, TOKEN, token, advance.key(), StoredPosition.PREDICATE,
                    StoredPosition.APPLIED));
            return found.size() == 1 && advance.beginsAt(position(found.get(0)));
        } catch (IOException e) {
            return null;
        }
    }

    private static Position position(Map<String, String> row) {
        String id = row.get("position");
        return id == null ? null : new Position(id, StoredPosition.text(row.get("applied")));
    }

    /** Whether the time has not come when it may be another's. */
    boolean isCurrent() {
        return endsAt - ticker.nanos() > 0;
    }

    /** What holds, in the graph of positions, as long as it is the caller's: a triple in SPARQL. */
    String claim() {
        return NAME + " " + TOKEN + " " + token;
    }

    /** What holds as long as it is anybody's; the variable is {@code ?token}. */
    static String anyClaim() {
        return NAME + " " + TOKEN + " ?token";
    }

    /** All there is of it, for an update that ends it; the variables are {@code ?lease} and {@code ?held}. */
    synchronized String all() {
        deletesAll = true; // of a renewal that comes later the token is the condition
        return NAME + " ?lease ?held";
    }

    /** The rows of RDF Patch text that end it. */
    synchronized String ends() {
        deletesAll = !renewing;
        return "D %2$s %3$s %5$s %1$s .\nD %2$s %4$s %6$s %1$s .\n".formatted(graph, NAME, TOKEN, EXPIRES, token, expires);
    }

    /** The last rows of the patch were applied, and ended it. */
    void ended() {
        applied = true;
    }

    /**
     * Ends it, if it is still held. A failure to do so is none of the caller's: the lease ends by its time.
     *
     * @throws InterruptedIOException the thread was interrupted before it was ended
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
                // The server is not there.
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
