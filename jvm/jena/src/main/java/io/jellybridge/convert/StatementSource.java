package io.jellybridge.convert;

import io.jellybridge.codec.RdfHandler;
import java.io.Closeable;
import java.io.IOException;

/**
 * A stream of statements that is being read, in whatever format. One thread at a time; after an exception it can only
 * be closed.
 *
 * @param <T> what a term is
 */
interface StatementSource<T> extends Closeable {

    /**
     * Hands over the next event.
     *
     * @return false, with no event, at the end of the stream
     * @throws RuntimeException the stream breaks its format: the error of that format, with the place
     */
    boolean next(RdfHandler<T> handler) throws IOException;

    /** As {@link io.jellybridge.codec.PatchSource#error}. */
    RuntimeException error(String rule, String found, String advice);
}
