package io.jellybridge.codec;

/**
 * How a lookup table of a stream is used so far.
 *
 * @param size    how many entries the options declare
 * @param used    how many of them were ever set
 * @param written how many entry rows there were
 */
public record TableUse(int size, int used, long written) {

    /** How many entries made room for another one. */
    public long evictions() {
        return written - used;
    }
}
