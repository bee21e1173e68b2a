package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * The headers that chain patches: {@code id}, the patch's own id, and {@code prev}, the id of the patch before. It stores those
 * of the current patch. The reader of the patch checks their values.
 *
 * @param <T> the type of an id
 */
public final class IdHeaders<T> {
    /** The name of the header with the patch's own id. */
    public static final String ID = "id";
    /** The name of the header with the id of the patch before. */
    public static final String PREV = "prev";

    private static final byte[] ID_KEY = ID.getBytes(US_ASCII);
    private static final byte[] PREV_KEY = PREV.getBytes(US_ASCII);

    private T id;
    private T prev;

    /**
     * Writes both headers, as the first rows of a patch. It leaves out one that is null.
     *
     * @param prev the id of the patch before
     */
    public static <T> void write(PatchHandler<T> to, T id, T prev) {
        if (id != null) {
            to.header(ID_KEY, id);
        }
        if (prev != null) {
            to.header(PREV_KEY, prev);
        }
    }

    /** Returns the name of a chain header by its key; null for any other header. */
    public static String nameOf(byte[] key) {
        return Arrays.equals(key, ID_KEY) ? ID : Arrays.equals(key, PREV_KEY) ? PREV : null;
    }

    /** Checks whether the patch has had the header of this name. */
    public boolean has(String name) {
        return (name.equals(ID) ? id : prev) != null;
    }

    /** Stores the header of this name. It replaces an earlier one. */
    public void put(String name, T value) {
        if (name.equals(ID)) {
            id = value;
        } else {
            prev = value;
        }
    }

    /** Clears both headers, for the next patch. */
    public void clear() {
        id = null;
        prev = null;
    }

    /** Returns the patch's id, or null if there is none so far. */
    public T id() {
        return id;
    }

    /** Returns the id of the patch before, or null if there is none so far. */
    public T prev() {
        return prev;
    }
}
