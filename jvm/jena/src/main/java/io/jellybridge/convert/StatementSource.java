package io.jellybridge.convert;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import java.io.Closeable;
import java.io.IOException;

/**
 * A stream of statements that is being read, in whatever format. One thread at a time; after an exception it can only
 * be closed.
 *
 * @param <T> what a term is
 */
public interface StatementSource<T> extends Closeable {

    /**
     * Hands over the next event.
     *
     * @return false, with no event, at the end of the stream
     * @throws FormatException the stream breaks its format
     */
    boolean next(RdfHandler<T> handler) throws IOException;

    /** As {@link io.jellybridge.codec.PatchSource#error}. */
    FormatException error(String rule, String found, String advice);
}
