package io.jellybridge.sync;

import io.jellybridge.options.ShareLimit;

/**
 * The largest number of quads that a publication may delete.
 *
 * @param quads   the limit, as a number or a share of the present quads
 * @param isGiven true if the user gave the limit, which also permits a snapshot of one empty file
 */
public record DeletionLimit(ShareLimit quads, boolean isGiven) {

    /**
     * Parses a limit.
     *
     * @param text a number of quads, or a percentage such as {@code 20%}; null for no limit
     * @throws IllegalArgumentException it is neither
     */
    public static DeletionLimit of(String text) {
        ShareLimit limit = text == null ? ShareLimit.NONE : ShareLimit.parse(text);
        if (limit == null) {
            throw new IllegalArgumentException(
                    "max_delete=" + text + ": must be a number of quads, or a share of them from 0% to 100%");
        }
        return new DeletionLimit(limit, text != null);
    }

    /**
     * Checks a number of deletions.
     *
     * @param before the number of present quads
     * @throws IllegalStateException more of them would be deleted
     */
    void checkDeletions(long before, long deleted) {
        if (quads.isExceeded(deleted, before)) {
            throw new IllegalStateException("the snapshot would delete " + deleted + " of " + before + " quads, and max_delete "
                    + "(--max-delete) allows " + quads + "; nothing of it was applied; see what by a dry run, or allow more");
        }
    }
}
