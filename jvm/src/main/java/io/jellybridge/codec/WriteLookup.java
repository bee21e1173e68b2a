package io.jellybridge.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A lookup table of the producer: strings to ids, the least recently used one making room (checklist P-64). An id that
 * was asked for since the last {@code size} distinct ones is never evicted, so a row that needs at most {@code size}
 * entries has all of them at once.
 */
final class WriteLookup {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
    /** The id set last, where readers may have any: the next one is not the one after it. */
    private static final int UNKNOWN = -1;

    private final int size;
    /** Ids by hash: chains that begin in {@code heads} and go on in {@code next}. 0 ends a chain; ids begin at 1. */
    private int[] heads = new int[32];
    private int[] next = new int[17];
    private int[] hashes = new int[17];
    private byte[][] values = new byte[17][];
    /** Ids by use: a ring through 0, from the most recent ({@code newer[0]}'s end) to the least ({@code older[0]}). */
    private int[] newer = new int[17];
    private int[] older = new int[17];
    private int count;
    private int lastSet;

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
        Arrays.fill(values, null);
        newer[0] = 0;
        older[0] = 0;
        count = 0;
        lastSet = UNKNOWN;
    }

    /** The string that has this id; null when there is none. Not to be changed. */
    byte[] value(int id) {
        return id < values.length ? values[id] : null;
    }

    /** Makes an entry the most recently used one. */
    void touch(int id) {
        if (older[0] != id) {
            unlink(id);
            linkAsNewest(id);
        }
    }

    /** The id of the string, now the most recently used; 0 when it is not in the table. */
    int find(byte[] bytes, int offset, int length, int hash) {
        for (int id = heads[hash & (heads.length - 1)]; id != 0; id = next[id]) {
            if (hashes[id] == hash && Arrays.equals(values[id], 0, values[id].length, bytes, offset, offset + length)) {
                touch(id);
                return id;
            }
        }
        return 0;
    }

    /** Adds a string that is not in the table, in the place of the least recently used one if it is full; its id. */
    int add(byte[] bytes, int offset, int length, int hash) {
        int id;
        if (count < size) {
            id = ++count;
            if (id == values.length) {
                grow();
            }
        } else {
            id = newer[0];
            unlink(id);
            removeFromChain(id);
        }
        values[id] = Arrays.copyOfRange(bytes, offset, offset + length);
        hashes[id] = hash;
        addToChain(id);
        linkAsNewest(id);
        return id;
    }

    /** The id to write for an entry that is set now: 0 when it is the one after the last that was set (P-60). */
    int entryId(int id) {
        boolean follows = id == lastSet + 1;
        lastSet = id;
        return follows ? 0 : id;
    }

    /** A hash of the bytes, taken eight at a time: strings of a lookup are long, and hashed for every term of a row. */
    static int hash(byte[] bytes, int offset, int length) {
        long hash = length;
        int end = offset + length;
        int i = offset;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            hash = (Long.rotateLeft(hash, 5) ^ (long) LONGS.get(bytes, i)) * HASH_FACTOR;
        }
        if (i < end) {
            long rest = 0;
            if (length >= Long.BYTES) {
                rest = (long) LONGS.get(bytes, end - Long.BYTES);
            } else {
                for (; i < end; i++) {
                    rest = rest << Byte.SIZE | bytes[i] & 0xFF;
                }
            }
            hash = (Long.rotateLeft(hash, 5) ^ rest) * HASH_FACTOR;
        }
        return (int) (hash >>> 32);
    }

    // Around 0 in the ring: newer[0] is the oldest entry, older[0] the newest.

    private void linkAsNewest(int id) {
        int newest = older[0];
        older[id] = newest;
        newer[id] = 0;
        newer[newest] = id;
        older[0] = id;
    }

    private void unlink(int id) {
        newer[older[id]] = newer[id];
        older[newer[id]] = older[id];
    }

    private void addToChain(int id) {
        int slot = hashes[id] & (heads.length - 1);
        next[id] = heads[slot];
        heads[slot] = id;
    }

    private void removeFromChain(int id) {
        int slot = hashes[id] & (heads.length - 1);
        if (heads[slot] == id) {
            heads[slot] = next[id];
            return;
        }
        int before = heads[slot];
        while (next[before] != id) {
            before = next[before];
        }
        next[before] = next[id];
    }

    private void grow() {
        int capacity = Math.min(size, 2 * values.length) + 1;
        next = Arrays.copyOf(next, capacity);
        hashes = Arrays.copyOf(hashes, capacity);
        values = Arrays.copyOf(values, capacity);
        newer = Arrays.copyOf(newer, capacity);
        older = Arrays.copyOf(older, capacity);
        heads = new int[2 * heads.length];
        for (int id = 1; id < count; id++) {
            addToChain(id);
        }
    }
}
