package io.jellybridge.jena.apply;

import io.jellybridge.jena.data.Position;

/** A dataset is not where a step begins, so nothing was applied: someone else took the step, or a patch is missing. */
public final class PositionConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final String expected;
    private final String found;

    /** @param found the position of the dataset; null when it has none */
    public PositionConflictException(Advance advance, Position found) {
        super("the dataset is at " + name(found) + " under <" + advance.key() + ">, and the step to " + advance.next().id()
                + " begins at " + name(advance.expected()) + without(advance.expected(), found) + "; nothing was applied");
        this.key = advance.key();
        this.expected = Position.id(advance.expected());
        this.found = Position.id(found);
    }

    private static String name(Position position) {
        return position == null ? "no position" : position.id();
    }

    /** What tells two positions with the same id apart. */
    private static String without(Position expected, Position found) {
        return expected != null && found != null && expected.id().equals(found.id())
                ? ", of which it has applied more or fewer rows" : "";
    }

    public String key() {
        return key;
    }

    /** The position that the step begins at; null for none. */
    public String expected() {
        return expected;
    }

    /** The position of the dataset; null for none. */
    public String found() {
        return found;
    }
}
