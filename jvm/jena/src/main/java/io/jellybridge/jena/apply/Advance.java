package io.jellybridge.jena.apply;

import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import java.util.List;
import java.util.Objects;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * A step of a follower: under {@code key}, from where it must be to where it will be. Who follows a log has the log's key
 * and the ids of patches; who runs a streaming query has the query's key and numbers of epochs.
 *
 * @param key      an IRI, without angle brackets, such as {@code urn:jellybridge:log}
 * @param expected the position before; null: none yet
 * @param next     the position after; not null, and not {@code expected}
 * @param notes    what is noted with it, see {@link StoredPosition}
 */
public record Advance(String key, Position expected, Position next, List<String> notes) implements PatchApplier.Step {

    /** @throws IllegalArgumentException the step leads to where it starts, or key or next is none that a dataset can keep */
    public Advance {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(next, "next");
        notes = List.copyOf(notes);
        if (next.equals(expected)) {
            throw new IllegalArgumentException("a step from " + expected.id()
                    + " to itself; each step needs a position of its own");
        }
        new StoredPosition(key);
        StoredPosition.parse(next.id());
    }

    /** A step between positions of which the ids alone count, each an IRI or a literal in canonical N-Triples. */
    public Advance(String key, String expected, String next) {
        this(key, Position.of(expected), Position.of(next), List.of());
    }

    /** Whether a dataset is where this begins; {@code found} is null when it has no position. */
    public boolean beginsAt(Position found) {
        return expected == null ? found == null : expected.isAt(found);
    }

    /**
     * Refuses a dataset that is elsewhere.
     *
     * @param found the position of the dataset; null when it has none
     * @throws PositionConflictException it is not the one that is expected
     */
    public void check(Position found) {
        if (!beginsAt(found)) {
            throw new PositionConflictException(this, found);
        }
    }

    @Override
    public void before(DatasetGraph dataset) {
        check(new StoredPosition(key).find(dataset));
    }

    @Override
    public void after(DatasetGraph dataset) {
        new StoredPosition(key).set(dataset, next, notes);
    }
}
