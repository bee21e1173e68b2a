package io.jellybridge.spark.sink;

/** Thrown when a dataset can't be opened or read for a job. The message is one line with the dataset and the reason. */
public final class ReadFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReadFailedException(JenaSinkOptions source, Exception cause) {
        super("the dataset was not read (" + source.name() + "): " + cause.getMessage(), cause);
    }
}
