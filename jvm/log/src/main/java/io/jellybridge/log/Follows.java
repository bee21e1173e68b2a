package io.jellybridge.log;

import java.util.Objects;

/**
 * The patch that another one must follow.
 *
 * @param isHead true for the current head, whichever it is
 * @param id     otherwise the id of that patch; null for an empty log
 */
record Follows(boolean isHead, String id) {
    static final Follows HEAD = new Follows(true, null);

    static Follows patch(String id) {
        return new Follows(false, id);
    }

    /** Returns the id of the patch to follow, if the log has the given head. */
    String prev(LogHead head) {
        return isHead ? head.id() : id;
    }

    /** Returns true if a patch may follow this one. */
    boolean allows(String prev) {
        return isHead || Objects.equals(id, prev);
    }
}
