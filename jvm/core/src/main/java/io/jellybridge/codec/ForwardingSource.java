package io.jellybridge.codec;

import java.io.IOException;

/**
 * A source that passes on the events of another source, and changes some. Closing it closes the other source.
 *
 * @param <S> the type of a term of the other source
 * @param <T> the type of a term
 */
public interface ForwardingSource<S, T> extends PatchSource<T> {

    /** Returns the other source. */
    PatchSource<S> source();

    @Override
    default ChangeCounter numbers() {
        return source().numbers();
    }

    @Override
    default void requireBalance() {
        source().requireBalance();
    }

    @Override
    default FormatException newError(String rule, String found, String advice) {
        return source().newError(rule, found, advice);
    }

    @Override
    default void close() throws IOException {
        source().close();
    }
}
