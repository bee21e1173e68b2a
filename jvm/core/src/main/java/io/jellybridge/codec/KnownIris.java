package io.jellybridge.codec;

import java.util.Arrays;

/**
 * Where whole IRIs are in the lookups: hash to prefix id and name id. IRIs of a stream repeat, so most are found here
 * with one hash, without being parsed, split, and hashed again by their parts.
 *
 * <p>An entry is a guess, which the lookups confirm: what they hold under the two ids is the IRI, or it is not found. So
 * nothing has to be kept in step when they drop a string or forget all. Direct-mapped: an entry takes the place of another.
 *
 * <p>The same for IRIs that a source has as objects, which need not even be made to text. There the lookups confirm that
 * the strings under the two ids are still those of then, by their serial numbers.
 */
final class KnownIris {
    /** Of each entry, side by side: its hash, and the two ids. */
    private static final int HASH = 0;
    private static final int PREFIX_ID = 1;
    private static final int NAME_ID = 2;
    /** Of an object, instead of the hash and beside the ids: the serial numbers of their strings. */
    private static final int PREFIX_SERIAL = 0;
    private static final int NAME_SERIAL = 3;
    private static final int FIELDS = 4;
    /** The slots go by the names that a lookup may have, of which it may never have so many, */
    private static final int MAX_NAMES = 1 << 18;
    /** and they begin as a few, since most streams are short. */
    private static final int INITIAL_SLOTS = 1 << 5;

    private final WriteLookup prefixes;
    private final WriteLookup names;
    private final int maxSlots;
    private int[] entries = new int[INITIAL_SLOTS * FIELDS];
    private int mask = INITIAL_SLOTS - 1;
    /** How many were put since there are so many slots. */
    private int puts;

    /** The objects, once there is one, and the entry of each. */
    private Object[] keys;
    private int[] keyEntries;
    private int keyMask = INITIAL_SLOTS - 1;
    private int keyPuts;

    KnownIris(WriteLookup prefixes, WriteLookup names) {
        this.prefixes = prefixes;
        this.names = names;
        this.maxSlots = 4 * Integer.highestOneBit(Math.min(names.size(), MAX_NAMES));
    }

    /**
     * A hash of an IRI by the words at its end and in its middle: IRIs differ there, and where they don't, one takes the
     * other's place.
     */
    static int hash(byte[] bytes, int offset, int length) {
        if (length <= 3 * Long.BYTES) {
            return WriteLookup.hash(bytes, offset, length);
        }
        int end = offset + length;
        long hash = WriteLookup.mixed(length, WriteLookup.word(bytes, end - Long.BYTES));
        hash = WriteLookup.mixed(hash, WriteLookup.word(bytes, end - 2 * Long.BYTES));
        return (int) WriteLookup.mixed(hash, WriteLookup.word(bytes, offset + (length - 2 * Long.BYTES) / 2));
    }

    /** Where an IRI is, to be asked for its ids, or -1 when it is not known. */
    int find(byte[] bytes, int offset, int length, int hash) {
        int entry = (hash & mask) * FIELDS;
        if (entries[entry + HASH] != hash) {
            return -1;
        }
        byte[] name = names.value(entries[entry + NAME_ID]);
        if (name == null) {
            return -1;
        }
        int split = offset + length - name.length;
        return split >= offset && Arrays.equals(name, 0, name.length, bytes, split, offset + length)
                && prefixIs(entries[entry + PREFIX_ID], bytes, offset, split) ? entry : -1;
    }

    private boolean prefixIs(int id, byte[] bytes, int from, int to) {
        if (id == 0) {
            return from == to;
        }
        byte[] prefix = prefixes.value(id);
        return prefix != null && Arrays.equals(prefix, 0, prefix.length, bytes, from, to);
    }

    /** The prefix id of an IRI that was found; 0 when it has no prefix, not even an empty one. */
    int prefixId(int found) {
        return entries[found + PREFIX_ID];
    }

    int nameId(int found) {
        return entries[found + NAME_ID];
    }

    void put(int hash, int prefixId, int nameId) {
        if (++puts > mask / 2 && mask < maxSlots - 1) {
            grow();
        }
        int entry = (hash & mask) * FIELDS;
        entries[entry + HASH] = hash;
        entries[entry + PREFIX_ID] = prefixId;
        entries[entry + NAME_ID] = nameId;
    }

    private void grow() {
        int[] before = entries;
        int slots = 4 * (mask + 1);
        entries = new int[slots * FIELDS];
        mask = slots - 1;
        puts = 0;
        for (int from = 0; from < before.length; from += FIELDS) {
            System.arraycopy(before, from, entries, (before[from + HASH] & mask) * FIELDS, FIELDS);
        }
    }

    /** As {@link #find(byte[], int, int, int)}, to be asked by {@link #keyPrefixId} and {@link #keyNameId}. */
    int find(Object key) {
        if (keys == null) {
            return -1;
        }
        int slot = slot(key);
        int entry = slot * FIELDS;
        return key.equals(keys[slot])
                && names.serial(keyEntries[entry + NAME_ID]) == keyEntries[entry + NAME_SERIAL]
                && prefixes.serial(keyEntries[entry + PREFIX_ID]) == keyEntries[entry + PREFIX_SERIAL] ? entry : -1;
    }

    int keyPrefixId(int found) {
        return keyEntries[found + PREFIX_ID];
    }

    int keyNameId(int found) {
        return keyEntries[found + NAME_ID];
    }

    void put(Object key, int prefixId, int nameId) {
        if (keys == null) {
            keys = new Object[keyMask + 1];
            keyEntries = new int[keys.length * FIELDS];
        } else if (++keyPuts > keyMask / 2 && keyMask < maxSlots - 1) {
            growKeys();
        }
        int slot = slot(key);
        int entry = slot * FIELDS;
        keys[slot] = key;
        keyEntries[entry + PREFIX_ID] = prefixId;
        keyEntries[entry + NAME_ID] = nameId;
        keyEntries[entry + PREFIX_SERIAL] = prefixes.serial(prefixId);
        keyEntries[entry + NAME_SERIAL] = names.serial(nameId);
    }

    private void growKeys() {
        Object[] keysBefore = keys;
        int[] before = keyEntries;
        keys = new Object[4 * keys.length];
        keyEntries = new int[keys.length * FIELDS];
        keyMask = keys.length - 1;
        keyPuts = 0;
        for (int from = 0; from < keysBefore.length; from++) {
            if (keysBefore[from] != null) {
                int slot = slot(keysBefore[from]);
                keys[slot] = keysBefore[from];
                System.arraycopy(before, from * FIELDS, keyEntries, slot * FIELDS, FIELDS);
            }
        }
    }

    private int slot(Object key) {
        int hash = key.hashCode();
        return (hash ^ hash >>> Short.SIZE) & keyMask;
    }
}
