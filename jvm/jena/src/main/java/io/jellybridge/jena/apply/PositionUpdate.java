package io.jellybridge.jena.apply;

import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.QuadCursor;
import io.jellybridge.jena.data.StoredPosition;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * An update of the position of a dataset, as compare-and-set: under {@code key}, from the expected position to the next. A
 * follower of a log uses the log's key and the ids of patches. A streaming query uses the query's key and numbers of epochs.
 *
 * @param key      an IRI, without angle brackets, such as {@code urn:jellybridge:log}
 * @param expected the position before; null if there is none yet
 * @param next     the position after; not null, and not {@code expected}
 * @param notes    texts to store with it, see {@link StoredPosition}
 * @param version  the version that the dataset must have, as {@link QuadCursor#version} gave it; null for any. Only a server with
 *                 our module gives one, and checks it
 */
public record PositionUpdate(String key, Position expected, Position next, List<String> notes, String version)
        implements PatchApplier.Step {

    /**
     * Checks the update.
     *
     * @throws IllegalArgumentException both positions are equal, or a dataset can't store the key or the next position
     */
    public PositionUpdate {
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

    /** Creates an update for any version of the dataset. */
    public PositionUpdate(String key, Position expected, Position next, List<String> notes) {
        this(key, expected, next, notes, null);
    }

    /** Creates an update of positions that consist of ids only. Each id is an IRI or a literal in canonical N-Triples. */
    public PositionUpdate(String key, String expected, String next) {
        this(key, Position.of(expected), Position.of(next), List.of());
    }

    /** Returns this update for one version of the dataset, or for any if that is null. */
    public PositionUpdate withVersion(String expectedVersion) {
        return new PositionUpdate(key, expected, next, notes, expectedVersion);
    }

    /** Passes on what a dataset stores of the next position: predicates, and terms in the form of change rows. */
    public void forEachTerm(BiConsumer<String, String> target) {
        target.accept(StoredPosition.PREDICATE, StoredPosition.toCanonical(next.id()));
        if (next.applied() != null) {
            target.accept(StoredPosition.APPLIED, StoredPosition.toLiteral(next.applied()));
        }
        notes.forEach(note -> target.accept(StoredPosition.NOTE, StoredPosition.toLiteral(note)));
    }

    /** Checks whether a dataset is at the expected position; {@code found} is null if it has none. */
    public boolean beginsAt(Position found) {
        return expected == null ? found == null : expected.isAt(found);
    }

    /**
     * Checks that a dataset is at the expected position.
     *
     * @param found the position of the dataset; null if it has none
     * @throws PositionConflictException it is at another position
     */
    public void check(Position found) {
        if (!beginsAt(found)) {
            throw new PositionConflictException(this, found);
        }
    }

    /**
     * Checks that a dataset has the expected version, which is not null.
     *
     * @param found the version of the dataset; null if it has none
     * @throws PositionConflictException it has another version
     */
    public void checkVersion(String found) {
        if (!version.equals(found)) {
            throw PositionConflictException.ofVersion(this);
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
