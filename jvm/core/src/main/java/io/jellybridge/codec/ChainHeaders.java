package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * The headers that chain patches: {@code id}, which is a patch's own, and {@code prev}, the id of the patch before it. Keeps
 * those of the patch that is being read; which values they may have, its reader says.
 *
 * @param <T> what an id is
 */
public final class ChainHeaders<T> {
    private static final String ID = "id";
    private static final String PREV = "prev";
    private static final byte[] ID_KEY = ID.getBytes(US_ASCII);
    private static final byte[] PREV_KEY = PREV.getBytes(US_ASCII);

    private T id;
    private T prev;

    /**
     * Hands both headers over, as the first rows of a patch.
     *
     * @param prev null: without
     */
    public static <T> void write(PatchHandler<T> to, T id, T prev) {
        to.header(ID_KEY, id);
        if (prev != null) {
            to.header(PREV_KEY, prev);
        }
    }

    /** Which of the two a header is, by its key; null: neither. */
    public static String name(byte[] key) {
        return Arrays.equals(key, ID_KEY) ? ID : Arrays.equals(key, PREV_KEY) ? PREV : null;
    }

    /** Whether the patch has had the header of a name. */
    public boolean has(String name) {
        return (name.equals(ID) ? id : prev) != null;
    }

    /** Keeps the header of a name; of one that comes again, the last. */
    public void put(String name, T value) {
        if (name.equals(ID)) {
            id = value;
        } else {
            prev = value;
        }
    }

    /** Forgets both, for the next patch. */
    public void clear() {
        id = null;
        prev = null;
    }

    /** The patch's id; null: none so far. */
    public T id() {
        return id;
    }

    /** The id of the patch before; null: none so far. */
    public T prev() {
        return prev;
    }
}
