package io.jellybridge.codec;

/** Makes the error for a place that only the reader knows. */
@FunctionalInterface
interface Place {

    /**
     * @param rule   the rule's id
     * @param found  what was found
     * @param advice what to do
     */
    PatchFormatException error(String rule, String found, String advice);
}
