package io.jellybridge.sync;

import io.jellybridge.options.ShareLimit;

/**
 * How much may be deleted.
 *
 * @param quads of those that are there
 * @param all   whether all that is there may be deleted, and nothing come for it
 */
public record DeletionLimit(ShareLimit quads, boolean all) {

    /**
     * Reads a limit.
     *
     * @param text a number of quads, or a share such as {@code 20%}; null: anything but all that is there
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
    void check(long before, long deleted, long after) {
        if (!all && after == 0 && before > 0) {
            throw new IllegalStateException("the snapshot is empty, and would delete all " + before
                    + " quads; nothing of it was applied; if that is meant, allow it by max_delete (--max-delete) 100%");
        }
        if (quads.isExceeded(deleted, before)) {
            throw new IllegalStateException("the snapshot would delete " + deleted + " of " + before + " quads, and max_delete "
                    + "(--max-delete) allows " + quads + "; nothing of it was applied; see what by a dry run, or allow more");
        }
    }
}
