package io.jellybridge.sync;

import io.jellybridge.codec.Io;
import io.jellybridge.codec.Op;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse;
import java.util.UUID;

/**
 * Sends changes to a store by SPARQL Update, in requests of bounded size. Each request is one operation with a condition
 * ({@code DELETE … INSERT … WHERE}), and the operation changes what the condition requires. So each request takes effect once,
 * even if it arrives late or twice, and only after the request before it. The store is queried for the effect of a request,
 * since the response may be wrong or missing. All changes are there exactly if the last mark is.
 *
 * <ul>
 *   <li>A {@link Chain} of requests has a number in the graph of positions. Each request requires the number before it and sets
 *       the next one.
 *   <li>A step that fits into one request requires the old position and the absence of a {@link Lease}. It sets the next
 *       position.
 *   <li>A step with more requests is a chain under a lease. Each request also requires the lease's token, so a holder that
 *       slept and lost the lease changes nothing any more. The last request sets the position and ends the lease.
 * </ul>
 *
 * <p>A store applies a request completely or not at all if it follows the recommendation of SPARQL 1.1. If the sender dies,
 * some of several requests may have been applied. The position is the old one then. Repeating the step gives the same result,
 * since deleting an absent statement or adding a present one does nothing.
 */
final class SparqlDelivery {
    private static final int TOO_LARGE = 413;
    private static final String RECEIPT = "urn:jellybridge:receipt";
    private static final String GRAPH = "GRAPH <" + StoredPosition.GRAPH + "> ";

    private final SparqlClient client;
    private final HttpCalls calls;
    private LeaseOptions lease;
    /** The clients of leases; null before the first lease. */
    private Lease.Clients leases;

    SparqlDelivery(SparqlClient client, LeaseOptions lease) {
        this.client = client;
        this.calls = client.updates().calls();
        this.lease = lease;
    }

    // --- one request

    /**
     * Sends an update until it is known to be done, or was answered.
     *
     * @return true if it was sent; false if it is too large for the server and must be split
     */
    private boolean deliverStep(String update, boolean divisible, Io.Supplier<Boolean> mark) throws IOException {
        IOException failure = null;
        for (int attempt = 1; attempt <= calls.options().attempts(); attempt++) {
            if (failure != null && isThere(mark, failure)) {
                return true;
            }
            try {
                HttpResponse<byte[]> answer = calls.sendOnce(client.updateRequest(update), HttpCalls.receipt());
                int status = answer.statusCode();
                if (status / 100 == 2) {
                    return true;
                }
                failure = calls.toFailure(answer);
                if (status == TOO_LARGE && divisible) {
                    return false;
                }
                if (!HttpCalls.isTrouble(status, true)) {
                    throw failure;
                }
                calls.pause(attempt, answer);
            } catch (InterruptedIOException | HttpException e) {
                throw e;
            } catch (IOException e) {
                failure = calls.unreachableError(client.updates().uri(), attempt, e);
                calls.pause(attempt);
            }
        }
        if (isThere(mark, failure)) {
            return true;
        }
        throw failure;
    }

    private boolean isThere(Io.Supplier<Boolean> mark, IOException failure) throws IOException {
        try {
            return mark.get();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            HttpException unknown = HttpException.ofUnknown(client.updates().uri(), "the changes were made", "do it again", failure, e);
            throw unknown;
        }
    }

    private static String toOperation(SparqlChanges changes, String deleted, String inserted, String condition) {
        return "DELETE {\n" + deleted + changes.toTemplate(Op.D) + "}\nINSERT {\n" + inserted + changes.toTemplate(Op.A)
                + "}\nWHERE {\n" + condition + "}";
    }

    private static String inPositions(String triples) {
        return GRAPH + "{ " + triples + " }\n";
    }

    private boolean isStored(String triple) throws IOException {
        return !client.select("SELECT * { " + inPositions(triple) + "}").isEmpty();
    }

    // --- several requests

    /** A sequence of requests, of which each takes effect after the one before it. */
    private final class Chain {
        private final String key = "urn:jellybridge:apply:" + UUID.randomUUID();
        /** A further condition of each request. */
        private final String condition;
        private int sent;

        Chain(String condition) throws IOException {
            this.condition = condition;
            client.update("INSERT DATA { " + inPositions(positionAt(0)) + "}", true);
        }

        private String positionAt(int number) {
            return "<%s> <%s> \"%s\"".formatted(key, StoredPosition.PREDICATE, number);
        }

        String now() {
            return positionAt(sent);
        }

        void sendChanges(SparqlChanges changes) throws IOException {
            String update = toOperation(changes, inPositions(positionAt(sent)), inPositions(positionAt(sent + 1)),
                    inPositions(positionAt(sent)) + condition);
            if (deliverStep(update, changes.size() > 1, () -> isAt(sent + 1))) {
                sent++;
            } else {
                sendChanges(changes.half());
                sendChanges(changes);
            }
        }

