package io.jellybridge.jena.apply;

import io.jellybridge.jena.data.Position;

/**
 * Thrown when a dataset is not at the expected position or version, so nothing was applied. Another process has made the update, or a
 * patch is missing.
 */
public final class PositionConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final String expected;
    private final String found;

    /**
     * Creates an exception.
     *
     * @param found the position of the dataset; null if it has none
     */
    public PositionConflictException(PositionUpdate advance, Position found) {
        super(toMessage(advance, found));
        this.key = advance.key();
        this.expected = Position.idOf(advance.expected());
        this.found = Position.idOf(found);
    }

    private PositionConflictException(PositionUpdate advance, String message) {
        super(message);
        this.key = advance.key();
        this.expected = Position.idOf(advance.expected());
        this.found = expected;
    }

    /** Creates an exception for a dataset that is at the expected position, and was changed otherwise. */
    static PositionConflictException ofVersion(PositionUpdate advance) {
        return new PositionConflictException(advance, "the dataset was changed after it was read as version " + advance.version()
                + "; nothing was applied");
    }

    private static String toMessage(PositionUpdate advance, Position found) {
        String at = "the dataset is at " + nameOf(found) + " under <" + advance.key() + ">";
        String next = advance.next().id();
        if (next.equals(Position.idOf(found)) && !next.equals(Position.idOf(advance.expected()))) {
            return at + " already: another process made this step, or this request arrived twice; it was applied once";
        }
        return at + ", and the step to " + next + " begins at " + nameOf(advance.expected())
                + without(advance.expected(), found) + "; nothing was applied";
    }

    private static String nameOf(Position position) {
        return position == null ? "no position" : position.id();
    }

    /** Returns a text that distinguishes two positions with the same id. */
    private static String without(Position expected, Position found) {
        return expected != null && found != null && expected.id().equals(found.id())
                ? ", of which it has applied more or fewer rows" : "";
    }

    public String key() {
        return key;
    }

    /** Returns the expected position; null for none. */
    public String expected() {
        return expected;
    }

    /** Returns the position of the dataset; null for none. */
    public String found() {
        return found;
    }
}
