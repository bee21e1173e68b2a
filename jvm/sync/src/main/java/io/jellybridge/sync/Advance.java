package io.jellybridge.sync;

import java.util.Objects;

/**
 * A step of a follower: under {@code key}, from where it must be to where it will be. Who follows a log has the log's key
 * and the ids of patches; who runs a streaming query has the query's key and numbers of epochs.
 *
 * @param key      an IRI, without angle brackets, such as {@code urn:jellybridge:log}
 * @param expected the position before, an IRI or a literal in canonical N-Triples; null: none yet
 * @param next     the position after, likewise; not null, and not {@code expected}
 */
public record Advance(String key, String expected, String next) {

    /** @throws IllegalArgumentException the step leads to where it starts */
    public Advance {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(next, "next");
        if (next.equals(expected)) {
            throw new IllegalArgumentException("a step from " + expected
                    + " to itself; each step needs a position of its own");
        }
    }
}
