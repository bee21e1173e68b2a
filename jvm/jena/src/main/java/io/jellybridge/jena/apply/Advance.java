package io.jellybridge.jena.apply;

import io.jellybridge.jena.data.StoredPosition;
import java.util.Objects;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * A step of a follower: under {@code key}, from where it must be to where it will be. Who follows a log has the log's key
 * and the ids of patches; who runs a streaming query has the query's key and numbers of epochs.
 *
 * @param key      an IRI, without angle brackets, such as {@code urn:jellybridge:log}
 * @param expected the position before, an IRI or a literal in canonical N-Triples; null: none yet
 * @param next     the position after, likewise; not null, and not {@code expected}
 */
public record Advance(String key, String expected, String next) implements PatchApplier.Step {

    /** @throws IllegalArgumentException the step leads to where it starts, or key or next is none that a dataset can keep */
    public Advance {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(next, "next");
        if (next.equals(expected)) {
            throw new IllegalArgumentException("a step from " + expected
                    + " to itself; each step needs a position of its own");
        }
        new StoredPosition(key);
        StoredPosition.parse(next);
    }

    /**
     * Refuses a dataset that is elsewhere.
     *
     * @param found the position of the dataset; null when it has none
     * @throws PositionConflictException it is not the one that is expected
     */
    public void check(String found) {
        if (!Objects.equals(found, expected)) {
            throw new PositionConflictException(this, found);
        }
    }

    @Override
    public void before(DatasetGraph dataset) {
        check(new StoredPosition(key).get(dataset));
    }

    @Override
    public void after(DatasetGraph dataset) {
        new StoredPosition(key).set(dataset, next);
    }
}
