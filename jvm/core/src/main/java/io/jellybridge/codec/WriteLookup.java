package io.jellybridge.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A lookup table of the producer: strings to ids. When it is full, an entry that was not used for long makes room, found
 * as by a clock: a hand goes round, spares what was used since it last came by, and takes the first that was not. That
 * comes near to the least recently used one for a single write a use, and sets entries in the order of their ids, which
 * costs no bytes (P-60).
 *
 * <p>What was used since {@link #beginRow} is never taken, so a row that needs at most {@code size} entries has all of them
 * at once (checklist P-64). What was added since then is taken back by {@link #rewind}.
 */
final class WriteLookup {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
    /** What {@link #lastSet} is where readers may have set any entry last. */
    private static final int UNKNOWN = -1;

    /** Of each id in {@code entries}: its hash, the next id of its chain (0 ends one), and the row of its last use, */
    private static final int HASH = 0;
    private static final int NEXT = 1;
    /** or 0 when the hand has come by since. */
    private static final int USED = 2;
    /** And what no other entry of the table ever had, or only after 2^32 more: the string, as a number. */
    private static final int SERIAL = 3;
    private static final int FIELDS = 4;

    private final int size;
    /** The first ids of the chains, by hash; ids begin at 1. */
    private int[] heads = new int[32];
    private int[] entries = new int[17 * FIELDS];
    private byte[][] values = new byte[17][];
    private int count;
    private int hand;
    private int row = 1;
    private int lastSet;
    private int serial;
    /** What all strings take. */
    private long bytes;

    /** The ids that were added in this row, and what was there before: the fields of each, */
    private int[] added = new int[4];
    private int[] replaced = new int[4 * FIELDS];
    /** and the string, or null; */
    private byte[][] replacedValues = new byte[4][];
    private int addedCount;
    /** and of the table. */
    private int countBefore;
    private int handBefore;
    private int lastSetBefore;

    /** @param size how many entries there may be; 0 when the table is not used */
    WriteLookup(int size) {
        this.size = size;
    }

    int size() {
        return size;
    }

    /**
     * Forgets all entries, for readers that may have forgotten them, or that may have others: the next entry says its
     * id.
     */
    void forget() {
        Arrays.fill(heads, 0);
        Arrays.fill(entries, 0);
        Arrays.fill(values, null);
        bytes = 0;
        count = 0;
        hand = 0;
        lastSet = UNKNOWN;
    }

    /** Begins a row: what is used from now on stays until the next one begins. */
    void beginRow() {
        row = row == Integer.MAX_VALUE ? 1 : row + 1;
        addedCount = 0;
        countBefore = count;
        handBefore = hand;
        lastSetBefore = lastSet;
    }

    /** Takes back what the row added; what it used counts as used. */
    void rewind() {
        while (addedCount > 0) {
            addedCount--;
            int id = added[addedCount];
            removeFromChain(id);
            bytes += length(replacedValues[addedCount]) - length(values[id]);
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

    /** The string that has this id; null when there is none. Not to be changed. */
    byte[] value(int id) {
        return values[id];
    }

    /** A number for the string that has this id; 0 when the id is 0. */
    int serial(int id) {
        return entries[id * FIELDS + SERIAL];
    }

    /** Says that an entry is used; 0 is none. */
    void use(int id) {
        entries[id * FIELDS + USED] = row;
    }

    /** The id of the string, which is now used; 0 when it is not in the table. */
    int find(byte[] bytes, int offset, int length, int hash) {
        for (int id = heads[hash & (heads.length - 1)]; id != 0; id = entries[id * FIELDS + NEXT]) {
            if (entries[id * FIELDS + HASH] == hash
                    && Arrays.equals(values[id], 0, values[id].length, bytes, offset, offset + length)) {
                use(id);
                return id;
            }
        }
        return 0;
    }

    /** Adds a string that is not in the table, and is now used; its id, or 0 when the row uses all entries. */
    int add(byte[] bytes, int offset, int length, int hash) {
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
        keepReplaced(id);
        if (values[id] != null) {
            removeFromChain(id);
        }
        this.bytes += length - length(values[id]);
        values[id] = Arrays.copyOfRange(bytes, offset, offset + length);
        entries[id * FIELDS + HASH] = hash;
        entries[id * FIELDS + SERIAL] = ++serial;
        addToChain(id);
        use(id);
        return id;
    }

    /** What all strings take: readers hold them too. */
    long bytes() {
        return bytes;
    }

    private static int length(byte[] value) {
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

    /** The id to write for an entry that is set now: 0 when it is the one after the last that was set (P-60). */
    int entryId(int id) {
        boolean follows = id == lastSet + 1;
        lastSet = id;
        return follows ? 0 : id;
    }

    /** A hash of the bytes, taken eight at a time: whole IRIs are hashed for every row. */
    static int hash(byte[] bytes, int offset, int length) {
        long hash = length;
        int end = offset + length;
        int i = offset;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            hash = mixed(hash, word(bytes, i));
        }
        if (i < end) {
            long rest = 0;
            if (length >= Long.BYTES) {
                rest = word(bytes, end - Long.BYTES);
            } else {
                for (; i < end; i++) {
                    rest = rest << Byte.SIZE | bytes[i] & 0xFF;
                }
            }
            hash = mixed(hash, rest);
        }
        return (int) hash;
    }

    /** Folds the 128 bits of a product, so that the last character of a word counts in all bits as well as the first. */
    static long mixed(long hash, long word) {
        long factor = hash ^ word;
        return Math.multiplyHigh(factor, HASH_FACTOR) ^ factor * HASH_FACTOR;
    }

    static long word(byte[] bytes, int index) {
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
