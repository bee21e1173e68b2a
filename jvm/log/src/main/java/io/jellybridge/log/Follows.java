package io.jellybridge.log;

import java.util.Objects;

/**
 * Which patch another one is to follow.
 *
 * @param isHead whichever is the log's head
 * @param id     else the id of that patch; null: none, the log is empty
 */
record Follows(boolean isHead, String id) {
    static final Follows HEAD = new Follows(true, null);

    static Follows patch(String id) {
        return new Follows(false, id);
    }

    /** The id of the patch before it, where that is the head. */
    String prev(LogHead head) {
        return isHead ? head.id() : id;
    }

    /** Whether a patch may follow this one. */
    boolean allows(String prev) {
        return isHead || Objects.equals(id, prev);
    }
}
