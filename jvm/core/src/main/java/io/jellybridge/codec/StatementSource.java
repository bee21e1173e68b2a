package io.jellybridge.codec;

import java.io.Closeable;
import java.io.IOException;

/**
 * A reader of a stream of statements, in any format. One thread may call at a time. After an exception it can only be closed.
 *
 * @param <T> the type of a term
 */
public interface StatementSource<T> extends Closeable {

    /**
     * Reads the next event.
     *
     * @return false, with no event, at the end of the stream
     * @throws FormatException the stream breaks its format
     */
    boolean next(RdfHandler<T> handler) throws IOException;

    /** Creates an error as {@link PatchSource#newError} does. */
    FormatException newError(String rule, String found, String advice);
}
