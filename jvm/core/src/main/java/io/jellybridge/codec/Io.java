package io.jellybridge.codec;

import java.io.IOException;

/** Functions that may throw an {@link IOException}, unlike those of {@code java.util.function}. */
public final class Io {

    private Io() {
    }

    /** A function without an argument. */
    @FunctionalInterface
    public interface Supplier<T> {
        T get() throws IOException;
    }

    /** A function of one argument. */
    @FunctionalInterface
    public interface Function<A, R> {
        R apply(A argument) throws IOException;
    }

    /** An operation on one argument, without a result. */
    @FunctionalInterface
    public interface Consumer<A> {
        void accept(A argument) throws IOException;
    }

    /** An operation without an argument or a result. */
    @FunctionalInterface
    public interface Action {
        void run() throws IOException;
    }
}
