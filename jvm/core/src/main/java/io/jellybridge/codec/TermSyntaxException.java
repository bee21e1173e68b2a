package io.jellybridge.codec;

/**
 * Thrown when a text is not a term of N-Triples, or not a statement if a line was read. All fields are plain, so Spark can
 * serialize it from an executor to the driver.
 */
public final class TermSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String text;
    private final int offset;
    private final String found;
    private final String advice;

    /**
     * Creates an exception.
     *
     * @param text   the text, shortened if it is long
     * @param offset the position of the invalid byte in the text, from 0
     * @param found  a clause without a full stop that says what was found
     * @param advice a clause without a full stop that says what to do
     */
    public TermSyntaxException(String text, int offset, String found, String advice) {
        super(found + " at byte " + offset + " of " + text + "; " + advice);
        this.text = text;
        this.offset = offset;
        this.found = found;
        this.advice = advice;
    }

    public String text() {
        return text;
    }

    public int offset() {
        return offset;
    }

    public String found() {
        return found;
    }

    public String advice() {
        return advice;
    }
}
