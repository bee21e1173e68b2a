package io.jellybridge.spark.source;

/** A dataset could not be opened or read for a job. The message is one line, which says which and why. */
public final class ReadFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReadFailedException(QuadSource source, Exception cause) {
        super("the dataset was not read (" + source.name() + "): " + cause.getMessage(), cause);
    }
}
