package io.jellybridge.sync;

import io.jellybridge.options.ShareLimit;

/**
 * How much may be deleted.
 *
 * @param quads   of those that are there
 * @param isGiven whether somebody named the limit, and so allows that a snapshot that is one file is empty
 */
public record DeletionLimit(ShareLimit quads, boolean isGiven) {

    /**
     * Reads a limit.
     *
     * @param text a number of quads, or a share such as {@code 20%}; null: no limit
     * @throws IllegalArgumentException it is neither
     */
    public static DeletionLimit of(String text) {
        ShareLimit limit = text == null ? ShareLimit.NONE : ShareLimit.parse(text);
        if (limit == null) {
            throw new IllegalArgumentException(
                    "max_delete is " + text + "; it must be a number of quads, or a share of them from 0% to 100%");
        }
        return new DeletionLimit(limit, text != null);
    }

    /**
     * Refuses what deletes more.
     *
     * @param before how many quads there are
     * @throws IllegalStateException more of them would be deleted
     */
    void check(long before, long deleted) {
        if (quads.isExceeded(deleted, before)) {
            throw new IllegalStateException("the snapshot would delete " + deleted + " of " + before + " quads, and max_delete "
                    + "(--max-delete) allows " + quads + "; nothing of it was applied; see what by a dry run, or allow more");
        }
    }
}
