package io.jellybridge.codec;

/**
 * How a lookup table of a stream is used so far.
 *
 * @param size      how many entries the options declare
 * @param used      the most of them that were set at a time: a restart point unsets all
 * @param written   how many entry rows there were
 * @param evictions how many of those rows replaced an entry
 */
public record TableUse(int size, int used, long written, long evictions) {
}
