package io.jellybridge.codec;

/** Makes the error for a place that only the reader or writer of the stream knows. */
@FunctionalInterface
interface ErrorSite {

    /**
     * @param rule   the rule that is broken
     * @param found  what was found, a clause without a full stop
     * @param advice what to do, a clause without a full stop
     */
    FormatException error(Rule rule, String found, String advice);
}
