package io.jellybridge.log;

/**
 * What a file in the folder of a log says of itself.
 *
 * @param id    the patch's id; null where it can't be read
 * @param prev  the id of the patch before it
 * @param fault why it is no patch that a follower could apply; null when it is one
 * @param lost  whether it is the stand-in for a patch that was lost; then it has a fault, and an id
 */
public record FileHeader(String id, String prev, String fault, boolean lost) {
}
