package io.jellybridge.codec;

/**
 * An exception that Spark can carry from an executor to the driver. The driver may not know our classes: under Spark Connect,
 * only the tasks of a session know the jars that its client added. Spark then loses an exception with its message. This one is
 * therefore serialized as a {@link RuntimeException} whose message is its {@link #toString()}: its class and its message.
 */
public abstract class SerializableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected SerializableException(String message) {
        super(message);
    }

    protected SerializableException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns the exception to serialize instead. */
    protected final Object writeReplace() {
        RuntimeException carried = new RuntimeException(toString(), getCause());
        carried.setStackTrace(getStackTrace());
        return carried;
    }
}
