package io.jellybridge.sync;

import io.jellybridge.codec.Op;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpException;
import io.jellybridge.jena.apply.Advance;
import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse;
import java.util.UUID;

/**
 * Brings changes to a store by SPARQL Update, in requests of bounded size. Each request is one operation with a condition
 * ({@code DELETE … INSERT … WHERE}), and changes what the condition asks for: so it takes place once, however often it
 * arrives and however late, and only behind the request before it. What a request does is asked for, not believed: whatever
 * the store answered, or did not, all of the changes are there exactly if the last mark is.
 *
 * <ul>
 *   <li>A {@link Chain} of requests has a number in the graph of positions. A request has the number before it as its
 *       condition, and sets the next one.
 *   <li>A step whose changes fit into one request has the position as its condition, and that there is no {@link Lease};
 *       it sets the next position.
 *   <li>A step of more requests is a chain under a lease. The lease's token is among the conditions, so that a holder which
 *       slept, and lost it, does nothing any more. The last request sets the position and ends the lease.
 * </ul>
 *
 * <p>A store applies a request whole or not at all, if it does what SPARQL 1.1 recommends. Of several requests some may have
 * been applied when the sender dies: the position is the old one then, and whoever takes the step again comes to the same
 * end, since deleting what is not there and adding what is there do nothing.
 */
final class SparqlDelivery {
    private static final int TOO_LARGE = 413;
    private static final String RECEIPT = "<urn:jellybridge:receipt> <urn:jellybridge:token> ";
    private static final String GRAPH = "GRAPH <" + StoredPosition.GRAPH + "> ";

    private final SparqlClient client;
    private final SparqlPositions positions;
    private final HttpCalls calls;
    private LeaseOptions lease;
    /** null: there was no lease yet. */
    private Lease.Clients leases;

    SparqlDelivery(SparqlClient client, SparqlPositions positions, LeaseOptions lease) {
        this.client = client;
        this.positions = positions;
        this.calls = client.updates().calls();
        this.lease = lease;
    }

    // --- one request

    /** Asks the store for the mark of a request. */
    @FunctionalInterface
    private interface Mark {
        boolean isThere() throws IOException;
    }

    /**
     * Sends an update until it is known that it is done, or was answered.
     *
     * @return whether it was sent; false: it is too large for the server, and has to be divided
     */
    private boolean deliver(String update, boolean divisible, Mark mark) throws IOException {
        IOException failure = null;
        for (int attempt = 1; attempt <= calls.options().attempts(); attempt++) {
            if (failure != null && isThere(mark, failure)) {
                return true;
            }
            try {
                HttpResponse<byte[]> answer = calls.exchange(client.updateRequest(update), HttpCalls.receipt());
                int status = answer.statusCode();
                if (status / 100 == 2) {
                    return true;
                }
                failure = calls.failure(answer);
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
                failure = calls.unreachable(client.updates().uri(), attempt, e);
                calls.pause(attempt);
            }
        }
        if (isThere(mark, failure)) {
            return true;
        }
        throw failure;
    }

    private boolean isThere(Mark mark, IOException failure) throws IOException {
        try {
            return mark.isThere();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            HttpException unknown = HttpException.ofUnknown(client.updates().uri(), "the changes were made", "do it again", failure, e);
            throw unknown;
        }
    }

    private static String operation(SparqlChanges changes, String deleted, String inserted, String condition) {
        return "DELETE {\n" + deleted + changes.template(Op.D) + "}\nINSERT {\n" + inserted + changes.template(Op.A)
                + "}\nWHERE {\n" + condition + "}";
    }

    private static String inPositions(String triples) {
        return GRAPH + "{ " + triples + " }\n";
    }

    private boolean isStored(String triple) throws IOException {
        return !client.select("SELECT * { " + inPositions(triple) + "}").isEmpty();
    }

    // --- several requests

    /** Requests that take place one after the other. */
    private final class Chain {
        private final String key = "<urn:jellybridge:apply:" + UUID.randomUUID() + ">";
        /** What must hold beside. */
        private final String condition;
        private int sent;

        Chain(String condition) throws IOException {
            this.condition = condition;
            client.update("INSERT DATA { " + inPositions(at(0)) + "}", true);
        }

        private String at(int number) {
            return "%s <%s> \"%d\"".formatted(key, StoredPosition.PREDICATE, number);
        }

        String now() {
            return at(sent);
        }

        void send(SparqlChanges changes) throws IOException {
            String update = operation(changes, inPositions(at(sent)), inPositions(at(sent + 1)),
                    inPositions(at(sent)) + condition);
            if (deliver(update, changes.size() > 1, () -> isAt(sent + 1))) {
                sent++;
            } else {
                send(changes.half());
                send(changes);
            }
        }

        private boolean isAt(int number) throws IOException {
            return isStored(at(number));
        }

