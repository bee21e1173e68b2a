package io.jellybridge.spark;

import java.io.IOException;
import java.io.UncheckedIOException;

/** A call inside a method of Spark's interfaces, which may throw no {@link IOException}. */
@FunctionalInterface
public interface SparkCall<T> {
    T get() throws IOException;

    /**
     * Returns the result of a call.
     *
     * @throws UncheckedIOException the call threw its cause, whose message it has
     */
    static <T> T unchecked(SparkCall<T> call) {
        try {
            return call.get();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
