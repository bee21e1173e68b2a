package io.jellybridge.codec;

/**
 * An exception that Spark may carry from an executor to the driver, where this class may not be known: under Spark Connect a
 * jar that the client added is known to the tasks of its session alone, and an exception of an unknown class is lost, with
 * what it says. So it is serialized as a {@link RuntimeException} whose message is its {@link #toString()}: its class and
 * its message.
 */
public abstract class CarriedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected CarriedException(String message) {
        super(message);
    }

    protected CarriedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** What is serialized in its place. */
    protected final Object writeReplace() {
        RuntimeException carried = new RuntimeException(toString(), getCause());
        carried.setStackTrace(getStackTrace());
        return carried;
    }
}
