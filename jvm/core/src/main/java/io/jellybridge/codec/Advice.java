package io.jellybridge.codec;

/** The advice in errors of a stream that is read. */
final class Advice {
    static final String DAMAGED = "the file is damaged or was cut off; get it again from where it was written";
    static final String WRITER_BUG = "the writer broke the format; write the file anew with a correct one";
    static final String READ_TOLERANTLY = "read it without strict, or write the file anew";

    private Advice() {
    }

    /** Returns the advice for a stream that exceeds one of our limits. */
    static String raise(String option) {
        return "if you trust the file, raise " + option;
    }
}
