package io.jellybridge.log;

/**
 * The newest patch of a log.
 *
 * @param version its version; 0 for an empty log
 * @param id      its id; null for an empty log
 */
public record LogHead(long version, String id) {
    /** The head of an empty log. */
    public static final LogHead EMPTY = new LogHead(0, null);

    @Override
    public String toString() {
        return id == null ? "no patch" : "patch " + id + " (version " + version + ")";
    }
}
