package io.jellybridge.codec;

/** Creates errors with a position that only the reader or writer of the stream knows. */
@FunctionalInterface
interface ErrorSite {

    /**
     * Creates the error.
     *
     * @param rule   the broken rule
     * @param found  a clause without a full stop that says what was found
     * @param advice a clause without a full stop that says what to do
     */
    FormatException newError(Rule rule, String found, String advice);
}