        /** @throws HttpException a request was answered as if it was done, and was not */
        void check() throws IOException {
            if (!isAt(sent)) {
                throw client.notMade("the last change");
            }
        }

        void delete() throws IOException {
            client.update("DELETE WHERE { " + inPositions(key + " ?p ?o") + "}", true);
        }
    }

    /** Patches without a step, each in as few requests as it goes. */
    final class Loose implements Closeable {
        private Chain chain;

        /** Sends changes of a patch; more of them may follow. */
        void send(SparqlChanges changes) throws IOException {
            if (chain == null) {
                chain = new Chain("");
            }
            chain.send(changes);
        }

        /** The patch has ended: its changes are there when this returns. */
        void check() throws IOException {
            if (chain != null) {
                chain.check();
            }
        }

        @Override
        public void close() throws IOException {
            if (chain != null) {
                chain.delete();
            }
        }
    }

    // --- a step

    /** The changes of a step. */
    final class Step implements Closeable {
        private final Advance advance;
        private final String key;
        /** That this one took the step, and nobody else the same. */
        private final String receipt = RECEIPT + "\"" + UUID.randomUUID() + "\"";
        private Lease held;
        private Chain chain;

        Step(Advance advance) {
            this.advance = advance;
            this.key = "<" + SparqlPositions.escaped(advance.key()) + ">";
        }

        /** Sends changes that others follow. */
        void send(SparqlChanges changes) throws IOException {
            if (chain == null) {
                begin();
            }
            chain.send(changes);
        }

        /** Sends the last changes, and sets the position. */
        void finish(SparqlChanges changes) throws IOException {
            if (chain == null && !alone(changes)) {
                begin();
            }
            if (chain != null) {
                last(changes);
            }
        }

        private void begin() throws IOException {
            leases = leases == null ? Lease.Clients.of(client) : leases;
            held = new Lease(leases, lease);
            lease = lease.withBreaks(false);
            held.take();
            advance.check(positions.stand(advance.key()));
            chain = new Chain(inPositions(held.claim()));
        }

        /** All of the step in one request; false where it is to be taken under a lease. */
        private boolean alone(SparqlChanges changes) throws IOException {
            String update = step(changes, "", "FILTER NOT EXISTS { " + inPositions(Lease.anyClaim()) + "}\n");
            if (!deliver(update, changes.size() > 1, this::isTaken)) {
                return false;
            }
            if (isTaken()) {
                return true;
            }
            advance.check(positions.stand(advance.key()));
            return false; // somebody has, or had, a lease
        }

        private void last(SparqlChanges changes) throws IOException {
            String update = step(changes, inPositions(chain.now()) + inPositions(held.all()),
                    inPositions(chain.now()) + inPositions(held.claim()) + inPositions(held.all()));
            if (!deliver(update, changes.size() > 1, this::isTaken)) {
                chain.send(changes.half());
                last(changes);
                return;
            }
            if (isTaken()) {
                held.ended();
                return;
            }
            advance.check(positions.stand(advance.key()));
            if (!Boolean.TRUE.equals(held.holds(advance))) {
                throw held.lost();
            }
            throw client.notMade("the position");
        }

        private boolean isTaken() throws IOException {
            return isStored(receipt);
        }

        private String step(SparqlChanges changes, String deleted, String condition) {
            Position from = advance.expected();
            String before = from == null
                    ? "FILTER NOT EXISTS { " + inPositions(triple(StoredPosition.PREDICATE, "?any")) + "}\n"
                    : inPositions(triple(StoredPosition.PREDICATE, canonical(from.id())) + (from.applied() == null ? ""
                            : " . " + triple(StoredPosition.APPLIED, StoredPosition.literal(from.applied()))));
            String old = inPositions(triple(StoredPosition.APPLIED, "?applied"));
            String last = inPositions(RECEIPT + "?receipt");
            StringBuilder set = new StringBuilder(inPositions(receipt))
                    .append(inPositions(triple(StoredPosition.PREDICATE, canonical(advance.next().id()))));
            if (advance.next().applied() != null) {
                set.append(inPositions(triple(StoredPosition.APPLIED, StoredPosition.literal(advance.next().applied()))));
            }
            advance.notes().forEach(
                    note -> set.append(inPositions(triple(StoredPosition.NOTE, StoredPosition.literal(note)))));
            String unset = from == null ? "" : inPositions(triple(StoredPosition.PREDICATE, canonical(from.id())));
            return operation(changes, unset + old + last + deleted, set.toString(),
                    before + "OPTIONAL { " + old + "}\nOPTIONAL { " + last + "}\n" + condition);
        }

        private String triple(String predicate, String object) {
            return key + " <" + predicate + "> " + object;
        }

        private static String canonical(String id) {
            return StoredPosition.canonical(StoredPosition.parse(id));
        }

        @Override
        public void close() throws IOException {
            if (held != null) {
                held.close();
            }
        }
    }
}
