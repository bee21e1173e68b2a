package io.jellybridge.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A lookup table of a writer: it maps strings to ids. When it is full, it evicts an entry by the clock algorithm. A hand goes
 * round the table, skips entries that were used since its last visit, and evicts the first one that was not. That is close to
 * LRU, and costs only one write a use. It also sets entries in the order of their ids, which costs no bytes (P-60).
 *
 * <p>An entry that was used since {@link #beginRow} is never evicted. A row that needs at most {@code size} entries therefore
 * has all of them at once (checklist P-64). {@link #rewind} removes the entries that were added since then.
 */
final class WriteLookup {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final byte[] NO_BYTES = {};
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
    /** The value of {@link #lastSet} if readers may have set any entry last. */
    private static final int UNKNOWN = -1;

    /** The fields of an entry: its hash, the next id of its chain (0 at the end), and the row of its last use. */
    private static final int HASH = 0;
    private static final int NEXT = 1;
    /** The row of its last use, or 0 if the hand has passed since. */
    private static final int USED = 2;
    /** The serial number of the string. No other entry of the table had it, unless 2^32 more were added since. */
    private static final int SERIAL = 3;
    private static final int FIELDS = 4;

    private final int size;
    /** The first ids of the chains, by hash. Ids begin at 1. */
    private int[] heads = new int[32];
    private int[] entries = new int[17 * FIELDS];
    private byte[][] values = new byte[17][];
    private int count;
    private int hand;
    private int row = 1;
    private int lastSet;
    private int serial;
    /** The total size of the strings, in bytes. */
    private long bytes;

    /** The ids that this row added, with the fields of the entry before each. */
    private int[] added = new int[4];
    private int[] replaced = new int[4 * FIELDS];
    /** The strings of those entries, or null. */
    private byte[][] replacedValues = new byte[4][];
    private int addedCount;
    /** The state of the table before this row. */
    private int countBefore;
    private int handBefore;
    private int lastSetBefore;

    /**
     * Creates an empty table.
     *
     * @param size the largest number of entries; 0 if the table is not used
     */
    WriteLookup(int size) {
        this.size = size;
    }

    int size() {
        return size;
    }

    /** Clears all entries, for readers that may have other entries or none. The next entry gives its id. */
    void forget() {
        Arrays.fill(heads, 0);
        Arrays.fill(entries, 0);
        Arrays.fill(values, null);
        bytes = 0;
        count = 0;
        hand = 0;
        lastSet = UNKNOWN;
    }

    /** Begins a row. Entries that are used from now on stay until the next row. */
    void beginRow() {
        row = row == Integer.MAX_VALUE ? 1 : row + 1;
        addedCount = 0;
        countBefore = count;
        handBefore = hand;
        lastSetBefore = lastSet;
    }

    /** Removes the entries that the row added. Entries that it used still count as used. */
    void rewind() {
        while (addedCount > 0) {
            addedCount--;
            int id = added[addedCount];
            removeFromChain(id);
            bytes += lengthOf(replacedValues[addedCount]) - lengthOf(values[id]);
            values[id] = replacedValues[addedCount];
            System.arraycopy(replaced, addedCount * FIELDS, entries, id * FIELDS, FIELDS);
            if (values[id] != null) {
                addToChain(id);
            }
        }
        count = countBefore;
        hand = handBefore;
        lastSet = lastSetBefore;
    }

    /** Returns the string with this id, which must not be changed; null if there is none. */
    byte[] valueOf(int id) {
        return values[id];
    }

    /** Returns the serial number of the string with this id; 0 if the id is 0. */
    int serialOf(int id) {
        return entries[id * FIELDS + SERIAL];
    }

    /** Marks an entry as used. The id may be 0. */
    void use(int id) {
        entries[id * FIELDS + USED] = row;
    }

    /** Finds a string and marks it as used. Returns its id, or 0 if it is not in the table. */
    int findString(byte[] bytes, int offset, int length, int hash) {
        for (int id = heads[hash & (heads.length - 1)]; id != 0; id = entries[id * FIELDS + NEXT]) {
            if (entries[id * FIELDS + HASH] == hash
                    && Arrays.equals(values[id], 0, values[id].length, bytes, offset, offset + length)) {
                use(id);
                return id;
            }
        }
        return 0;
    }

    /** Adds a string that is not in the table, and marks it as used. Returns its id, or 0 if the row uses all entries. */
    int addString(byte[] bytes, int offset, int length, int hash) {
        int id;
        if (count < size) {
            id = ++count;
            if (id == values.length) {
                grow();
            }
        } else {
            id = unused();
            if (id == 0) {
                return 0;
            }
        }
        replace(id, Arrays.copyOfRange(bytes, offset, offset + length), hash);
        use(id);
        return id;
    }

    private void replace(int id, byte[] value, int hash) {
        keepReplaced(id);
        if (values[id] != null) {
            removeFromChain(id);
        }
        bytes += value.length - lengthOf(values[id]);
        values[id] = value;
        entries[id * FIELDS + HASH] = hash;
        entries[id * FIELDS + SERIAL] = ++serial;
        addToChain(id);
    }

    /**
     * Replaces the next string that the row does not use by an empty one.
     *
     * @param after  the id to begin after
     * @param length the smallest length of the string
     * @return its id, or 0 if there is none
     */
    int emptyNext(int after, int length) {
        for (int id = after + 1; id <= count; id++) {
            if (entries[id * FIELDS + USED] != row && values[id].length >= length) {
                replace(id, NO_BYTES, id); // not the hash of no bytes: that would make one chain of them all
                return id;
            }
        }
        return 0;
    }

    /** Returns the average length of the strings. The table must not be empty. */
    int averageLength() {
        return (int) (bytes / count);
    }

    /** Returns the total size of the strings. Readers must hold them too. */
    long bytes() {
        return bytes;
    }

    private static int lengthOf(byte[] value) {
        return value == null ? 0 : value.length;
    }

    private void keepReplaced(int id) {
        if (addedCount == added.length) {
            added = Arrays.copyOf(added, 2 * addedCount);
            replaced = Arrays.copyOf(replaced, 2 * addedCount * FIELDS);
            replacedValues = Arrays.copyOf(replacedValues, 2 * addedCount);
        }
        added[addedCount] = id;
        System.arraycopy(entries, id * FIELDS, replaced, addedCount * FIELDS, FIELDS);
        replacedValues[addedCount] = values[id];
        addedCount++;
    }

    private int unused() {
        for (int steps = 2 * size; steps > 0; steps--) {
            hand = hand == size ? 1 : hand + 1;
            int used = hand * FIELDS + USED;
            if (entries[used] == 0) {
                return hand;
            }
            if (entries[used] != row) {
                entries[used] = 0;
            }
        }
        return 0;
    }

    /** Returns the id to write for an entry that is set now: 0 if it follows the last one that was set (P-60). */
    int entryId(int id) {
        boolean follows = id == lastSet + 1;
        lastSet = id;
        return follows ? 0 : id;
    }

    /** Computes a hash of bytes, eight at a time, since whole IRIs are hashed for every row. */
    static int hashOf(byte[] bytes, int offset, int length) {
        long hash = length;
        int end = offset + length;
        int i = offset;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            hash = mixHash(hash, wordAt(bytes, i));
        }
        if (i < end) {
            long rest = 0;
            if (length >= Long.BYTES) {
                rest = wordAt(bytes, end - Long.BYTES);
            } else {
                for (; i < end; i++) {
                    rest = rest << Byte.SIZE | bytes[i] & 0xFF;
                }
            }
            hash = mixHash(hash, rest);
        }
        return (int) hash;
    }

    /** Folds the 128 bits of a product, so that all characters of a word affect all bits. */
    static long mixHash(long hash, long word) {
        long factor = hash ^ word;
        return Math.multiplyHigh(factor, HASH_FACTOR) ^ factor * HASH_FACTOR;
    }

    static long wordAt(byte[] bytes, int index) {
        return (long) LONGS.get(bytes, index);
    }

    private void addToChain(int id) {
        int head = entries[id * FIELDS + HASH] & (heads.length - 1);
        entries[id * FIELDS + NEXT] = heads[head];
        heads[head] = id;
    }

    private void removeFromChain(int id) {
        int head = entries[id * FIELDS + HASH] & (heads.length - 1);
        if (heads[head] == id) {
            heads[head] = entries[id * FIELDS + NEXT];
            return;
        }
        int before = heads[head];
        while (entries[before * FIELDS + NEXT] != id) {
            before = entries[before * FIELDS + NEXT];
        }
        entries[before * FIELDS + NEXT] = entries[id * FIELDS + NEXT];
    }

    private void grow() {
        int capacity = Math.min(size, 2 * values.length) + 1;
        entries = Arrays.copyOf(entries, capacity * FIELDS);
        values = Arrays.copyOf(values, capacity);
        heads = new int[2 * heads.length];
        for (int id = 1; id < count; id++) {
            addToChain(id);
        }
    }
}
