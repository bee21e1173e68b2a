package io.jellybridge.spark.staging;

/** Thrown when a store can't be reached or opened for a batch, or rejects it. The message is one line with the reason. */
public final class BatchFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BatchFailedException(Exception cause) {
        super("the batch was not applied: " + cause.getMessage(), cause);
    }
}
