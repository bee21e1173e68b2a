package io.jellybridge.spark;

import io.jellybridge.codec.Io;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;

/** A call inside a method of Spark's interfaces, which may throw no {@link IOException}. */
public final class SparkCall {
    private SparkCall() {
    }

    /** Runs a call that has no result, see {@link #unchecked}. */
    public static void run(Io.Action call) {
        unchecked(() -> {
            call.run();
            return null;
        });
    }

    /**
     * Returns the result of a call.
     *
     * @throws IllegalArgumentException there is no such file or log
     * @throws UncheckedIOException     the call threw its cause, whose message it has
     */
    public static <T> T unchecked(Io.Supplier<T> call) {
        try {
            return call.get();
        } catch (FileNotFoundException | NoSuchFileException e) {
            throw new IllegalArgumentException(e.getMessage(), e); // Python shows its message alone
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
