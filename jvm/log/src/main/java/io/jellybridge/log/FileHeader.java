package io.jellybridge.log;

/**
 * The description of a patch in a file of a log's folder.
 *
 * @param id     the patch's id; null if it can't be read
 * @param prev   the id of the patch before it
 * @param before the hash of the patch before it, see {@link Chain}
 * @param hash   the patch's own hash
 * @param fault  the reason why no follower can apply it; null if it is valid
 * @param lost   true if it is the placeholder for a lost patch; it then has a fault and an id
 */
public record FileHeader(String id, String prev, String before, String hash, String fault, boolean lost) {

    /** Returns the description of a file without a patch. */
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
