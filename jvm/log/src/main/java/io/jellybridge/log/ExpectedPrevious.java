package io.jellybridge.log;

import java.util.Objects;

/**
 * The patch that another one must follow.
 *
 * @param isHead true for the current head, whichever it is
 * @param patch  otherwise the id or the hash of that patch; null for an empty log
 */
record ExpectedPrevious(boolean isHead, String patch) {
    static final ExpectedPrevious HEAD = new ExpectedPrevious(true, null);

    static ExpectedPrevious patch(String idOrHash) {
        return new ExpectedPrevious(false, idOrHash);
    }

    /** Returns the patch in the header {@code prev} of a patch, or else the head. */
    static ExpectedPrevious of(CheckedPatch patch) {
        String prev = patch.header().prev();
        return prev == null ? HEAD : patch(prev);
    }

    /** Returns the id of the patch to follow; null if there is none, or only its hash is known. */
    String id() {
        return isHash() ? null : patch;
    }

    boolean isHash() {
        return patch != null && Chain.isHash(patch);
    }

    /**
     * Returns the id of the patch to follow, if the log has the given head. A hash that is not that of the head stays a hash.
     *
     * @param hash the hash of the head
     */
    String prevFor(LogHead head, String hash) {
        return isHead || isHash() && patch.equals(hash) ? head.id() : patch;
    }

    /** Returns true if a patch with these headers may follow this one. */
    boolean isAllowed(PatchHeader header) {
        return isHead || (isHash() ? header.chain() != null && patch.equals(header.chain().before())
                : Objects.equals(patch, header.prev()));
    }
}
