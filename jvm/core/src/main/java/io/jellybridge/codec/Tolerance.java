package io.jellybridge.codec;

/** Takes the broken MUSTs that reading can get over. */
@FunctionalInterface
interface Tolerance {

    /**
     * @param rule  the rule that is broken
     * @param found what was found, a clause without a full stop
     * @throws FormatException the reading is strict
     */
    void tolerate(Rule rule, String found);
}
