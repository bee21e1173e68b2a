package io.jellybridge.codec;

import java.io.IOException;

/**
 * A source that hands on another one, and changes something of it on the way; closing it closes the other.
 *
 * @param <S> what a term of the other source is
 * @param <T> what a term is
 */
public interface ForwardingSource<S, T> extends PatchSource<T> {

    /** The other source. */
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
    default FormatException error(String rule, String found, String advice) {
        return source().error(rule, found, advice);
    }

    @Override
    default void close() throws IOException {
        source().close();
    }
}
