package io.jellybridge.codec;

/**
 * The use of a lookup table of a stream so far.
 *
 * @param size      the number of entries that the options declare
 * @param used      the largest number of entries that were set at a time; a restart point clears all
 * @param written   the number of entry rows
 * @param evictions the number of those rows that replaced an entry
 */
public record TableUse(int size, int used, long written, long evictions) {
}
