package io.jellybridge.codec;

/**
 * A piece of text is not what N-Triples calls a term (or a statement, when a whole line was read). Serializable, with
 * plain fields only, so that it crosses from an executor to the driver.
 */
public final class TermSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String text;
    private final int offset;
    private final String found;
    private final String advice;

    /**
     * @param text   the text, shortened where it is long
     * @param offset the byte that is wrong, counted from the start of the text, from 0
     * @param found  what was found, a clause without a full stop
     * @param advice what to do about it, a clause without a full stop
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
