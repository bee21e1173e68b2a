package io.jellybridge.codec;

import java.io.Closeable;
import java.io.IOException;

/**
 * A stream of patches that is being read, in whatever format: hands its events to a {@link PatchHandler}, one a call, and
 * numbers them. One thread at a time; after an exception it can only be closed.
 *
 * @param <T> what a term is
 */
public interface PatchSource<T> extends Closeable {

    /**
     * Hands over the next event.
     *
     * @return false, with no event, at the end of the stream
     * @throws FormatException the stream breaks its format
     * @throws IOException     the stream can't be read
     */
    boolean next(PatchHandler<T> handler) throws IOException;

    /** Hands over all events that are left. */
    default void readAll(PatchHandler<T> handler) throws IOException {
        while (next(handler)) {
            // the handler does the work
        }
    }

    /**
     * Sets what is handed over of the statements, in the rows to come. Headers, transactions and prefixes come whole; {@link
     * #numbers()} counts all rows.
     *
     * @return whether this source does it; false where it hands everything over all the same
     */
    default boolean select(Selection<T> statements) {
        return false;
    }

    /** The numbers of the last event. */
    ChangeCounter numbers();

    /**
     * Refuses from here on what does not keep to the {@link TransactionGrammar}, for who applies or keeps the patches. A
     * tolerant reader hands it over otherwise.
     */
    void requireBalance();

    /**
     * An error at the place of the last event: for handlers that refuse what the format allows.
     *
     * @param rule   the id of the rule, or a word for what refuses
     * @param found  what was found, a clause without a full stop
     * @param advice what to do, a clause without a full stop
     */
    FormatException error(String rule, String found, String advice);
}
