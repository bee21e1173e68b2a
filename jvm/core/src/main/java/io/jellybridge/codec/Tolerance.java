package io.jellybridge.codec;

/** Handles broken MUSTs that a tolerant reader accepts. */
@FunctionalInterface
interface Tolerance {

    /**
     * Handles a fault.
     *
     * @param rule  the broken rule
     * @param found a clause without a full stop that says what was found
     * @throws FormatException the reading is strict
     */
    void tolerate(Rule rule, String found);
}
