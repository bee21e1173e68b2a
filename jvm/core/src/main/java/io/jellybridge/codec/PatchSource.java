package io.jellybridge.codec;

import java.io.Closeable;
import java.io.IOException;

/**
 * A reader of a stream of patches, in any format. It passes the events to a {@link PatchHandler}, one a call, and numbers them.
 * One thread may call at a time. After an exception it can only be closed.
 *
 * @param <T> the type of a term
 */
public interface PatchSource<T> extends Closeable {

    /**
     * Passes on the next event.
     *
     * @return false, with no event, at the end of the stream
     * @throws FormatException the stream breaks its format
     * @throws IOException the stream can't be read
     */
    boolean next(PatchHandler<T> handler) throws IOException;

    /** Reads all remaining events. */
    default void readAll(PatchHandler<T> handler) throws IOException {
        while (next(handler)) {
            // the handler does the work
        }
    }

    /**
     * Selects the statements to pass on from the rows to come. Headers, transactions and prefixes are always passed on, and
     * {@link #numbers()} counts all rows.
     *
     * @return false if this source can't select, and passes on everything
     */
    default boolean select(Selection<T> statements) {
        return false;
    }

    /** Returns the number of rows that are not passed on since only their number is wanted, see {@link StreamSplit#toCount}. */
    default long skippedRows() {
        return 0;
    }

    /** Returns the numbers of the last event. */
    ChangeCounter numbers();

    /**
     * Makes every later violation of the {@link TransactionGrammar} an error, for callers that apply or store the patches. A
     * tolerant reader otherwise passes it on.
     */
    void requireBalance();

    /**
     * Creates an error at the position of the last event, for a handler that rejects something the format allows.
     *
     * @param rule   the id of the rule, or a word for the component that rejects the data
     * @param found  a clause without a full stop that says what was found
     * @param advice a clause without a full stop that says what to do
     */
    FormatException newError(String rule, String found, String advice);
}