        private boolean isAt(int number) throws IOException {
            return isStored(positionAt(number));
        }

        /**
         * Checks that the last request took effect.
         *
         * @throws HttpException a request was answered with success but not applied
         */
        void check() throws IOException {
            if (!isAt(sent)) {
                throw client.notMadeError("the last change");
            }
        }
    }

    /** Sends patches without a step, each in as few requests as possible. */
    final class Loose implements Closeable {
        private Chain chain;

        /** Sends changes of a patch; more of them may follow. */
        void sendChanges(SparqlChanges changes) throws IOException {
            if (chain == null) {
                chain = new Chain("");
            }
            chain.sendChanges(changes);
        }

        /** Checks at the end of a patch that all its changes are in the store. */
        void check() throws IOException {
            if (chain != null) {
                chain.check();
            }
        }

        @Override
        public void close() {
            if (chain != null) {
                client.deleteReceipt(chain.key);
            }
        }
    }

    // --- a step

    /** Sends the changes of a step. */
    final class Step implements Closeable {
        private final PositionUpdate advance;
        private final String key;
        /** A unique triple, which shows that this sender took the step and no other. Each key has its own. */
        private final String receipt;
        private Lease held;
        private Chain chain;

        Step(PositionUpdate advance) {
            this.advance = advance;
            this.key = "<" + SparqlClient.escapeText(advance.key()) + ">";
            this.receipt = toTriple(RECEIPT, "\"" + UUID.randomUUID() + "\"");
        }

        /** Sends changes; more of them follow. */
        void sendChanges(SparqlChanges changes) throws IOException {
            if (chain == null) {
                begin();
            }
            chain.sendChanges(changes);
        }

        /** Sends the last changes and sets the position. */
        void finish(SparqlChanges changes) throws IOException {
            if (chain == null && !isAlone(changes)) {
                begin();
            }
            if (chain != null) {
                endStep(changes);
            }
        }

        private void begin() throws IOException {
            leases = leases == null ? Lease.Clients.of(client) : leases;
            held = new Lease(leases, lease);
            lease = lease.withBreaks(false);
            held.take();
            advance.check(client.storedPosition(advance.key()));
            chain = new Chain(inPositions(held.claim()));
        }

        /** Sends the whole step in one request. Returns false if the step needs a lease. */
        private boolean isAlone(SparqlChanges changes) throws IOException {
            String update = stepOf(changes, "", "FILTER NOT EXISTS { " + inPositions(Lease.anyClaim()) + "}\n");
            if (!deliverStep(update, changes.size() > 1, this::isTaken)) {
                return false;
            }
            if (isTaken()) {
                return true;
            }
            advance.check(client.storedPosition(advance.key()));
            return false; // another sync has, or had, a lease
        }

        private void endStep(SparqlChanges changes) throws IOException {
            String update = stepOf(changes, inPositions(chain.now()) + inPositions(held.all()),
                    inPositions(chain.now()) + inPositions(held.claim()) + inPositions(held.all()));
            if (!deliverStep(update, changes.size() > 1, this::isTaken)) {
                chain.sendChanges(changes.half());
                endStep(changes);
                return;
            }
            if (isTaken()) {
                held.ended();
                return;
            }
            advance.check(client.storedPosition(advance.key()));
            if (!Boolean.TRUE.equals(held.holds(advance))) {
                throw held.lossError();
            }
            throw client.notMadeError("the position");
        }

        private boolean isTaken() throws IOException {
            return isStored(receipt);
        }

        private String stepOf(SparqlChanges changes, String deleted, String condition) {
            Position from = advance.expected();
            String before = from == null
                    ? "FILTER NOT EXISTS { " + inPositions(toTriple(StoredPosition.PREDICATE, "?any")) + "}\n"
                    : inPositions(toTriple(StoredPosition.PREDICATE, StoredPosition.toCanonical(from.id())) + (from.applied() == null ? ""
                            : " . " + toTriple(StoredPosition.APPLIED, StoredPosition.toLiteral(from.applied()))));
            String old = inPositions(toTriple(StoredPosition.APPLIED, "?applied"));
            String last = inPositions(toTriple(RECEIPT, "?receipt"));
            StringBuilder set = new StringBuilder(inPositions(receipt));
            advance.forEachTerm((predicate, term) -> set.append(inPositions(toTriple(predicate, term))));
            String unset = from == null ? "" : inPositions(toTriple(StoredPosition.PREDICATE, StoredPosition.toCanonical(from.id())));
            return toOperation(changes, unset + old + last + deleted, set.toString(),
                    before + "OPTIONAL { " + old + "}\nOPTIONAL { " + last + "}\n" + condition);
        }

        private String toTriple(String predicate, String object) {
            return key + " <" + predicate + "> " + object;
        }

        @Override
        public void close() throws IOException {
            if (held != null) {
                held.close();
            }
        }
    }
}
