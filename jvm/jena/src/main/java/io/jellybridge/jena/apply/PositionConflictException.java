package io.jellybridge.jena.apply;

/** A dataset is not where a step begins, so nothing was applied: someone else took the step, or a patch is missing. */
public final class PositionConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final String expected;
    private final String found;

    /** @param found the position of the dataset; null when it has none */
    public PositionConflictException(Advance advance, String found) {
        super("the dataset is at " + name(found) + " under <" + advance.key() + ">, and the step to " + advance.next()
                + " begins at " + name(advance.expected()) + "; nothing was applied");
        this.key = advance.key();
        this.expected = advance.expected();
        this.found = found;
    }

    private static String name(String position) {
        return position == null ? "no position" : position;
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
