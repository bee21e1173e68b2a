package io.jellybridge.log;

/**
 * What a file in the folder of a log says of itself.
 *
 * @param id     the patch's id; null where it can't be read
 * @param prev   the id of the patch before it
 * @param before the hash of the patch before it, see {@link Chain}
 * @param hash   the patch's own
 * @param fault  why it is no patch that a follower could apply; null when it is one
 * @param lost   whether it is the stand-in for a patch that was lost; then it has a fault, and an id
 */
public record FileHeader(String id, String prev, String before, String hash, String fault, boolean lost) {

    /** Of no patch. */
    static FileHeader none(String fault) {
        return new FileHeader(null, null, null, null, fault, false);
    }

    static FileHeader of(StoredPatches.Checked read) {
        String fault = read.fault() == null ? null : read.fault().getMessage();
        PatchHeader header = read.header();
        return header == null ? none(fault) : new FileHeader(header.id(), header.prev(),
                header.chain() == null ? null : header.chain().before(), header.hash(), fault, fault != null);
    }
}
