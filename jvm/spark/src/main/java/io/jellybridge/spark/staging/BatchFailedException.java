package io.jellybridge.spark.staging;

/** A store could not be reached or opened for a batch, or refused it. The message is one line, which says why. */
public final class BatchFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BatchFailedException(Exception cause) {
        super("the batch was not applied: " + cause.getMessage(), cause);
    }
}
