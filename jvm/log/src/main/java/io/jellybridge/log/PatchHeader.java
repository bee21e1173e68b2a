package io.jellybridge.log;

/**
 * What chains a patch to the others.
 *
 * @param id   its id; null where it has none
 * @param prev the id of the patch before it; null where it names none, as the first of a log
 */
public record PatchHeader(String id, String prev) {
}
